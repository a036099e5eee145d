#!/usr/bin/env bash
# Plays two engines, revisions or settings against each other. --help tells how.
set -euo pipefail

usage() {
    cat <<'HELP'
Usage: scripts/match.sh [options]

Plays side A against side B in pairs of games, each opening once with either colour, with fastchess or else
cutechess-cli, and prints the Elo difference with its 95 % interval and the pentanomial counts. Needs python3.

Sides (a side without an engine plays with that of the other):
  --engine-a CMD, --engine-b CMD        a binary, or a command with arguments
  --rev-a REV, --rev-b REV              a git revision of this repository, built with cargo outside the tree
  --option-a NAME=VALUE, --option-b ... a UCI option; may be repeated
  --params-a FILE, --params-b FILE      weights of the evaluation, the UCI option EvalParams
  --name-a NAME, --name-b NAME          names in the games; from engine or revision if missing

Match:
  --book FILE       openings, .epd or .pgn; HALFPOINT_BOOK if missing
  --tc TC           time control in seconds, base+increment (1+0.01)
  --nodes N         nodes a move instead of a time control
  --tc-a TC, --tc-b TC, --nodes-a N, --nodes-b N
                    another time control or number of nodes for one side
  --games N         games, an even number (200)
  --concurrency N   games at a time (1)
  --hash MIB        size of the hash table (16), of a side without --option-a Hash=MIB
  --seed N          which openings in which order (1)
  --pgn FILE        where the games go; a new file in the cache directory if missing
  --resume          go on with the games of --pgn, with the same settings; --games and --concurrency may change
  --runner NAME     fastchess or cutechess-cli; whichever is on PATH, in this order, if missing
  --sprt "ELO0 ELO1 ALPHA BETA MODEL"   end when decided; sprt.sh is the way to say this
  --help            this text

The cache directory is ${XDG_CACHE_HOME:-~/.cache}/halfpoint: builds by revision in bin/, games in matches/. Beside the
games stand FILE.settings (what --resume compares) and, with fastchess, FILE.json (its state). An interrupted match
(Ctrl-C, SIGTERM) prints what it has and can be resumed; a pair that was cut through is played again.
HELP
}

die() {
    echo "match.sh: $*" >&2
    exit 2
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/halfpoint

declare -A engine=([a]='' [b]='') rev=([a]='' [b]='') params=([a]='' [b]='') name=([a]='' [b]='')
declare -A limit=([a]='' [b]='')
options_a=() options_b=()
book=${HALFPOINT_BOOK:-} tc=1+0.01 nodes='' games=200 concurrency=1 hash=16 seed=1 pgn='' resume=false runner='' sprt=''

whole_number() { # OPTION VALUE
    [[ $2 =~ ^[1-9][0-9]*$ ]] || die "$1: '$2' is not a whole number from 1"
}

while (($#)); do
    case $1 in
        --help | -h) usage; exit 0 ;;
        --resume) resume=true; shift; continue ;;
        --*) (($# >= 2)) || die "$1 needs a value" ;;
        *) die "unexpected '$1', see --help" ;;
    esac
    side=${1: -1}
    case $1 in
        --engine-[ab]) engine[$side]=$2 ;;
        --rev-[ab]) rev[$side]=$2 ;;
        --params-[ab]) params[$side]=$2 ;;
        --name-[ab]) name[$side]=$2 ;;
        --option-[ab])
            [[ $2 == ?*=* ]] || die "$1: '$2' is not NAME=VALUE"
            if [[ $side == a ]]; then options_a+=("$2"); else options_b+=("$2"); fi
            ;;
        --book) book=$2 ;;
        --tc) tc=$2 ;;
        --nodes) whole_number "$1" "$2"; nodes=$2 ;;
        --tc-[ab]) limit[$side]="tc=$2" ;;
        --nodes-[ab]) whole_number "$1" "$2"; limit[$side]="tc=inf nodes=$2" ;;
        --games) whole_number "$1" "$2"; games=$2 ;;
        --concurrency) whole_number "$1" "$2"; concurrency=$2 ;;
        --hash) whole_number "$1" "$2"; hash=$2 ;;
        --seed) whole_number "$1" "$2"; seed=$2 ;;
        --pgn) pgn=$2 ;;
        --runner) runner=$2 ;;
        --sprt) sprt=$2 ;;
        *) die "no option '$1', see --help" ;;
    esac
    shift 2
done

((games % 2 == 0)) || die "--games: $games is odd, openings are played in pairs"
[[ -n $book ]] || die "no openings: give --book FILE or set HALFPOINT_BOOK"
[[ -r $book ]] || die "--book: cannot read '$book'"
book=$(realpath "$book")
case $book in
    *.epd) book_format=epd ;;
    *.pgn) book_format=pgn ;;
    *) die "--book: '$book' is neither .epd nor .pgn" ;;
esac
if [[ -z $runner ]]; then
    for runner in fastchess cutechess-cli ''; do
        [[ -z $runner ]] || ! command -v "$runner" >/dev/null || break
    done
    [[ -n $runner ]] || die "neither fastchess nor cutechess-cli is on PATH"
fi
case $runner in
    fastchess | cutechess-cli) command -v "$runner" >/dev/null || die "--runner: $runner is not on PATH" ;;
    *) die "--runner: '$runner' is neither fastchess nor cutechess-cli" ;;
esac
command -v python3 >/dev/null || die "python3 is not on PATH"
read -ra sprt_values <<<"$sprt"
if [[ -n $sprt ]] && ((${#sprt_values[@]} != 5)); then die "--sprt takes five values, see --help"; fi

# Builds a revision unless that was done before, and prints the binary's path.
build() { # REVISION
    local commit binary work
    commit=$(git -C "$root" rev-parse --verify --quiet "$1^{commit}") || die "no revision '$1'"
    binary=$cache/bin/halfpoint-${commit:0:12}
    if [[ ! -x $binary ]]; then
        mkdir -p "$cache/bin"
        work=$(mktemp -d "$cache/worktree.XXXXXX")
        echo "building $1 (${commit:0:12})" >&2
        # In parentheses with a trap of its own: the worktree goes whatever happens. The steps are chained, as a shell does
        # not end at a failure to the left of ||.
        (
            trap 'git -C "$root" worktree remove --force "$work" || rm -rf "$work"' EXIT
            rm -f "$cache/target/release/halfpoint" &&
                git -C "$root" worktree add --quiet --detach --force "$work" "$commit" &&
                cd "$work" &&
                CARGO_TARGET_DIR="$cache/target" cargo build --release --quiet --locked --bin halfpoint >&2 &&
                install -m 755 "$cache/target/release/halfpoint" "$work/halfpoint.built" &&
                mv "$work/halfpoint.built" "$binary"
        ) || die "cannot build '$1'"
    fi
    echo "$binary"
}

for side in a b; do
    [[ -z ${engine[$side]} || -z ${rev[$side]} ]] || die "side $side has both --engine-$side and --rev-$side"
done
for side in a b; do
    if [[ $side == a ]]; then other=b; else other=a; fi
    if [[ -z ${engine[$side]}${rev[$side]} ]]; then
        engine[$side]=${engine[$other]}
        rev[$side]=${rev[$other]}
    fi
    [[ -n ${engine[$side]}${rev[$side]} ]] || die "no engine: give --engine-a CMD or --rev-a REV"
done

# Command and arguments of each side. A command with blanks is one file if there is such a file.
resolve() { # SIDE; sets words
    local side=$1 path
    if [[ -n ${rev[$side]} ]]; then
        path=$(build "${rev[$side]}") || exit 2
        words=("$path")
    elif [[ -x ${engine[$side]} && ! -d ${engine[$side]} ]]; then
        words=("$(realpath "${engine[$side]}")")
    else
        read -ra words <<<"${engine[$side]}"
    fi
    path=$(command -v "${words[0]}") || die "side $side: no program '${words[0]}'"
    words[0]=$(realpath "$path")
    if [[ -z ${name[$side]} ]]; then
        name[$side]=$(basename "${words[0]}")
    fi
    if [[ -n ${params[$side]} ]]; then
        [[ -r ${params[$side]} ]] || die "--params-$side: cannot read '${params[$side]}'"
        params[$side]=$(realpath "${params[$side]}")
    fi
}

for side in a b; do
    if [[ -n ${limit[$side]} ]]; then continue; fi
    if [[ -n $nodes ]]; then limit[$side]="tc=inf nodes=$nodes"; else limit[$side]="tc=$tc"; fi
done

words=()
resolve a
words_a=("${words[@]}")
resolve b
words_b=("${words[@]}")
[[ -z ${params[a]} ]] || options_a+=("EvalParams=${params[a]}")
[[ -z ${params[b]} ]] || options_b+=("EvalParams=${params[b]}")
if [[ ${name[a]} == "${name[b]}" ]]; then
    name[a]+=-a
    name[b]+=-b
fi

if [[ -z $pgn ]]; then
    [[ $resume == false ]] || die "--resume needs --pgn FILE"
    mkdir -p "$cache/matches"
    pgn=$cache/matches/${name[a]}_${name[b]}_$(date +%Y%m%d-%H%M%S).pgn
fi
mkdir -p "$(dirname "$pgn")"
pgn=$(realpath "$pgn")
part=$pgn.part state=$pgn.json settings=$pgn.settings

describe() {
    printf 'runner %s\n' "$runner"
    printf 'a %s: %s\n' "${name[a]}" "${words_a[*]}"
    ((${#options_a[@]} == 0)) || printf 'a option %s\n' "${options_a[@]}"
    printf 'b %s: %s\n' "${name[b]}" "${words_b[*]}"
    ((${#options_b[@]} == 0)) || printf 'b option %s\n' "${options_b[@]}"
    printf 'book %s, seed %s\n' "$book" "$seed"
    printf 'a %s\nb %s\nhash %s MiB\n' "${limit[a]}" "${limit[b]}" "$hash"
    printf 'sprt %s\n' "${sprt:-none}"
}

if [[ $resume == true && -e $settings ]]; then
    [[ $runner != fastchess || -e $state || ! -e $pgn ]] ||
        die "--resume: $state is missing, without which fastchess cannot go on; give another --pgn"
    describe | diff "$settings" - >&2 || die "--resume: these settings differ from those of $pgn (< then, > now)"
else
    [[ $resume == false || ! -e $pgn && ! -e $part ]] || die "--resume: $settings is missing; give another --pgn"
    [[ ! -e $pgn && ! -e $part ]] || die "$pgn exists: give another --pgn, or --resume to go on with it"
    resume=false
    describe >"$settings"
fi
describe
echo "games $games, $concurrency at a time, to $pgn"

# Arguments that both runners understand.
side_arguments() { # SIDE; sets arguments
    local -n command=words_$1 set=options_$1
    local word
    arguments=(-engine name="${name[$1]}" cmd="${command[0]}")
    if [[ $runner == fastchess ]]; then
        ((${#command[@]} == 1)) || arguments+=(args="${command[*]:1}")
    else
        for word in "${command[@]:1}"; do arguments+=(arg="$word"); done
    fi
    # An option of the side's own replaces that of both sides.
    word=" ${set[*]-}"
    [[ ${word,,} == *" hash="* ]] || arguments+=(option.Hash="$hash")
    for word in ${set[@]+"${set[@]}"}; do arguments+=("option.$word"); done
    read -ra words <<<"${limit[$1]}"
    arguments+=("${words[@]}")
}
side_arguments a
both=("${arguments[@]}")
side_arguments b
both+=("${arguments[@]}" -each proto=uci)

child='' interrupted=false
# shellcheck disable=SC2329 # the trap calls it
interrupt() {
    interrupted=true
    [[ -z $child ]] || kill -INT "$child" 2>/dev/null || true
}
trap interrupt INT TERM

finish() { # STATUS of the runner
    local values=()
    [[ -z $sprt ]] || values=(--sprt "${sprt_values[@]}")
    echo
    python3 "$here/games.py" report --a "${name[a]}" ${values[@]+"${values[@]}"} "$pgn"
    if [[ $interrupted == true ]]; then
        echo "Interrupted; the same command with --pgn '$pgn' --resume goes on."
        exit 130
    fi
    exit "$1"
}

# Waits for the runner, through interrupts and, for cutechess-cli, until the test is decided; sets status.
attend() { # POLL
    local verdict=''
    status=0
    while kill -0 "$child" 2>/dev/null; do
        if [[ $1 == true ]]; then
            sleep 3 &
            wait $! || true
            # An interrupt from the terminal ends this, too.
            verdict=$(python3 "$here/games.py" verdict --a "${name[a]}" --sprt "${sprt_values[@]}" "$pgn" "$part") || verdict=''
            [[ -z $verdict ]] || kill -INT "$child" 2>/dev/null || true
        else
            wait "$child" || true
        fi
    done
    wait "$child" || status=$?
    [[ -z $verdict ]] || status=0
}

if [[ $runner == fastchess ]]; then
    if [[ $resume == true && -e $state ]]; then
        run=(-config file="$state" outname="$state")
    else
        rm -f "$pgn"
        run=("${both[@]}" -repeat -recover -openings file="$book" format="$book_format" order=random -srand "$seed"
            -pgnout file="$pgn" -config outname="$state" -autosaveinterval 2)
        [[ -z $sprt ]] || run+=(-sprt elo0="${sprt_values[0]}" elo1="${sprt_values[1]}" alpha="${sprt_values[2]}"
            beta="${sprt_values[3]}" model="${sprt_values[4]}")
    fi
    fastchess "${run[@]}" -rounds $((games / 2)) -concurrency "$concurrency" &
    child=$!
    attend false
    finish "$status"
fi

# cutechess-cli plays the rounds that are missing, to a file of its own; complete pairs move from there to the games.
[[ ! -e $part ]] || python3 "$here/games.py" merge "$pgn" "$part"
read -r played last < <(python3 "$here/games.py" count "$pgn")
missing=$((games / 2 - played))
((missing > 0)) || finish 0
poll=false
if [[ -n $sprt ]]; then
    poll=true
    verdict=$(python3 "$here/games.py" verdict --a "${name[a]}" --sprt "${sprt_values[@]}" "$pgn")
    [[ -z $verdict ]] || finish 0
fi
openings=$pgn.openings.$book_format
trap 'rm -f "$openings"' EXIT
python3 "$here/games.py" openings "$book" "$seed" "$last" "$missing" >"$openings"
cutechess-cli "${both[@]}" -games 2 -rounds "$missing" -repeat -recover -concurrency "$concurrency" \
    -openings file="$openings" format="$book_format" order=sequential -pgnout "$part" 'fi' &
child=$!
attend $poll
[[ ! -e $part ]] || python3 "$here/games.py" merge "$pgn" "$part"
finish "$status"
