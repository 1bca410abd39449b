#!/bin/sh
# windows.sh ORO MPI MPIRUN ROOT: outputs that lie in tiles are written by windows, each rank its own. They have the samples, the
# certificates and, but for GeoTIFF, the bytes of those that are written whole; and where one rank fails, nothing is left.
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"
if ! "$oro" devices | grep -q '^0 '; then
    exit 77 # the processor has no rasters in tiles
fi
cat >hills.oro <<'END'
<orograph xmlns="urn:orograph:1" version="1">
<world extent="5000" resolution="253" seed="3"/>
<interface><out name="terrain" from="t.terrain"/><out name="slope" from="s.field"/><out name="mask" from="m.field"/></interface>
<node id="n" type="noise"/>
<node id="t" type="thermal_erosion" version="2"><in name="terrain" from="n.field"/><in name="iterations" value="4"/></node>
<node id="s" type="slope"><in name="terrain" from="t.terrain"/></node>
<node id="m" type="remap"><in name="field" from="s.field"/></node>
</orograph>
END
common="hills.oro --device 0 --no-cache"
tiles="--whole 100 --tile 64"

# write COUNT FOLDER ARGUMENT...: the output, in tiles on so many ranks; 0: by orograph. What is said goes to FOLDER.said.
write() {
    count=$1
    into=$2
    shift 2
    mkdir -p "$into"
    # shellcheck disable=SC2086 # lists
    if [ "$count" = 0 ]; then
        (cd "$into" && "$oro" render ../$common "$@" >../"$into".said 2>../err) || complain "orograph: $*"
    else
        (cd "$into" && timeout 60 "$mpirun" --oversubscribe -n "$count" "$mpi" ../$common "$@" >../"$into".said 2>../err) ||
            complain "$count ranks: $*"
    fi
}

# same COUNTS OUTPUT NAME ARGUMENT...: the file that is written by windows is the one that is written whole.
same() {
    counts=$1
    out="--output $2 -o $3"
    shift 3
    # shellcheck disable=SC2086 # lists
    write 0 whole $out "$@"
    grep -v '^computed' whole.said >wanted
    for n in $counts; do
        # shellcheck disable=SC2086 # lists
        write "$n" parts $out $tiles "$@"
        diff -r -q whole parts || complain "$n ranks: $out $*: other files"
        grep -v '^computed' parts.said >found
        diff wanted found || complain "$n ranks: $out $*: something else is said"
        rm -rf parts
    done
    rm -rf whole
}

same "0 1 2 4" terrain a.r32
same "0 2" terrain a.r16
same "2 4" terrain a.raw --tiles 64
same 2 terrain a.png --tiles 127 --for unreal
same "0 2" terrain a.zarr
same 2 terrain a.zarr --bits 16
same 2 slope a.r32
same 2 mask a.r16

# What cannot be written by windows is written whole.
same 2 terrain a.exr
same 2 terrain a.png
same 2 terrain a.ply

ls -A >left
grep -F . left | grep -v -E '^(hills\.oro|[a-z]*\.said)$' && complain "something is left"
exit "$failed"
