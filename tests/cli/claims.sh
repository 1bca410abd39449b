#!/bin/sh
# claims.sh ORO ROOT: processes that share a cache compute what they have in common once. One that dies is no obstacle, nor is a disk
# that takes no claims.
set -u
oro=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
OROGRAPH_CACHE=$folder/cache
export OROGRAPH_CACHE
failed=0
complain() {
    printf '%s\n' "$*"
    cat err* 2>/dev/null
    failed=1
}
cat >steps.oro <<'END'
<orograph xmlns="urn:orograph:1" version="1">
<world extent="6400" resolution="128"/>
<interface><out name="terrain" from="own.terrain"/></interface>
<node id="n" type="noise"/>
<node id="common" type="thermal_erosion" version="1"><in name="terrain" from="n.field"/><in name="iterations" value="25000"/></node>
<node id="own" type="thermal_erosion" version="1"><in name="terrain" from="common.terrain"/><in name="iterations" value="3"/></node>
</orograph>
END
common="render steps.oro --device processor"
render() {
    # shellcheck disable=SC2086 # a list
    "$oro" $common "$@"
}
# computed REPORT...: how many of them have computed the common step.
computed() {
    cat "$@" | tr -d '\n' | sed 's/"id"/\n"id"/g' | grep '^"id": "common"' | grep -c '"outcome": "computed"'
}
no_claims() {
    [ ! "$(find cache -name '*.claim*')" ] || complain "$1: claims are left: $(find cache -name '*.claim*')"
}
# wait_until SECONDS COMMAND...: until the command succeeds.
wait_until() {
    tenths=$(($1 * 10))
    shift
    while ! "$@"; do
        tenths=$((tenths - 1))
        [ $tenths -gt 0 ] || return 1
        sleep 0.1
    done
}
render -o whole.r32 --no-cache --report whole.json >out 2>err || complain "without a cache: failed"
[ ! -e cache ] || complain "--no-cache uses the cache"

# On a cold cache, at once, each with a last step of its own.
for n in 2 8; do
    rm -rf cache
    jobs=
    for i in $(seq $n); do
        render -o "$i.r32" --report "$i.json" --set own.iterations="$i" >"out$i" 2>"err$i" &
        jobs="$jobs $!"
    done
    for job in $jobs; do
        wait "$job" || complain "$n processes: one failed"
    done
    # shellcheck disable=SC2046 # a list
    found=$(computed $(seq -f %g.json $n))
    [ "$found" -eq 1 ] || complain "$n processes computed the common step $found times"
    [ $n -lt 3 ] || cmp -s 3.r32 whole.r32 || complain "$n processes: another result"
    no_claims "$n processes"
    rm -f err*
done

# Its claimant is killed: another one goes on.
rm -rf cache
# shellcheck disable=SC2086 # a list
"$oro" $common -o 1.r32 --progress json >out1 2>err1 & # not by the function, which would be another process
first=$!
wait_until 60 grep -q '"step":"common".*"done":[1-9]' err1 2>/dev/null || complain "the first process does not begin"
[ "$(find cache -name '*.claim')" ] || complain "there is no claim"
for i in 2 3; do
    render -o $i.r32 --report $i.json >out$i 2>err$i &
    eval "job$i=\$!"
done
kill -9 $first
# shellcheck disable=SC2154 # job2 and job3
{
    wait "$job2" || complain "a killed claimant: the second failed"
    wait "$job3" || complain "a killed claimant: the third failed"
}
found=$(computed 2.json 3.json)
[ "$found" -eq 1 ] || complain "a killed claimant: the common step was computed $found times"
for i in 2 3; do
    cmp -s $i.r32 whole.r32 || complain "a killed claimant: another result"
done
no_claims "a killed claimant"
rm -f err*

# claim HOST: the common step is claimed by a process of that host that is not there.
key=$(tr -d '\n' <whole.json | sed 's/"id"/\n"id"/g' | sed -n 's/^"id": "common".*"key": "\([0-9a-f]*\)".*/\1/p')
claim() {
    rm -rf cache
    shelf=cache/v1/$(printf %s "$key" | cut -c 1-2)
    mkdir -p "$shelf"
    echo "$1 4194304999 1" >"$shelf/$key.claim"
}
claim "$(hostname)"
timeout 15 "$oro" render steps.oro --device processor -o 1.r32 >out 2>err || complain "the claim of a dead process: failed"
cmp -s 1.r32 whole.r32 || complain "the claim of a dead process: another result"
no_claims "the claim of a dead process"

# Of a process that cannot be asked: it is waited for, until that is cancelled.
claim nowhere
# shellcheck disable=SC2086 # a list
"$oro" $common -o never.r32 >out 2>err &
job=$!
wait_until 20 grep -q "'common' is computed by process 4194304999 on nowhere; waiting" err || complain "it is not said that the process waits"
kill -TERM $job 2>/dev/null || complain "it does not wait"
wait $job
[ $? -eq 4 ] || complain "cancelled while waiting: another code than 4"
[ -e "$shelf/$key.claim" ] || complain "cancelled while waiting: the claim is gone"
[ ! -e never.r32 ] || complain "cancelled while waiting: it went on"

echo 'orograph.open("steps.oro"):render("terrain")' >late.lua
timeout 15 "$oro" run late.lua --device processor --seconds 0.5 >out 2>err
[ $? -eq 1 ] || complain "a script that waits does not end in time"

# --no-cache does not look.
timeout 15 "$oro" render steps.oro --device processor -o 1.r32 --no-cache >out 2>err || complain "--no-cache waits for others"

# A folder in which nothing can be written.
rm -rf cache
mkdir cache
echo >cache/v1
render -o 1.r32 >out 2>err || complain "a cache that cannot be written: failed"
cmp -s 1.r32 whole.r32 || complain "a cache that cannot be written: another result"
exit "$failed"
