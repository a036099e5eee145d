"""Arguments that match.py and tune.py share."""

import argparse
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "halfpoint"
RUNNERS = ("fastchess", "cutechess-cli")
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
