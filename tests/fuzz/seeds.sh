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

# byte NUMBER...: bytes of these values.
byte() {
    for value; do
        printf '%b' "\\0$(printf '%03o' "$value")"
    done
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
        { byte "$number" 2; printf '%s' "$text"; } | seed "literal/$number-$(printf '%s' "$text" | cksum | cut -d' ' -f1)"
    done
done
printf '\0\1\2\3\4\5\6\7aaaabbbbccccddddeeeeffff' | seed cache/small
printf '%064d 2026-01-02 a name\nrubbish\n' 0 | seed trust/small
printf '\0\1\2\3\4\5\6\7aaaabbbbccccddddeeeeffff' | seed edits/small
# Graphs of one node of each type: with what it needs, and with other values.
for type in $(seq 0 127); do
    byte 0 0 "$type" | seed "graphs/plain$type"
    byte 7 0 "$type" 5 1 1 3 $(seq 1 40) $(seq 3 7 255) | seed "graphs/other$type"
done
for target in descriptor kernel kernel_compiled batch packet; do
    printf '\0\1\2\3\4\5\6\7aaaabbbbccccddddeeeeffff\300\301\302\303\304\305\306\307' | seed "$target/small"
done

# ---- Images ----
find "$root/examples" -name '*.png' -size -16k -exec cp {} "$to/png" \;
printf 'Pf\n2 2\n-1.0\n%016d' 0 | seed pfm/small
printf '{"width": 2, "height": 2, "low": 0, "high": 9, "endianness": "big"}\000%08d' 0 | seed r16/small
printf '{"width": 2, "height": 2, "cell_size": 30, "row_order": "south_first"}\000%016d' 0 | seed r32/small
for format in 0 1 2 3 4; do
    {
        byte "$format"
        printf '{"width": 4, "height": 4, "cell_size": 30, "low": 0, "high": 9, "minimum": 0, "maximum": 9, "sea": 2, "nodata": 5,'
        printf '"crs": "EPSG:32632", "west": 400000, "north": 5100000, "endianness": "little", "row_order": "north_first"}'
    } | seed "sidecar/$format"
    {
        byte "$format"
        printf '{"width": 4, "height": 4, "digest": "0123456789abcdef0123456789abcdef", "nodata": -9999, "sea": 101}'
    } | seed "sidecar/other$format"
done
{
    printf '%032d\000{"width": 7, "height": 4, "low": 0, "high": 9, "tiles": {"side": 4, "overlap": 1, "files": [' 0
    printf '{"file": "tile.r16", "column": 0, "row": 0}, {"file": "tile.r16", "column": 3, "row": 0}]}}'
} | seed json/small
{
    printf '%032d\000{"width": 7, "height": 4, "low": 0, "high": 9, "nodata": 0, "sea": 1, "crs": "EPSG:32632", "west": 1, "north": 2, "cell_size": 3,' 0
    printf '"tiles": {"side": 4, "overlap": 1, "files": [{"file": "tile.r16", "column": 0, "row": 0, "digest": "0123456789abcdef0123456789abcdef"},'
    printf '{"file": "tile.r16", "column": 3, "row": 0}]}}'
} | seed json/digest
printf '%016d\000{"width": 7, "height": 4, "tiles": {"side": 4, "overlap": 1, "files": [{"file": "tile.r16", "column": 0, "row": 0}, {"file": "none.r16", "column": 3, "row": 0}]}}' 0 | seed json/missing
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'Pf\n5 4\n-1.0\n%080d' 0 >"$work/small.pfm"
printf 'Pf\n20 16\n-1.0\n%0320d%0320d%0320d%0320d' 1 2 3 4 >"$work/large.pfm"
for how in --cell=30 --tiled --half; do
    "$program" convert "$work/small.pfm" "$work/small$how.exr" "$how" >/dev/null
    cp "$work/small$how.exr" "$to/exr"
done
printf '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"MultiLineString",
"coordinates":[[[0,0,5],[1,2]]]},"properties":{"width":[[1,null]],"order":2,"kind":"peak"}}]}' | seed geojson/small
printf '{"type":"LineString","crs":{"properties":{"name":"urn:ogc:def:crs:EPSG::25833"}},"coordinates":[[0,0,5],[1,2]]}' | seed geojson/crs

printf '<svg><g transform="scale(2) rotate(9)"><path d="m0 1l2-3C1 1 2 2 3 3s1 1 2 2Q1 1 2 0t1 1a9 5 8 0110 4z"/></g>
<defs><path d="M0 0"/></defs><circle cx="1" cy="2"/><polygon points="0 0 1 1"/></svg>' | seed svg/path
printf "<svg><polyline points='0 0 1 1' data-count='2' data-vertices='{\"width\":[1,2],\"elevation\":[null,3]}'/></svg>" | seed svg/own
printf '<kml><Document><Folder><Placemark><ExtendedData><SchemaData><SimpleData name="width">3</SimpleData></SchemaData></ExtendedData>
<LineString><coordinates>9,46,5 9.1,46</coordinates></LineString></Placemark></Folder></Document></kml>' | seed kml/small
printf '0\nSECTION\n2\nENTITIES\n0\nLINE\n8\n0\n10\n1\n20\n2\n11\n3\n21\n4\n0\nPOINT\n8\n0\n10\n5\n20\n6\n30\n7\n0\nENDSEC\n0\nEOF\n' |
    seed dxf/small

# ---- What GDAL reads; without it, these are not looked at. ----
# The first byte chooses how it is read: tests/fuzz/heightfield.c.
utm='PROJCS["x",GEOGCS["y",DATUM["z",SPHEROID["s",6378137,298]],PRIMEM["g",0],UNIT["degree",0.0174]],PROJECTION["Transverse_Mercator"],UNIT["metre",1]]'
feet='PROJCS["x",GEOGCS["y",DATUM["z",SPHEROID["s",6378137,298]],PRIMEM["g",0],UNIT["degree",0.0174]],PROJECTION["Transverse_Mercator"],UNIT["foot",0.3048]]'
degrees='GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
grid='ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\nnodata_value -9\n1 2.5\n3 -9\n'
for how in 0 1 2 3 4 5 6 8 12 14 16 32 33 64 128; do
    { byte "$how"; printf '%s\000'"$grid" "$utm"; } | seed "asc/small$how"
    { byte "$how"; printf '%s\000'"$grid" "$degrees"; } | seed "asc/degrees$how"
    for spread in --cell=30 --cell=0.0003; do
        if "$program" convert "$work/large.pfm" "$work/large.tif" "$spread" >/dev/null 2>&1; then
            { byte "$how"; cat "$work/large.tif"; } | seed "tif/large$spread$how"
        fi
    done
    for bits in 8 16 32; do
        { byte "$how"; printf 'nrows 2\nncols 2\nnbands 1\nnbits %d\nlayout bil\nulxmap 9\nulymap 50\nxdim 0.1\nydim 0.1\n\000%016d' "$bits" 0; } | seed "bil/small$bits-$how"
    done
done
{ byte 0; printf '%s\000'"$grid" "$feet"; } | seed asc/feet
for layout in bip bsq; do
    for order in M I; do
        for type in UNSIGNEDINT SIGNEDINT FLOAT; do
            { byte 0; printf 'nrows 2\nncols 2\nnbands 1\nnbits 32\npixeltype %s\nbyteorder %s\nlayout %s\nskipbytes 1\nnodata 0\nulxmap 9\nulymap 50\nxdim 1\nydim 1\n\000%017d' "$type" "$order" "$layout" 0; } | seed "bil/$layout$order$type"
        done
    done
done
{ byte 0; printf 'nrows 1\nncols 2\nnbands 2\nnbits 16\n\000%08d' 0; } | seed bil/bands
mosaic() {
    printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\n1 2\n3 4\n\000'
    printf '<VRTDataset rasterXSize="2" rasterYSize="2"><GeoTransform>0, 9, 0, 18, 0, %s</GeoTransform>' "$2"
    printf '<VRTRasterBand dataType="%s" band="1">%s<SourceFilename relativeToVRT="1">%s</SourceFilename>' "$3" "$4" "$5"
    printf '<SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="2" ySize="2"/>'
    printf '<DstRect xOff="0" yOff="0" xSize="2" ySize="2"/></%s></VRTRasterBand></VRTDataset>' "$1"
}
{ byte 0; mosaic SimpleSource -9 Float32 '<SimpleSource>' part.asc; } | seed vrt/small
{ byte 0; mosaic SimpleSource -9 Float32 '<SimpleSource>' ../part.asc; } | seed vrt/outside
{ byte 0; mosaic SimpleSource -9 Float32 '<SimpleSource>' /vsicurl/http://x/y.tif; } | seed vrt/network
{ byte 4; mosaic SimpleSource 9 Int16 '<NoDataValue>1</NoDataValue><SimpleSource>' part.asc; } | seed vrt/window
{ byte 32; mosaic ComplexSource -9 CFloat32 '<UnitType>ft</UnitType><Offset>1</Offset><Scale>2</Scale><ComplexSource>' part.asc; } | seed vrt/complex
{ byte 1; mosaic KernelFilteredSource -3 Byte '<KernelFilteredSource>' part.asc; } | seed vrt/filtered
array() {
    printf '{"zarr_format":2,"shape":[%s],"chunks":[%s],"dtype":"%s","order":"%s","filters":%s,' "$1" "$2" "$3" "$4" "$5"
    printf '"compressor":%s,"fill_value":%s%s}\000{"_ARRAY_DIMENSIONS":["Y","X"],"units":"m","scale_factor":0.5,' "$6" "$7" "$8"
    printf '"add_offset":2,"_CRS":{"url":"http://www.opengis.net/def/crs/EPSG/0/32632"}}\000%080d' 0
}
for sample in '<f4' '<u2' '>i4' '|u1' '<f8'; do
    array 5,4 5,4 "$sample" C null null null '' | seed "zarr/$sample"
    array 5,4 5,4 "$sample" F '[]' '{"id":"zlib","level":1}' 0 ',"dimension_separator":"."' | seed "zarr/zlib$sample"
done
array 9,9 5,4 '<f4' C null null 1 '' | seed zarr/filled
array 9,9 5,4 '<f4' C null null null '' | seed zarr/missing
array 5,4 5,4 '<f4' C '[{"id":"delta"}]' null 0 '' | seed zarr/filters
array 5,4 5,4 '<f4' C null '{"id":"rle"}' 0 '' | seed zarr/compressor
array 5,4 5,4 '<f4' C null null 0 ',"dimension_separator":"/"' | seed zarr/separator
array 5 5 '<f4' C null null 0 '' | seed zarr/line
array 5,4,3 5,4,3 '<f4' C null null 0 '' | seed zarr/cube
