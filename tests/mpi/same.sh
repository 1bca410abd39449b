#!/bin/sh
# same.sh ORO MPI MPIRUN ROOT: orograph-mpi on 1, 2 and 4 ranks writes the files that orograph writes, has the same keys and digests
# of every step, and shares its cache.
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"

# Of a report: each step's id, key and digest; and the digests of what was written.
facts() {
    grep -E '"(id|key|digest|resumed_from)":' "$1"
}

# compare COUNTS EXAMPLE ARGUMENT...: the example's files, or one output, written into a folder for each number of ranks.
compare() {
    counts=$1
    example=$2
    shift 2
    for n in 0 $counts; do
        mkdir -p "$n"
        cp -R "$root/examples/." "$n"
        OROGRAPH_CACHE=$folder/cache$n
        arguments="--max-resolution 128 --report report.json"
        # shellcheck disable=SC2086 # a list
        if [ "$n" = 0 ]; then
            (cd 0 && "$oro" render "$example" $arguments "$@" >../out 2>../err) || complain "orograph $example failed"
        else
            (cd "$n" && timeout 120 "$mpirun" --oversubscribe -n "$n" "$mpi" "$example" $arguments "$@" >../out 2>../err) ||
                complain "$n ranks: $example failed"
            facts 0/report.json >wanted
            facts "$n/report.json" >found
            cmp -s wanted found || complain "$n ranks: $example has other keys or digests: $(diff wanted found | head -5)"
            grep -q '"digest"' found || complain "$example: no digests"
            rm -f "$n/report.json"
            diff -r -q -x report.json 0 "$n" || complain "$n ranks: $example: other files"
        fi
    done
    rm -rf 0 1 2 4
}

compare "1 2 4" hydraulic/hydraulic-levels.oro
compare "1 2 4" breaching.oro
compare "1 2 4" library.oro --output terrain -o terrain.exr
compare 2 phasor-steps.oro
compare 4 amplify.oro --output picture -o picture.png
compare 2 first-range.oro --output terrain -o range.pfm --frames film --frame-every 3
compare 2 lua/talus_creep.oro --set slid.iterations=20
OROGRAPH_CACHE=$folder/cache

# What one of them stores, the other finds; a result that not every rank has in memory comes from rank 0's disk.
long_document >long.oro
common="long.oro -o a.r32 --report report.json"
# shellcheck disable=SC2086 # a list
for first in 0 2; do
    rm -rf cache
    if [ $first = 0 ]; then
        "$oro" render $common --set f.iterations=300 >out 2>err || complain "orograph: long.oro"
        cp a.r32 b.r32
        ranks 2 $common --set f.iterations=300 || complain "2 ranks: with orograph's cache"
    else
        ranks 2 $common --set f.iterations=300 || complain "2 ranks: long.oro"
        cp a.r32 b.r32
        "$oro" render $common --set f.iterations=300 >out 2>err || complain "orograph: with the cache of 2 ranks"
    fi
    grep -q '"outcome": "disk"' report.json || complain "nothing was found in the cache: $(cat report.json)"
    cmp -s a.r32 b.r32 || complain "the cache's results differ"
    ranks 2 $common --set f.iterations=310 || complain "2 ranks: 310 iterations"
    grep -q '"resumed_from": 300' report.json || complain "the work did not go on from the stored state"
done
"$oro" render long.oro -o b.r32 --set f.iterations=310 --no-cache >out 2>err
cmp -s a.r32 b.r32 || complain "what went on from a state differs"

# Standard input and output.
"$oro" render - -o - --format r32 --set f.iterations=20 <long.oro >b.r32 2>err || complain "orograph: standard output"
timeout 120 "$mpirun" --oversubscribe -n 2 "$mpi" - -o - --format r32 --set f.iterations=20 <long.oro >a.r32 2>err ||
    complain "2 ranks: standard input and output"
cmp -s a.r32 b.r32 || complain "standard output differs"

# One rank prints.
ranks 4 long.oro -o a.r32 --set f.iterations=20 --progress json || complain "4 ranks: progress"
[ "$(grep -c '"event":"done"' err)" -eq 1 ] || complain "progress: not one rank reports"
[ "$(grep -c '^wrote' out)" -eq 1 ] || complain "not one rank prints: $(cat out)"
exit "$failed"
