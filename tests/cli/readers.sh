#!/bin/sh
# readers.sh OROGRAPH TREE: programs of others read what we write, and find what the sidecar says: GDAL's tools, assimp, Blender.
# Those that are not installed are left out.
set -eu
orograph=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
found=0

fail() {
    echo "$*"
    exit 1
}

# member NAME FILE: a number of a sidecar.
member() {
    sed -n "s/^ *\"$1\": \([-0-9.e]*\),*$/\1/p" "$2"
}

# near WHAT A B TOLERANCE: fails with WHAT where two numbers differ by more.
near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a != "" && b != "" && a - b <= t && b - a <= t) }' ||
        fail "$1: $2, not $3"
}

# 81 x 60 cells of 25 m, from 300 to 900 m.
awk 'BEGIN { print "ncols 81\nnrows 60\nxllcorner 440000\nyllcorner 5100000\ncellsize 25"
    for (y = 0; y < 60; y++) { for (x = 0; x < 81; x++) printf "%.3f ", 600 + 200 * sin(x / 7) + 100 * cos(y / 5 + x / 9); print "" } }' >in.asc
"$orograph" convert in.asc whole.tif --crs EPSG:32632 >/dev/null || exit 77 # built without GDAL
for name in bits.tif cog.tif zstd.tif parts.tif plain.zarr parts.zarr bits.zarr grid.asc raw.r32 levels.r16 levels.png y.exr full.glb small.glb full.obj full.stl full.ply; do
    set --
    case $name in
        bits.tif | bits.zarr) set -- --bits 16 ;;
        parts.*) set -- --by-windows ;;
        cog.tif) set -- --cog ;;
        zstd.tif) set -- --compress zstd ;;
        y.exr) set -- --out-channel Y ;;
        small.glb) set -- --error 5 --normal-map --skirt 10 ;;
    esac
    "$orograph" convert whole.tif "$name" "$@" >/dev/null
done

# ---- GDAL: the same numbers to the bit, by way of raw files, and the same place ----

if command -v gdal_translate >/dev/null 2>&1 && command -v gdalinfo >/dev/null 2>&1; then
    found=1
    zarr=$(gdalinfo --formats | sed -n 's/^ *Zarr .*/plain.zarr parts.zarr/p')
    # shellcheck disable=SC2086 # words
    for name in whole.tif cog.tif zstd.tif parts.tif $zarr grid.asc; do
        gdal_translate -q -ot Float32 -of ENVI "$name" same.bin
        cmp same.bin raw.r32 || fail "gdal_translate reads other heights in $name"
    done
    # shellcheck disable=SC2086 # words
    for name in bits.tif ${zarr:+bits.zarr} levels.png; do
        gdal_translate -q -of ENVI "$name" same.bin
        cmp same.bin levels.r16 || fail "gdal_translate reads other levels in $name"
    done
    # shellcheck disable=SC2086 # words
    for name in whole.tif bits.tif cog.tif zstd.tif parts.tif $zarr ${zarr:+bits.zarr} grid.asc; do
        gdalinfo -stats "$name" >info.txt 2>&1
        ! grep -q ERROR info.txt || fail "gdalinfo -stats $name: $(cat info.txt)"
        grep -q '^Size is 81, 60' info.txt || fail "gdalinfo finds another size in $name"
        grep -q 'UTM zone 32N' info.txt || fail "gdalinfo finds no system in $name"
        grep -q '^Upper Left *( *440000\.000, *5101500\.000)' info.txt || fail "gdalinfo finds $name elsewhere"
        grep -q '^Lower Right *( *442025\.000, *5100000\.000)' info.txt || fail "gdalinfo finds $name of another size"
        rm -f "$name.aux.xml"
    done
    gdalinfo -stats whole.tif >info.txt
    near 'gdalinfo: minimum' "$(sed -n 's/.*STATISTICS_MINIMUM=//p' info.txt)" "$(member minimum whole.tif.json)" 1e-4
    near 'gdalinfo: maximum' "$(sed -n 's/.*STATISTICS_MAXIMUM=//p' info.txt)" "$(member maximum whole.tif.json)" 1e-4
    rm -f whole.tif.aux.xml
fi

# ---- assimp: its importers check what the formats demand ----

if command -v assimp >/dev/null 2>&1; then
    found=1
    for name in full.glb small.glb full.obj full.stl full.ply; do
        assimp info "$name" >info.txt 2>&1 || fail "assimp info $name: $(cat info.txt)"
        ! grep -qi 'error\|warn' info.txt || fail "assimp info $name: $(cat info.txt)"
        grep -q '^Minimum point *(-1000\.0*' info.txt || fail "assimp finds another extent in $name: $(cat info.txt)"
    done
    grep -q '^Faces: *9440$' info.txt || fail "assimp finds another number of triangles: $(cat info.txt)"
fi

# ---- Blender: an image in metres, and a mesh of the terrain's size ----

if command -v blender >/dev/null 2>&1; then
    found=1
    cat >look.py <<'END'
import os

import bpy
import numpy

numpy.bool = bool  # Debian's importer of glTF is older than its numpy

image = bpy.data.images.load(os.path.abspath("y.exr"))
image.colorspace_settings.name = "Non-Color"
heights = list(image.pixels)[0::4]
print("image", image.size[0], image.size[1], min(heights), max(heights))
for name in ("full.glb", "small.glb"):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.import_scene.gltf(filepath=os.path.abspath(name))
    meshes = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    points = [o.matrix_world @ v.co for o in meshes for v in o.data.vertices]
    changed = [o.data.validate(verbose=True) for o in meshes]
    print(name, len(meshes), *("%.4f" % f(p[i] for p in points) for i in range(3) for f in (min, max)), any(changed))
END
    blender -b --factory-startup --python look.py >look.txt 2>&1 || fail "Blender: $(cat look.txt)"
    # shellcheck disable=SC2046 # words
    set -- $(sed -n 's/^image //p' look.txt)
    [ "$*" != "" ] || fail "Blender finds no image in y.exr: $(cat look.txt)"
    near 'Blender: width' "$1" 81 0
    near 'Blender: height' "$2" 60 0
    near 'Blender: least of y.exr' "$3" "$(member minimum y.exr.json)" 1e-3
    near 'Blender: greatest of y.exr' "$4" "$(member maximum y.exr.json)" 1e-3
    # shellcheck disable=SC2046 # words
    set -- $(sed -n 's/^full.glb //p' look.txt)
    [ $# -eq 8 ] || fail "Blender finds no mesh in full.glb: $(cat look.txt)"
    near 'Blender: west' "$2" -1000 1e-3
    near 'Blender: east' "$3" 1000 1e-3
    near 'Blender: south' "$4" -737.5 1e-3
    near 'Blender: north' "$5" 737.5 1e-3
    near 'Blender: lowest of full.glb' "$6" "$(member minimum full.glb.json)" 1e-3
    near 'Blender: highest of full.glb' "$7" "$(member maximum full.glb.json)" 1e-3
    for name in full.glb small.glb; do
        grep -q "^$name .*False\$" look.txt || fail "Blender had to mend $name: $(cat look.txt)"
    done
fi

[ "$found" -eq 1 ] || {
    echo "neither GDAL's tools nor assimp nor Blender are installed: skipped"
    exit 77
}
