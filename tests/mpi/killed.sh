#!/bin/sh
# killed.sh ORO MPI MPIRUN ROOT: a rank that is killed ends the job at once, and leaves no output; a later run goes on from the last
# stored state, with the same result. A job that is asked to stop ends in order, on every rank.
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"
long_document >long.oro
direct
only_sources_left() {
    others=$(find . -mindepth 1 -maxdepth 1 |
        grep -v -x -E '\./(long\.oro|direct|rank\.[0-9]|out|err|cache|report\.json|[ab]\.r32(\.json)?)')
    [ ! "$others" ] || complain "left over: $others"
}

# Rank 1 is killed once a state lies in the cache.
"$mpirun" --oversubscribe -n 2 ./direct long.oro -o a.r32 --report report.json >out 2>err &
job=$!
wait_until 60 stored || complain "no state was stored"
kill -9 "$(cat rank.1)"
wait_until 5 gone $job || complain "the job goes on without rank 1"
wait $job
code=$?
[ $code -ne 0 ] || complain "mpirun ended with 0"
grep -q "rank 1.*$(hostname).*signal 9" err || complain "mpirun does not name the rank that was killed, and its host"
[ ! -e a.r32 ] || complain "there is an output"
only_sources_left
for rank in 0 1; do
    wait_until 5 gone "$(cat rank.$rank)" || complain "rank $rank is still there"
done

# The rerun.
iterations=$(state)
ranks 2 long.oro -o a.r32 --report report.json --set f.iterations=$((iterations + 5)) || complain "the rerun failed"
grep -q "\"resumed_from\": $iterations" report.json || complain "the rerun did not go on from iteration $iterations"
"$oro" render long.oro -o b.r32 --set f.iterations=$((iterations + 5)) --no-cache >out 2>err || complain "orograph failed"
cmp -s a.r32 b.r32 || complain "the rerun has another result"
rm -f a.r32* b.r32* report.json

# SIGTERM to mpirun, which ends with 1 then whatever its ranks do, and to one rank alone.
for to in mpirun one; do
    rm -f rank.* out err
    "$mpirun" --oversubscribe -n 2 ./direct long.oro -o a.r32 --no-cache --progress json >out 2>err &
    job=$!
    wait_until 60 grep -q '"done":[1-9]' err 2>/dev/null || complain "$to: the work did not begin"
    if [ $to = mpirun ]; then
        kill -TERM $job
    else
        kill -TERM "$(cat rank.1)"
    fi
    wait_until 10 gone $job || complain "$to: the job goes on"
    wait $job
    code=$?
    [ $to = mpirun ] || [ $code -eq 4 ] || complain "$to: mpirun ended with $code, not 4"
    grep -q '"code":"cancelled"' err || complain "$to: nobody says that it was cancelled"
    [ ! -e a.r32 ] || complain "$to: there is an output"
    for rank in 0 1; do
        wait_until 5 gone "$(cat rank.$rank)" || complain "$to: rank $rank is still there"
    done
    only_sources_left
done
exit "$failed"
