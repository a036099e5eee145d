"""Ctrl-C, and Python's own threads."""

import signal
import subprocess
import sys
import threading
import time

import chess
import pytest

import halfpoint

INTERRUPTS = 100


def interrupted(work, seconds):
    """Sends the signal of Ctrl-C to this process after so long; how long the work took."""
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        # Inside, as on a busy machine the signal may come before this returns.
        timer.start()
        work()
        time.sleep(60)
    timer.join()
    return time.monotonic() - start - seconds


def test_interrupts_end_searches_soon_and_the_engine_goes_on(games):
    engine = halfpoint.Engine(hash=1, threads=2)
    analysis = engine.analyse(games, depth=100)
    fens = [chess.STARTING_FEN] * 3_000_000
    kinds = [
        lambda: engine.position(chess.STARTING_FEN, depth=100),
        lambda: engine.moves(chess.STARTING_FEN, depth=100),
        lambda: list(analysis),
        lambda: halfpoint.static_wdl(fens),
    ]
    expected = engine.position(chess.STARTING_FEN, nodes=1000)
    waits = [interrupted(kinds[number % 4], 0.01 + 0.002 * (number % 7)) for number in range(INTERRUPTS)]
    assert max(waits) < 5 and sorted(waits)[INTERRUPTS // 2] < 0.5
    assert engine.position(chess.STARTING_FEN, nodes=1000) == expected


def test_a_handler_of_signals_may_stop_an_analysis(games):
    analysis = halfpoint.Engine(hash=1).analyse(games, depth=100)
    before = signal.signal(signal.SIGINT, lambda *_: analysis.stop())
    try:
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        steps = list(analysis)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert all(step.done < step.positions for step in steps)


def test_another_thread_may_stop_an_analysis(games):
    analysis, ended = halfpoint.Engine(hash=1, threads=2).analyse(games, depth=100), []
    others = [threading.Thread(target=lambda: ended.append(list(analysis))) for _ in range(2)]
    for thread in others:
        thread.start()
    # While others wait for a search, Ctrl-C is heard where it comes.
    assert interrupted(lambda: list(analysis), 0.3) < 5
    for thread in others:
        thread.join()
    analysis = halfpoint.Engine(hash=1).analyse(games, depth=100)
    other = threading.Thread(target=lambda: list(analysis))
    other.start()
    time.sleep(0.3)
    start = time.monotonic()
    analysis.stop()
    other.join()
    assert time.monotonic() - start < 5
    with pytest.raises(RuntimeError, match="not done"):
        halfpoint.Report(analysis._run, "games")


def test_interrupts_end_the_reading_of_games():
    engine, games = halfpoint.Engine(hash=1), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n" * 1_000_000
    read = lambda: engine.analyse(games, numbers="1000000-")
    start = time.monotonic()
    read()
    whole = time.monotonic() - start
    assert interrupted(read, 0.01) < whole / 2


@pytest.mark.skipif(sys.platform == "win32", reason="there, programs send each other no Ctrl-C")
def test_an_interrupted_program_ends(games):
    program = (
        "import halfpoint, pathlib, sys; games = pathlib.Path(sys.argv[1]); "
        "analysis = halfpoint.Engine(threads=2).analyse(games, depth=100); "
        "next(analysis); print('begun', flush=True); list(analysis)"
    )
    with subprocess.Popen([sys.executable, "-c", program, games], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in process.communicate(timeout=30)[1]
        assert process.returncode != 0


def test_a_program_ends_while_searches_run(games):
    program = (
        "import halfpoint, pathlib, sys; games = pathlib.Path(sys.argv[1]); "
        "analysis = halfpoint.Engine(threads=2).analyse(games, depth=100); "
        "next(analysis); print('ends')"
    )
    done = subprocess.run([sys.executable, "-c", program, games], stdout=subprocess.PIPE, check=True, timeout=30)
    assert done.stdout == b"ends\n"


def test_other_threads_run_while_the_engine_searches():
    engine = halfpoint.Engine(hash=1)
    ticks, ended = [], threading.Event()

    def tick():
        while not ended.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    engine.position(chess.STARTING_FEN, time=0.5)
    ended.set()
    thread.join()
    assert len(ticks) > 50


def test_threads_of_python_share_an_engine():
    engine = halfpoint.Engine(hash=1)
    expected, found = engine.moves(chess.STARTING_FEN, nodes=2000), []
    threads = [
        threading.Thread(target=lambda: found.append(engine.moves(chess.STARTING_FEN, nodes=2000))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8
