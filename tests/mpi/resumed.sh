#!/bin/sh
# resumed.sh ORO MPI MPIRUN ROOT: a rank is killed in the first iterations of a simulation in tiles; a later run goes on from the last state
# that all ranks have stored, on any number of them, with other tiles, and on one device without any; with the same result. A state with a damaged
# tile is not used.
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"
cat >slide.oro <<'END'
<orograph xmlns="urn:orograph:1" version="1">
<world extent="19200" resolution="384"/>
<interface><out name="terrain" from="t.terrain"/></interface>
<node id="n" type="noise"/>
<node id="t" type="thermal_erosion" version="1"><in name="terrain" from="n.field"/><in name="iterations" value="100000"/></node>
</orograph>
END
direct
# Small tiles; in memory, nothing is whole.
tiles="--device 0 --whole 64 --tile"

# from ITERATIONS: the last run went on from there, and has the bits of an uninterrupted one. Then the cache is as it was when the rank
# was killed.
from() {
    grep -q "\"resumed_from\": $1,$" report.json ||
        complain "it did not go on from iteration $1: $(grep resumed_from report.json)"
    cmp -s a.r32 b.r32 || complain "from iteration $1: another result"
    rm -rf cache a.r32 report.json
    cp -Rp before cache
}

# shellcheck disable=SC2086 # lists
{
    "$mpirun" --oversubscribe -n 2 ./direct slide.oro -o a.r32 $tiles 192 --checkpoint 0.02 >out 2>err &
    job=$!
    wait_until 60 stored || complain "no state was stored"
    kill -9 "$(cat rank.1)"
    wait_until 5 gone $job || complain "the job goes on without rank 1"
    wait $job && complain "mpirun ended with 0"
    [ ! -e a.r32 ] || complain "there is an output"
    grep -q "rank 1.*$(hostname).*signal 9" err || complain "mpirun does not name the rank that was killed, and its host"
    kept=$(state)
    [ "$kept" -lt 256 ] || complain "no state was kept before iteration $kept"
    cp -Rp cache before
    tile=$(find cache -name "*.$kept.t003")
    [ "$tile" ] || complain "the state after $kept iterations does not lie in four tiles"

    common="slide.oro --set t.iterations=$((kept + 5))"
    "$oro" render $common -o b.r32 --device 0 --no-cache >out 2>err || complain "orograph failed"
    common="$common -o a.r32 --report report.json"
    ranks 2 $common $tiles 192 || complain "the rerun failed"
    from "$kept"
    ranks 3 $common $tiles 96 || complain "3 ranks failed"
    from "$kept"
    "$oro" render $common --device 0 >out 2>err || complain "orograph failed"
    from "$kept"

    older=$(states | grep -v -x "$kept" | tail -1)
    truncate -s 20 "$tile"
    ranks 2 $common $tiles 192 || complain "the run with a damaged tile failed"
    from "${older:-0}"
    grep -q "damaged or missing.*$(basename "$tile")" err || complain "nobody says that a tile is damaged"
}
exit "$failed"
