#!/usr/bin/env bash
# A sequential probability ratio test of side A against side B. --help tells how.
set -euo pipefail

usage() {
    cat <<'HELP'
Usage: scripts/sprt.sh [--elo0 E] [--elo1 E] [--alpha P] [--beta P] [--model MODEL] [options of match.sh]

Plays until the games decide between two hypotheses about the strength of A above B, or --games are played:
  H0: the difference is ELO0 or less       H1: it is ELO1 or more

  --elo0 E        normalized Elo of H0 (0)
  --elo1 E        normalized Elo of H1 (5)
  --alpha P       probability to accept H1 where H0 holds (0.05)
  --beta P        probability to accept H0 where H1 holds (0.05)
  --model MODEL   normalized (default): Elo in units of a game's standard deviation, counted over pairs, so that bounds
                  mean the same effort at any draw rate; or logistic: the usual Elo
  --games N       most games (40000)
  --help          this text, and that of match.sh

fastchess tests by itself; for cutechess-cli the same test is computed from the pairs of games every few seconds.
Either way a resumed test takes all earlier games into account.
HELP
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized
rest=()
while (($#)); do
    case $1 in
        --help | -h)
            usage
            echo
            exec "$here/match.sh" --help
            ;;
        --elo0 | --elo1 | --alpha | --beta | --model)
            (($# >= 2)) || { echo "sprt.sh: $1 needs a value" >&2; exit 2; }
            declare "${1#--}=$2"
            shift 2
            ;;
        *)
            rest+=("$1")
            shift
            ;;
    esac
done

complain() {
    echo "sprt.sh: $*" >&2
    exit 2
}
number='^-?[0-9]+(\.[0-9]+)?$' share='^0?\.[0-9]*[1-9][0-9]*$'
[[ $elo0 =~ $number ]] || complain "--elo0: '$elo0' is not a number"
[[ $elo1 =~ $number ]] || complain "--elo1: '$elo1' is not a number"
awk "BEGIN { exit !($elo0 < $elo1) }" || complain "--elo0 $elo0 is not below --elo1 $elo1"
[[ $alpha =~ $share ]] || complain "--alpha: '$alpha' is not between 0 and 1"
[[ $beta =~ $share ]] || complain "--beta: '$beta' is not between 0 and 1"
awk "BEGIN { exit !($alpha + $beta < 1) }" || complain "--alpha $alpha and --beta $beta add up to 1 or more"
[[ $model == normalized || $model == logistic ]] || complain "--model: '$model' is neither normalized nor logistic"
for bound in "$elo0" "$elo1"; do
    awk "BEGIN { exit !(-200 <= $bound && $bound <= 200) }" || complain "bounds are from -200 to 200 Elo, not $bound"
done

exec "$here/match.sh" --games 40000 ${rest[@]+"${rest[@]}"} --sprt "$elo0 $elo1 $alpha $beta $model"
