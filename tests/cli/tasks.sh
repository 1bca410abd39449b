#!/bin/sh
# tasks.sh ORO ROOT: shares of a batch: `orograph run --task K/N`, what Slurm says, and a list of all tasks.
set -u
oro=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_STEP SLURM_ARRAY_TASK_COUNT
failed=0
complain() {
    printf '%s\n' "$*"
    [ ! -f err ] || cat err
    failed=1
}

cat >batch.lua <<'END'
local k, n
if orograph.args[2] then k, n = orograph.task() end
local items = {}
for i = 1, 10 do items[i] = "item " .. i end
for i, v in orograph.each(items) do
  assert(v == "item " .. i)
  print(i)
  orograph.write_text(orograph.args[1] .. "/" .. i .. ".txt", v)
end
orograph.write_text(orograph.args[1] .. "/table" .. (k and k .. "of" .. n or "") .. ".csv", "all")
END

# Each item once, whatever the number of tasks; without any, all of them.
"$oro" run batch.lua --write all -- all known >out 2>err || complain "the whole batch failed"
[ "$(tr '\n' ' ' <out)" = "1 2 3 4 5 6 7 8 9 10 " ] || complain "the whole batch did something else"
for n in 1 3 12; do
    for k in $(seq $n); do
        "$oro" run batch.lua --write "parts$n" --task "$k/$n" -- "parts$n" known >out 2>err || complain "task $k/$n failed"
        [ "$(cat out)" = "$(seq "$k" $n 10)" ] || complain "task $k/$n did: $(cat out)"
        [ "$n" = 1 ] || [ -f "parts$n/table${k}of$n.csv" ] || complain "task $k/$n does not know its number"
        [ ! -s err ] || complain "task $k/$n says something"
    done
    diff -r -x '*.csv' all "parts$n" || complain "$n tasks have written something else"
done

# What every task writes is said, once.
"$oro" run batch.lua --write common --task 2/3 -- common >out 2>err || complain "a common file: failed"
[ "$(grep -c "task 2 of 3 writes 'common/table.csv' outside of a loop over orograph.each" err)" -eq 1 ] || complain "a common file: not said"
"$oro" run batch.lua --write common -- common >out 2>err
[ ! -s err ] || complain "without tasks, a common file is said"

# Slurm's arrays: numbers that begin anywhere, and steps.
slurm() {
    env SLURM_ARRAY_TASK_ID="$1" SLURM_ARRAY_TASK_MIN="$2" SLURM_ARRAY_TASK_MAX="$3" SLURM_ARRAY_TASK_STEP="$4" SLURM_ARRAY_TASK_COUNT="$5" \
        "$oro" run batch.lua --write slurm ${6:+--task "$6"} -- slurm known >out 2>err
}
did() {
    [ "$(tr '\n' ' ' <out)" = "$1 " ] || complain "not $1, but: $(cat out)"
}
slurm 0 0 3 1 4
did "1 5 9"
slurm 30 10 40 10 4
did "3 7"
slurm 30 10 40 10 4 1/5 # --task goes before what Slurm says
did "1 6"

refused() {
    text=$1
    shift
    "$@" >out 2>err
    [ $? -eq 2 ] || complain "$*: another code than 2"
    grep -q -e "^orograph: .*$text" err || complain "$*: another message"
    [ ! -e never ] || complain "$*: ran nevertheless"
}
for text in 4/3 0/3 -1/3; do
    refused "--task counts from 1: of 3 tasks, there is no" "$oro" run batch.lua --write never --task "$text" -- never
done
for text in 3 x/y 1/ /2 1/2/3 "1 /2" 99999999999999999999/3 1/99999999999 ""; do
    refused "--task takes a number and how many" "$oro" run batch.lua --write never --task "$text" -- never
done
for text in 1/0 1/2000000 1/-5; do
    refused "--task takes one of 1 to 1000000" "$oro" run batch.lua --write never --task "$text" -- never
done
refused "SLURM_ARRAY_TASK_ID is 'many', which is no number; give --task" slurm many 0 3 1 4
refused "SLURM_ARRAY_TASK_COUNT is '', which is no number; give --task" slurm 1 0 3 1 ""
for numbers in "9 1 4 1 4" "0 1 4 1 4" "4 1 7 2 4" "1 1 4 0 4" "2 2 6 1 3"; do
    # shellcheck disable=SC2086 # a list
    refused "no row of numbers; give --task" slurm $numbers
done

# One command a line, which the shell can run.
cp batch.lua "it's a batch.lua"
"$oro" run "it's a batch.lua" --write "so many" --steps 1000000 --list-tasks 3 -- "so many" known --more >lines 2>err || complain "no list of tasks"
[ "$(wc -l <lines)" -eq 3 ] || complain "not one line for each task: $(cat lines)"
grep -q -e "--steps 1000000" lines || complain "an option is lost: $(cat lines)"
while read -r line; do
    printf 'orograph() { "%s" "$@"; }\n%s\n' "$oro" "$line" | sh >out 2>err || complain "failed: $line"
done <lines
diff -r -x '*.csv' all "so many" || complain "the listed tasks have written something else"
for n in 0 1000001 many; do
    "$oro" run batch.lua --list-tasks $n >out 2>err
    [ $? -eq 2 ] || complain "--list-tasks $n: another code than 2"
done
exit "$failed"
