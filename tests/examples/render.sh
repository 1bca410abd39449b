#!/bin/sh
# render.sh PROGRAM ROOT EXAMPLE CAP: renders every output of an example, the files it exports, and what travels along its
# links, at no more than CAP cells a side. All must be there and without NaN (no file with one can be written or read);
# outputs and exports must not be constant. An import without a file is given one.
set -eu
program=$1
root=$2
example=$3
cap=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
OROGRAPH_CACHE=$folder/cache
export OROGRAPH_CACHE

# A copy, since exports are written beside the document.
cp -R "$root/examples" "$folder/examples"
cd "$folder"

# Some erode in hundreds of steps at the world's own resolution: fewer, and fewer cells, show as well whether the graph works.
slow='type="(hydraulic_erosion|constraint_erosion|talus_creep)"'
if grep -qE "$slow" "$example"; then
    awk -v cap="$cap" -v slow="$slow" -F '"' 'BEGIN { OFS = FS }
        /<node / { runs = $0 ~ slow }
        /<world / && !/ resolution=/ { sub(/<world/, "<world resolution=\"256\"") }
        /<world / { for (i = 1; i < NF; i++) if ($i ~ / resolution=$/ && $(i + 1) > cap) $(i + 1) = cap }
        runs && /name="iterations"/ { said = 1; if ($4 > 150) $4 = 150 }
        /<node / { said = 0 }
        runs && /<\/node>/ && !said { print "    <in name=\"iterations\" value=\"150\"/>" }
        { print }' "$example" >smaller
    mv smaller "$example"
fi

# The import nodes that leave their file to the user.
awk -F '"' '/<node / { id = /type="import"/ ? $2 : "" } /<in name="file" value="./ { id = "" }
            id && (/<\/node>/ || /\/>$/ && /<node /) { print id; id = "" }' "$example" >open_imports
given=
while read -r id; do
    given="$given --set $id.file=examples/nodes/hills_64.png"
done <open_imports

fail() {
    echo "$example: $1"
    [ $# -lt 2 ] || cat "$2"
    exit 1
}

# render ARGUMENT...: the names of the files written are added to `written`.
render() {
    # shellcheck disable=SC2086 # a list
    "$program" render "$example" --max-resolution "$cap" $given "$@" >log 2>&1 || fail "render $* failed" log
    sed -n 's/^wrote \(.*\) ([0-9]* x [^(]*$/\1/p' log >>written
}

: >written
# shellcheck disable=SC2086 # a list
"$program" info "$example" $given >summary 2>log || fail "info failed" log
sed -n 's/^output *\([^ ]*\) from \([^ ,]*\),.*/\1 \2/p' summary >outputs
while read -r name from; do
    case $from in
        *.image | *.splat) render --output "$name" -o "$name.png" ;;
        *) render --output "$name" -o "$name.r32" ;;
    esac
done <outputs
if grep -qE 'type="(network_)?export"' "$example"; then
    render
fi
[ -s written ] || fail "has neither outputs nor exports"
while IFS= read -r file; do
    "$program" measure --json "$file" >measured 2>log || fail "$file cannot be measured" log
    awk -F '[:,]' '$1 ~ /"low"/ { low = $2 } $1 ~ /"high"/ { high = $2 }
                   END { exit !(low != "" && high + 0 > low + 0) }' measured ||
        fail "$file is constant" measured
done <written

# Directions have no file format.
sed -n 's/.*<in .*from="\([^"]*\)".*/\1/p' "$example" | grep -vE '\.(image|tensor|direction|gradient)$' | sort -u >links || true
while IFS= read -r link; do
    case $link in
        *.network) render --output "$link" -o link.geojson ;;
        *) render --output "$link" -o link.r32 ;;
    esac
done <links
echo "$example: $(wc -l <outputs) outputs, $(wc -l <written) files, $(wc -l <links) links"
