#!/usr/bin/env python3
"""Shows a UCI engine's lines on the analysis board of lichess.org: a provider of lichess' external engine protocol.
Python 3.10 or later, standard library alone; README.md says how to use it.

    LICHESS_TOKEN=lip_… provider.py target/dist/halfpoint
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import queue
import re
import secrets
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

# Where to ask for work; behind it stands the id of a request.
WORK = "/api/external-engine/work"
# Seconds that lichess may take to answer. It holds a request for work until there is some, for less than this.
PATIENCE = 60
# Seconds between two looks whether lichess still wants lines, and seconds that an engine may take to start or to stop.
LOOK_INTERVAL, ENGINE_PATIENCE = 0.2, 30
# Seconds until the next try when lichess cannot be reached: at first, and at most.
FIRST_PAUSE, LONGEST_PAUSE = 1, 60
# What a work request may say of the search, in the words of UCI's `go`. Without any it is infinite.
LIMITS = ("movetime", "depth", "nodes")


class Refused(Exception):
    """The server does not do what it was asked."""


class Server:
    """A server of the protocol. What cannot be done is a Refused, an OSError or an HTTPException."""

    def __init__(self, url, token=None):
        self.url = urllib.parse.urlsplit(url)
        self.headers = {"User-Agent": "halfpoint-provider"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def connect(self):
        kinds = {"https": http.client.HTTPSConnection, "http": http.client.HTTPConnection}
        return contextlib.closing(kinds[self.url.scheme](self.url.netloc, timeout=PATIENCE))

    def ask(self, method, path, body=None):
        """The object that a request is answered with; None if there is none."""
        headers = self.headers | {"Content-Type": "application/json"}
        with self.connect() as connection:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
        if answer.status >= 300:
            raise Refused(f"{method} {path}: {answer.status} {text.decode(errors='replace')[:200]}")
        return json.loads(text) if answer.status == 200 and text else None

    def send(self, path, lines):
        """Streams lines as they come, until there are no more or the server wants none. `lines` are None where none came for
        a while."""
        with self.connect() as connection:

            def chunks():
                for line in lines:
                    if line is not None:
                        yield f"{line}\n".encode()
                    elif has_answered(connection.sock):
                        return

            connection.request("POST", path, chunks(), self.headers | {"Content-Type": "text/plain"})
            connection.getresponse().read()


def has_answered(socket):
    """Whether a server has closed the connection or answered, though the request has not ended."""
    socket.settimeout(0)
    try:
        socket.recv(1)
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    finally:
        socket.settimeout(PATIENCE)
    return True


class Engine:
    """A UCI engine in a process of its own. If it ends, that is an EOFError."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.output = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()
        self.session, self.is_searching, self.options = None, False, set()
        try:
            self.greet()
        except BaseException:
            self.process.kill()
            raise

    def greet(self):
        self.say("uci")
        for words in map(str.split, self.lines_to("uciok")):
            if words[:2] == ["option", "name"] and "type" in words:
                self.options.add(" ".join(words[2 : words.index("type")]))
        self.set("UCI_Chess960", "true")
        self.set("UCI_AnalyseMode", "true")

    def read(self):
        for line in self.process.stdout:
            self.output.put(line.rstrip("\n"))
        self.output.put(None)

    def say(self, command):
        try:
            # A command is one line, whatever a request holds.
            self.process.stdin.write(" ".join(command.split()) + "\n")
        except OSError as error:
            raise EOFError("the engine has ended") from error

    def set(self, name, value):
        if name in self.options:
            self.say(f"setoption name {name} value {value}")

    def line(self, seconds):
        """Its next line; queue.Empty if there is none in this time."""
        line = self.output.get(timeout=seconds)
        if line is None:
            raise EOFError("the engine has ended")
        return line

    def lines_to(self, last):
        """Its lines before the one that begins with a word."""
        deadline = time.monotonic() + ENGINE_PATIENCE
        while not (line := self.line(max(0, deadline - time.monotonic()))).startswith(last):
            yield line

    def begin(self, work, most):
        """Begins the search that a work request asks for, with no more threads and memory than were registered."""
        if work["sessionId"] != self.session:
            self.session = work["sessionId"]
            self.say("ucinewgame")
        self.set("Threads", min(work["threads"], most["maxThreads"]))
        self.set("Hash", min(work["hash"], most["maxHash"]))
        self.set("MultiPV", work["multiPv"])
        self.say("isready")
        list(self.lines_to("readyok"))
        self.say(" ".join(["position fen", work["initialFen"], "moves", *work["moves"]]))
        limits = [f"{name} {work[name]}" for name in LIMITS if name in work]
        self.is_searching = True
        self.say(" ".join(["go", *(limits or ["infinite"])]))

    def lines(self):
        """The lines of the search; None where there was none for a while."""
        while self.is_searching:
            try:
                line = self.line(LOOK_INTERVAL)
            except queue.Empty:
                yield None
                continue
            self.is_searching = not line.startswith("bestmove")
            if not self.is_searching or line.startswith("info") and " score " in line and " pv " in line:
                yield line

    def stop(self):
        """Ends a search whose lines nobody wants."""
        if self.is_searching:
            self.say("stop")
            list(self.lines_to("bestmove"))
            self.is_searching = False

    def quit(self):
        with contextlib.suppress(EOFError, subprocess.TimeoutExpired):
            self.say("quit")
            self.process.wait(ENGINE_PATIENCE)
        self.process.kill()


def register(lichess, registration):
    """Registers the engine, or updates the registration of its name."""
    path = "/api/external-engine"
    same = [engine for engine in lichess.ask("GET", path) or [] if engine["name"] == registration["name"]]
    if same:
        return lichess.ask("PUT", f"{path}/{same[0]['id']}", registration)
    return lichess.ask("POST", path, registration)


def serve(broker, engine, registration):
    """Waits for work and does it, for ever."""
    secret, pause = {"providerSecret": registration["providerSecret"]}, FIRST_PAUSE
    while True:
        try:
            request = broker.ask("POST", WORK, secret)
        except (OSError, http.client.HTTPException, Refused, ValueError) as error:
            print(f"no work: {error}; another try in {pause} s", file=sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            continue
        pause = FIRST_PAUSE
        if request is None:
            continue
        try:
            engine.begin(request["work"], registration)
            broker.send(f"{WORK}/{request['id']}", engine.lines())
        except (KeyError, TypeError) as error:
            print(f"a request that is not understood: {error!r}", file=sys.stderr)
        except (OSError, http.client.HTTPException) as error:
            print(f"the lines are not wanted any more: {error}", file=sys.stderr)
        engine.stop()


def kept(variable, file):
    """What stands in a file, if one is named, or else in the environment; empty if nowhere."""
    return (file.read_text() if file else os.environ.get(variable, "")).strip()


def whole_number(text):
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        sys.exit(f"error: {message}")


def arguments():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", nargs="+", help="the engine's binary, with its arguments")
    parser.add_argument("--name", default="Halfpoint", help="as the analysis board calls it")
    parser.add_argument("--threads", type=whole_number, default=os.cpu_count() or 1, help="most that may be asked for")
    parser.add_argument("--hash", type=whole_number, default=512, help="most MiB that may be asked for")
    parser.add_argument("--token-file", type=pathlib.Path, help="a file with the token, in place of LICHESS_TOKEN")
    parser.add_argument("--secret-file", type=pathlib.Path, help="a file with the secret, in place of PROVIDER_SECRET")
    parser.add_argument("--lichess", default="https://lichess.org", help=argparse.SUPPRESS)
    parser.add_argument("--broker", default="https://engine.lichess.ovh", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    given = arguments()
    try:
        token = kept("LICHESS_TOKEN", given.token_file)
        secret = kept("PROVIDER_SECRET", given.secret_file) or secrets.token_urlsafe(32)
        if not token:
            sys.exit("there is no token: set LICHESS_TOKEN, or name a file with --token-file")
        engine = Engine(given.engine)
    except (OSError, EOFError, ValueError) as error:
        sys.exit(f"error: {error}")
    except queue.Empty:
        sys.exit(f"error: {given.engine} does not answer as a UCI engine does")
    registration = {
        "name": given.name,
        "maxThreads": given.threads,
        "maxHash": given.hash,
        "defaultDepth": 20,
        "variants": ["chess"],
        "providerSecret": secret,
    }
    try:
        register(Server(given.lichess, token), registration)
        print(f"{given.name} is on lichess' analysis board, in its menu; Ctrl-C ends it", flush=True)
        serve(Server(given.broker), engine, registration)
    except (OSError, http.client.HTTPException, Refused, EOFError, ValueError, queue.Empty) as error:
        sys.exit(f"error: {error or 'the engine does not answer'}")
    except KeyboardInterrupt:
        pass
    finally:
        engine.quit()


if __name__ == "__main__":
    main()
