#!/bin/sh
# presets.sh PROGRAM ROOT: every preset that is installed with the program is valid,
# applies to a node of its type, changes it, and gives a valid graph.
set -eu
program=$1
root=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
OROGRAPH_PATH=$root/library
XDG_DATA_HOME=$folder/data
export OROGRAPH_PATH XDG_DATA_HOME
cd "$folder"

fail() {
    echo "$1: $2"
    [ ! -f log ] || cat log
    exit 1
}

# graph_for TYPE VERSION: a graph with one node of the type, or of a graph of the library, its required inputs linked to one of a
# type that gives what they take.
graph_for() {
    if [ -f "$root/library/$1.oro" ]; then
        printf '<orograph xmlns="urn:orograph:1" version="1"><node id="node" type="graph" href="%s.oro"/></orograph>\n' "$1"
        return
    fi
    links=
    for input in $("$program" nodes "$1" | sed -n 's/^  \([a-z_0-9]*\)  (field, must be linked.*/\1/p'); do
        links="$links<in name=\"$input\" from=\"ground.field\"/>"
    done
    printf '<orograph xmlns="urn:orograph:1" version="1"><node id="ground" type="noise"/>'
    printf '<node id="node" type="%s" version="%s"><in name="mask" value="0.5"/>%s</node></orograph>\n' "$1" "$2" "$links"
}

# defaults_of TYPE: graph.oro as it is written, with defaults. A graph of the library stays a node; its defaults are those of its interface.
defaults_of() {
    if [ -f "$root/library/$1.oro" ]; then
        sed -n 's/.*<variable name="\([a-z_]*\)" value="\([^"]*\)".*/    <in name="\1" value="\2"\/>/p' "$root/library/$1.oro" >plain.oro
    else
        "$program" flatten graph.oro --replace -o plain.oro >log 2>&1
    fi
}

count=0
for preset in "$root"/library/presets/*/*.oro; do
    name=$(basename "$preset" .oro)
    type=$(basename "$(dirname "$preset")")
    "$program" check "$preset" >log 2>&1 || fail "$preset" "is not valid"
    grep -q '<about title="[^"]*" doc="[^"]' "$preset" || fail "$preset" "does not say what it is for"
    graph_for "$type" "$(sed -n 's/.*<node [^>]*version="\([0-9]*\)".*/\1/p' "$preset" | grep . || echo 1)" >graph.oro
    "$program" preset apply graph.oro node "$name" -o applied.oro >log 2>&1 || fail "$preset" "cannot be applied"
    "$program" check applied.oro >log 2>&1 || fail "$preset" "gives a graph that is not valid"
    defaults_of "$type" || fail "$preset" "is not written again"
    diff plain.oro applied.oro >changes && fail "$preset" "changes nothing"
    grep -q mask changes && fail "$preset" "changes what it does not name"
    values=$(grep -c '<in name="[^"]*" value=' "$preset")
    [ "$values" -eq "$(grep -c '^>.*<in name=' changes)" ] || fail "$preset" "sets what is the default"
    grep -qF "| \`$type\` | \`$name\` |" "$root/docs/presets.md" || fail "$preset" "is missing in docs/presets.md"
    "$program" preset list "$type" | grep -q "^$type  *$name  *OROGRAPH_PATH  " || fail "$preset" "is not listed"
    count=$((count + 1))
done
[ "$count" -ge 9 ] || fail presets "only $count"
echo "$count presets"
