#!/bin/sh
# seeds.sh FOLDER PROGRAM: gives every fuzz target its seeds, in FOLDER/TARGET: small inputs that are made here, among them images that
# PROGRAM (orograph) converts; examples; what once made a target fail (tests/fuzz/seeds/TARGET); and what the fuzzer has found that
# reaches more code (tests/fuzz/corpora/TARGET.tar.gz).
set -eu
to=$1
program=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$to"
mkdir -p "$to"

# seed TARGET/NAME: what comes on standard input.
seed() {
    mkdir -p "$to/${1%%/*}"
    cat >"$to/$1"
}

for folder in "$root"/tests/fuzz/seeds/*/; do
    name=$(basename "$folder")
    mkdir -p "$to/$name"
    cp "$folder"* "$to/$name"
done
for archive in "$root"/tests/fuzz/corpora/*.tar.gz; do
    [ -f "$archive" ] || continue
    name=$(basename "$archive" .tar.gz)
    mkdir -p "$to/$name/corpus"
    tar -xzf "$archive" -C "$to/$name/corpus"
done

# ---- Graphs ----
mkdir -p "$to/document" "$to/preset" "$to/script" "$to/kernel_text" "$to/png" "$to/exr" "$to/tif"
find "$root/examples/nodes" "$root/examples/lua" -name '*.oro' -size -8k -exec cp {} "$to/document" \;
for file in "$root"/library/presets/*/*.oro; do
    cp "$file" "$to/preset/$(basename "$(dirname "$file")")-$(basename "$file")"
done
for file in "$root"/examples/lua/*.lua "$root"/examples/lua/lib/*.lua; do
    cp "$file" "$to/script"
    sed -n '/\[\[/,/\]\]/p' "$file" | sed '1d;$d' >"$to/kernel_text/$(basename "$file")"
done
printf '0 0 100, 10 0; 10 0, 20 5 90 3; 7 7' | seed network/small
for text in 'a + 1' 'min(b, 2) ^ 0.5 % c // 3' 'x > 1e3 and clamp(d, 0, 1) or world.cell' 'atan(1, 2) * deg(pi)'; do
    printf '%s' "$text" | seed "expression/$(printf '%s' "$text" | cksum | cut -d' ' -f1)"
done
for text in 1.50 -3 true '0 0, 0.5 1e3, 1 1' '0 #204020, 1 #ffffff80' '#ff0000' '10 20' '0 0 5, 10 10 5 2; 3 3'; do
    for number in 1 9 20 40; do
        printf '\%03o\%03o%s' "$number" 2 "$text" | seed "literal/$number-$(printf '%s' "$text" | cksum | cut -d' ' -f1)"
    done
done
printf '\0\1\2\3\4\5\6\7aaaabbbbccccddddeeeeffff' | seed cache/small
printf '%064d 2026-01-02 a name\nrubbish\n' 0 | seed trust/small
printf '\0\1\2\3\4\5\6\7aaaabbbbccccddddeeeeffff' | seed edits/small
for target in descriptor kernel kernel_compiled batch graphs packet; do
    printf '\0\1\2\3\4\5\6\7aaaabbbbccccddddeeeeffff\300\301\302\303\304\305\306\307' | seed "$target/small"
done

# ---- Images ----
find "$root/examples" -name '*.png' -size -16k -exec cp {} "$to/png" \;
printf 'Pf\n2 2\n-1.0\n%016d' 0 | seed pfm/small
printf '{"width": 2, "height": 2, "low": 0, "high": 9, "endianness": "big"}\000%08d' 0 | seed r16/small
printf '{"width": 2, "height": 2, "cell_size": 30, "row_order": "south_first"}\000%016d' 0 | seed r32/small
for format in 0 1 2 3 4; do
    {
        printf '\%03o{"width": 4, "height": 4, "cell_size": 30, "low": 0, "high": 9, "minimum": 0, "maximum": 9, "sea": 2, "nodata": 5,' "$format"
        printf '"crs": "EPSG:32632", "west": 400000, "north": 5100000, "endianness": "little", "row_order": "north_first"}'
    } | seed "sidecar/$format"
done
{
    printf '%032d\000{"width": 7, "height": 4, "low": 0, "high": 9, "tiles": {"side": 4, "overlap": 1, "files": [' 0
    printf '{"file": "tile.r16", "column": 0, "row": 0}, {"file": "tile.r16", "column": 3, "row": 0}]}}'
} | seed json/small
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'Pf\n5 4\n-1.0\n%080d' 0 >"$work/small.pfm"
for how in --cell=30 --tiled --half; do
    "$program" convert "$work/small.pfm" "$work/small$how.exr" "$how" >/dev/null
    cp "$work/small$how.exr" "$to/exr"
done
printf '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"MultiLineString",
"coordinates":[[[0,0,5],[1,2]]]},"properties":{"width":[[1,null]],"order":2,"kind":"peak"}}]}' | seed geojson/small
printf '{"type":"LineString","crs":{"properties":{"name":"urn:ogc:def:crs:EPSG::25833"}},"coordinates":[[0,0,5],[1,2]]}' | seed geojson/crs

# ---- What GDAL reads; without it, these are not looked at. ----
! "$program" convert "$work/small.pfm" "$work/small.tif" --cell=30 >/dev/null 2>&1 || cp "$work/small.tif" "$to/tif"
printf 'PROJCS["x",GEOGCS["y",DATUM["z",SPHEROID["s",6378137,298]],PRIMEM["g",0],UNIT["degree",0.0174]],PROJECTION["Transverse_Mercator"],UNIT["metre",1]]\000ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\nnodata_value -9\n1 2.5\n3 -9\n' | seed asc/small
for bits in 8 16 32; do
    printf 'nrows 2\nncols 2\nnbands 1\nnbits %d\nlayout bil\nulxmap 9\nulymap 50\nxdim 0.1\nydim 0.1\n\000%016d' "$bits" 0 | seed "bil/small$bits"
done
{
    printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\n1 2\n3 4\n\000'
    printf '<VRTDataset rasterXSize="2" rasterYSize="2"><GeoTransform>0, 9, 0, 18, 0, -9</GeoTransform>'
    printf '<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">part.asc</SourceFilename>'
    printf '<SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="2" ySize="2"/>'
    printf '<DstRect xOff="0" yOff="0" xSize="2" ySize="2"/></SimpleSource></VRTRasterBand></VRTDataset>'
} | seed vrt/small
for sample in f4 u2; do
    {
        printf '{"zarr_format":2,"shape":[5,4],"chunks":[5,4],"dtype":"<%s","order":"C","filters":null,' "$sample"
        printf '"compressor":null,"fill_value":null}\000{"_ARRAY_DIMENSIONS":["Y","X"],"units":"m","scale_factor":0.5,'
        printf '"add_offset":2,"_CRS":{"url":"http://www.opengis.net/def/crs/EPSG/0/32632"}}\000%080d' 0
    } | seed "zarr/$sample"
done
