#!/usr/bin/env python3
"""Elo, pentanomial counts and faults of a match between two engines, played in pairs of games. Standard library only.

    scripts/games.py --a NAME match.pgn

A pair is the two games of a round, with colours changed. Where a round was played again after an interruption, the
later game counts; a game without its partner does not.
"""

import argparse
import dataclasses
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
    """The distribution over `values` with this mean that makes the observed shares likeliest."""
    low, high = (-1 / (max(values) - mean), -1 / (min(values) - mean))
    for _ in range(100):
        middle = (low + high) / 2
        slope = sum(share * (value - mean) / (1 + middle * (value - mean)) for value, share in zip(values, shares))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return [share / (1 + low * (value - mean)) for value, share in zip(values, shares)]


def likeliest_with_effect(values, shares, effect):
    """The same with a mean `effect` standard deviations above one half, by iteration."""
    found = [1 / len(values)] * len(values)
    for _ in range(20):
        mean = sum(share * value for value, share in zip(values, found))
        deviation = math.sqrt(sum(share * (value - mean) ** 2 for value, share in zip(values, found)))
        tangents = [value - 0.5 - effect * deviation * (1 + ((mean - value) / deviation) ** 2) / 2 for value in values]
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


@dataclasses.dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test: `alpha` and `beta` are the probabilities of a wrong H1 and a wrong H0."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: str

    def __str__(self):
        return f"{self.elo0:g} {self.elo1:g} {self.alpha:g} {self.beta:g} {self.model}"

    def bounds(self):
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts):
        """The log-likelihood ratio of the pentanomial counts."""
        return log_likelihood_ratio(counts, self.elo0, self.elo1, self.model) if sum(counts) else 0.0

    def verdict(self, counts):
        """The hypothesis that is accepted, if any."""
        low, high = self.bounds()
        ratio = self.ratio(counts)
        return "H1" if ratio >= high else "H0" if ratio <= low else None


def all_pairs(paths):
    return [games for path in paths for games in read_pairs(path).values()]


def report(paths, name, sprt=None):
    """Prints the result of `name` in the games of the files."""
    pairs = [pair for pair in all_pairs(paths) if name in pair]
    if not pairs:
        print(f"No complete pair of games of {name} yet.")
        return
    games = [tags for pair in pairs for tags, _ in pair.values()]
    other = next(player for player in (games[0]["White"], games[0]["Black"]) if player != name)
    counts = pentanomial(pairs, name)
    total, mean, variance = moments(counts)
    error = Z95 * math.sqrt(variance / total)
    results = [points_of(tags, name) for tags in games]
    print(f"{name} against {other}, {len(games)} games in {total} pairs")
    print(f"  won {results.count(1.0)}, drawn {results.count(0.5)}, lost {results.count(0.0)}: {100 * mean:.2f} %")
    print(f"  pentanomial (0, 1/2, 1, 3/2, 2 points a pair): {counts}")
    print(f"  Elo {elo(mean):+.1f}, 95 % from {elo(mean - error):+.1f} to {elo(mean + error):+.1f}")
    if variance:
        unit = NORMALIZED / math.sqrt(2 * variance)
        print(f"  normalized Elo {(mean - 0.5) * unit:+.1f} +/- {error * unit:.1f}")
    if sprt:
        low, high = sprt.bounds()
        verdict = sprt.verdict(counts)
        decision = f"{verdict} accepted" if verdict else "undecided"
        print(
            f"  SPRT, {sprt.model} Elo, H0 {sprt.elo0:g}, H1 {sprt.elo1:g}: "
            f"LLR {sprt.ratio(counts):.2f} ({low:.2f} to {high:.2f}), {decision}"
        )
    for player in (name, other):
        ends = [tags.get("Termination", "") for tags in games if points_of(tags, player) == 0]
        faults = [end for end in ends if any(fault in end.lower() for fault in FAULTS)]
        if faults:
            kinds = ", ".join(f"{faults.count(kind)} by {kind}" for kind in sorted(set(faults)))
            print(f"  {player} lost {len(faults)} games by a fault: {kinds}")


def merge(path, part):
    """Moves the complete pairs of `part` to the end of a file, as further rounds."""
    if not part.exists():
        return
    shift = max(read_pairs(path), default=0)
    with open(path, "a", encoding="utf-8") as out:
        for number, games in read_pairs(part).items():
            for _, lines in games.values():
                text = "\n".join(lines).strip()
                out.write(re.sub(r'^\[Round ".*"\]', f'[Round "{number + shift}"]', text, flags=re.MULTILINE) + "\n\n")
    part.unlink()


def openings(book, seed, skip, number):
    """A stretch of a book, .epd or .pgn, shuffled by the seed."""
    text = book.read_text(encoding="utf-8", errors="replace")
    if book.suffix == ".pgn":
        entries = ["\n".join(lines).strip() + "\n" for lines in split_games(text)]
    else:
        entries = [line for line in text.splitlines() if line.strip()]
    if not entries:
        sys.exit(f"{book}: no openings")
    random.Random(seed).shuffle(entries)
    return "\n".join(entries[i % len(entries)] for i in range(skip, skip + number)) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True, metavar="NAME", help="the engine whose result is printed")
    parser.add_argument("pgn", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    for path in arguments.pgn:
        if not path.is_file():
            parser.error(f"no file {path}")
    report(arguments.pgn, arguments.a)


if __name__ == "__main__":
    main()
