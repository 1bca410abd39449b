#!/bin/sh
# render.sh PROGRAM ROOT NAME: uses library/NAME.oro as a node, twice with `vary`, and writes all its outputs. Rasters must be
# there and without NaN (no file with one can be written or read), terrain and picture not constant, the terrain without
# closed depressions unless there is a sea, and the two uses of a graph that takes no terrain different.
set -eu
program=$1
root=$2
name=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
OROGRAPH_CACHE=$folder/cache
OROGRAPH_PATH=$root/library
export OROGRAPH_CACHE OROGRAPH_PATH
cd "$folder"

fail() {
    echo "$name: $1"
    [ $# -lt 2 ] || cat "$2"
    exit 1
}

# It fails behind the summary where the terrain is missing that a graph takes.
"$program" info "$root/library/$name.oro" >summary 2>log || true
sed -n 's/^output *\([^ ]*\) from [^,]*, \([a-z]*\).*/\1 \2/p' summary >outputs
for output in terrain image; do
    grep -q "^$output " outputs || fail "has no output '$output'" log
done
resolution=64
extent=$(sed -n 's/^ *<world.* extent="\([0-9]*\)".*/\1/p' "$root/library/$name.oro")
given=
if grep -q '^  terrain .*(field, must be linked' summary; then
    resolution=16
    given='<in name="terrain" from="base.terrain"/>'
fi
cat >use.oro <<END
<?xml version="1.0" encoding="UTF-8"?>
<orograph xmlns="urn:orograph:1" version="1">
  <world extent="${extent:-10000}" resolution="$resolution" seed="3"/>
  <node id="base" type="bumps"/>
  <node id="one" type="graph" href="$name.oro">$given<in name="vary" value="true"/></node>
  <node id="two" type="graph" href="$name.oro">$given<in name="vary" value="true"/></node>
</orograph>
END

# render NODE.OUTPUT FILE [OPTION]...
render() {
    wanted=$1
    file=$2
    shift 2
    "$program" render use.oro --max-resolution 128 --output "$wanted" -o "$file" "$@" >log 2>&1 || fail "$wanted failed" log
}

drained=
grep -q '^sea ' outputs || drained=--require-drained
while read -r output kind; do
    case $output,$kind in
        terrain,*) render one.terrain terrain.r32 $drained ;;
        *,image) render "one.$output" "$output.png" ;;
        *,network) render "one.$output" "$output.geojson" ;;
        *) render "one.$output" "$output.r32" ;;
    esac
done <outputs
for file in terrain.r32 image.png; do
    "$program" measure --json "$file" >measured 2>log || fail "$file cannot be measured" log
    awk -F '[:,]' '$1 ~ /"low"/ { low = $2 } $1 ~ /"high"/ { high = $2 }
                   END { exit !(low != "" && high + 0 > low + 0) }' measured || fail "$file is constant" measured
done

render two.terrain second.r32
# Amplifying the same terrain gives much the same, whatever the seed.
[ -n "$given" ] || ! cmp -s terrain.r32 second.r32 || fail "two uses with 'vary' are the same"
echo "$name: $(wc -l <outputs) outputs"
