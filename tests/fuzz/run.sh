#!/bin/sh
# run.sh FOLDER SECONDS: runs every fuzz target built in FOLDER for SECONDS. What was learnt is kept in FOLDER/corpus; what
# made a target fail lies in FOLDER/found.
set -eu
folder=$1
seconds=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
failed=0

for target in document script png pfm r16 r32 exr json asc bil vrt zarr geojson network uplift; do
    [ -x "$folder/fuzz_$target" ] || continue # those of GDAL, in a build without it
    corpus=$folder/corpus/$target
    seeds=$folder/seeds/$target
    mkdir -p "$corpus" "$seeds" "$folder/found"
    set --
    case $target in
        document)
            find "$root/examples" "$root/library" "$root/tests/fuzz/seeds" -name '*.oro' -exec cp {} "$seeds" \;
            set -- "-dict=$folder/document.dict" -max_len=65536 ;;
        script)
            for file in "$root"/examples/lua/*.lua "$root"/examples/lua/lib/*.lua; do
                { printf '1'; cat "$file"; } >"$seeds/$(basename "$file")"
                { printf '0'; sed -n '/\[\[/,/\]\]/p' "$file" | sed '1d;$d'; } >"$seeds/$(basename "$file").glsl"
            done ;;
        png)
            find "$root/examples" -name '*.png' -size -64k -exec cp {} "$seeds" \; ;;
        pfm)
            printf 'Pf\n2 2\n-1.0\n%016d' 0 >"$seeds/small.pfm" ;;
        r16)
            printf '{"width": 2, "height": 2, "low": 0, "high": 9, "endianness": "big"}\000%08d' 0 >"$seeds/small" ;;
        r32)
            printf '{"width": 2, "height": 2, "cell_size": 30, "row_order": "south_first"}\000%016d' 0 >"$seeds/small" ;;
        exr) # rows, tiles, half floats
            printf 'Pf\n5 4\n-1.0\n%080d' 0 >"$seeds/small.pfm"
            for how in --cell=30 --tiled --half; do
                "$folder/../../cli/orograph" convert "$seeds/small.pfm" "$seeds/small$how.exr" "$how" >/dev/null
            done
            rm -f "$seeds"/*.json "$seeds/small.pfm" ;;
        json)
            {
                printf '%032d\000{"width": 7, "height": 4, "low": 0, "high": 9, "tiles": {"side": 4, "overlap": 1, "files": [' 0
                printf '{"file": "tile.r16", "column": 0, "row": 0}, {"file": "tile.r16", "column": 3, "row": 0}]}}'
            } >"$seeds/small" ;;
        asc)
            printf 'PROJCS["x",GEOGCS["y",DATUM["z",SPHEROID["s",6378137,298]],PRIMEM["g",0],UNIT["degree",0.0174]],PROJECTION["Transverse_Mercator"],UNIT["metre",1]]\000ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\nnodata_value -9\n1 2.5\n3 -9\n' >"$seeds/small" ;;
        bil)
            for bits in 8 16 32; do
                printf 'nrows 2\nncols 2\nnbands 1\nnbits %d\nlayout bil\nulxmap 9\nulymap 50\nxdim 0.1\nydim 0.1\n\000%016d' "$bits" 0 \
                    >"$seeds/small$bits"
            done ;;
        vrt)
            {
                printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\n1 2\n3 4\n\000'
                printf '<VRTDataset rasterXSize="2" rasterYSize="2"><GeoTransform>0, 9, 0, 18, 0, -9</GeoTransform>'
                printf '<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">part.asc</SourceFilename>'
                printf '<SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="2" ySize="2"/>'
                printf '<DstRect xOff="0" yOff="0" xSize="2" ySize="2"/></SimpleSource></VRTRasterBand></VRTDataset>'
            } >"$seeds/small" ;;
        zarr)
            for sample in f4 u2; do
                {
                    printf '{"zarr_format":2,"shape":[5,4],"chunks":[5,4],"dtype":"<%s","order":"C","filters":null,' "$sample"
                    printf '"compressor":null,"fill_value":null}\000{"_ARRAY_DIMENSIONS":["Y","X"],"units":"m","scale_factor":0.5,'
                    printf '"add_offset":2,"_CRS":{"url":"http://www.opengis.net/def/crs/EPSG/0/32632"}}\000%080d' 0
                } >"$seeds/$sample"
            done ;;
        geojson)
            printf '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"MultiLineString",
"coordinates":[[[0,0,5],[1,2]]]},"properties":{"width":[[1,null]],"order":2,"kind":"peak"}}]}' >"$seeds/small"
            printf '{"type":"LineString","crs":{"properties":{"name":"urn:ogc:def:crs:EPSG::25833"}},"coordinates":[[0,0,5],[1,2]]}' >"$seeds/crs" ;;
        network)
            printf '0 0 100, 10 0; 10 0, 20 5 90 3; 7 7' >"$seeds/small" ;;
        uplift)
            cp "$root/tests/fuzz/seeds/pastes.uplift" "$seeds" ;;
    esac
    echo "fuzz_$target, $seconds s"
    if ! "$folder/fuzz_$target" "$corpus" "$seeds" "$@" "-max_total_time=$seconds" -timeout=10 -rss_limit_mb=3072 \
        -print_final_stats=1 "-artifact_prefix=$folder/found/$target-" >"$folder/$target.log" 2>&1; then
        tail -n 40 "$folder/$target.log"
        failed=1
    else
        grep -E '^stat::(number_of_executed_units|new_units_added|peak_rss_mb)' "$folder/$target.log"
    fi
done
if [ "$failed" -ne 0 ]; then
    echo "inputs that made a target fail are in $folder/found; run a target with such a file to see it again"
fi
exit "$failed"
