"""What the tests of the page with the engine inside share: the page in a browser, games, and what the program makes of them."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

import chess
import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# Commands run in a folder of their own.
BINARY = os.path.abspath(os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint")))
PAGE = TARGET / "web" / "halfpoint.html"

is_built = pytest.mark.skipif(not PAGE.exists(), reason="web/build.py has not built the page")

ENGINES = (ROOT / "tests/data/engine-games.pgn").read_text()
OTHERS = """[Event "Rated Blitz game"]
[White "אברהם כהן"]
[Black "b"]
[Result "0-1"]
[WhiteElo "1400"]
[BlackElo "1600"]
[TimeControl "180+0"]

1. f3 { [%clk 0:02:58] An odd move. } (1. e4 e5) 1... e5 { [%clk 0:02:59] } 2. g4 { [%clk 0:02:50] } Qh4# { [%clk 0:02:57] } 0-1

[Event "Castling, en passant, promotion"]
[Variant "Chess960"]
[FEN "4k3/P2p4/8/4P3/8/8/8/RK5R w HA - 0 1"]
[Result "*"]

1. O-O d5 2. exd6 Kd7 3. a8=N *

[Event "No moves"]
[White "<b>x</b>"]
[Result "1/2-1/2"]

1/2-1/2
"""


@pytest.fixture(scope="module")
def browser():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=quiet)
        yield browser
        browser.close()


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


def read(page, text, name="games.pgn"):
    """Gives the page a file, and waits for what it says."""
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
    page.locator("#games .card:nth-child(2) > :first-child").wait_for()


def analyse(page, nodes, **fields):
    """Analyses what was read and waits for the report. Returns the seconds that it took."""
    page.get_by_label("Nodes a position").fill(str(nodes))
    for label, value in fields.items():
        page.get_by_label(label.replace("_", " ")).fill(str(value))
    began = time.monotonic()
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#report")).to_be_visible(timeout=1_800_000)
    return time.monotonic() - began


def saved(page, kind):
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {kind}").click()
    return download.value.path().read_bytes()


def native(folder, text, *options):
    """What `halfpoint analyse` writes of the same text: page, PGN and JSON, and what it says of broken games."""
    (folder / "games.pgn").write_text(text)
    outputs = [part for kind in ("html", "pgn", "json") for part in (f"--{kind}", f"out.{kind}")]
    command = [BINARY, "analyse", "games.pgn", *options, *outputs, "--overwrite"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return [(folder / f"out.{kind}").read_bytes() for kind in ("html", "pgn", "json")], done.stderr


def difficulty_natively(fen, elo, time_control, *options):
    """What `halfpoint human` prints, as the live board writes it: mistake, blunder, expected loss; the likeliest moves."""
    command = [BINARY, "human", fen, "--elo", str(elo), "--time-control", time_control, "--json", *options]
    people = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    board = chess.Board(fen, chess960="--chess960" in options)
    number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
    rows = [[f"{number} {board.san(board.parse_uci(move['move']))}", f"{100 * move['probability']:.1f}\u00a0%", f"{move['loss']:.2f}"] for move in people["moves"][:5]]
    facts = [f"{100 * people['mistake']:.0f}\u00a0%", f"{100 * people['blunder']:.0f}\u00a0%", f"{people['expectedLoss']:.3f}"]
    return facts, rows


def report_frame(page):
    expect(page.frame_locator("iframe").locator("#game-title")).to_be_visible()
    return page.frames[-1]
