#!/bin/sh
# render.sh PROGRAM ROOT GRAPH...: uses graphs of the library as nodes, in one process with one device: see render.lua.
set -eu
program=$1
root=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
OROGRAPH_PATH=$root/library
export OROGRAPH_PATH
cd "$folder"
for graph; do
    shift
    # It fails behind the summary where the terrain is missing that a graph takes.
    "$program" info "$root/$graph" >summary 2>log || true
    if grep -q '^  terrain .*(field, must be linked' summary; then
        set -- "$@" "+$root/$graph"
    else
        set -- "$@" "$root/$graph"
    fi
done
OROGRAPH_CACHE=$folder/cache "$program" run "$root/tests/library/render.lua" "$@" --read "$root/library" --write . --no-cache
