#!/usr/bin/env bash
# From nothing but the engine to better weights: self-play, tuning, a match. --help tells how.
set -euo pipefail

usage() {
    cat <<'HELP'
Usage: scripts/tune.sh [options] [-- options of halfpoint tune]

Plays games of the engine against itself, tunes the weights of the evaluation from them, and plays the new weights
against the old ones. Small by default: minutes, too few games for weights to ship. With more than one generation, each
plays with the weights of the one before. Without options after --, halfpoint tune has these:
    --lambda-wilo 0.45 --noisy resolve --skip-plies 8 --smooth-wilo 15 --smooth-draw 10

  --engine CMD       the engine; target/release/halfpoint, built first, if missing
  --dir DIR          where everything goes; tuning/ in the cache directory if missing
  --start FILE       weights of the first generation; those of the engine if missing
  --generations N    how often (1)
  --games N          games of self-play in each generation (500)
  --nodes N          nodes a move in self-play (2000)
  --hard-nodes N     most nodes a move in self-play; as halfpoint datagen has it if missing
  --syzygy DIR       tables that end games of self-play; none if missing
  --openings WHAT    random:PLIES or a file, for self-play (random:8)
  --seed N           seed of openings and tuning; each generation adds one (1)
  --threads N        games at a time (all processors)
  --book FILE        openings of the match, .epd or .pgn; HALFPOINT_BOOK if missing, no match if that is not set
  --match-games N    games of the match, an even number (100)
  --tc TC            time control of the match in seconds, base+increment (1+0.01)
  --help             this text

In DIR: games-N.vf, eval-N.toml, record-N.md and report-N/index.html of each generation. An interrupted run goes on
where it was with the same command; a generation with a record is not done again. To ship weights, copy eval-N.toml to
engine-params/eval.toml and rebuild.
HELP
}

die() {
    echo "tune.sh: $*" >&2
    exit 2
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
engine='' dir=${XDG_CACHE_HOME:-$HOME/.cache}/halfpoint/tuning start='' generations=1 games=500 nodes=2000
playing=() openings=random:8 seed=1 threads=$(nproc) book=${HALFPOINT_BOOK:-} match_games=100 tc=1+0.01

whole_number() { # OPTION VALUE
    [[ $2 =~ ^[1-9][0-9]*$ ]] || die "$1: '$2' is not a whole number from 1"
}

while (($#)); do
    case $1 in
        --help | -h) usage; exit 0 ;;
        --) shift; break ;;
        --*) (($# >= 2)) || die "$1 needs a value" ;;
        *) die "unexpected '$1', see --help" ;;
    esac
    case $1 in
        --engine) engine=$2 ;;
        --dir) dir=$2 ;;
        --start) start=$2 ;;
        --generations) whole_number "$1" "$2"; generations=$2 ;;
        --games) whole_number "$1" "$2"; games=$2 ;;
        --nodes) whole_number "$1" "$2"; nodes=$2 ;;
        --hard-nodes) whole_number "$1" "$2"; playing+=("$1" "$2") ;;
        --syzygy) [[ -d $2 ]] || die "--syzygy: no directory '$2'"; playing+=("$1" "$2") ;;
        --openings) openings=$2 ;;
        --seed) whole_number "$1" "$2"; seed=$2 ;;
        --threads) whole_number "$1" "$2"; threads=$2 ;;
        --book) book=$2 ;;
        --match-games) whole_number "$1" "$2"; match_games=$2 ;;
        --tc) tc=$2 ;;
        *) die "no option '$1', see --help" ;;
    esac
    shift 2
done
(($#)) || set -- --lambda-wilo 0.45 --noisy resolve --skip-plies 8 --smooth-wilo 15 --smooth-draw 10
[[ -z $start || -r $start ]] || die "--start: cannot read '$start'"
[[ -z $book || -r $book ]] || die "--book: cannot read '$book'"
if [[ -n $book ]]; then
    # What the match will ask for, before hours of self-play.
    [[ $book == *.epd || $book == *.pgn ]] || die "--book: '$book' is neither .epd nor .pgn"
    ((match_games % 2 == 0)) || die "--match-games: $match_games is odd"
    [[ $tc =~ ^[0-9]+(\.[0-9]+)?(\+[0-9]+(\.[0-9]+)?)?$ ]] || die "--tc: '$tc' is not base+increment in seconds"
    command -v fastchess >/dev/null || command -v cutechess-cli >/dev/null ||
        die "neither fastchess nor cutechess-cli is on PATH for the match; without --book there is none"
    command -v python3 >/dev/null || die "python3 is not on PATH"
fi

if [[ -z $engine ]]; then
    (cd "$root" && cargo build --release --quiet --locked --workspace)
    engine=$root/target/release/halfpoint
fi
lab=$(dirname "$engine")/halfpoint-lab
[[ -x $lab ]] || die "no '$lab' beside the engine"
mkdir -p "$dir"

for ((generation = 1; generation <= generations; generation++)); do
    data=$dir/games-$generation.vf weights=$dir/eval-$generation.toml
    record=$dir/record-$generation.md report=$dir/report-$generation
    old=()
    [[ -z $start ]] || old=("$start")
    if [[ ! -e $record ]]; then
        echo "generation $generation: $games games at $nodes nodes a move"
        "$lab" datagen --games "$games" --threads "$threads" --nodes "$nodes" --openings "$openings" \
            --seed $((seed + generation - 1)) --out "$data" ${playing[@]+"${playing[@]}"} ${old[@]+--params "${old[@]}"}
        echo "generation $generation: tuning"
        "$lab" tune "$data" --seed $((seed + generation - 1)) --threads "$threads" --out "$weights" \
            --report "$report" ${old[@]+--start "${old[@]}"} "$@" | tee "$record.part"
        mv "$record.part" "$record"
    fi
    if [[ -n $book ]]; then
        echo "generation $generation: the new weights (a) against the old ones (b)"
        "$here/match.sh" --engine-a "$engine" --params-a "$weights" ${old[@]+--params-b "${old[@]}"} \
            --name-a new --name-b old --book "$book" --games "$match_games" --tc "$tc" --concurrency "$threads" \
            --pgn "$dir/match-$generation.pgn" $([[ ! -e $dir/match-$generation.pgn.settings ]] || echo --resume)
    fi
    start=$weights
done
echo "the new weights are $start"
