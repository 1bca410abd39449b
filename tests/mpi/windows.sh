#!/bin/sh
# windows.sh ORO MPI MPIRUN ROOT: outputs that lie in tiles are written by windows, each rank its own. They have the samples, the
# certificates and, but for GeoTIFF, the bytes of those that are written whole; and where one rank fails, nothing is left. Files are read
# so by the node import.
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
<node id="t" type="thermal_erosion" version="1"><in name="terrain" from="n.field"/><in name="iterations" value="4"/></node>
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

# import WANTED FILE COUNTS OUTPUTS: what the node import gives of FILE, in tiles on so many ranks, as of the whole.
import() {
    wanted=$1
    sed "s/@/$2/" imports.oro >import.oro
    for o in $4; do
        "$oro" render import.oro --device 0 --no-cache --output "$o" -o "whole_$o.r32" >said 2>err || complain "import of $2"
        for n in $3; do
            # shellcheck disable=SC2086 # a list
            ranks "$n" import.oro --device 0 --no-cache --output "$o" -o parts.r32 $tiles || complain "$n ranks: import of $2"
            cmp -s "whole_$o.r32" parts.r32 || complain "$n ranks: import of $2: other cells of $o"
        done
    done
    cmp -s whole_terrain.r32 "$wanted" || complain "import of $2 is another terrain"
}

# refused SAYS FILE: not read in tiles.
refused() {
    sed "s/@/$2/" imports.oro >import.oro
    # shellcheck disable=SC2086 # a list
    ranks 2 import.oro --device 0 --no-cache --output terrain -o no.r32 $tiles && complain "import of $2 is not refused"
    grep -q "$1" err || complain "import of $2: another message"
}

cat >imports.oro <<'END'
<orograph xmlns="urn:orograph:1" version="1">
<world extent="5000" resolution="253"/>
<interface><out name="terrain" from="i.terrain"/><out name="sea" from="i.sea"/><out name="mask" from="i.mask"/></interface>
<node id="i" type="import"><in name="file" value="@"/></node>
</orograph>
END
# shellcheck disable=SC2086 # a list
for file in a.r32 a.tif a.zarr; do
    "$oro" render $common --output terrain -o $file >said 2>err || complain "orograph: $file"
done
import a.r32 a.r32 2 "terrain sea mask"
import a.r32 a.tif 2 terrain
import a.r32 a.zarr 1 terrain
# A hole, that of a NaN, takes the whole: the ground is continued around, and there is a sea.
{ head -c 100000 a.r32 && printf '\000\000\300\177' && tail -c +100005 a.r32; } >n.r32
import whole_terrain.r32 n.r32 2 "terrain sea"
cmp -s whole_terrain.r32 n.r32 && complain "a hole stays"
head -c 200000 a.r32 >cut.r32
refused "cut.r32' has 200000 bytes" cut.r32
head -c 99000 a.tif >cut.tif
refused "cut.tif'" cut.tif
cp -r a.zarr cut.zarr
rm cut.zarr/height/0.0
refused "a chunk is missing" cut.zarr

# More cells a side than are read as a whole: 40000 x 3, by windows alone, and only as they are.
sed -i 's/resolution="253"/resolution="40000" aspect="0.000075"/' imports.oro
head -c 480000 /dev/zero | tr '\0' 'A' >large.r32
echo '{"width": 40000, "height": 3}' >large.r32.json
sed 's/@/large.r32/' imports.oro >import.oro
for n in 1 2; do
    # shellcheck disable=SC2086 # a list
    ranks $n import.oro --device 0 --no-cache --output terrain -o parts.r32 $tiles || complain "$n ranks: a large import"
    cmp -s large.r32 parts.r32 || complain "$n ranks: a large import has other cells"
done
{ head -c 400000 large.r32 && printf '\000\000\300\177' && tail -c +400005 large.r32; } >hole.r32
cp large.r32.json hole.r32.json
refused "no height in cell 20000,2" hole.r32
sed -i 's/40000/40004/' imports.oro
refused "has 40000 x 3 cells and the raster 40004 x 3" large.r32
rm -rf ./*.r32* ./*.zarr* ./*.tif*

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
