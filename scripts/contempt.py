#!/usr/bin/env python3
"""What contempt gains and costs: matches of the engine with several values of it against a weaker opponent, and against
a copy of itself without. Prints a table of Elo, its 95 % interval and draw rates. Needs what scripts/match.sh needs.

    scripts/contempt.py --engine target/release/halfpoint --book book.epd --dir contempt \\
        --opponent-tc 0.4+0.004 --advantage 150 --values 0 auto 75 300

Interrupted, it goes on where it was with the same command; finished matches are not played again.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RESULT = re.compile(r"won (\d+), drawn (\d+), lost (\d+): ")
ELO = re.compile(r"Elo ([+-][\d.]+|[+-]?inf), 95 % from (\S+) to (\S+)")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, metavar="CMD", help="Halfpoint")
    parser.add_argument("--opponent", metavar="CMD", help="the weaker engine; the same with other options if missing")
    parser.add_argument("--opponent-option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    parser.add_argument("--opponent-tc", metavar="TC", help="its time control, if it is to have less time")
    parser.add_argument("--values", nargs="+", default=["0", "auto"], metavar="ELO", help="0 auto if missing")
    parser.add_argument("--advantage", type=int, metavar="ELO", help="what auto is told; needed for it")
    parser.add_argument("--no-equal", action="store_true", help="no matches against a copy without contempt")
    parser.add_argument("--dir", required=True, type=pathlib.Path, help="where games and results go")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="draw the curves; needs matplotlib")
    for name, default in [("book", None), ("tc", "1+0.01"), ("games", "1000"), ("seed", "1"), ("concurrency", "1")]:
        parser.add_argument(f"--{name}", default=default, required=default is None, help="as in scripts/match.sh")
    chosen = parser.parse_args()
    for value in chosen.values:
        if value != "auto" and not re.fullmatch(r"-?\d{1,3}|-?1000", value):
            parser.error(f"--values: '{value}' is neither 'auto' nor a whole number from -1000 to 1000")
    if "auto" in chosen.values and chosen.advantage is None:
        parser.error("--values auto: --advantage is missing")
    if not (chosen.opponent or chosen.opponent_option or chosen.opponent_tc):
        parser.error("--opponent, --opponent-option or --opponent-tc: without them the opponent is no weaker one")
    if chosen.plot:
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            parser.error("--plot: matplotlib is not installed")
    return chosen


def played(chosen, name, options):
    """Plays a match, or what is left of it; returns won, drawn, lost, Elo and the ends of its interval."""
    pgn = chosen.dir / f"{name}.pgn"
    command = [HERE / "match.sh", "--engine-a", chosen.engine, *options, "--pgn", pgn]
    for option in ["book", "tc", "games", "seed", "concurrency"]:
        command += [f"--{option}", getattr(chosen, option)]
    # Asks for the same settings as before, and plays nothing where all games are there.
    if pgn.with_name(pgn.name + ".settings").exists():
        command.append("--resume")
    print(f"{name}: {chosen.games} games", file=sys.stderr)
    report = chosen.dir / f"{name}.txt"
    with report.open("w") as out:
        with subprocess.Popen([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT) as match:
            try:
                code = match.wait()
            except KeyboardInterrupt:
                # The match has the interrupt, too, and keeps its games.
                match.wait()
                sys.exit("contempt.py: interrupted; the same command goes on")
    text = report.read_text()
    if code != 0 or not RESULT.search(text) or not ELO.search(text):
        last = text.strip().splitlines()[-1:] or ["no output"]
        sys.exit(f"contempt.py: the match '{name}' failed, see {report}: {last[0]}")
    return [int(count) for count in RESULT.search(text).groups()], [float(number) for number in ELO.search(text).groups()]


def matches(chosen):
    """Each value's options, by opponent: title of the opponent, its name, options of side B."""
    weaker = [word for option in chosen.opponent_option for word in ("--option-b", option)]
    if chosen.opponent:
        weaker += ["--engine-b", chosen.opponent]
    if chosen.opponent_tc:
        weaker += ["--tc-b", chosen.opponent_tc]
    yield "the weaker opponent", "weaker", weaker
    if not chosen.no_equal:
        yield "a copy without contempt", "equal", []


def draw(chosen, curves):
    import matplotlib

    matplotlib.use("svg" if chosen.plot.suffix == ".svg" else "agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(curves), figsize=(6 * len(curves), 4), squeeze=False)
    for axis, (title, points) in zip(axes[0], curves):
        points = sorted(points)
        values, elo, low, high, draws = (list(column) for column in zip(*points))
        below, above = ([abs(a - b) for a, b in zip(elo, ends)] for ends in (low, high))
        axis.errorbar(values, elo, [below, above], marker="o", capsize=3, label="Elo, 95 %")
        axis.set(title=f"against {title}", xlabel="contempt", ylabel="Elo")
        axis.grid(alpha=0.4)
        rates = axis.twinx()
        rates.plot(values, draws, "s--", color="tab:green", label="drawn, %")
        rates.set(ylabel="drawn, %", ylim=(0, None))
        lines = [*axis.get_legend_handles_labels()[0], *rates.get_legend_handles_labels()[0]]
        axis.legend(handles=lines, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2)
    figure.tight_layout()
    figure.savefig(chosen.plot)


def main():
    chosen = arguments()
    chosen.dir.mkdir(parents=True, exist_ok=True)
    curves = []
    for title, name, opponent in matches(chosen):
        print(f"against {title}\n\n| contempt | Elo | 95 % | won, drawn, lost | drawn |\n|---|---|---|---|---|", flush=True)
        points = []
        for value in chosen.values:
            if value == "auto":
                own = ["--option-a", "AutoContempt=true", "--option-a", f"UCI_RatingAdv={chosen.advantage}"]
            else:
                own = ["--option-a", f"Contempt={value}"]
            sides = opponent if opponent else ["--option-b", "Contempt=0"]
            (won, drawn, lost), (elo, low, high) = played(chosen, f"{name}-{value}", own + sides)
            share = 100 * drawn / (won + drawn + lost)
            shown = f"auto ({chosen.advantage})" if value == "auto" else value
            print(f"| {shown} | {elo:+.1f} | {low:+.1f} to {high:+.1f} | {won}, {drawn}, {lost} | {share:.1f} % |", flush=True)
            points.append((chosen.advantage if value == "auto" else int(value), elo, low, high, share))
        print()
        curves.append((title, points))
    if chosen.plot:
        draw(chosen, curves)


if __name__ == "__main__":
    main()
