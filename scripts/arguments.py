"""Arguments that the scripts share, and an engine to talk to."""

import argparse
import importlib
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "halfpoint"
TIME_CONTROL = re.compile(r"(\d+/)?\d+(\.\d+)?(\+\d+(\.\d+)?)?")
# Seconds that an engine may take to say `uciok`.
STARTUP = 10


def die(message):
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(2)


def package(name, *modules):
    """A package that does not come with Python, with modules of it. Without it the script ends in one line."""
    try:
        for module in modules:
            importlib.import_module(f"{name}.{module}")
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        die(f"needs the Python package {error.name}: pip install {error.name}")


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def __init__(self, description=None, **others):
        form = argparse.RawDescriptionHelpFormatter
        super().__init__(description=description, formatter_class=form, allow_abbrev=False, **others)

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
    if not TIME_CONTROL.fullmatch(text) or not re.search("[1-9]", text.split("/")[-1]):
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


def number(text):
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None


def positive_number(text):
    positive = number(text)
    if not 0 < positive < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not above 0")
    return positive


def error_rate(text):
    rate = number(text)
    if not 0 < rate < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not between 0 and 1")
    return rate


def program(name):
    """The absolute path of a program; None if there is none. Symbolic links stay: some programs look at their own name."""
    found = shutil.which(name)
    return os.path.abspath(found) if found else None


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


def run(main):
    """Runs a script: files and programs that are missing end it in one line, and so does Ctrl-C."""
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except subprocess.CalledProcessError as error:
        die(f"{error.cmd[0]} failed: {(error.stderr or '').strip() or f'exit code {error.returncode}'}")
    except OSError as error:
        die(f"{error.filename}: {error.strerror}" if error.filename else error)


class Engine:
    """A UCI engine. What goes wrong ends the script."""

    def __init__(self, command):
        self.command = command
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "errors": "replace", "bufsize": 1}
        try:
            self.process = subprocess.Popen(command_words(command) or [""], **pipes)
        except OSError as error:
            die(f"no engine '{command}': {error.strerror}")
        # Not every program that waits for input is an engine.
        timer = threading.Timer(STARTUP, self.process.kill)
        timer.start()
        try:
            # What the engine declares of its options: its spelling of the name, and the rest of the line.
            declared = (re.match("option name (.*?) type (.*)", line) for line in self.ask("uci", "uciok"))
            self.options = {found[1].lower(): (found[1], found[2]) for found in declared if found}
        finally:
            timer.cancel()

    def set(self, setting):
        """Sets an option, NAME=VALUE, that the engine has, to a value that it says it takes. Returns it in the engine's
        spelling."""
        name, _, value = setting.partition("=")
        if name.lower() not in self.options:
            die(f"{self.command} has no option {name}")
        name, kind = self.options[name.lower()]
        limits = re.search(r"\bmin (-?\d+) max (-?\d+)", kind)
        if limits and not (re.fullmatch(r"-?\d+", value) and int(limits[1]) <= int(value) <= int(limits[2])):
            die(f"{self.command}: {name} is a whole number from {limits[1]} to {limits[2]}, not '{value}'")
        choices = ["true", "false"] if kind.startswith("check") else re.findall(r"\bvar (.*?)(?= var |$)", kind)
        if choices:
            spelling = {choice.lower(): choice for choice in choices}.get(value.lower())
            if spelling is None:
                die(f"{self.command}: {name} is one of {', '.join(choices)}, not '{value}'")
            value = spelling
        self.say(f"setoption name {name} value {value}")
        return f"{name}={value}"

    def configure(self, settings):
        """Sets options and waits until the engine has taken them, as it says only then that it cannot read a file. Returns
        them in the engine's spelling, the only one that fastchess takes."""
        settings = [self.set(setting) for setting in settings]
        values = [value for setting in settings for value in setting.partition("=")[2].split(os.pathsep) if value]
        # Halfpoint's words; faults of tables begin with the folder.
        refusals = ("option ", "setoption: ", *(f"{value}: " for value in values))
        for line in self.ask("isready", "readyok"):
            if line.startswith(tuple(f"info string {refusal}" for refusal in refusals)):
                die(f"{self.command}: {line.removeprefix('info string ')}")
        return settings

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            die(f"{self.command} does not take '{line}': {error.strerror}")

    def ask(self, line, answer):
        """Says a line and waits for the answer. Returns the lines before it."""
        self.say(line)
        before = []
        for told in self.process.stdout:
            if told.split()[:1] == [answer]:
                return before
            before.append(told.rstrip())
        die(f"{self.command} does not say '{answer}'")

    def quit(self):
        self.say("quit")
        # Closes its input, which ends those that do not know `quit`.
        self.process.communicate()


def accepted(command, settings):
    """Settings of an engine in its spelling, after a trial. Ends the script if it refuses one: it would go on without."""
    engine = Engine(command)
    settings = engine.configure(settings)
    engine.quit()
    return settings
