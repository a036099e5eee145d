"""The page with the engine inside (web/build.py) in a browser, from a disk: its reports are those of `halfpoint analyse` to the
byte, it asks for nothing, axe finds no barrier. The browser is that of test_report.py.

HALFPOINT_PAGE_GAMES=FILE:COUNT compares the first games of another PGN file, too."""

import gzip
import os
import pathlib
import re
import time

import chess
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from web_page import ENGINES, KINDS, OTHERS, ROOT, analyse, browser, difficulty_natively, is_built, native, page, read, report_frame, saved

pytestmark = is_built

MORE_GAMES = os.environ.get("HALFPOINT_PAGE_GAMES", "")
TEN_GAMES = "\n".join([(ROOT / "examples/game.pgn").read_text(), "", ENGINES, OTHERS])
BROKEN = '[White "x"]\n\n1. e4 Ke6 *\n'


def check_equal(page, folder, text, nodes, *options, **fields):
    read(page, text)
    seconds = analyse(page, nodes, **fields)
    began = time.monotonic()
    files, _ = native(folder, text, "--nodes", str(nodes), *options)
    native_seconds = time.monotonic() - began
    for kind, expected in zip(("page", "PGN", "JSON"), files):
        assert saved(page, kind) == expected, kind
    games = len(files[2].splitlines())
    print(f"{games} games at {nodes} nodes: {seconds:.1f} s in the page, {native_seconds:.1f} s by the program")


def test_ten_games_are_judged_as_by_the_program(page, tmp_path):
    check_equal(page, tmp_path, TEN_GAMES, 4_000)


@pytest.mark.skipif(not MORE_GAMES, reason="HALFPOINT_PAGE_GAMES is not set")
def test_more_games_are_judged_as_by_the_program(page, tmp_path):
    name, count = MORE_GAMES.rsplit(":", 1)
    games = re.split(r"(?m)^(?=\[Event )", pathlib.Path(name).read_text())
    check_equal(page, tmp_path, "".join(games[: int(count) + 1]), 20_000)


def test_ratings_and_lines_are_asked_for(page, tmp_path):
    game = OTHERS.split("\n\n[Event")[0] + "\n"
    options = ["--white-elo", "2000", "--black-elo", "1600", "--multipv", "3", "--clocks", "--people"]
    read(page, game)
    # Those that the game tells stand there.
    assert page.get_by_label("White’s rating").first.input_value() == "1400"
    assert page.get_by_label("Time control").first.input_value() == "blitz"
    page.get_by_label("Best lines").fill("3")
    page.get_by_label("Clocks count").check()
    page.get_by_label("How hard each move was").check()
    page.get_by_label("White’s rating").first.fill("2000")
    analyse(page, 3000)
    files, _ = native(tmp_path, game, "--nodes", "3000", *options)
    assert saved(page, "JSON") == files[2]
    assert report_frame(page).get_by_text("Difficulty: points that people").count() == 1


def test_positions_are_taken_as_well(page, tmp_path):
    text = "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 id \"Start\";\n"
    check_equal(page, tmp_path, text, 3000)


DROP = """(files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
DROP_TEXT = """([text, place]) => {
    const data = new DataTransfer();
    data.setData("text", text);
    return document.querySelector(place).dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
PASTE = """(text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""


def test_games_are_typed_dropped_pasted_and_unpacked(page):
    heading = page.locator("#games .card:nth-child(2) h2")
    page.get_by_label("Games or positions").fill("1. e4 e5 *")
    page.get_by_role("button", name="Read the text").click()
    expect(heading).to_have_text("1 game in games.pgn")
    page.evaluate(DROP, [["dropped.pgn", "1. e4 *\n\n1. d4 *\n"]])
    expect(heading).to_have_text("2 games in dropped.pgn")
    page.evaluate(PASTE, "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1")
    expect(heading).to_have_text("1 position in games.pgn")
    give = lambda name, content: page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "", "buffer": content})
    # The content says what is packed, not the name.
    member = gzip.compress(ENGINES.encode())
    for name, content, games in [("a.pgn.gz", member, 6), ("a.pgn.GZ", member, 6), ("a.pgn", member + member, 12), ("b.pgn.gz", ENGINES.encode(), 6)]:
        give(name, content)
        expect(heading).to_have_text(f"{games} games in {name}")
    give("cut.pgn.gz", member + member[: len(member) // 2])
    expect(heading).to_contain_text("games in cut.pgn.gz")
    assert "cut.pgn.gz: the rest of it cannot be read: the gzip data end early" in page.locator(".messages").inner_text()


@pytest.mark.parametrize("label", ["Processors", "Best lines", "Nodes a position", "White’s rating"])
def test_wrong_numbers_begin_no_analysis(page, label):
    read(page, TEN_GAMES)
    field = page.locator("#games").get_by_label(label)
    for text in ["0", "1e10", *([] if label == "White’s rating" else [""])]:
        field.fill(text)
        page.get_by_role("button", name="Analyse").click()
        expect(field).to_be_focused()
        assert field.evaluate("(field) => field.validationMessage")
        assert page.locator("progress").count() == 0


def test_other_games_leave_the_report_until_they_are_analysed(page):
    read(page, OTHERS)
    analyse(page, 200)
    report = saved(page, "JSON")
    page.evaluate(DROP, [["new.pgn", "1. e4 *\n"]])
    expect(page.locator("#games h2").last).to_have_text("1 game in new.pgn")
    expect(page.locator("#report")).to_be_hidden()
    page.get_by_role("button", name="Report", exact=True).click()
    assert saved(page, "JSON") == report
    # Most of what is seen there is the frame.
    report_frame(page).evaluate(DROP, [["framed.pgn", "1. e4 *\n"]])
    expect(page.locator("#games h2").last).to_have_text("1 game in framed.pgn")
    page.get_by_role("button", name="Live board").click()
    page.evaluate(DROP, [["lively.pgn", "1. e4 *\n"]])
    expect(page.locator("#games h2").last).to_have_text("1 game in lively.pgn")
    page.get_by_label("Nodes a position").fill("10000000")
    page.get_by_role("button", name="Analyse").click()
    expect(page.get_by_role("button", name="Report", exact=True)).to_be_disabled()


def test_what_cannot_be_read_changes_nothing(page):
    read(page, TEN_GAMES)
    page.get_by_label("Nodes a position").fill("10000000")
    page.get_by_role("button", name="Analyse").click()
    fault = page.locator("#games .fault")
    for files, said in [
        ([["empty.pgn", ""]], "empty.pgn: is empty"),
        ([["broken.pgn", BROKEN]], "broken.pgn: no game in it can be read"),
        ([["a.pgn", OTHERS], ["b.pgn", OTHERS]], "2 files at once"),
    ]:
        page.get_by_role("button", name="Live board").click()
        page.evaluate(DROP, files)
        expect(fault).to_contain_text(said)
        expect(page.locator("#games h2").last).to_have_text("10 games in games.pgn")
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
    # Work that goes on is not lost by a slip.
    page.evaluate(DROP, [["other.pgn", "1. e4 *\n"]])
    expect(page.locator("#games h2").last).to_have_text("10 games in games.pgn")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".state")).to_contain_text("stopped")
    page.evaluate(DROP_TEXT, ["1. d4 *", "body"])
    expect(page.locator("#games h2").last).to_have_text("1 game in games.pgn")
    # What is dropped into a field is left to the browser.
    assert page.evaluate(DROP_TEXT, ["1. d4 *", "textarea"])


def test_a_broken_game_is_named_as_by_the_program(page, tmp_path):
    text = ENGINES + "\n" + BROKEN
    read(page, text)
    _, said = native(tmp_path, text, "--nodes", "1")
    assert page.locator(".messages li").all_inner_texts() == said.splitlines()
    read(page, BROKEN)
    fault = page.locator("#games .fault")
    expect(fault).to_contain_text("games.pgn: no game in it can be read")
    assert "games.pgn: game 1, line 3: move 1... Ke6 is illegal" in fault.locator(".messages").inner_text()
    for text, said in [("", "is empty"), ("What is this?", "neither games in PGN nor positions")]:
        read(page, text)
        expect(page.locator("#games .fault")).to_contain_text(said)


def test_work_is_stopped_and_goes_on(page, tmp_path):
    read(page, TEN_GAMES)
    page.get_by_label("Nodes a position").fill("4000")
    page.get_by_role("button", name="Analyse").click()
    state = page.locator(".state")
    expect(state).to_contain_text(re.compile(r"1 of 10 games · about \d+ (s|min) left"), timeout=60_000)
    page.get_by_role("button", name="Stop").click()
    expect(state).to_contain_text("stopped")
    # Positions that are being searched are finished.
    page.wait_for_timeout(1500)
    cells = page.locator("#games tbody").inner_text()
    page.wait_for_timeout(1000)
    assert page.locator("#games tbody").inner_text() == cells
    # What is there can be looked at.
    page.get_by_role("button", name="Look at the report").click()
    expect(page.locator("#report .tools")).to_contain_text("of 10 games")
    report_frame(page).evaluate("location.hash = '#g1.2'")
    title = report_frame(page).locator("#game-title").inner_text()
    page.get_by_role("button", name="Games", exact=True).click()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#report")).to_be_visible(timeout=120_000)
    # The place is kept, though games have come before this one.
    expect(report_frame(page).locator("#game-title")).to_have_text(title)
    assert report_frame(page).evaluate("location.hash").endswith(".2")
    files, _ = native(tmp_path, TEN_GAMES, "--nodes", "4000")
    assert saved(page, "JSON") == files[2]


FAIL = """(game) => {
    const { ask } = Engine.prototype;
    let failures = 0;
    Engine.prototype.ask = function (request, ...rest) {
        if (request.do === "begin") this.game = request.game;
        const isBad = request.do === "step" && (game == null ? failures++ === 0 : this.game === game);
        return isBad ? Promise.reject(new Error("no memory")) : ask.call(this, request, ...rest);
    };
}"""


def test_an_engine_that_fails_spoils_one_game_at_most(page, tmp_path):
    read(page, ENGINES)
    page.get_by_label("Processors").fill("2")
    page.evaluate(FAIL, None)
    analyse(page, 300)
    files, _ = native(tmp_path, ENGINES, "--nodes", "300")
    assert saved(page, "JSON") == files[2]
    page.reload()
    read(page, ENGINES)
    page.evaluate(FAIL, 2)
    analyse(page, 300)
    assert saved(page, "JSON") == b"".join(line for line in files[2].splitlines(True) if b'"number":3,' not in line)
    page.get_by_role("button", name="Games", exact=True).click()
    assert page.locator("#games tbody .fault").all_inner_texts() == ["no memory"]


def test_the_report_leads_to_the_live_board(page):
    read(page, TEN_GAMES)
    analyse(page, 500)
    frame = report_frame(page)
    frame.evaluate("location.hash = '#g9.2'")
    expect(frame.locator("#game-title")).to_contain_text("White – Black")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_label("Position (FEN)")).to_have_value(re.compile(r"^4k3/P7/8/3pP3/8/8/8/R4RK1 w - d6 0 2$"))
    expect(page.locator(".game-moves [aria-current]")).to_have_text("d5")
    assert page.evaluate("document.activeElement.id") == "main"
    page.get_by_role("button", name="Report").click()
    # Other sites do not open in the frame.
    assert report_frame(page).evaluate("""() => {
        const link = document.querySelector("a[href^='https://lichess.org']");
        window.addEventListener("click", (event) => event.preventDefault());
        link.click();
        return link.target;
    }""") == "_blank"
    # A game of the list is opened in the report.
    page.get_by_role("button", name="Games", exact=True).click()
    page.get_by_role("button", name="אברהם כהן – b").click()
    expect(report_frame(page).locator("#game-title")).to_contain_text("אברהם כהן")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#live").get_by_label("White’s rating")).to_have_value("1400")
    expect(page.locator("#live .now")).to_contain_text("White rated 1400 against Black rated 1600 in blitz games")
    # The time control is that of the game.
    facts, _ = difficulty_natively(chess.STARTING_FEN, 1400, "180+0")
    expect(page.locator("#live .difficulty dd")).to_have_text(facts)


@pytest.mark.parametrize("page", KINDS, indirect=True, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def test_nothing_bars_anyone(page):
    def check(place=page):
        # From a disk axe cannot look into frames by itself.
        violations = Axe().run(place, options={"iframes": False}).response["violations"]
        assert [(violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in violations] == []
        width = place.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]

    check()
    read(page, TEN_GAMES + BROKEN)
    check()
    page.get_by_label("Nodes a position").fill("100000")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".state")).to_contain_text("positions")
    page.get_by_role("button", name="Stop").click()
    check()
    read(page, OTHERS)
    analyse(page, 300)
    check()
    check(report_frame(page))
    page.get_by_role("button", name="Live board").click()
    page.locator("#live").get_by_label("White’s rating").fill("1500")
    page.get_by_role("button", name="Starting position").click()
    expect(page.locator("#live .lines li")).to_have_count(3)
    expect(page.locator("#live .difficulty tbody tr")).to_have_count(5)
    page.get_by_role("button", name="Stop").click()
    check()


def test_every_control_is_reached_by_keyboard(page):
    page.get_by_role("button", name="Live board").click()
    wanted = {"Skip to the content", "Games", "A move on (→)", "Move:", "Lines", "Stop", "White’s rating", "Copy FEN"}
    seen = set()
    # Each move of a line is a button.
    for _ in range(150):
        page.keyboard.press("Tab")
        name = "document.activeElement.ariaLabel || document.activeElement.labels?.[0]?.firstChild.data || document.activeElement.innerText"
        seen.add(page.evaluate(name).strip())
        if wanted <= seen:
            break
    assert wanted <= seen
