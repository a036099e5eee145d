#!/usr/bin/env python3
"""Plays side A against side B in pairs of games, each opening once with either colour. fastchess, which must be on PATH, plays
and prints the Elo difference, its 95 % interval, the pentanomial counts and the sequential test. Standard library only.

    # this build against another engine, 200 games at 10 s + 0.1 s
    scripts/match.py --engine-a target/dist/halfpoint --engine-b /path/to/other --book book.epd --tc 10+0.1

    # is the current commit stronger than the one before? A sequential probability ratio test, H0 0 Elo, H1 5 Elo
    scripts/match.py --rev-a HEAD --rev-b HEAD~1 --book book.epd --tc 8+0.08 --sprt 0 5 --concurrency 4

    # one binary with other weights, 20,000 nodes a move
    scripts/match.py --engine-a target/dist/halfpoint --params-a mine.toml --book book.epd --nodes 20000 --games 1000

The cache directory is ${XDG_CACHE_HOME:-~/.cache}/halfpoint: builds by revision in bin/, games in matches/. Beside the
games stand FILE.settings (what --resume compares) and FILE.json (the state of fastchess). An interrupted match (Ctrl-C,
SIGTERM) can be resumed. A pair that was cut off is then played anew; its first game stays in FILE, but does not count.
"""

import datetime
import difflib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

from arguments import CACHE, ROOT, Engine, Parser, book, command_words, die, error_rate, even_number, number, option, program
from arguments import readable_file, run, time_control, whole_number

# Largest bound of a test, in Elo.
MAX_ELO = 200


# Signals that end a program; Windows has but one of them.
ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
EXE = ".exe" if os.name == "nt" else ""


def parse_arguments():
    parser = Parser(__doc__)
    sides = parser.add_argument_group("sides", "A side without an engine plays with that of the other.")
    for side in "ab":
        engine = sides.add_mutually_exclusive_group()
        engine.add_argument(f"--engine-{side}", metavar="CMD", help="a binary, or a command with arguments")
        engine.add_argument(f"--rev-{side}", metavar="REV", help="a git revision, built with cargo outside the tree")
        repeated = {"metavar": "NAME=VALUE", "type": option, "action": "append", "default": []}
        sides.add_argument(f"--option-{side}", **repeated, help="a UCI option; may be repeated")
        sides.add_argument(f"--params-{side}", metavar="FILE", type=readable_file, help="a file for EvalParams")
        sides.add_argument(f"--name-{side}", metavar="NAME", help="name in the games; from the engine if missing")
        limit = sides.add_mutually_exclusive_group()
        limit.add_argument(f"--tc-{side}", metavar="TC", type=time_control, help="another time control for this side")
        limit.add_argument(f"--nodes-{side}", metavar="N", type=whole_number, help="nodes a move for this side")
    match = parser.add_argument_group("match")
    add = match.add_argument
    add("--book", type=book, default=os.environ.get("HALFPOINT_BOOK"), help="openings, .epd or .pgn ($HALFPOINT_BOOK)")
    limit = match.add_mutually_exclusive_group()
    limit.add_argument("--tc", type=time_control, default="1+0.01", help="base+increment in seconds (1+0.01)")
    limit.add_argument("--nodes", metavar="N", type=whole_number, help="nodes a move instead of a time control")
    add("--games", metavar="N", type=even_number, help="an even number (200; 40000 at most with --sprt)")
    add("--concurrency", metavar="N", type=whole_number, default=1, help="games at a time (1)")
    add("--hash", metavar="MIB", type=whole_number, default=16, help="hash table of a side without an option Hash (16)")
    add("--seed", metavar="N", type=whole_number, default=1, help="which openings in which order (1)")
    add("--pgn", type=pathlib.Path, help="where the games go; a new file in the cache directory if missing")
    add("--resume", action="store_true", help="go on with the games of --pgn; --games and --concurrency may change")
    add = parser.add_argument_group("test").add_argument
    bounds = "end once the games decide between H0, A is at most ELO0 stronger, and H1, at least ELO1"
    add("--sprt", nargs=2, type=number, metavar=("ELO0", "ELO1"), help=bounds)
    add("--alpha", type=error_rate, default=0.05, help="probability to accept H1 where H0 holds (0.05)")
    add("--beta", type=error_rate, default=0.05, help="probability to accept H0 where H1 holds (0.05)")
    elo = "the Elo of the bounds: in units of a game's standard deviation, or the usual one (normalized)"
    add("--model", choices=("normalized", "logistic"), default="normalized", help=elo)
    arguments = parser.parse_args()
    if not arguments.book:
        parser.error("no openings: give --book FILE or set HALFPOINT_BOOK")
    if arguments.resume and not arguments.pgn:
        parser.error("--resume needs --pgn FILE")
    if arguments.sprt:
        elo0, elo1 = arguments.sprt
        if not -MAX_ELO <= elo0 < elo1 <= MAX_ELO:
            parser.error(f"--sprt: {elo0:g} and {elo1:g} are not two rising bounds from -{MAX_ELO} to {MAX_ELO} Elo")
        if arguments.alpha + arguments.beta >= 1:
            parser.error(f"--alpha {arguments.alpha:g} and --beta {arguments.beta:g} add up to 1 or more")
    arguments.games = arguments.games or (40_000 if arguments.sprt else 200)
    if not shutil.which("fastchess"):
        parser.error("fastchess is not on PATH")
    return arguments


def build(revision):
    """The binary of a revision, built unless that was done before."""
    git = ["git", "-C", str(ROOT)]
    verify = [*git, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    found = subprocess.run(verify, capture_output=True, text=True, check=False)
    if found.returncode:
        die(f"no revision '{revision}'")
    commit = found.stdout.strip()
    binary = CACHE / "bin" / f"halfpoint-{commit[:12]}"
    if binary.exists():
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    print(f"building {revision} ({commit[:12]})", file=sys.stderr)
    target = CACHE / "target"
    with tempfile.TemporaryDirectory(prefix="worktree.", dir=CACHE) as directory:
        tree = pathlib.Path(directory) / "halfpoint"
        try:
            subprocess.run([*git, "worktree", "add", "--quiet", "--detach", tree, commit], check=True)
            # The fastest build; older revisions have it under the name `release`.
            profile = "dist" if "[profile.dist]" in (tree / "Cargo.toml").read_text() else "release"
            subprocess.run(
                ["cargo", "build", "--profile", profile, "--quiet", "--locked", "--bin", "halfpoint"],
                cwd=tree,
                env={**os.environ, "CARGO_TARGET_DIR": str(target)},
                check=True,
            )
            # In one step, so that a build that was cut off leaves nothing.
            shutil.copy2(target / profile / f"halfpoint{EXE}", tree / "built")
            os.replace(tree / "built", binary)
        except subprocess.CalledProcessError:
            die(f"cannot build '{revision}'")
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", tree], stderr=subprocess.DEVNULL, check=False)
    return binary


class Side:
    """One of the two: command, name, UCI options and limit."""

    def __init__(self, arguments, letter, engine, revision):
        def given(what):
            return getattr(arguments, f"{what}_{letter}")

        self.letter = letter
        if revision is not None:
            self.command = [str(build(revision))]
        else:
            self.command = command_words(engine)
            path = program(self.command[0]) if self.command else None
            if not path:
                die(f"--engine-{letter}: no program '{engine}'")
            self.command[0] = path
        self.name = given("name") or pathlib.Path(self.command[0]).name
        options = list(given("option"))
        if given("params"):
            options.append(f"EvalParams={given('params')}")
        engine = Engine(shlex.join(self.command))
        # An option of the side's own replaces that of both sides.
        if "hash" in engine.options and not any(option.lower().startswith("hash=") for option in options):
            options.insert(0, f"Hash={arguments.hash}")
        # Before the first game: fastchess plays on without what is refused.
        self.options = engine.configure(options)
        engine.quit()
        nodes = given("nodes") or (arguments.nodes if not given("tc") else None)
        self.limit = ["tc=inf", f"nodes={nodes}"] if nodes else [f"tc={given('tc') or arguments.tc}"]

    def describe(self):
        lines = [f"{self.letter} {self.name}: {shlex.join(self.command)}", f"{self.letter} {' '.join(self.limit)}"]
        return lines + [f"{self.letter} option {option}" for option in self.options]

    def fastchess_arguments(self):
        words = ["-engine", f"name={self.name}", f"cmd={self.command[0]}"]
        words += [f"args={shlex.join(self.command[1:])}"] if len(self.command) > 1 else []
        return words + [f"option.{option}" for option in self.options] + self.limit


def make_sides(arguments):
    engines = {side: (getattr(arguments, f"engine_{side}"), getattr(arguments, f"rev_{side}")) for side in "ab"}
    given = [side for side in "ab" if engines[side] != (None, None)]
    if not given:
        die("no engine: give --engine-a CMD or --rev-a REV")
    a, b = (Side(arguments, side, *engines[side if side in given else given[0]]) for side in "ab")
    if a.name == b.name:
        a.name, b.name = f"{a.name}-a", f"{b.name}-b"
    return a, b


def prepare(arguments, settings, pgn, state):
    """Compares the settings with those of the games to go on with, or writes them. True if there are such games."""
    file = pathlib.Path(f"{pgn}.settings")
    started = pgn.exists()
    if started and not arguments.resume:
        die(f"{pgn} exists: give another --pgn, or --resume to go on with it")
    for missing in filter(lambda path: started and not path.exists(), (file, state)):
        die(f"--resume: {missing} is missing; give another --pgn")
    if started:
        then = file.read_text().splitlines()
        if changes := list(difflib.unified_diff(then, settings, "then", "now", lineterm="", n=0)):
            print(*changes, sep="\n", file=sys.stderr)
            die(f"--resume: these settings differ from those of {pgn}")
    else:
        pgn.parent.mkdir(parents=True, exist_ok=True)
        state.unlink(missing_ok=True)
        file.write_text("\n".join(settings) + "\n")
    return started


def play(command):
    """Runs fastchess. Signals that end a match reach it once. Its exit code, and whether there were any."""
    interrupted = False
    # In a session of its own: Ctrl-C reaches it through `interrupt`.
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)

    def interrupt(*_):
        nonlocal interrupted
        interrupted = True
        child.send_signal(signal.SIGINT)

    for number in (signal.SIGINT, *ENDS):
        signal.signal(number, interrupt)
    return child.wait(), interrupted


def main():
    # Ends in an exception, so that a build that is interrupted leaves no worktree.
    for number in ENDS:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    arguments = parse_arguments()
    sides = make_sides(arguments)
    now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    pgn = (arguments.pgn or CACHE / "matches" / f"{sides[0].name}_{sides[1].name}_{now}.pgn").resolve()
    state = pathlib.Path(f"{pgn}.json")
    test = []
    if arguments.sprt:
        elo0, elo1 = arguments.sprt
        test = [f"elo0={elo0:g}", f"elo1={elo1:g}", f"alpha={arguments.alpha:g}", f"beta={arguments.beta:g}"]
        test.append(f"model={arguments.model}")
    settings = [*sides[0].describe(), *sides[1].describe(), f"book {arguments.book}, seed {arguments.seed}"]
    settings.append(f"sprt {' '.join(test) or 'none'}")
    command = ["fastchess"]
    if prepare(arguments, settings, pgn, state):
        command += ["-config", f"file={state}", f"outname={state}"]
    else:
        command += [word for side in sides for word in side.fastchess_arguments()]
        command += ["-each", "proto=uci", "-repeat", "-recover", "-srand", str(arguments.seed)]
        command += ["-openings", f"file={arguments.book}", f"format={arguments.book.suffix[1:]}", "order=random"]
        command += ["-pgnout", f"file={pgn}", "-config", f"outname={state}", "-autosaveinterval", "2"]
        command += ["-sprt", *test] if test else []
    command += ["-rounds", str(arguments.games // 2), "-concurrency", str(arguments.concurrency)]
    print(*settings, sep="\n")
    print(f"games {arguments.games}, {arguments.concurrency} at a time, to {pgn}", flush=True)
    status, interrupted = play(command)
    if interrupted:
        print(f"Interrupted; the same command with --pgn '{pgn}' --resume goes on.")
    sys.exit(130 if interrupted else status)


if __name__ == "__main__":
    run(main)
