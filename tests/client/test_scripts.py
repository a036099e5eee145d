"""What scripts say of wrong arguments, of engines that refuse a setting and of programs that do nothing: one line, before
any work. fastchess, cargo and the readers are programs that note when they are called.

The binaries are found as in test_client.py.
"""

import os
import shutil
import subprocess
import sys

import pytest
import test_client
from test_client import ROOT

# Scripts run in other folders.
BINARY = os.path.abspath(test_client.BINARY)
SCRIPTS = ROOT / "scripts"
TABLES = ROOT / "tests" / "data" / "syzygy"
GAMES = ROOT / "tests" / "data" / "engine-games.pgn"
EPD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n"

# An engine of few options, which takes every value.
OTHER = f"""#!{sys.executable}
for line in open(0):
    if line == "uci\\n":
        print("option name Skill Level type spin default 1 min 0 max 20\\nuciok", flush=True)
    elif line == "isready\\n":
        print("info string set\\nreadyok", flush=True)
    elif line == "quit\\n":
        break
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with inputs, and programs in bin/ that come first on PATH."""
    (tmp_path / "bin").mkdir()
    # fastchess writes down what it is asked to play; cargo fails, as nothing is to be built.
    programs = {"fastchess": '#!/bin/sh\nprintf "%s\\n" "$@" >called\n', "cargo": "#!/bin/sh\ntouch called\nexit 9\n", "other": OTHER}
    for name, text in programs.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "positions.epd").write_text(EPD)
    (tmp_path / "blank.epd").write_text("\n# no position\n")
    (tmp_path / "cache.json").write_text("{}")
    (tmp_path / "report.json").write_text('{"number": 1, "analysis": []}\n')
    return tmp_path


def script(folder, name, *arguments, python=sys.executable):
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    command = [SCRIPTS / name, *arguments] if name.endswith(".sh") else [*python.split(), SCRIPTS / name, *arguments]
    environment = os.environ | {"PATH": path, "XDG_CACHE_HOME": str(folder)}
    return subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, timeout=30)


def assert_refused(result, text):
    assert result.returncode == 2 and text in result.stderr and result.stderr.count("\n") == 1, result


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("match.py", ["--params-a", GAMES], "option EvalParams"),
        ("match.py", ["--option-a", "EvalFile=/missing"], "option EvalFile: /missing"),
        ("match.py", ["--option-a", "SyzygyPath=/missing"], "/missing: "),
        ("match.py", ["--option-b", "Foo=3"], "has no option Foo"),
        ("match.py", ["--option-b", "Evaluation=tems"], "Evaluation is one of network, terms"),
        ("match.py", ["--option-b", "Ponder=3"], "Ponder is one of true, false"),
        ("match.py", ["--option-b", "Hash=0"], "Hash is a whole number from 1"),
        ("match.py", ["--engine-b", "other", "--option-b", "skill level=21"], "Skill Level is a whole number from 0 to 20"),
        ("match.py", ["--engine-b", "true"], "true does not"),
        ("match.py", ["--engine-b", ""], "--engine-b: no program"),
        ("ladder.py", ["--levels", "1000"], "at least 2"),
        ("ladder.py", ["--levels", "1000", "1200", "1000"], "each once"),
        ("ladder.py", ["--levels", "1000", "1200", "--option", "HumanFile=/missing"], "option HumanFile: /missing"),
        ("stops.py", ["positions.epd", "--option", "EvalFile=/missing"], "option EvalFile: /missing"),
        ("spsa.py", ["--book", "positions.epd", "--state", "run.json"], "has no option SearchParams"),
        ("endgames.py", ["--tables", TABLES, "--option", "Foo=3"], "has no option Foo"),
        ("endgames.py", ["--tables", TABLES, "--option", "MultiPV=2"], "automatically managed"),
        ("endgames.py", ["--tables", TABLES, "--nodes"], "at least one argument"),
    ],
)
def test_refused_settings_end_scripts(folder, name, arguments, text):
    engine = "--engine-a" if name == "match.py" else "--engine"
    book = ["--book", "positions.epd"] if name == "match.py" else []
    assert_refused(script(folder, name, engine, BINARY, *book, *arguments), text)
    assert not (folder / "called").exists()


def test_settings_reach_fastchess_in_the_engines_spelling(folder):
    options = ["--option-a", "hash=8", "--option-a", "evaluation=TERMS", "--option-b", "skill level=3"]
    result = script(folder, "match.py", "--engine-a", BINARY, "--engine-b", "other", "--book", "positions.epd", *options)
    assert result.returncode == 0
    told = [line for line in (folder / "called").read_text().splitlines() if line.startswith("option.")]
    # The other one has no option Hash.
    assert told == ["option.Hash=8", "option.Evaluation=terms", "option.Skill Level=3"]


def test_games_of_other_settings_do_not_count(folder):
    (folder / "1200-1000.pgn").write_text('[White "halfpoint 1200"]\n[Result "1-0"]\n\n1-0\n')
    result = script(folder, "ladder.py", "--engine", BINARY, "--levels", "1000", "1200", "--out", ".")
    assert "1200-1000.pgn has games of other settings" in result.stderr and result.stderr.count("\n") == 1, result
    assert result.returncode and not (folder / "called").exists()


@pytest.mark.parametrize("engine", ["other", "true", "/missing"])
def test_what_is_no_engine_for_endgames(folder, engine):
    assert_refused(script(folder, "endgames.py", "--engine", engine, "--tables", TABLES), engine)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("compare_epd.py", ["positions.epd", "--reader", "/missing"], "/missing"),
        ("compare_epd.py", ["positions.epd", "--reader", "echo"], "does not print"),
        ("compare_epd.py", ["positions.epd", "--reader", "false"], "exit code 1"),
        ("compare_epd.py", ["blank.epd", "--reader", "true"], "no positions"),
        ("compare_epd.py", ["bin"], "no .epd files in bin"),
        ("compare_pgn.py", ["blank.epd", "--reader", "echo"], "does not print"),
        ("compare_pgn.py", ["bin"], "no .pgn files in bin"),
        ("marks.py", ["measure", GAMES, "--cache", "missing.json", "--report", "report.json"], "no cache 'missing.json'"),
        ("marks.py", ["measure", GAMES, "--cache", "cache.json", "--report", "report.json"], "no whole game"),
        ("marks.py", ["judge", GAMES, "--cache", "cache.json", "--report", GAMES], "is not what `halfpoint analyse --json`"),
        ("marks.py", ["judge", GAMES, "--cache", GAMES, "--judge", BINARY], "is no cache"),
        ("marks.py", ["judge", "blank.epd", "--cache", "new.json"], "has no moves"),
        ("marks.py", ["judge", GAMES, "--cache", "new.json", "--judge", "/missing"], "no engine '/missing'"),
        ("openings.py", ["bin"], "a.tsv"),
        ("check_links.py", ["README.md"], "unrecognized arguments"),
        ("tune.py", ["--engine", "/missing"], "no program '/missing'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, name, arguments, text):
    assert_refused(script(folder, name, *arguments), text)


def test_positions_that_a_reader_leaves_out_are_counted(folder):
    result = script(folder, "compare_epd.py", "positions.epd", "--reader", "true")
    assert result.returncode == 1 and "line 1: Halfpoint leaves it out" in result.stdout


def test_interruptions_need_the_lab(folder):
    shutil.copy(folder / "bin" / "other", folder / "halfpoint")
    arguments = ["interruptions.py", "--engine", folder / "halfpoint"]
    (folder / "bin" / "strace").symlink_to(shutil.which("true"))
    assert_refused(script(folder, *arguments), "no program")
    shutil.copy(shutil.which("true"), folder / "halfpoint")
    shutil.copy(shutil.which("true"), folder / "halfpoint-lab")
    assert_refused(script(folder, *arguments, "analyse"), "analyse does not write out.html")


@pytest.mark.parametrize(
    ("name", "package"),
    [(f"{name}.py", "chess") for name in ("compare_epd", "compare_pgn", "endgames", "marks", "openings")]
    + [("report_picture.py", "playwright")],
)
def test_missing_packages_are_named(folder, name, package):
    # Without packages that are installed.
    assert_refused(script(folder, name, "--help", python=f"{sys.executable} -S"), f"pip install {package}")


@pytest.mark.parametrize("build", ["foo", "help", "", "--foo", ".*", "x86_64-pc-windows-gnu:foo", "foo:x86-64-v2"])
def test_a_release_is_of_known_builds(folder, build):
    result = script(folder, "release.sh", "native", build)
    assert_refused(result, f"'{build}' is neither a level")
    assert "BUILD..." in script(folder, "release.sh", "--help").stdout


def test_shell_scripts_take_no_other_arguments(folder):
    assert_refused(script(folder, "pgo.sh", "foo"), "takes no arguments")
    assert "profile-guided" in script(folder, "pgo.sh", "--help").stdout
    assert_refused(script(folder, "update_wdl.sh", "--foo"), "usage: ")
    assert script(folder, "update_wdl.sh", "--help").returncode == 0
    assert not (folder / "called").exists()
