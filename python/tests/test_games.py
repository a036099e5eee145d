"""Games: the same reports as the binary's, tables, progress and what is broken."""

import gzip
import io
import json
import os
import pathlib
import subprocess
import sys

import chess.pgn
import pandas
import polars
import pytest

import halfpoint

FOOLS_MATE = '[White "A"]\n[Black "B"]\n[WhiteElo "1500"]\n[BlackElo "1700"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
BROKEN = "1. e4 e5 *\n\n1. d4 Ke7 *\n"


def test_reports_are_those_of_the_command_line(engine, binary, games, tmp_path):
    arguments = ["--nodes", "1000", "--games", "1-6", "--multipv", "2"]
    files = {form: tmp_path / f"cli.{form}" for form in ("html", "pgn", "json")}
    outputs = [argument for form, file in files.items() for argument in (f"--{form}", str(file))]
    subprocess.run([binary, "analyse", games, *arguments, *outputs], check=True, stdout=subprocess.DEVNULL)
    report = engine.report(games, 1000, numbers="1-6", multipv=2)
    for form, file in files.items():
        report.save(tmp_path / f"python.{form}")
        assert (tmp_path / f"python.{form}").read_bytes() == file.read_bytes(), form
    assert report.games == [json.loads(line) for line in files["json"].read_text(encoding="utf-8").splitlines()]
    report.save(tmp_path / "other", "json")
    assert (tmp_path / "other").read_bytes() == files["json"].read_bytes() and len(list(tmp_path.iterdir())) == 7
    with pytest.raises(ValueError, match="'docx' is none of html, pgn and json"):
        report.save(tmp_path / "report.docx")
    with pytest.raises(ValueError, match="is none of") as told:
        report.save(tmp_path / "report", "x" * 300_000)
    assert len(str(told.value)) < 200
    missing = tmp_path / "missing" / "report.pgn"
    with pytest.raises(FileNotFoundError) as told:
        report.save(missing)
    assert told.value.filename == str(missing)


@pytest.mark.skipif(sys.platform == "win32", reason="there, files have no such modes, and names are shorter")
def test_reports_are_saved_as_any_file_is(engine, tmp_path):
    report = engine.report(FOOLS_MATE, 100)
    before = os.umask(0o027)
    try:
        new = tmp_path / ("x" * 250 + ".pgn")
        report.save(new)
    finally:
        os.umask(before)
    assert new.stat().st_mode & 0o777 == 0o640
    new.chmod(0o604)
    (tmp_path / "folder").mkdir()
    link = tmp_path / "folder" / "link"
    link.symlink_to(new)
    report.save(link, "json")
    assert link.is_symlink() and new.read_text() == report.json() and new.stat().st_mode & 0o777 == 0o604
    assert sorted(tmp_path.rglob("*")) == sorted([new, link.parent, link])
    with pytest.raises(IsADirectoryError) as told:
        report.save(link.parent, "pgn")
    assert told.value.filename == str(link.parent)


def test_options_are_those_of_the_command_line(engine, binary, tmp_path):
    (tmp_path / "games.pgn").write_text(FOOLS_MATE)
    arguments = "--depth 5 --white-elo 2000 --black-elo 2100 --time-control blitz --clocks --people --thresholds 0.1,0.2,0.3"
    command = [binary, "analyse", tmp_path / "games.pgn", *arguments.split(), "--json", tmp_path / "games.json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    options = {"white_elo": 2000, "black_elo": 2100, "time_control": "blitz", "clocks": True, "people": True}
    report = engine.report(FOOLS_MATE, depth=5, thresholds=(0.1, 0.2, 0.3), **options)
    assert report.json() == (tmp_path / "games.json").read_bytes().decode()


def test_tables_have_a_row_for_each_position(engine, games):
    report = engine.report(games, 200, numbers="1-3")
    table = report.rows()
    assert len(table) == sum(1 + len(game["analysis"]) for game in report.games)
    frame = pandas.DataFrame(table)
    assert (frame["wdl.win"] + frame["wdl.draw"] + frame["wdl.loss"] == 1000).all()
    lost = frame[frame["turn"] == "white"].groupby("number")["lost.total"].sum()
    told = [game["players"]["white"]["analysis"]["lost"]["total"] for game in report.games]
    assert lost.tolist() == pytest.approx(told, abs=1e-6)
    assert polars.DataFrame(table, infer_schema_length=None).to_dicts() == table
    for row, move in zip([row for row in table if row["ply"]], sum((game["analysis"] for game in report.games), [])):
        assert (row["uci"], row["eval"], row["mate"]) == (move["uci"], move.get("eval"), move.get("mate"))
        assert [row["equals.win"], row["equals.draw"], row["equals.loss"]] == move.get("equals", move["wdl"])
        assert row["judgment.name"] == move.get("judgment", {}).get("name")


def test_a_table_tells_who_moves_and_what(engine):
    last = engine.report(FOOLS_MATE, 200).rows()[-1]
    assert (last["ply"], last["turn"], last["san"], last["mate"]) == (4, "black", "Qh4#", 0)
    assert (last["white"], last["black.rating"], last["result"], last["wdl.loss"]) == ("A", 1700, "0-1", 1000)
    # What people do is known before each move, or before bad moves alone.
    known = [[row["people.mistake"] is not None for row in engine.report(FOOLS_MATE, 200, people=all).rows()] for all in (True, False)]
    assert known[0] == [False, True, True, True, True] and known[1] != known[0] and any(known[1])
    assert last["people.elo"] is None and last["people.withinReach"] is None
    position = engine.report("4k3/8/8/8/8/8/4Q3/3K4 b - - 0 1\n", 200).rows()
    assert len(position) == 1 and position[0]["wdl.win"] > 0
    (_, move) = engine.report('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]\n\n1... Kd7 *', 200).rows()
    assert move["turn"] == "black"


def test_a_table_has_all_fields_but_lists(engine, games):
    report = engine.report(games, 200, numbers="1-3", multipv=2, people=True)
    positions = [position for game in report.games for position in (game["start"], *game["analysis"])]
    for row, position in zip(report.rows(), positions, strict=True):
        (fields,) = halfpoint.rows([position])
        assert fields == {name: row[name] for name in fields}
        assert {"kept", "sacrifice", "judgment.what", "judgment.people", "people.practical"} <= set(row)


def test_games_come_as_text_files_and_games_of_python_chess(engine, games, tmp_path):
    game = chess.pgn.read_game(io.StringIO(FOOLS_MATE))
    packed = tmp_path / "packed.pgn.gz"
    packed.write_bytes(gzip.compress(FOOLS_MATE.encode()))
    moves = [[found["moves"] for found in engine.report(of, 100).games] for of in (FOOLS_MATE, game, packed, [game])]
    assert moves == [["f3 e5 g4 Qh4#"]] * 4
    assert len(engine.report([game, game], 100).games) == 2
    assert "<title>packed" in engine.report(packed, 100).html()


def test_progress_is_an_iterator(engine, games):
    analysis = engine.analyse(games, 100, numbers="1-2")
    steps = list(analysis)
    assert steps[-1].done == steps[-1].positions >= 3 and sorted(steps) == steps
    assert list(analysis) == [] and len(analysis.report().games) == 2


def test_stopped_analyses_go_on(engine, games):
    expected = engine.report(games, 500, numbers="1-3").json()
    with engine.analyse(games, 500, numbers="1-3") as analysis:
        assert next(analysis).done == 1
    with pytest.raises(RuntimeError, match="not done"):
        halfpoint.Report(analysis._run, "games")
    assert analysis.report().json() == expected
    long = engine.analyse(games, depth=100)
    next(long)
    long.stop()


def test_broken_games_are_told_and_the_others_analysed(engine, tmp_path):
    (tmp_path / "x.pgn").write_text(BROKEN)
    for of, name in ((BROKEN, ""), (tmp_path / "x.pgn", f"{tmp_path / 'x.pgn'}: ")):
        with pytest.warns(halfpoint.BrokenGameWarning) as told:
            report = engine.report(of, 100)
        text = name + "game 2, line 3: move 1... Ke7 is illegal"
        assert str(told[0].message).startswith(text) and report.faults[0].startswith(text)
        assert len(report.games) == len(told) == 1


@pytest.mark.parametrize(
    ("games", "options", "error", "text"),
    [
        ("", {}, ValueError, "^games are empty$"),
        ([], {}, ValueError, "^games are empty$"),
        ("hello", {}, ValueError, "neither games in PGN nor positions in FEN or EPD"),
        (FOOLS_MATE, {"numbers": "2"}, ValueError, "no games or positions, or none of those chosen"),
        (FOOLS_MATE, {"numbers": "x"}, ValueError, "the argument numbers is not numbers or ranges from 1"),
        (FOOLS_MATE, {"numbers": "0"}, ValueError, "the argument numbers is not numbers or ranges from 1"),
        (FOOLS_MATE, {"thresholds": (0.2, 0.1, 0.3)}, ValueError, "thresholds are not three rising numbers"),
        (FOOLS_MATE, {"profile": "x"}, ValueError, "there is no profile 'x'"),
        (FOOLS_MATE, {"time_control": "x"}, ValueError, "'x' is not a time control"),
        (FOOLS_MATE, {"time_control": "correspondence"}, ValueError, "'correspondence' is not a time control"),
        (FOOLS_MATE, {"time_control": "Exhibition"}, ValueError, "'Exhibition' is not a time control"),
        (FOOLS_MATE, {"time": float("inf")}, ValueError, "time inf is not a number of seconds from 0.001"),
        (FOOLS_MATE, {"time": 1e300}, ValueError, "time 1e\\+300 is no time|time 1000+ is no time"),
        ("1. e4 {\ud800} *", {}, ValueError, "surrogates not allowed"),
        (FOOLS_MATE, {"profile": "\ud800"}, ValueError, "surrogates not allowed"),
        (FOOLS_MATE, {"numbers": "\ud800"}, ValueError, "surrogates not allowed"),
        (FOOLS_MATE, {"numbers": 1}, TypeError, "numbers is int, not text"),
        (FOOLS_MATE, {"people": None}, TypeError, "people is NoneType, not True or False"),
        (FOOLS_MATE, {"clocks": "no"}, TypeError, "clocks is str, not True or False"),
        (FOOLS_MATE, {"thresholds": 0.1}, TypeError, "thresholds is float, not three numbers"),
        (b"1. e4 *", {}, TypeError, "games is bytes, not text, a path or games"),
        (None, {}, TypeError, "games is NoneType, not text, a path or games"),
        ([None], {}, TypeError, "one of the games is NoneType, not text or a game"),
    ],
)
def test_what_cannot_be_analysed_is_told(engine, games, options, error, text):
    with pytest.raises(error, match=text):
        engine.analyse(games, **options)


def test_a_path_is_that_of_a_file(engine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("-").write_text(FOOLS_MATE)
    assert len(engine.report(pathlib.Path("-"), 100).games) == 1


def test_a_missing_file_is_told(engine, tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.pgn: "):
        engine.analyse(tmp_path / "missing.pgn")
