#!/bin/sh
# include_order.sh [ROOT]: includes stand in three sorted blocks, the standard library's, other libraries', ours, after the header of the
# file's own name. What stands below an #if, or below code, is not looked at. Prints each violation as file:line: text.
set -eu
cd "${1:-.}"
# shellcheck disable=SC2016 # $0 is of awk
find . \( -path ./build -o -path ./out -o -path './.*' \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cc' \) -print | LC_ALL=C sort | sed 's|^\./||' | tr '\n' '\0' |
    LC_ALL=C xargs -0 awk '
BEGIN {
    rank["standard"] = 1
    rank["libraries"] = 2
    rank["ours"] = 3
    libraries = "^<(EGL|GLES[0-9]|SDL2?|libxml|libqhull_r|openexr|OpenEXR|kissfft|imgui)[/_]|^<(cmocka|deflate|libdeflate|gdal[a-z_]*|ogr_[a-z_]+|cpl_[a-z_]+|imgui[a-z_]*|jansson|kiss_fftnd?r?|lauxlib|lua|lualib|mpi|omp|openexr|png|seccomp|fontconfig.fontconfig|xxhash|zlib|zstd)[.]h>"
}
function complain(text) {
    print FILENAME ":" FNR ": " text
    failed = 1
}
FNR == 1 {
    last = ""
    kind = ""
    over = 0
    gap = 1
}
over { next }
/^#(if|else|elif|define|undef|pragma|endif)/ && !/^#ifndef [A-Z0-9_]+_H$/ && !/^#define [A-Z0-9_]+_H$/ { over = 1 }
/^[a-z}]/ { over = 1 }
/^$/ { gap = 1 }
/^#include/ {
    name = $2
    now = name ~ /^"/ ? "ours" : name ~ libraries ? "libraries" : "standard"
    if (kind == "" || gap) {
        if (rank[now] < rank[kind] && !own)
            complain("standard headers, libraries, ours, in this order")
    } else if (now != kind)
        complain("a blank line between standard headers, libraries, and ours")
    else if (name < last)
        complain(name " comes before " last)
    own = kind == "" && now == "ours"
    if (gap)
        last = ""
    kind = now
    last = name
    gap = 0
}
END { exit failed }
'
