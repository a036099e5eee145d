#!/usr/bin/env python3
"""Reads the games of a match between two engines, for match.sh and sprt.sh. Standard library only.

    games.py report  --a NAME [--sprt ELO0 ELO1 ALPHA BETA MODEL] PGN...   Elo, pentanomial counts, faults
    games.py verdict --a NAME  --sprt ELO0 ELO1 ALPHA BETA MODEL  PGN...   H0, H1 or nothing
    games.py count   PGN            number of complete pairs, and the last round
    games.py merge   PGN PART       moves the complete pairs of PART to the end of PGN
    games.py openings BOOK SEED SKIP COUNT     a stretch of the book, shuffled by the seed

A pair is the two games of a round, with colours changed. Where a round was played again after an interruption, the
later game counts; a game without its partner does not.
"""

import argparse
import math
import pathlib
import random
import re
import sys

# Elo per unit of (mean - 1/2) / standard deviation of a game: 800 / ln 10.
NORMALIZED = 800 / math.log(10)
# Two-sided 95 %.
Z95 = 1.959964
# Stands in for empty cells of the pentanomial, so that a likelihood exists.
EMPTY_CELL = 1e-3
TAG = re.compile(r'^\[(\w+) "(.*)"\]\s*$')
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
FAULTS = ("time", "illegal", "abandon", "disconnect", "stall", "crash")


def split_games(text):
    """The games of a PGN text: blocks that begin with the first tag after moves."""
    game, in_moves = [], False
    for line in text.splitlines():
        is_tag = bool(TAG.match(line))
        if is_tag and in_moves:
            yield game
            game, in_moves = [], False
        in_moves = in_moves or (bool(line.strip()) and not is_tag)
        game.append(line)
    if in_moves:
        yield game


def read_pairs(path):
    """Complete pairs of a file, {round: {white: (tags, lines)}}, in the order of their rounds."""
    rounds = {}
    path = pathlib.Path(path)
    if path.exists():
        for lines in split_games(path.read_text(encoding="utf-8", errors="replace")):
            tags = dict(match.groups() for match in map(TAG.match, lines) if match)
            if tags.get("Result") in POINTS and tags.get("Round", "").isdecimal():
                rounds.setdefault(int(tags["Round"]), {})[tags.get("White")] = (tags, lines)
    return {number: games for number, games in sorted(rounds.items()) if len(games) == 2}


def points_of(tags, name):
    points = POINTS[tags["Result"]]
    return points if tags["White"] == name else 1 - points


def pentanomial(pairs, name):
    """Pairs in which `name` scored 0, 1/2, 1, 3/2, 2 points."""
    counts = [0] * 5
    for games in pairs:
        counts[round(2 * sum(points_of(tags, name) for tags, _ in games.values()))] += 1
    return counts


def moments(counts):
    """Number of pairs, mean and variance of a pair's score per game."""
    total = sum(counts)
    mean = sum(count * i / 4 for i, count in enumerate(counts)) / total
    return total, mean, sum(count * (i / 4 - mean) ** 2 for i, count in enumerate(counts)) / total


def elo(score):
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def likeliest_with_mean(values, shares, mean):
    """The likeliest distribution over `values` with this mean, given observed shares."""
    low, high = (-1 / (max(values) - mean), -1 / (min(values) - mean))
    for _ in range(100):
        middle = (low + high) / 2
        slope = sum(share * (value - mean) / (1 + middle * (value - mean)) for value, share in zip(values, shares))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return [share / (1 + low * (value - mean)) for value, share in zip(values, shares)]


def likeliest_with_effect(values, shares, effect):
    """The likeliest distribution whose mean lies `effect` standard deviations above one half, by iteration."""
    found = [1 / len(values)] * len(values)
    for _ in range(20):
        mean = sum(share * value for value, share in zip(values, found))
        deviation = math.sqrt(sum(share * (value - mean) ** 2 for value, share in zip(values, found)))
        tangents = [
            value - 0.5 - effect * deviation * (1 + ((mean - value) / deviation) ** 2) / 2 for value in values
        ]
        found = likeliest_with_mean(tangents, shares, 0)
    return found


def log_likelihood_ratio(counts, elo0, elo1, model):
    """Generalised log-likelihood ratio of two Elo differences for a pentanomial.

    The method is that of Fishtest and fastchess (M. Van den Bergh, "The generalized maximum likelihood ratio for the
    expectation value of a distribution", "Normalized Elo").
    """
    counts = [count or EMPTY_CELL for count in counts]
    shares = [count / sum(counts) for count in counts]
    values = [i / 4 for i in range(5)]
    if model == "normalized":
        # A pair's score per game deviates by 1/sqrt(2) of what a game's does.
        low, high = (likeliest_with_effect(values, shares, math.sqrt(2) * e / NORMALIZED) for e in (elo0, elo1))
    else:
        low, high = (likeliest_with_mean(values, shares, 1 / (1 + 10 ** (-e / 400))) for e in (elo0, elo1))
    return sum(counts) * sum(share * math.log(b / a) for share, a, b in zip(shares, low, high))


def sprt_state(counts, sprt):
    """The log-likelihood ratio, its bounds, and the hypothesis that is accepted, if any."""
    elo0, elo1, alpha, beta = map(float, sprt[:4])
    low, high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    ratio = log_likelihood_ratio(counts, elo0, elo1, sprt[4]) if sum(counts) else 0.0
    return ratio, low, high, "H1" if ratio >= high else "H0" if ratio <= low else ""


def all_pairs(paths):
    return [games for path in paths for games in read_pairs(path).values()]


def report(arguments):
    pairs = all_pairs(arguments.pgn)
    if not pairs:
        print("No complete pair of games yet.")
        return
    games = [tags for pair in pairs for tags, _ in pair.values()]
    other = next(name for name in (games[0]["White"], games[0]["Black"]) if name != arguments.a)
    counts = pentanomial(pairs, arguments.a)
    total, mean, variance = moments(counts)
    error = Z95 * math.sqrt(variance / total)
    results = [points_of(tags, arguments.a) for tags in games]
    print(f"{arguments.a} against {other}, {len(games)} games in {total} pairs")
    print(f"  won {results.count(1.0)}, drawn {results.count(0.5)}, lost {results.count(0.0)}: {100 * mean:.2f} %")
    print(f"  pentanomial (0, 1/2, 1, 3/2, 2 points a pair): {counts}")
    print(f"  Elo {elo(mean):+.1f}, 95 % from {elo(mean - error):+.1f} to {elo(mean + error):+.1f}")
    if variance:
        unit = NORMALIZED / math.sqrt(2 * variance)
        print(f"  normalized Elo {(mean - 0.5) * unit:+.1f} +/- {error * unit:.1f}")
    if arguments.sprt:
        ratio, low, high, verdict = sprt_state(counts, arguments.sprt)
        elo0, elo1, _, _, model = arguments.sprt
        verdict = {"H0": "H0 accepted", "H1": "H1 accepted", "": "undecided"}[verdict]
        print(f"  SPRT, {model} Elo, H0 {elo0}, H1 {elo1}: LLR {ratio:.2f} ({low:.2f} to {high:.2f}), {verdict}")
    for name in (arguments.a, other):
        ends = [tags.get("Termination", "") for tags in games if points_of(tags, name) == 0]
        faults = [end for end in ends if any(fault in end.lower() for fault in FAULTS)]
        if faults:
            kinds = ", ".join(f"{faults.count(kind)} by {kind}" for kind in sorted(set(faults)))
            print(f"  {name} lost {len(faults)} games by a fault: {kinds}")


def verdict(arguments):
    print(sprt_state(pentanomial(all_pairs(arguments.pgn), arguments.a), arguments.sprt)[3])


def count(arguments):
    pairs = read_pairs(arguments.pgn)
    print(len(pairs), max(pairs, default=0))


def merge(arguments):
    shift = max(read_pairs(arguments.pgn), default=0)
    with open(arguments.pgn, "a", encoding="utf-8") as out:
        for number, games in read_pairs(arguments.part).items():
            for _, lines in games.values():
                text = "\n".join(lines).strip()
                out.write(re.sub(r'^\[Round ".*"\]', f'[Round "{number + shift}"]', text, flags=re.MULTILINE) + "\n\n")
    pathlib.Path(arguments.part).unlink(missing_ok=True)


def openings(arguments):
    text = pathlib.Path(arguments.book).read_text(encoding="utf-8", errors="replace")
    if arguments.book.endswith(".pgn"):
        entries = ["\n".join(lines).strip() + "\n" for lines in split_games(text)]
    else:
        entries = [line for line in text.splitlines() if line.strip()]
    if not entries:
        sys.exit(f"{arguments.book}: no openings")
    random.Random(arguments.seed).shuffle(entries)
    for i in range(arguments.skip, arguments.skip + arguments.number):
        print(entries[i % len(entries)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for function in (report, verdict):
        command = commands.add_parser(function.__name__)
        command.set_defaults(function=function)
        command.add_argument("--a", required=True)
        command.add_argument("--sprt", nargs=5, required=function is verdict)
        command.add_argument("pgn", nargs="+")
    command = commands.add_parser("count")
    command.set_defaults(function=count)
    command.add_argument("pgn")
    command = commands.add_parser("merge")
    command.set_defaults(function=merge)
    command.add_argument("pgn")
    command.add_argument("part")
    command = commands.add_parser("openings")
    command.set_defaults(function=openings)
    command.add_argument("book")
    for name in ("seed", "skip", "number"):
        command.add_argument(name, type=int)
    arguments = parser.parse_args()
    arguments.function(arguments)


if __name__ == "__main__":
    main()
