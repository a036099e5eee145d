"""What README.md shows comes out as shown: its commands are run from its text, its sessions are played, its picture is of this
version."""

import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# Commands run in a folder of their own.
BINARY = os.path.abspath(os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint")))
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
RUN = "cargo run --release -- "


def blocks():
    """The indented blocks of the page, as lists of lines without comments."""
    for block in re.findall(r"(?:(?<=\n\n)|\A)(?: {4}.*\n|\n(?= {4}))+", PAGE):
        text = re.sub(r"\\\n *", "", block)
        yield [line.split("  #")[0].strip() for line in text.splitlines() if line.strip()]


SESSIONS = [block for block in blocks() if block[0].split()[0] in ("setoption", "position")]
LINES = [line for block in blocks() if block not in SESSIONS for line in block]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the examples, in which the commands are run."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for line in LINES:
        if line.startswith(RUN):
            subprocess.run([BINARY, *shlex.split(line.removeprefix(RUN))], cwd=folder, check=True)
    return folder


def test_there_is_something_to_run():
    assert len(SESSIONS) == 1 and sum(line.startswith(RUN) for line in LINES) == 1
    assert "cargo test" in LINES


def test_every_command_is_known(folder):
    profiles = re.findall(r"^\[profile\.(\w+)\]$", (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    for line in LINES:
        words = shlex.split(line)
        if words[:2] == ["cargo", "build"]:
            assert words[2:] in (["--release"], ["--profile", words[-1]]) and (words[-1] in profiles or words[-1] == "--release"), line
        elif words[0] == "halfpoint":
            # A command with its arguments in capitals, or none.
            command = [word for word in words[1:2] if word.islower()]
            subprocess.run([BINARY, *command, "--help"], check=True, stdout=subprocess.DEVNULL)
        else:
            assert line.startswith((RUN, "cargo test", "git clone ", "fastchess ")), line
    for example in re.findall(r"--example (\w+)", PAGE):
        assert (ROOT / f"examples/{example}.rs").exists(), example


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session[0])
def test_sessions_answer_as_shown(session):
    engine = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    reports = []
    for line in session:
        if line.startswith("info "):
            assert reports[-1].startswith(line.rstrip(" …") + " "), (line, reports[-1])
            continue
        print(line, file=engine.stdin, flush=True)
        if line.startswith("go "):
            while not (answer := engine.stdout.readline()).startswith("bestmove"):
                reports.append(answer)
    engine.communicate("quit\n", timeout=20)


def test_the_picture_is_of_this_version(folder, monkeypatch):
    sync_api = pytest.importorskip("playwright.sync_api")
    monkeypatch.syspath_prepend(ROOT / "scripts")
    spec = importlib.util.spec_from_file_location("report_picture", ROOT / "scripts/report_picture.py")
    picture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(picture)
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        words = picture.words(picture.open_report(browser, folder / "game.html"))
        browser.close()
    assert words == picture.WORDS.read_text(encoding="utf-8"), "run scripts/report_picture.py"
