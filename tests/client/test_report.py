"""The page of `halfpoint analyse` in a browser: steps, clicks, lines, the table; no request, no error, no barrier found by
axe. The browser is Chromium: that of CHROMIUM, or the one on the path, or Playwright's."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint"))

CLOCKS = """[Event "Rated Blitz game"]
[White "a"]
[Black "b"]
[Result "0-1"]
[WhiteElo "1400"]
[BlackElo "1600"]
[TimeControl "180+0"]

1. f3 { [%clk 0:02:58] } e5 { [%clk 0:02:59] } 2. g4 { [%clk 0:02:50] } Qh4# { [%clk 0:02:57] } 0-1
"""
CHESS960 = """[Event "Castling, en passant, promotion"]
[Variant "Chess960"]
[FEN "4k3/P2p4/8/4P3/8/8/8/RK5R w HA - 0 1"]
[Result "*"]

1. O-O d5 2. exd6 Kd7 3. a8=N *
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    games = folder / "games.pgn"
    games.write_text((ROOT / "examples/game.pgn").read_text() + "\n" + CLOCKS + "\n" + CHESS960)
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
    assert "e4" in current(page)[0] and "#wP 180 180" in pieces(page)
    page.get_by_role("button", name="A move on").click()
    assert "d6" in current(page)[0]
    assert page.locator("#status").inner_text().startswith("1... d6")
    page.keyboard.press("End")
    assert "Qa7" in current(page)[0]
    page.keyboard.press("Home")
    assert current(page) == [] and pieces(page) == start
    page.get_by_role("button", name="24. Rxd4", exact=False).first.click()
    expect(page).to_have_url(re.compile(r"#g1\.47$"))
    page.get_by_role("button", name="To the next bad move").click()
    assert page.locator(".verdict").count() == 1


def test_the_chart_chooses_moves(page):
    chart = page.get_by_role("slider", name="Chances")
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    middle = int(chart.get_attribute("aria-valuenow"))
    assert 35 < middle < 55
    chart.focus()
    page.keyboard.press("ArrowRight")
    assert int(chart.get_attribute("aria-valuenow")) == middle + 1
    assert chart.get_attribute("aria-valuetext").count(" %") == 3


def test_a_line_is_played_and_left(page):
    page.keyboard.press("ArrowRight")
    before = pieces(page)
    page.locator(".lines .line button").nth(2).click()
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
    assert pieces(page) != before and page.locator(".player").first.inner_text().startswith("Kasparov")
    page.get_by_role("button", name="Flip the board").click()
    assert pieces(page) == before


def test_the_table_is_sorted_and_leads_to_games(page):
    numbers = lambda: page.locator("#list tbody tr td:first-child").all_inner_texts()
    assert numbers() == ["1", "2", "3"]
    page.locator("#list").get_by_role("button", name="Moves").click()
    assert numbers() == ["1", "3", "2"]
    page.locator("#list").get_by_role("button", name="Moves").click()
    assert numbers() == ["2", "3", "1"]
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
    page.keyboard.press("ArrowRight")
    page.locator(".lines .line button").first.click()
    violations = Axe().run(page).response["violations"]
    assert [(violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in violations] == []
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]


def test_every_control_is_reached_by_keyboard(page):
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText"))
    assert {"Skip to the board", "A move on (→)", "Flip the board (F)", "Chances"} <= seen
