#!/bin/sh
# render.sh PROGRAM ROOT CAP EXAMPLE...: renders all there is in examples, in one process with one device: see render.lua.
set -eu
program=$1
root=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$root/examples" "$folder/examples"
mkdir "$folder/written"
cd "$folder"
OROGRAPH_CACHE=$folder/cache "$program" run "$root/tests/examples/render.lua" "$@" --read . --write . --no-cache
