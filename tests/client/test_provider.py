"""The provider of examples/lichess-external-engine against a server of lichess' protocol on this machine."""

import contextlib
import http.server
import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import threading
import time

import chess
import chess.engine
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint"))
# Where the provider asks for work; behind it stands the id of a request.
WORK = "/api/external-engine/work"
PROVIDER = ROOT / "examples" / "lichess-external-engine" / "provider.py"
TOKEN, SECRET = "lip_of_the_test", "a-secret-of-the-provider"
# Seconds that lichess holds a request for work, here; and that any step of a test may take.
HOLD, PATIENCE = 0.2, 30


# An engine without options that prints one line for each search.
SILENT = f"""#!{sys.executable}
import signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
for line in open(0):
    command = line.split()[0]
    known = {{
        "uci": "uciok",
        "isready": "readyok",
        "go": "info string on\\ninfo depth 1\\ninfo depth 1 multipv 1 score cp 3 nodes 1 time 0 pv e2e4",
        "stop": "bestmove e2e4",
    }}
    if command in known:
        print(known[command], flush=True)
    elif command == "quit":
        break
    elif command == "setoption":
        raise SystemExit("there are no options")
"""


class Lichess(http.server.ThreadingHTTPServer):
    """Both servers in one: registrations, work, and the lines that come back."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.registered, self.asked, self.faults = [], [], []
        self.work, self.lines, self.polls = queue.Queue(), queue.Queue(), queue.Queue()
        # After so many lines of a work the connection is closed; by default after the last.
        self.wanted = {}
        self.failures = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def ask(self, number, wanted=None, **work):
        """Asks for an analysis."""
        common = {"sessionId": "s", "threads": 1, "hash": 16, "multiPv": 1, "variant": "chess", "moves": []}
        self.wanted[number] = wanted
        self.work.put({"id": number, "work": common | {"initialFen": chess.STARTING_FEN} | work, "engine": {}})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def object(self):
        assert self.headers["Content-Type"] == "application/json"
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def chunks(self):
        assert self.headers["Transfer-Encoding"] == "chunked" and self.headers["Content-Type"] == "text/plain"
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size).decode()
            self.rfile.readline()

    def is_user(self):
        is_user = self.headers["Authorization"] == f"Bearer {TOKEN}"
        if not is_user:
            self.answer(401, {"error": "No such token"})
        return is_user

    def do_GET(self):
        assert self.path == "/api/external-engine"
        if self.is_user():
            self.answer(200, [{"id": f"eei_{number}"} | engine for number, engine in enumerate(self.server.registered)])

    def do_PUT(self):
        if self.is_user():
            number = int(self.path.removeprefix("/api/external-engine/eei_"))
            self.server.registered[number] = self.object()
            self.answer(200, {"id": f"eei_{number}"})

    def do_POST(self):
        if self.path == "/api/external-engine":
            if self.is_user():
                self.server.registered.append(self.object())
                self.answer(200, {"id": f"eei_{len(self.server.registered) - 1}"})
        elif self.path == WORK:
            self.hand_out(self.object())
        else:
            self.take_lines(self.path.removeprefix(f"{WORK}/"))

    def hand_out(self, body):
        assert body == {"providerSecret": SECRET} and "Authorization" not in self.headers
        self.server.polls.put(time.monotonic())
        if self.server.failures:
            self.server.failures -= 1
            self.answer(502)
            return
        try:
            self.answer(200, self.server.work.get(timeout=HOLD))
        except queue.Empty:
            self.answer(204)

    def take_lines(self, number):
        lines = []
        for line in self.chunks():
            lines.append(line)
            if len(lines) == self.server.wanted[number]:
                self.close_connection = True
                break
        else:
            self.answer(200)
        self.server.lines.put((number, lines))


@pytest.fixture
def lichess():
    with Lichess() as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield server
        server.shutdown()


@contextlib.contextmanager
def provider(lichess, *arguments, engine=BINARY, **environment):
    """The provider at work; ends by Ctrl-C."""
    command = [sys.executable, PROVIDER, engine, "--lichess", lichess.url, "--broker", lichess.url, *arguments]
    kept = {"LICHESS_TOKEN": TOKEN, "PROVIDER_SECRET": SECRET} | environment
    pipe = subprocess.PIPE
    options = {"env": os.environ | kept, "stdout": pipe, "stderr": pipe, "text": True, "start_new_session": True}
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
            # As a terminal does it: the engine gets the signal, too.
            os.killpg(process.pid, signal.SIGINT)
            assert "Traceback" not in process.communicate(timeout=PATIENCE)[1] and process.returncode == 0
        finally:
            process.kill()


def told(lichess, number, board, multi_pv=1):
    """The lines that came for a work, which must be legal; the last depth of each of them, and the best move."""
    found, lines = lichess.lines.get(timeout=PATIENCE)
    assert found == number and all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    depths = {}
    for line in lines:
        words = line.split()
        if words[0] == "bestmove":
            assert line is lines[-1] and board.is_legal(board.parse_uci(words[1]))
            continue
        for name in ("depth", "multipv", "score", "nodes", "time"):
            assert name in words, line
        line_board = board.copy()
        for move in words[words.index("pv") + 1 :]:
            line_board.push_uci(move)
        depths[int(words[words.index("multipv") + 1])] = int(words[words.index("depth") + 1])
    assert sorted(depths) == list(range(1, multi_pv + 1))
    return depths, lines


def test_lines_come_as_asked(lichess):
    with provider(lichess, "--name", "Mine", "--threads", "2", "--hash", "64"):
        lichess.ask("a", depth=8, multiPv=3, moves=["e2e4", "e7e5"])
        board = chess.Board()
        board.push_uci("e2e4")
        board.push_uci("e7e5")
        depths, lines = told(lichess, "a", board, 3)
        assert set(depths.values()) == {8} and lines[-1].startswith("bestmove")
        # Castling is king takes rook, and more threads and memory than were registered are not taken.
        fen = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"
        lichess.ask("b", nodes=3000, initialFen=fen, moves=["e1h1", "e8a8"], threads=64, hash=4096, sessionId="t")
        castled = chess.Board(fen, chess960=True)
        castled.push_uci("e1h1")
        castled.push_uci("e8a8")
        told(lichess, "b", castled)
        lichess.ask("c", movetime=50)
        told(lichess, "c", chess.Board())
    (registration,) = lichess.registered
    assert registration["name"] == "Mine" and registration["variants"] == ["chess"]
    assert (registration["maxThreads"], registration["maxHash"]) == (2, 64)
    assert registration["providerSecret"] == SECRET and 0 <= registration["defaultDepth"] <= 246


def test_a_search_ends_when_nobody_wants_its_lines(lichess):
    with provider(lichess):
        for number, wanted in (("a", 1), ("b", 12), ("c", 3)):
            lichess.ask(number, wanted=wanted, sessionId=number)
            assert len(told(lichess, number, chess.Board())[1]) == wanted
            start = time.monotonic()
            lichess.ask(f"{number}2", depth=1)
            told(lichess, f"{number}2", chess.Board())
            assert time.monotonic() - start < 5


def test_a_silent_search_ends_too(lichess, tmp_path):
    engine = tmp_path / "engine"
    engine.write_text(SILENT)
    engine.chmod(0o755)
    with provider(lichess, engine=engine):
        for number in ("a", "b"):
            lichess.ask(number, wanted=1)
            assert len(told(lichess, number, chess.Board())[1]) == 1


def test_another_start_updates_the_registration(lichess, tmp_path):
    (tmp_path / "token").write_text(TOKEN + "\n")
    (tmp_path / "secret").write_text(SECRET + "\n")
    files = ["--token-file", tmp_path / "token", "--secret-file", tmp_path / "secret"]
    for threads in ("1", "2"):
        with provider(lichess, "--threads", threads, *files, LICHESS_TOKEN="", PROVIDER_SECRET=""):
            lichess.polls.get(timeout=PATIENCE)
    assert [registration["maxThreads"] for registration in lichess.registered] == [2]


def test_a_server_that_fails_is_asked_again(lichess):
    lichess.failures = 2
    with provider(lichess) as process:
        polls = [lichess.polls.get(timeout=PATIENCE) for _ in range(4)]
        # A second, then two; then the usual.
        assert polls[1] - polls[0] >= 1 and polls[2] - polls[1] >= 2 > polls[3] - polls[2]
        assert "502" in process.stderr.readline()
        lichess.work.put({"id": "a", "work": {"sessionId": "s"}})
        lichess.ask("b", depth=2)
        told(lichess, "b", chess.Board())
        assert any("not understood: KeyError('threads')" in line for line in process.stderr)


@pytest.mark.parametrize(
    ("arguments", "environment", "text"),
    [
        ([BINARY], {"LICHESS_TOKEN": ""}, "there is no token"),
        ([BINARY], {"LICHESS_TOKEN": "wrong"}, "401"),
        ([BINARY, "--token-file", "/missing"], {}, "No such file"),
        (["/missing"], {}, "No such file"),
        (["true"], {}, "the engine has ended"),
        ([BINARY, "--threads", "0"], {}, "'0' is not a whole number from 1"),
        ([BINARY, "--hash=-16"], {}, "'-16' is not a whole number from 1"),
        ([BINARY, "--token-file", BINARY], {}, "can't decode"),
    ],
)
def test_what_is_wrong_is_told(lichess, arguments, environment, text):
    command = [sys.executable, PROVIDER, *arguments, "--lichess", lichess.url, "--broker", lichess.url]
    environment = os.environ | {"LICHESS_TOKEN": TOKEN, "PROVIDER_SECRET": SECRET} | environment
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 1 and text in result.stderr and result.stderr.count("\n") == 1
