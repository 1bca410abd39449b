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

same "0 1 4" terrain a.zarr
same 2 terrain a.r32 --tiles 64
same 2 slope a.r16
same 2 terrain a.exr # which cannot be written by windows

# An export node, after which nothing is on the host as a whole; the one that has a sea takes the whole. Then again, over both.
exports='<node id="x" type="export"><in name="terrain" from="t.terrain"/><in name="file" value="x.zarr"/></node>
<node id="y" type="export"><in name="terrain" from="t.terrain"/><in name="sea" from="n.field"/><in name="file" value="y.r16"/></node>'
for n in 0 1 2; do
    mkdir "export$n"
    grep -v '</orograph>' hills.oro >"export$n/hills.oro"
    echo "$exports</orograph>" >>"export$n/hills.oro"
done
# shellcheck disable=SC2086 # lists
for again in once again; do
    (cd export0 && "$oro" render $common >../said 2>../err) || complain "orograph: exports, $again"
    (cd export1 && "$oro" render $common $tiles >../said 2>../err) || complain "orograph in tiles: exports, $again"
    (cd export2 && timeout 60 "$mpirun" --oversubscribe -n 2 "$mpi" $common $tiles >../said 2>../err) ||
        complain "2 ranks: exports, $again"
    [ "$(grep -c '^wrote' err)" -eq 2 ] || complain "exports are not said once each"
done
diff -r -q export0 export1 || complain "orograph in tiles exports other files"
diff -r -q export0 export2 || complain "2 ranks export other files"

# A GeoTIFF has the samples, and the same bytes whoever wrote them.
# shellcheck disable=SC2086 # a list
if write 0 one --output terrain -o a.tif $tiles && "$oro" convert one/a.tif one.r32 >said 2>err; then
    write 3 three --output terrain -o a.tif $tiles
    diff -r -q one three || complain "3 ranks: another GeoTIFF"
    "$oro" render $common --output terrain -o whole.r32 >said 2>err
    cmp -s one.r32 whole.r32 || complain "a GeoTIFF that is written by windows has other samples"
    "$oro" convert one/a.tif again.tif >said 2>err
    [ "$(wc -c <again.tif)" -lt "$(wc -c <one/a.tif)" ] || complain "a GeoTIFF was not written by windows"
fi
rm -rf ./one* three* whole* again* said parts*

# A disk that is full, for rank 1, which works in a folder of its own: nothing is left, and what was there before stays.
mkdir one two
cp hills.oro one
cp hills.oro two
echo before >one/a.r32
cat >full <<END
#!/bin/sh
ulimit -f 16
exec "$mpi" "\$@"
END
chmod +x full
arguments="$common --output terrain -o a.r32 $tiles"
# shellcheck disable=SC2086 # lists
timeout 60 "$mpirun" --oversubscribe -n 1 -wdir one "$mpi" $arguments : -n 1 -wdir two ../full $arguments >out 2>err
[ $? -eq 1 ] || complain "a full disk: another code than 1"
grep -q "^orograph: rank 1 of 2 on $(hostname): cannot write 'a.r32'" err || complain "a full disk: another message"
[ "$(cat one/a.r32)" = before ] || complain "a full disk: what was there before is gone"
[ "$(find one two | wc -l)" -eq 5 ] || complain "a full disk left something: $(find one two)"
exit "$failed"
