"""Arguments that the scripts share, and an engine to talk to."""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "halfpoint"
TIME_CONTROL = re.compile(r"(\d+/)?\d+(\.\d+)?(\+\d+(\.\d+)?)?")


def die(message):
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(2)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def __init__(self, description):
        super().__init__(
            description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")


def whole_number(text):
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)


def even_number(text):
    number = whole_number(text)
    if number % 2:
        raise argparse.ArgumentTypeError(f"{number} is odd, openings are played in pairs")
    return number


def time_control(text):
    if not TIME_CONTROL.fullmatch(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not base+increment in seconds")
    return text


def option(text):
    if not re.match(r"[^=]+=", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return text


def readable_file(text):
    path = pathlib.Path(text)
    if not (path.is_file() and os.access(path, os.R_OK)):
        raise argparse.ArgumentTypeError(f"cannot read '{text}'")
    return path.resolve()


def directory(text):
    path = pathlib.Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"no directory '{text}'")
    return path


def book(text):
    path = readable_file(text)
    if path.suffix not in (".epd", ".pgn"):
        raise argparse.ArgumentTypeError(f"'{text}' is neither .epd nor .pgn")
    return path


def error_rate(text):
    rate = float(text)
    if not 0 < rate < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not between 0 and 1")
    return rate


def command_words(text):
    """The words of a command as a shell has them, or one word if that is a file. A backslash escapes blanks and quotes alone, so
    that it stands for itself in C:\\engines\\x.exe."""
    if os.path.isfile(text):
        return [text]
    escaped, quote, index = "", "", 0
    while index < len(text):
        character, following = text[index], text[index + 1 : index + 2]
        if character == "\\" and quote != "'":
            is_escape = following == '"' or not quote and following in ("'", " ", "\t")
            escaped += character + (following if is_escape else character)
            index += 2 if is_escape else 1
            continue
        if character in ("'", '"') and quote in ("", character):
            quote = "" if quote else character
        escaped += character
        index += 1
    try:
        return shlex.split(escaped)
    except ValueError as error:
        die(f"{text}: {error}")


class Engine:
    """A UCI engine. What goes wrong ends the script."""

    def __init__(self, command):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        try:
            self.process = subprocess.Popen(command_words(command), **pipes)
        except OSError as error:
            die(f"{command}: {error.strerror}")
        self.ask("uci", "uciok")

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            die(f"the engine does not take '{line}': {error.strerror}")

    def ask(self, line, answer):
        """Says a line and waits for the answer."""
        self.say(line)
        for told in self.process.stdout:
            if told.split()[:1] == [answer]:
                return
        die(f"the engine ended before it said '{answer}'")

    def quit(self):
        self.say("quit")
        self.process.wait()
