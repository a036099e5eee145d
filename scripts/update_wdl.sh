#!/usr/bin/env bash
# From games with evaluations to new numbers of the WDL model, as Stockfish's updateWDL.sh: counts, fits, draws, and says what
# a pawn is worth now. Writes updateWDL.json, updateWDL.svg, updateWDLdistro.svg and scoreWDL.log into this folder.
#
#   scripts/update_wdl.sh [--pawn N] [--materialMin N] GAMES [option of count]...
#
# GAMES: a file or folder. N of --pawn: the value of a pawn that the engine printed with, 100 if missing.
set -euo pipefail

usage="usage: $0 [--pawn N] [--materialMin N] GAMES [option of count]..."

lab=${HALFPOINT_LAB:-halfpoint-lab}
pawn=100
material_min=17
while [[ $# -gt 0 ]]; do
    case $1 in
        --pawn) pawn=${2-}; shift $(($# < 2 ? 1 : 2)) ;;
        --materialMin) material_min=${2-}; shift $(($# < 2 ? 1 : 2)) ;;
        -h | --help) echo "$usage"; exit ;;
        *) break ;;
    esac
done
if [[ ${1--} == -* || ! $pawn =~ ^[0-9]+$ || ! $material_min =~ ^[0-9]+$ ]]; then
    echo "$usage" >&2
    exit 2
fi
if ! command -v "$lab" >/dev/null; then
    echo "update_wdl.sh: no program '$lab': set HALFPOINT_LAB" >&2
    exit 2
fi

"$lab" count -r "$@" -o updateWDL.json
"$lab" fit updateWDL.json --plot save --pngName updateWDL.svg --pngNameDistro updateWDLdistro.svg --momType material \
    --momTarget 58 --materialMin "$material_min" --modelFitting optimizeProbability --NormalizeToPawnValue "$pawn" |
    tee scoreWDL.log
new=$(sed -n 's/^const int NormalizeToPawnValue = \([0-9]*\);$/\1/p' scoreWDL.log)
if [[ -z $new ]]; then
    echo "update_wdl.sh: the fit says no NormalizeToPawnValue" >&2
    exit 1
elif [[ $new == "$pawn" ]]; then
    echo "NormalizeToPawnValue should stay at $pawn."
else
    echo "NormalizeToPawnValue should change from $pawn to $new."
fi
