"""The page with the engine inside (web/build.py) in a browser, from a disk: its reports are those of `halfpoint analyse` to the
byte, its live board plays, it asks for nothing, axe finds no barrier. The browser is that of test_report.py.

HALFPOINT_PAGE_GAMES=FILE:COUNT compares the first games of another PGN file, too."""

import json
import os
import pathlib
import re
import subprocess
import time

import chess
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from web_page import BINARY, ENGINES, OTHERS, PAGE, ROOT, analyse, browser, is_built, native, read, report_frame, saved

pytestmark = is_built

MORE_GAMES = os.environ.get("HALFPOINT_PAGE_GAMES", "")
TEN_GAMES = "\n".join([(ROOT / "examples/game.pgn").read_text(), "", ENGINES, OTHERS])
BROKEN = '[White "x"]\n\n1. e4 Ke6 *\n'


KINDS = [("light", 1280), ("dark", 390), ("light", 390), ("dark", 1280)]


@pytest.fixture(params=KINDS[:1], ids=lambda kind: f"{kind[0]}-{kind[1]}")
def page(browser, request):
    scheme, width = request.param
    context = browser.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme)
    page = context.new_page()
    troubles = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda sent: re.match(r"blob:|data:", sent.url) or sent.url == PAGE.as_uri() or troubles.append(sent.url))
    page.goto(PAGE.as_uri())
    yield page
    assert troubles == []
    context.close()


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
    check_equal(page, tmp_path, TEN_GAMES, 20_000)


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


def test_a_broken_game_is_named_as_by_the_program(page, tmp_path):
    text = ENGINES + "\n" + BROKEN
    read(page, text)
    _, said = native(tmp_path, text, "--nodes", "1")
    assert page.locator(".messages li").all_inner_texts() == said.splitlines()
    read(page, BROKEN)
    assert "games.pgn: game 1, line 3: move 1... Ke6 is illegal" in page.locator(".messages").inner_text()
    assert page.get_by_role("button", name="Analyse").count() == 0
    for text, fault in [("", "is empty"), ("What is this?", "neither games in PGN nor positions")]:
        read(page, text)
        expect(page.locator("#games .fault")).to_contain_text(fault)


def test_work_is_stopped_and_goes_on(page, tmp_path):
    read(page, TEN_GAMES)
    page.get_by_label("Nodes a position").fill("30000")
    page.get_by_role("button", name="Analyse").click()
    state = page.locator(".state")
    expect(state).to_contain_text("1 of 10 games", timeout=60_000)
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
    page.get_by_role("button", name="Games", exact=True).click()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#report")).to_be_visible(timeout=120_000)
    files, _ = native(tmp_path, TEN_GAMES, "--nodes", "30000")
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


def square(page, name):
    """A place on the live board."""
    size = page.locator("#live .board").bounding_box()["width"] / 8
    return {"x": size * (ord(name[0]) - 96.5), "y": size * (8.5 - int(name[1]))}


def test_the_live_board_plays(page):
    page.get_by_role("button", name="Live board").click()
    board, lines = page.locator("#live .board"), page.locator("#live .lines li")
    expect(lines).to_have_count(3)
    board.click(position=square(page, "g1"))
    expect(page.locator("#live .dot")).to_have_count(2)
    board.click(position=square(page, "f3"))
    expect(page.locator(".game-moves button")).to_have_text(["1. Nf3"])
    page.get_by_label("Move:").fill("d5")
    page.keyboard.press("Enter")
    expect(page.locator(".game-moves button")).to_have_text(["1. Nf3", "d5"])
    for count in ("1", "5"):
        page.get_by_label("Lines").select_option(count)
        expect(lines).to_have_count(int(count))
        expect(page.locator("#live .arrow")).to_have_count(int(count))
    # The moves of a line are played on.
    lines.first.locator("button").nth(1).click()
    expect(page.locator(".game-moves button")).to_have_count(4)
    page.locator("#live .now h2").click()
    page.keyboard.press("Home")
    expect(page.get_by_label("Position (FEN)")).to_have_value(chess.STARTING_FEN)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".game-moves [aria-current]")).to_have_text("1. Nf3")
    # It deepens by itself, until it is stopped.
    expect(page.locator("#live .now")).to_contain_text("thousand a second", timeout=20_000)
    page.get_by_role("button", name="Stop").click()
    told = page.locator("#live .now").inner_text()
    page.wait_for_timeout(700)
    assert page.locator("#live .now").inner_text() == told


def set_up(page, fen):
    page.get_by_label("Position (FEN)").fill(fen)
    page.get_by_role("button", name="Set up").click()


def test_the_live_board_knows_the_rules(page):
    page.get_by_role("button", name="Live board").click()
    set_up(page, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    expect(page.locator("#live .now")).to_contain_text("White to move")
    page.locator("#live .board").click(position=square(page, "a7"))
    page.locator("#live .board").click(position=square(page, "a8"))
    expect(page.locator("#live .now button")).to_have_count(4)
    page.get_by_role("button", name="a8=R+").click()
    expect(page.get_by_label("Position (FEN)")).to_have_value("R3k3/8/8/8/8/8/8/4K3 b - - 0 1")
    set_up(page, "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1")
    page.get_by_label("Move:").fill("Kg6")
    page.keyboard.press("Enter")
    expect(page.locator("#live .now")).to_contain_text("The game is over: ½–½")
    set_up(page, "no position")
    assert page.get_by_label("Position (FEN)").get_attribute("aria-invalid") == "true"
    # Chess960: the king takes its rook.
    set_up(page, "4k3/8/8/8/8/8/8/RK5R w HA - 0 1")
    page.get_by_label("Move:").fill("O-O")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Position (FEN)")).to_have_value("4k3/8/8/8/8/8/8/R4RK1 b - - 1 1")


def test_the_chances_of_the_live_board_are_those_of_the_players(page):
    page.get_by_role("button", name="Live board").click()
    set_up(page, "7k/8/8/8/8/8/5PPP/6K1 w - - 0 1")
    expect(page.locator("#live .now")).to_contain_text("engine's strength")
    page.locator("#live").get_by_label("White’s rating").fill("1200")
    page.locator("#live").get_by_label("Black’s rating").fill("2200")
    page.keyboard.press("Tab")
    expect(page.locator("#live .now")).to_contain_text("White rated 1200 against Black rated 2200 in classical games")
    rows = page.locator("#live .chances th").all_inner_texts()
    assert rows[0] == "These players" and len(rows) > 1


def difficulty(page):
    """The texts of the live board's difficulty: its title, mistake, blunder and loss, the rows of its table."""
    place = page.locator("#live .difficulty")
    rows = place.locator("tbody tr").all()
    texts = lambda row: [text for text in (cell.inner_text().strip() for cell in row.locator("th, td").all()) if text]
    return place.locator("h3").inner_text(), place.locator("dd").all_inner_texts(), [texts(row) for row in rows]


def told_natively(fen, elo, time_control, *options):
    """The same of `halfpoint human`."""
    command = [BINARY, "human", fen, "--elo", str(elo), "--time-control", time_control, "--json", *options]
    people = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    board = chess.Board(fen, chess960="--chess960" in options)
    number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
    rows = [[f"{number} {board.san(board.parse_uci(move['move']))}", f"{100 * move['probability']:.1f}\u00a0%", f"{move['loss']:.2f}"] for move in people["moves"][:5]]
    facts = [f"{100 * people['mistake']:.0f}\u00a0%", f"{100 * people['blunder']:.0f}\u00a0%", f"{people['expected_loss']:.3f}"]
    return facts, rows


# FEN, White's and Black's rating, the one that counts, a time control of the class with its usual pace, whether it is Chess960.
CHOICES = [
    (chess.STARTING_FEN, 1500, 1500, 1500, "blitz 240+0"),
    ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", 2000, 1200, 1200, "rapid 900+0"),
    ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", 2000, 1900, 1900, "rapid 900+0"),
    ("8/8/4k3/8/2r5/4K3/4P3/3R4 b - - 5 60", "", 1700, 1700, "bullet 60+0"),
    ("7k/8/6KQ/8/8/8/8/8 b - - 0 1", 1500, "", 1500, "classical 7200+0"),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 2200, 2400, 2200, "blitz 240+0", "--chess960"),
]


def test_the_live_board_tells_how_hard_a_position_is(page):
    page.get_by_role("button", name="Live board").click()
    live = page.locator("#live")
    expect(live.locator(".lines li")).to_have_count(3)
    # As of W/D/L, nothing is told of players without a rating.
    expect(live.locator(".difficulty")).to_have_text("With a rating, this tells how hard the position is for the player to move.")
    for fen, white, black, elo, control, *options in CHOICES:
        class_name, time_control = control.split()
        live.get_by_label("White’s rating").fill(str(white))
        live.get_by_label("Black’s rating").fill(str(black))
        live.get_by_label("Time control").select_option("" if class_name == "classical" else class_name)
        set_up(page, fen)
        color = "White" if " w " in fen else "Black"
        title = f"How hard it is for {color} rated {elo} in {class_name} games"
        expect(live.locator(".difficulty h3")).to_have_text(title)
        assert difficulty(page) == (title, *told_natively(fen, elo, time_control, *options)), fen
    # Its moves are played; another position has another difficulty.
    live.locator(".difficulty tbody button").first.click()
    expect(page.locator(".game-moves button")).to_have_count(1)
    expect(live.locator(".difficulty h3")).to_have_text("How hard it is for Black rated 2400 in blitz games")
    # Where the game is over nothing is hard.
    set_up(page, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    expect(live.locator(".difficulty")).to_be_empty()


LISTEN = """() => {
    window.told = [];
    const { show } = LiveBoard.prototype;
    LiveBoard.prototype.show = function () {
        const { found, people } = this;
        if (found !== window.before || people) window.told.push({ depth: found?.depth ?? 0, fen: this.shown?.fen, people: people && people.moves[0].uci });
        window.before = found;
        return show.call(this);
    };
}"""


def test_lines_come_before_the_difficulty(page):
    page.get_by_role("button", name="Live board").click()
    page.locator("#live").get_by_label("White’s rating").fill("1500")
    page.get_by_role("button", name="Starting position").click()
    expect(page.locator("#live .difficulty dd")).to_have_count(3)
    page.evaluate(LISTEN)
    # A position that is left at once has none, and the next is not told that of the one before.
    page.locator("#live .now h2").click()
    for move in ("e4", "e5", "Nf3", "Nc6", "Bb5"):
        page.get_by_label("Move:").fill(move)
        page.keyboard.press("Enter")
    expect(page.locator("#live .difficulty dd")).to_have_count(3)
    told = page.evaluate("window.told")
    first = next(index for index, seen in enumerate(told) if seen["fen"].split()[0] == "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R" and seen["people"])
    assert told[first]["depth"] >= 8 and told[first]["people"] in ("a7a6", "g8f6")
    for seen in told:
        board = chess.Board(seen["fen"])
        assert not seen["people"] or chess.Move.from_uci(seen["people"]) in board.legal_moves


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
    seen = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        name = "document.activeElement.ariaLabel || document.activeElement.labels?.[0]?.firstChild.data || document.activeElement.innerText"
        seen.add(page.evaluate(name).strip())
    assert {"Skip to the content", "Games", "A move on (→)", "Move:", "Lines", "Stop", "White’s rating", "Copy FEN"} <= seen
