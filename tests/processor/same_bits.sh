#!/bin/sh
# same_bits.sh PROGRAM PLAIN FILE.oro...: what the files show has the same bits in both programs, of which one has the processor's code
# in vectors and the other without.
set -eu
program=$1
plain=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" --digests "$@" >"$folder/vectors"
"$plain" --kind 0 --digests "$@" >"$folder/plain"
diff "$folder/vectors" "$folder/plain"
[ "$(wc -l <"$folder/plain")" -ge "$#" ]
