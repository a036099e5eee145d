#!/usr/bin/env python3
"""Plays side A against side B in pairs of games, each opening once with either colour, with fastchess or cutechess-cli.
Prints the Elo difference with its 95 % interval and the pentanomial counts. Standard library only.

    # this build against another engine, 200 games at 10 s + 0.1 s
    scripts/match.py --engine-a target/dist/halfpoint --engine-b /path/to/other --book book.epd --tc 10+0.1

    # is the current commit stronger than the one before? A sequential probability ratio test, H0 0 Elo, H1 5 Elo
    scripts/match.py --rev-a HEAD --rev-b HEAD~1 --book book.epd --tc 8+0.08 --sprt 0 5 --concurrency 4

    # one binary with other weights, 20,000 nodes a move
    scripts/match.py --engine-a target/dist/halfpoint --params-a mine.toml --book book.epd --nodes 20000 --games 1000

The cache directory is ${XDG_CACHE_HOME:-~/.cache}/halfpoint: builds by revision in bin/, games in matches/. Beside the
games stand FILE.settings (what --resume compares) and, with fastchess, FILE.json (its state). An interrupted match
(Ctrl-C, SIGTERM) prints what it has and can be resumed; a pair that was cut through is played again.
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

import games
from arguments import (
    CACHE,
    ROOT,
    RUNNERS,
    Parser,
    book,
    die,
    error_rate,
    even_number,
    option,
    readable_file,
    time_control,
    whole_number,
)

# Largest bound of a test, in Elo.
MAX_ELO = 200
# Seconds between two looks at the games of cutechess-cli, which does not know this test.
POLL_SECONDS = 3


def parse_arguments():
    parser = Parser(__doc__)
    sides = parser.add_argument_group("sides", "A side without an engine plays with that of the other.")
    for side in "ab":
        engine = sides.add_mutually_exclusive_group()
        engine.add_argument(f"--engine-{side}", metavar="CMD", help="a binary, or a command with arguments")
        engine.add_argument(f"--rev-{side}", metavar="REV", help="a git revision, built with cargo outside the tree")
        sides.add_argument(
            f"--option-{side}",
            metavar="NAME=VALUE",
            type=option,
            action="append",
            default=[],
            help="a UCI option; may be repeated",
        )
        sides.add_argument(f"--params-{side}", metavar="FILE", type=readable_file, help="a file for EvalParams")
        sides.add_argument(f"--name-{side}", metavar="NAME", help="name in the games; from the engine if missing")
        limit = sides.add_mutually_exclusive_group()
        limit.add_argument(f"--tc-{side}", metavar="TC", type=time_control, help="another time control for this side")
        limit.add_argument(f"--nodes-{side}", metavar="N", type=whole_number, help="nodes a move for this side")
    match = parser.add_argument_group("match")
    match.add_argument(
        "--book", type=book, default=os.environ.get("HALFPOINT_BOOK"), help="openings, .epd or .pgn ($HALFPOINT_BOOK)"
    )
    limit = match.add_mutually_exclusive_group()
    limit.add_argument("--tc", type=time_control, default="1+0.01", help="base+increment in seconds (1+0.01)")
    limit.add_argument("--nodes", metavar="N", type=whole_number, help="nodes a move instead of a time control")
    match.add_argument("--games", metavar="N", type=even_number, help="an even number (200; 40000 at most with --sprt)")
    match.add_argument("--concurrency", metavar="N", type=whole_number, default=1, help="games at a time (1)")
    match.add_argument(
        "--hash", metavar="MIB", type=whole_number, default=16, help="hash table of a side without an option Hash (16)"
    )
    match.add_argument("--seed", metavar="N", type=whole_number, default=1, help="which openings in which order (1)")
    match.add_argument(
        "--pgn", type=pathlib.Path, help="where the games go; a new file in the cache directory if missing"
    )
    match.add_argument(
        "--resume",
        action="store_true",
        help="go on with the games of --pgn, with the same settings; --games and --concurrency may change",
    )
    match.add_argument("--runner", choices=RUNNERS, help="the first one on PATH if missing")
    test = parser.add_argument_group("test")
    test.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="end once the games decide between H0, A is at most ELO0 stronger, and H1, at least ELO1",
    )
    test.add_argument("--alpha", type=error_rate, default=0.05, help="probability to accept H1 where H0 holds (0.05)")
    test.add_argument("--beta", type=error_rate, default=0.05, help="probability to accept H0 where H1 holds (0.05)")
    test.add_argument(
        "--model",
        choices=("normalized", "logistic"),
        default="normalized",
        help="the Elo of the bounds: in units of a game's standard deviation, or the usual one (normalized)",
    )
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
        arguments.sprt = games.Sprt(elo0, elo1, arguments.alpha, arguments.beta, arguments.model)
    arguments.games = arguments.games or (40_000 if arguments.sprt else 200)
    arguments.runner = arguments.runner or next(filter(shutil.which, RUNNERS), None)
    if not arguments.runner:
        parser.error("neither fastchess nor cutechess-cli is on PATH")
    if not shutil.which(arguments.runner):
        parser.error(f"--runner: {arguments.runner} is not on PATH")
    return arguments


def build(revision):
    """The binary of a revision, built unless that was done before."""
    git = ["git", "-C", str(ROOT)]
    found = subprocess.run(
        [*git, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"],
        capture_output=True,
        text=True,
        check=False,
    )
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
            shutil.copy2(target / profile / "halfpoint", tree / "built")
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
        if revision:
            self.command = [str(build(revision))]
        else:
            # A command with blanks is one file if there is such a file.
            self.command = [engine] if os.path.isfile(engine) else shlex.split(engine)
            program = shutil.which(self.command[0]) if self.command else None
            if not program:
                die(f"--engine-{letter}: no program '{engine}'")
            self.command[0] = str(pathlib.Path(program).resolve())
        self.name = given("name") or pathlib.Path(self.command[0]).name
        self.options = list(given("option"))
        if given("params"):
            self.options.append(f"EvalParams={given('params')}")
        nodes = given("nodes") or (arguments.nodes if not given("tc") else None)
        self.limit = ["tc=inf", f"nodes={nodes}"] if nodes else [f"tc={given('tc') or arguments.tc}"]

    def describe(self):
        lines = [f"{self.letter} {self.name}: {shlex.join(self.command)}", f"{self.letter} {' '.join(self.limit)}"]
        return lines + [f"{self.letter} option {option}" for option in self.options]

    def runner_arguments(self, runner, hash_mib):
        words = ["-engine", f"name={self.name}", f"cmd={self.command[0]}"]
        if runner == "cutechess-cli":
            words += [f"arg={word}" for word in self.command[1:]]
        elif len(self.command) > 1:
            words.append(f"args={' '.join(self.command[1:])}")
        # An option of the side's own replaces that of both sides.
        if not any(option.lower().startswith("hash=") for option in self.options):
            words.append(f"option.Hash={hash_mib}")
        return words + [f"option.{option}" for option in self.options] + self.limit


def make_sides(arguments):
    engines = {side: (getattr(arguments, f"engine_{side}"), getattr(arguments, f"rev_{side}")) for side in "ab"}
    if not any(engines["a"] + engines["b"]):
        die("no engine: give --engine-a CMD or --rev-a REV")
    a = Side(arguments, "a", *(engines["a"] if any(engines["a"]) else engines["b"]))
    b = Side(arguments, "b", *(engines["b"] if any(engines["b"]) else engines["a"]))
    if a.name == b.name:
        a.name, b.name = f"{a.name}-a", f"{b.name}-b"
    return a, b


class Match:
    """A match, its files, and the runner that plays it."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.a, self.b = make_sides(arguments)
        self.pgn = arguments.pgn
        if not self.pgn:
            now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
            self.pgn = CACHE / "matches" / f"{self.a.name}_{self.b.name}_{now}.pgn"
        self.pgn = self.pgn.resolve()
        # The games of cutechess-cli that are not among the others yet.
        self.part = pathlib.Path(f"{self.pgn}.part")
        # The state of fastchess.
        self.state = pathlib.Path(f"{self.pgn}.json")
        self.settings = pathlib.Path(f"{self.pgn}.settings")
        self.child = None
        self.interrupted = False

    def describe(self):
        """What a resumed match must agree in."""
        arguments = self.arguments
        lines = [f"runner {arguments.runner}", *self.a.describe(), *self.b.describe()]
        lines += [f"book {arguments.book}, seed {arguments.seed}", f"hash {arguments.hash} MiB"]
        return lines + [f"sprt {arguments.sprt or 'none'}"]

    def open(self):
        """Compares the settings with those of the games to go on with, or writes them."""
        now = self.describe()
        started = self.pgn.exists() or self.part.exists()
        if started and not self.arguments.resume:
            die(f"{self.pgn} exists: give another --pgn, or --resume to go on with it")
        if started and not self.settings.exists():
            die(f"--resume: {self.settings} is missing; give another --pgn")
        if started and self.arguments.runner == "fastchess" and not self.state.exists():
            die(f"--resume: {self.state} is missing, without which fastchess cannot go on; give another --pgn")
        if started:
            then = self.settings.read_text().splitlines()
            if changes := list(difflib.unified_diff(then, now, "then", "now", lineterm="", n=0)):
                print(*changes, sep="\n", file=sys.stderr)
                die(f"--resume: these settings differ from those of {self.pgn}")
        else:
            self.pgn.parent.mkdir(parents=True, exist_ok=True)
            self.state.unlink(missing_ok=True)
            self.settings.write_text("\n".join(now) + "\n")
        print(*now, sep="\n")
        print(f"games {self.arguments.games}, {self.arguments.concurrency} at a time, to {self.pgn}", flush=True)

    def both_sides(self):
        sides = [
            word
            for side in (self.a, self.b)
            for word in side.runner_arguments(self.arguments.runner, self.arguments.hash)
        ]
        return [*sides, "-each", "proto=uci"]

    def interrupt(self, *_):
        self.interrupted = True
        if self.child:
            self.child.send_signal(signal.SIGINT)

    def attend(self, command, is_decided=None):
        """Runs the runner to its end, or until the test is decided. Returns its exit status."""
        # In a session of its own: Ctrl-C reaches it once, through `interrupt`.
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        if self.interrupted:
            self.child.send_signal(signal.SIGINT)
        decided = False
        while True:
            try:
                status = self.child.wait(POLL_SECONDS if is_decided and not decided else None)
                return 0 if decided else status
            except subprocess.TimeoutExpired:
                if is_decided():
                    decided = True
                    self.child.send_signal(signal.SIGINT)

    def play_fastchess(self):
        arguments = self.arguments
        command = ["fastchess"]
        if self.state.exists():
            command += ["-config", f"file={self.state}", f"outname={self.state}"]
        else:
            command += [*self.both_sides(), "-repeat", "-recover", "-srand", str(arguments.seed)]
            command += ["-openings", f"file={arguments.book}", f"format={arguments.book.suffix[1:]}", "order=random"]
            command += ["-pgnout", f"file={self.pgn}", "-config", f"outname={self.state}", "-autosaveinterval", "2"]
            if sprt := arguments.sprt:
                command += ["-sprt", f"elo0={sprt.elo0:g}", f"elo1={sprt.elo1:g}", f"alpha={sprt.alpha:g}"]
                command += [f"beta={sprt.beta:g}", f"model={sprt.model}"]
        command += ["-rounds", str(arguments.games // 2), "-concurrency", str(arguments.concurrency)]
        return self.attend(command)

    def is_decided(self):
        pairs = games.all_pairs([self.pgn, self.part])
        return self.arguments.sprt.verdict(games.pentanomial(pairs, self.a.name)) is not None

    def play_cutechess(self):
        """Plays the rounds that are missing, to a file of their own; complete pairs move from there to the games."""
        arguments = self.arguments
        games.merge(self.pgn, self.part)
        rounds = games.read_pairs(self.pgn)
        missing = arguments.games // 2 - len(rounds)
        if missing <= 0 or (arguments.sprt and self.is_decided()):
            return 0
        openings = pathlib.Path(f"{self.pgn}.openings{arguments.book.suffix}")
        try:
            openings.write_text(games.openings(arguments.book, arguments.seed, max(rounds, default=0), missing))
            command = [
                "cutechess-cli",
                *self.both_sides(),
                "-games",
                "2",
                "-rounds",
                str(missing),
                "-repeat",
                "-recover",
            ]
            command += ["-openings", f"file={openings}", f"format={arguments.book.suffix[1:]}", "order=sequential"]
            command += ["-concurrency", str(arguments.concurrency), "-pgnout", str(self.part), "fi"]
            return self.attend(command, self.is_decided if arguments.sprt else None)
        finally:
            openings.unlink(missing_ok=True)
            games.merge(self.pgn, self.part)

    def play(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.interrupt)
        play = self.play_fastchess if self.arguments.runner == "fastchess" else self.play_cutechess
        status = play()
        print()
        games.report([self.pgn], self.a.name, self.arguments.sprt)
        if self.interrupted:
            print(f"Interrupted; the same command with --pgn '{self.pgn}' --resume goes on.")
            return 130
        return status


def main():
    # Ends in an exception, so that a build that is interrupted leaves no worktree.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        match = Match(parse_arguments())
    except KeyboardInterrupt:
        sys.exit(130)
    match.open()
    sys.exit(match.play())


if __name__ == "__main__":
    main()
