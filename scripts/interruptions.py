#!/usr/bin/env python3
"""Ends commands that write files at each of their system calls that change a file, and lets the disk be full at many sizes.
Checks that every output is then absent, the old one, or whole, and that the same command, run again, ends with the same files
as one that was not interrupted. Needs Linux and strace; standard library only.

    scripts/interruptions.py --engine target/release/halfpoint
    scripts/interruptions.py --engine target/release/halfpoint analyse tune

The engine is a path; halfpoint-lab stands beside it. Prints a line for each command; exit code 1 if a check fails.
"""

import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from arguments import Parser, die, program, readable_file, run, whole_number

NAMING_CALLS = "rename,renameat,renameat2,link,linkat,unlink,unlinkat,ftruncate,fsync,fdatasync"
CALLS = f"write,pwrite64,writev,{NAMING_CALLS}"
GAME = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1/2-1/2\n'
# Times in reports differ from run to run.
TIMES = re.compile(rb"\d+\.\d+ s\b")


class Command:
    """A command with its outputs; `older` makes older outputs, `grows` are those that are written bit by bit."""

    def __init__(self, name, program, arguments, outputs, older, grows=(), calls=CALLS):
        self.name, self.program, self.outputs, self.grows, self.calls = name, program, outputs, grows, calls
        self.arguments, self.older = arguments.split(), older.split()


def commands(engine, lab):
    analyse = "analyse games.pgn --threads 1 --html out.html --pgn out.pgn --json out.json --nodes"
    datagen = "datagen --nodes 60 --threads 1 --out played.vf --games"
    tune = "tune games.vf --threads 1 --out eval.toml --report report --tolerance 0.1 --seed"
    profile = "profile games.vf --nodes 1 --name own --limit 60 --min-games 5 --output profiles.toml --seed"
    report = ["eval.toml", "eval.record.md", "report/weights.csv", "report/index.html"]
    return [
        Command("analyse", engine, f"{analyse} 200", ["out.html", "out.pgn", "out.json"], f"{analyse} 100"),
        Command("datagen", lab, f"{datagen} 8", ["played.vf", "played.vf.toml"], f"{datagen} 3", ["played.vf"]),
        # It takes long, and most of what it writes is progress on standard error.
        Command("tune", lab, f"{tune} 1", report, f"{tune} 2", calls=NAMING_CALLS),
        Command("profile", lab, f"{profile} 1", ["profiles.toml"], f"{profile} 2"),
    ]


def execute(command, arguments, folder, before=(), limit=None):
    def restrict():
        if limit is not None:
            # As on a full disk: an error instead of a signal.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    words = [*before, str(command.program), *arguments]
    return subprocess.run(words, cwd=folder, preexec_fn=restrict, stdin=subprocess.DEVNULL, capture_output=True)


def contents(command, folder):
    found = {}
    for name in command.outputs:
        path = folder / name
        found[name] = TIMES.sub(b"", path.read_bytes()) if path.is_file() else None
    return found


class Stepper:
    """Interrupts a command in copies of a folder."""

    def __init__(self, command, inputs, scratch, is_old):
        self.command, self.scratch, self.inputs, self.faults = command, scratch, inputs, []
        if is_old:
            self.inputs = scratch / "old"
            shutil.copytree(inputs, self.inputs)
            self.check(execute(command, command.older, self.inputs), "the older run")
        whole = self.copy("whole")
        self.check(execute(command, command.arguments, whole), "the whole run")
        self.old, self.new = contents(command, self.inputs), contents(command, whole)
        if missing := [name for name, text in self.new.items() if text is None]:
            die(f"{command.name} does not write {', '.join(missing)}")

    def check(self, result, what):
        if result.returncode:
            die(f"{self.command.name}: {what} fails: {result.stderr.decode(errors='replace').strip()}")

    def copy(self, name):
        folder = self.scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.inputs, folder)
        return folder

    def fault(self, what, text):
        self.faults.append(f"{self.command.name}, {what}: {text}")

    def step(self, what, before=(), limit=None):
        """One interruption. Returns how the command ended."""
        folder = self.copy("step")
        result = execute(self.command, self.command.arguments, folder, before, limit)
        for name, found in contents(self.command, folder).items():
            grown = name in self.command.grows and found is not None and self.new[name].startswith(found)
            if found not in (None, self.old[name], self.new[name]) and not grown:
                self.fault(what, f"{name} is neither absent, nor old, nor whole")
            if found is None and self.old[name] is not None:
                self.fault(what, f"{name} is lost")
        error = result.stderr.decode(errors="replace")
        if limit is not None and result.returncode and "error: " not in error:
            self.fault(what, f"no error is told: {error}")
        if result.returncode == 0 and contents(self.command, folder) != self.new:
            self.fault(what, "it succeeds without its outputs")
        again = execute(self.command, self.command.arguments, folder)
        if again.returncode:
            self.fault(what, f"run again it fails: {again.stderr.decode(errors='replace').strip()}")
        elif contents(self.command, folder) != self.new:
            self.fault(what, "run again it ends with other files")
        return result.returncode

    def kill_at_each_call(self):
        calls = 0
        while True:
            inject = f"inject={self.command.calls}:signal=KILL:when={calls + 1}"
            strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={self.command.calls}", "-e", inject]
            if self.step(f"killed at call {calls + 1}", strace) == 0:
                return calls
            calls += 1

    def fill_the_disk(self, steps):
        most = max(len(text) for text in self.new.values() if text)
        limits = sorted({most * step // steps for step in range(steps)})
        failed = sum(self.step(f"files of at most {limit} bytes", limit=limit) != 0 for limit in limits)
        return len(limits), failed


def main():
    parser = Parser(__doc__)
    parser.add_argument("--engine", required=True, type=readable_file, metavar="FILE", help="the engine")
    parser.add_argument("--sizes", type=whole_number, default=12, help="sizes of the full disk, 12 if missing")
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help="analyse, datagen, tune, profile; all if missing")
    chosen = parser.parse_args()
    if not shutil.which("strace"):
        die("strace is not on PATH")
    lab = chosen.engine.with_name("halfpoint-lab")
    if not program(str(lab)):
        die(f"no program '{lab}'")
    known = commands(chosen.engine, lab)
    if wrong := set(chosen.commands) - {command.name for command in known}:
        parser.error(f"no command {', '.join(sorted(wrong))}")
    faults = []
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        inputs = scratch / "inputs"
        inputs.mkdir()
        (inputs / "games.pgn").write_text(GAME)
        made = [str(lab), *"datagen --games 60 --nodes 60 --out games.vf".split()]
        if subprocess.run(made, cwd=inputs, capture_output=True).returncode:
            die("the games cannot be made")
        for command in known:
            if chosen.commands and command.name not in chosen.commands:
                continue
            for is_old in (False, True):
                own = scratch / f"{command.name}-{is_old}"
                own.mkdir()
                stepper = Stepper(command, inputs, own, is_old)
                calls = stepper.kill_at_each_call()
                sizes, failed = stepper.fill_the_disk(chosen.sizes)
                place = "over older outputs" if is_old else "without outputs"
                print(
                    f"{command.name} {place}: killed at {calls} calls, disk full at {sizes} sizes ({failed} failed), "
                    f"{len(stepper.faults)} faults",
                    flush=True,
                )
                faults += stepper.faults
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    run(main)
