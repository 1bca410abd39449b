#!/bin/sh
# Renders every output of examples twice on a device, with rasters as wholes and in tiles, and compares the bits: compilers of
# graphics cards may round two programs in different ways where Mesa's rounds them alike. No test, as it is for a card.
#
#   sh tiles.sh PROGRAM EXAMPLES [OPTION]...
#
# PROGRAM is orograph; EXAMPLES a folder with graphs, and hills_64.png somewhere in it; an OPTION is one of `orograph run`, such as
# --device 0. Needs digests.lua beside it. Exit code 1 if an output differs, or fails in tiles for another reason than that its
# node refuses them.
set -eu
[ $# -ge 2 ] || {
    sed -n 's/^# \{0,1\}//p' "$0" | sed 1d >&2
    exit 2
}
program=$(command -v "$1") && program=$(realpath "$program")
examples=$(realpath "$2")
script=$(realpath "$(dirname "$0")/digests.lua")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$examples" "$work/graphs"
cd "$work"
find graphs -name '*.oro' | LC_ALL=C sort >list
input=$(find graphs -name hills_64.png | head -n 1)
if [ ! -s list ] || [ -z "$input" ]; then
    echo "tiles.sh: there are no graphs, or no hills_64.png, in $examples" >&2
    exit 2
fi

# render FOLDER OPTION...: what could not be rendered is said in FOLDER.log.
render() {
    folder=$1
    shift
    mkdir "$folder"
    # shellcheck disable=SC2046 # names of graphs have no blanks
    "$program" run "$script" "$folder" "$input" $(cat list) --read . --write "$folder" --no-cache --progress off "$@" \
        >"$folder.log" || {
        cat "$folder.log" >&2
        exit 1
    }
}

render whole "$@"
render tiled --whole 64 --tile 64 "$@"

same=0
: >differ
: >refused
: >failed
# Sidecars name the place of the graph.
(cd whole && find . -type f ! -name '*.json' ! -name '*.none' | LC_ALL=C sort) >files
while read -r file; do
    output=${file%.*}
    output=${output%.[0-9][0-9][0-9]} # a part of a raster of vectors
    if [ ! -e "tiled/$file" ]; then
        said=$(grep -F "tiled/${output#./}: " tiled.log | head -n 1)
        case $said in
            *"cannot be spread: "* | *"is cut into tiles: "*) echo "$output" >>refused ;;
            *) echo "${said:-$output: was not written}" >>failed ;;
        esac
    elif cmp -s "whole/$file" "tiled/$file"; then
        same=$((same + 1))
    else
        echo "$output" >>differ
    fi
done <files
count() {
    sort -u "$1" | wc -l
}
echo "$same files are the same; $(count refused) outputs are refused in tiles, $(count failed) fail, $(count differ) differ"
sort -u failed | sed 's/^/fails: /'
sort -u differ | sed 's/^/differs: /'
[ ! -s failed ] && [ ! -s differ ]
