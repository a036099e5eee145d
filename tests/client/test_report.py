"""The page of `halfpoint analyse` in a browser: steps, clicks, lines, tries, the table, sums, what is taken away; no request, no
error, no barrier found by axe. The browser is Chromium: that of CHROMIUM, or the one on the path, or Playwright's."""

import io
import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

import chess
import chess.pgn
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint"))

CLOCKS = """[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "a"]
[Black "b"]
[Result "0-1"]
[WhiteElo "1400"]
[BlackElo "1600"]
[TimeControl "180+0"]

1. f3 { [%clk 0:02:58] An odd move. } (1. e4 e5) 1... e5 { [%clk 0:02:59] } 2. g4 { [%clk 0:02:50] } Qh4# { [%clk 0:02:57] } 0-1
"""
CHESS960 = """[Event "Castling, en passant, promotion"]
[Variant "Chess960"]
[FEN "4k3/P2p4/8/4P3/8/8/8/RK5R w HA - 0 1"]
[Result "*"]

1. O-O d5 2. exd6 Kd7 3. a8=N *
"""
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenhausen, Maximilian von und zu"
# From right to left, with a control that would turn the rest, and without moves.
NAMES = f"""[Event "Names"]
[Site "javascript:alert(1)"]
[White "אברהם כהן"]
[Black "محمد\u202e علي"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "No moves"]
[White "{LONG}"]
[Black "אברהם כהן"]
[Result "1/2-1/2"]

1/2-1/2

[Event "Long names"]
[White "{LONG}"]
[Black "{LONG}"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    games = folder / "games.pgn"
    games.write_text((ROOT / "examples/game.pgn").read_text() + "\n" + "\n".join(["", CLOCKS, CHESS960, NAMES]))
    subprocess.run([BINARY, "analyse", games, "--nodes", "2000", "--html", folder / "games.html"], check=True)
    return (folder / "games.html").as_uri()


@pytest.fixture(scope="module")
def browser():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=quiet)
        yield browser
        browser.close()


KINDS = [("light", 1280), ("dark", 390), ("light", 390), ("dark", 1280)]


@pytest.fixture(params=KINDS[:2], ids=lambda kind: f"{kind[0]}-{kind[1]}")
def page(browser, report, request):
    scheme, width = request.param
    page = browser.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme).new_page()
    troubles = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda sent: sent.url == report or sent.url.startswith("data:") or troubles.append(sent.url))
    page.goto(report)
    yield page
    assert troubles == []
    page.close()


def pieces(page):
    """Names of the pieces on the board with their places in the picture."""
    return page.eval_on_selector_all(
        ".board use", "uses => uses.map(use => [use.getAttribute('href'), use.getAttribute('x'), use.getAttribute('y')].join(' ')).sort()"
    )


def expect_game(page, title):
    """Waits for a game: the page follows its address by an event, after the click or the navigation has ended."""
    expect(page.locator("#game-title")).to_contain_text(title)


def current(page):
    return page.locator(".moves [aria-current]").all_inner_texts()


def test_moves_are_stepped_through(page):
    start = pieces(page)
    page.keyboard.press("ArrowRight")
    assert "d4" in current(page)[0] and "#wP 135 180" in pieces(page)
    page.get_by_role("button", name="A move on").click()
    assert "Nf6" in current(page)[0]
    assert page.locator("#status").inner_text().startswith("1... Nf6")
    page.keyboard.press("End")
    assert "Kxc2" in current(page)[0]
    page.keyboard.press("Home")
    assert current(page) == [] and pieces(page) == start
    page.get_by_role("button", name="39. b4", exact=False).first.click()
    expect(page).to_have_url(re.compile(r"#g1\.77$"))
    page.get_by_role("button", name="To the next bad move").click()
    assert page.locator(".verdict").count() == 1


def test_the_chart_chooses_moves(page):
    chart = page.get_by_role("slider", name="Chances")
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    middle = int(chart.get_attribute("aria-valuenow"))
    assert 60 < middle < 76
    chart.focus()
    page.keyboard.press("ArrowRight")
    assert int(chart.get_attribute("aria-valuenow")) == middle + 1
    assert chart.get_attribute("aria-valuetext").count("\u00a0%") == 3


def test_a_line_is_played_and_left(page):
    page.keyboard.press("ArrowRight")
    before = pieces(page)
    page.locator(".lines .line button").nth(1).click()
    assert page.get_by_role("heading", name="A line of best play").is_visible()
    played = pieces(page)
    assert played != before
    page.keyboard.press("ArrowLeft")
    assert pieces(page) != played
    page.keyboard.press("Escape")
    assert pieces(page) == before and page.locator("text=Back to the game").count() == 0


def test_the_board_is_flipped(page):
    before = pieces(page)
    page.keyboard.press("f")
    assert pieces(page) != before and page.locator(".player").first.inner_text().startswith("Radjabov")
    page.get_by_role("button", name="Flip the board").click()
    assert pieces(page) == before


def test_the_table_is_sorted_and_leads_to_games(page):
    numbers = lambda: page.locator("#list table").first.locator("tbody tr td:first-child").all_inner_texts()
    assert numbers() == ["1", "2", "3", "4", "5", "6"]
    page.locator("#list").get_by_role("button", name="Moves").click()
    assert numbers() == ["1", "4", "3", "6", "2", "5"]
    page.locator("#list").get_by_role("button", name="Moves").click()
    assert numbers() == ["5", "2", "6", "3", "4", "1"]
    assert page.locator("#list th[aria-sort=ascending]").inner_text().strip() == "Moves"
    page.get_by_role("link", name="a – b").click()
    expect_game(page, "a – b")
    assert page.get_by_role("slider", name="Clocks").count() == 1
    page.keyboard.press("End")
    assert page.locator("[data-clock=white]").inner_text() == "0:02:50"
    page.get_by_role("button", name="engine", exact=True).click()
    assert page.get_by_role("button", name="engine", exact=True).get_attribute("aria-pressed") == "true"


def test_special_moves_are_drawn(page):
    page.goto(page.url.split("#")[0] + "#g3")
    expect_game(page, "White – Black")
    page.keyboard.press("ArrowRight")
    assert {"#wK 270 315", "#wR 225 315", "#wR 0 315"} <= set(pieces(page))
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    found = pieces(page)
    assert "#wN 0 0" in found and "#wP 135 90" in found and not any(name.startswith("#bP") for name in found)


@pytest.mark.parametrize("page", KINDS, indirect=True, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def test_nothing_bars_anyone(page):
    def check():
        violations = Axe().run(page).response["violations"]
        assert [(violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in violations] == []
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]

    page.keyboard.press("ArrowRight")
    page.locator(".lines .line button").first.click()
    check()
    page.locator("details summary").click()
    go_to(page, 2, 3)
    page.keyboard.press("t")
    page.locator(".tryout input").fill("g4")
    page.keyboard.press("Enter")
    check()
    for game in (5, 6):
        go_to(page, game)
        check()


def test_every_control_is_reached_by_keyboard(page):
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText"))
    assert {"Skip to the board", "A move on (→)", "Flip the board (F)", "Chances"} <= seen


def lefts(page, selector):
    """Where elements begin, in pixels."""
    return page.eval_on_selector_all(selector, "all => all.map(one => one.getBoundingClientRect().left)")


def go_to(page, game, ply=0):
    page.goto(f"{page.url.split('#')[0]}#g{game}.{ply}")
    expect(page.locator("#list tr[aria-current]")).to_contain_text(str(game))


def test_names_from_right_to_left_keep_their_place(page):
    go_to(page, 4)
    title = lefts(page, "#game-title bdi, #game-title .result")
    assert len(title) == 3 and title == sorted(title)
    assert page.locator(".result").inner_text() == "1–0"
    row = lefts(page, "#list tr[aria-current] bdi, #list tr[aria-current] td:nth-child(3)")
    assert len(row) == 3 and row == sorted(row)
    assert "\u202e" not in page.locator("main").inner_text()
    # In texts without elements, and in the moments.
    assert page.locator("#list tr[aria-current] th").get_attribute("title") == "\u2068אברהם כהן\u2069 – \u2068محمد علي\u2069"
    assert all(name.count("محمد") == 0 for name in page.evaluate("""[...document.querySelectorAll("#game *")]
        .filter(node => !node.closest("bdi, svg")).flatMap(node => [...node.childNodes]).filter(node => node.nodeType === 3).map(node => node.data)"""))
    # An address of another kind is no link.
    assert page.locator("header.game a[href^=javascript]").count() == 0


def test_a_game_without_moves_has_its_names(page):
    go_to(page, 5)
    assert page.locator("#game-title").inner_text().startswith(LONG)
    assert page.locator("header.game").inner_text().count("/") == 0
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]


def test_the_table_says_what_it_counts(page):
    heads = page.eval_on_selector_all("#list thead button", "all => all.map(one => one.ariaLabel ?? one.textContent)")
    assert heads[6:] == [f"{name}, {color}" for name in ("Points lost", "Mistakes", "Blunders", "Accuracy") for color in ("White", "Black")]
    box, table = (page.locator(name).bounding_box() for name in ("#list > .scroll", "#list > .scroll table"))
    assert page.viewport_size["width"] < 1000 or table["width"] <= box["width"]


def test_words_stand_together(page):
    page.get_by_role("button", name="To the next bad move").click()
    assert re.search(r"\S\.$", page.locator(".better").inner_text())
    # Neither a line break nor a gap before what ends a sentence or follows a number.
    text = page.locator("main").inner_text()
    assert not re.search(r"\d %| [.,;]( |$)", text), re.findall(r".{9}(?:\d %| [.,;]).{9}", text)
    gap = page.evaluate("""(() => {
        const last = [...document.querySelectorAll(".better button")].at(-1).firstChild;
        const range = document.createRange();
        range.selectNodeContents(last);
        const end = range.getBoundingClientRect().right;
        range.selectNodeContents(document.querySelector(".better").lastChild);
        return range.getBoundingClientRect().left - end;
    })()""")
    assert abs(gap) < 1
    go_to(page, 2, 3)
    assert "Black mates in 1" in page.locator(".now").inner_text()
    page.keyboard.press("End")
    assert "Checkmate." in page.locator(".now").inner_text() and "depth" not in page.locator(".now").inner_text()


@pytest.mark.parametrize("key", ["n", "N", "Shift+N"])
def test_keys_work_in_capitals(page, key):
    page.keyboard.press(key)
    assert page.locator(".verdict").count() == 1
    page.keyboard.press(key.replace("n", "f").replace("N", "F"))
    assert page.locator(".player").first.inner_text().startswith("Radjabov")


def test_the_head_tells_of_the_game(page):
    assert "A58 Benko Gambit: Fianchetto Variation · Draw as neither side can mate" in page.locator(".facts").inner_text()
    go_to(page, 2)
    assert page.locator(".facts").inner_text() == "A00 Barnes Opening: Fool's Mate · 3 min · Black won by mate"
    assert page.locator("header.game a[href='https://lichess.org/abcdefgh']").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.locator(".remark").all_inner_texts() == ["An odd move.", "Variation: 1. e4 e5"]
    assert "The move took 2 s." in page.locator(".now").inner_text()
    page.keyboard.press("End")
    short = page.locator(".overview").inner_text()
    assert "Worst move: 2. g4" in short and "1 blunder" in short


def test_a_bad_move_is_tried_again(page):
    go_to(page, 2, 3)
    kinds = page.eval_on_selector_all(".board .arrow", "all => all.map(one => one.classList[1])")
    assert sorted(kinds) == ["best", "worse"]
    page.keyboard.press("Shift+T")
    # A click on a piece shows its moves; one that was played says what it kept.
    square = page.locator(".board svg").bounding_box()["width"] / 8
    click = lambda name: page.locator(".board svg").click(
        position={"x": square * (ord(name[0]) - 96.5), "y": square * (8.5 - int(name[1]))}
    )
    click("g2")
    assert page.locator(".board .dot").count() == 2
    click("g4")
    assert page.locator(".tries li").last.inner_text().startswith("g4 was played: it keeps 0.0")
    page.locator(".tryout input").fill("Ke7")
    page.keyboard.press("Enter")
    assert page.locator("#status").inner_text() == "Ke7 is no legal move here" and page.locator(".tries li").count() == 1
    best = page.evaluate("JSON.parse(document.getElementById('data').textContent)[1].analysis[1].lines[0].san.split(' ')[0]")
    page.locator(".tryout input").fill(best)
    page.keyboard.press("Enter")
    assert page.locator(".tries .good").inner_text().startswith(f"{best.rstrip('+')} is the best move")
    page.get_by_role("button", name="Show the line").click()
    assert page.get_by_role("heading", name="A line of best play").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.press("Escape")
    assert page.locator(".tries").count() == 0 and page.locator("text=2. g4??").count() > 0


def test_the_mouse_over_the_chart_shows_the_move(page):
    chart = page.locator(".chart").first
    chart.hover(position={"x": 150, "y": 60})
    glance = page.locator(".glance").first
    assert glance.is_visible() and glance.locator("svg use").count() > 10 and "White" in glance.inner_text()
    page.mouse.move(5, 5)
    assert glance.is_hidden()


@pytest.fixture
def copied(page):
    """Presses a button and returns what it copies."""
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")

    def press(name):
        page.get_by_role("button", name=name).click()
        return page.evaluate("window.copied")

    return press


@pytest.mark.parametrize("page", KINDS[:1], indirect=True, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def test_positions_and_games_are_copied(page, copied):
    for game in (1, 2, 3):
        go_to(page, game)
        text = copied("Copy PGN")
        parsed = chess.pgn.read_game(io.StringIO(text))
        assert not parsed.errors and parsed.headers["Event"]
        board = parsed.board()
        for ply, move in enumerate([None, *parsed.mainline_moves()]):
            if move:
                page.keyboard.press("ArrowRight")
                board.push(move)
            # All of an opening, and then positions of either side to move.
            if ply < 20 or ply % 5 == 0:
                found = chess.Board(copied("Copy FEN"), chess960=board.chess960)
                assert found.fen() == board.fen()
        address = page.get_by_role("link", name="Open on lichess").get_attribute("href")
        assert address.startswith("https://lichess.org/analysis/" + ("chess960/" if game == 3 else "pgn/"))


def test_a_picture_is_made(page):
    go_to(page, 4)
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture").click()
    data = download.value.path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(data[16:20]) == 2400 and len(data) > 20_000
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").click()
    text = download.value.path().read_text()
    xml.etree.ElementTree.fromstring(text)
    assert "\u2068אברהם כהן\u2069" in text and "1–0" in text and "http" not in text.replace("http://www.w3.org/", "")


def test_sums_follow_the_player(page):
    page.locator("details summary").click()
    rows = lambda: page.locator(".sums tbody tr").all_inner_texts()
    assert any(row.startswith("אברהם כהן\t1\t100") for row in rows()), rows()
    page.get_by_role("button", name="Phase and time").click()
    # Both players' moves of one game.
    assert rows()[0].startswith("opening, 1 to 5 minutes\t1\t4")
    page.get_by_label("Games of").select_option(value="a")
    assert page.locator("#list-title").inner_text() == "1 game"
    page.locator("details summary").click()
    assert rows()[0].startswith("White\t1\t0")
    page.get_by_label("Games of").select_option(value="")
    assert page.locator("#list-title").inner_text() == "6 games"


def test_all_games_are_printed(page):
    page.evaluate("window.print = () => { window.sheets = document.querySelectorAll('.sheet').length; }")
    page.get_by_role("button", name="Print all").click()
    assert page.evaluate("window.sheets") == 5
    page.emulate_media(media="print")
    assert page.locator(".sheet").first.is_visible() and page.locator("main").is_hidden()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".sheet").count() == 0 and page.locator("main").is_visible()


def test_the_moves_scroll_in_their_own_height(page):
    box = page.locator(".moves").bounding_box()
    assert box["height"] < 400 and page.evaluate("document.querySelector('.moves').scrollHeight") > 600


def test_the_page_stays_small(page, report):
    positions = page.evaluate("JSON.parse(document.getElementById('data').textContent).reduce((sum, game) => sum + game.analysis.length + 1, 0)")
    size = pathlib.Path(report.removeprefix("file://")).stat().st_size
    # Ten games of a hundred plies have 420,000 bytes at most.
    assert positions > 130 and size < 120_000 + 300 * positions


def test_most_is_lost_where_the_sum_is_largest(page):
    said = page.evaluate("""() => {
        const game = (index) => ({ index, result: "*", players: { white: { analysis: {} } } });
        const move = (game, lost, phase) => ({ game, color: "white", lost, isBad: false, phase, time: null });
        const games = Array.from({ length: 8 }, (_, index) => game(index));
        const rare = games.slice(0, 3).map((game) => move(game, 0.4, "endgame"));
        return costliest([...games.map((game) => move(game, 0.2, "middlegame")), ...rare]);
    }""")
    assert said == "Most is lost in middlegames: 1.60 of 2.80 points, in 8 games."


@pytest.mark.parametrize("second, kind", [(420, "played"), (300, "worse")])
def test_a_try_without_a_line_is_not_called_worse_than_is_known(page, second, kind):
    said = page.evaluate("""(second) => {
        const lines = [{ uci: "e2e4", wdl: [450, 0, 550] }, { uci: "d2d4", wdl: [second, 0, 1000 - second] }];
        const game = {
            positions: [{ lines }], analysis: [{ uci: "g2g4" }], isWhiteMove: () => true,
            chances: (ply) => [450 - 300 * ply, 0, 550 + 300 * ply], chancesOfLine: (ply, line) => line.wdl,
        };
        const tryout = { view: { game, key: "wdl" }, ply: 1, sans: new Map([["a2a3", "a3"]]), of: expected };
        return Tryout.prototype.judge.call(tryout, "a2a3");
    }""", second)
    texts = {
        "played": "a3: the search has no line with it, so its worth is not known.",
        "worse": "a3 keeps at most 0.30 of 0.45 points.",
    }
    assert (said["text"], said["isGood"], said.get("isUnknown", False)) == (texts[kind], False, kind == "played")


def test_the_names_of_phases_fit_or_are_left_out(page):
    labels = """([middle, end, plies, width]) => {
        const positions = Array.from({ length: plies + 1 }, () => ({ wdl: [300, 400, 300] }));
        const game = {
            plies, positions, division: { middle, end }, analysis: [], moments: [],
            chances: () => [300, 400, 300], numberOf: (ply) => Math.ceil(ply / 2), isWhiteMove: (ply) => ply % 2 === 1,
        };
        const picture = chancesPicture(game, width, "wdl");
        document.body.append(element("div", { class: "chart" }, picture));
        return [...picture.querySelectorAll("text.phase")].map((text) => {
            const { x, width } = text.getBBox();
            return [text.textContent, x, x + width];
        });
    }"""
    both = page.evaluate(labels, [20, 60, 80, 640])
    assert [name for name, _, _ in both] == ["middlegame", "endgame"] and both[0][2] < both[1][1] and both[1][2] < 630
    for division, names in (([20, None, 22], []), ([20, 22, 80], ["endgame"]), ([20, 79, 80], ["middlegame"])):
        assert [name for name, _, _ in page.evaluate(labels, [*division, 640])] == names
