#!/bin/sh
# run.sh BUILD TARGET|all SECONDS: runs a fuzz target that was built in BUILD/tests/fuzz, or each of them, for SECONDS. What was learnt is
# kept in BUILD/fuzzing/corpus, what made a target fail in BUILD/fuzzing/found. Of each target a line tells how many inputs it ran, how
# many reached something new, and which share of the lines of the files that it is about (`about`) all its inputs reach together.
# run.sh BUILD keep TARGET|all: takes the least of each target's inputs that reach as much into tests/fuzz/corpora.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
programs=$build/tests/fuzz
work=$build/fuzzing
version=$(clang -dumpversion | cut -d. -f1)
failed=0
cd "$root"

# What is read from GDAL, whatever the format.
gdal='formats/gdal/gdal_open.c formats/gdal/gdal_read.c formats/gdal/gdal_load.c formats/gdal/gdal_fill.c'

# The files that a target is about, as far as its inputs can reach them: of scripts that are read, neither what evaluates them
# (lua/script/params.c, script.c) nor what speaks with a guest (guest.c; kernel_compiled does, but a guest's own lines are not counted,
# as it can write nothing); of graphs on the processor neither files nor rasters in tiles.
about() {
    case $1 in
        document) echo graph/file/xml_*.c graph/file/check*.c graph/file/load.c ;;
        literal) echo graph/type/literal.c base/profile.c base/gradient.c terrain/network/parse.c ;;
        expression) echo lua/expression/*.c ;;
        network) echo terrain/network/network.c terrain/network/parse.c ;;
        uplift) echo terrain/uplift/check.c terrain/uplift/bins.c terrain/uplift/copies.c terrain/uplift/eval.c ;;
        preset) echo graph/reuse/preset.c ;;
        edits) echo graph/document/*.c graph/reuse/group.c graph/reuse/flatten.c graph/reuse/excerpt.c ;;
        cache) echo graph/cache/cache_entry.c graph/cache/cache_disk.c graph/cache/cache_tiles.c graph/cache/cache_folder.c graph/cache/notes.c ;;
        script | descriptor) echo lua/script/descriptor.c lua/script/entry.c lua/script/passes.c lua/sandbox/guard.c lua/sandbox/library*.c ;;
        batch) echo lua/batch/*.c cli/command/run*.c cli/options/places.c ;;
        graphs) find graph/eval graph/plan graph/cache/cache.c nodes/*/ -name '*.c' ! -path 'nodes/output/*' ! -name '*import*' ! -name 'drainage_cells*' \
            ! -name 'drainage_patches*' ! -name 'drainage_tree_[gkst]*' ! -name '*_dispatches.c' ! -name eval_live.c ! -name 'file_*' ;;
        kernel_compiled) echo lua/kernel/*.c devices/gpu/trial.c devices/gpu/guest_dispatch.c devices/gpu/guest.c devices/gpu/verdicts.c devices/guest/*.c ;;
        packet) echo devices/guest/packet.c lua/sandbox/values.c ;;
        trust) echo graph/derived/trust.c ;;
        kernel*) echo lua/glsl/*.c ;;
        png) echo formats/png/png.c ;;
        pfm) echo formats/raw/pfm.c ;;
        exr) echo formats/exr/exr_read.c ;;
        r16 | r32) echo formats/raw/raw.c formats/raw/samples.c ;;
        sidecar) echo formats/sidecar/sidecar_read.c ;;
        json) echo formats/manifest.c ;;
        geojson) echo formats/network/geojson_read.c formats/network/geojson_write.c ;;
        svg) echo formats/network/svg_read.c formats/network/svg_write.c formats/network/network_file.c ;;
        kml | dxf) echo formats/gdal/gdal_vector_read.c ;;
        asc) echo "$gdal" formats/gdal/gdal_grid.c formats/gdal/gdal_crs.c formats/gdal/gdal_cells.c ;;
        bil | tif) echo "$gdal" ;;
        vrt) echo "$gdal" formats/gdal/gdal_mosaic.c ;;
        zarr) echo "$gdal" formats/zarr/zarr_check.c formats/gdal_windows.c ;;
    esac
}

# What all targets together are to reach at least 85 % of.
part() {
    case $1 in
        readers) for target in png pfm exr r16 sidecar json geojson svg asc vrt zarr literal expression preset trust uplift network; do
            about "$target"
        done
            echo graph/file/xml_parse.c graph/file/xml_read.c graph/file/check*.c ;;
        guard) about script; about kernel; about packet ;;
        cache) about cache ;;
    esac
}

# Longer inputs than these say little more, and take longer.
longest() {
    case $1 in
        document | preset | script) echo 16384 ;;
        png | tif | kernel_text) echo 8192 ;;
        *) echo 2048 ;;
    esac
}

# Where the bytes choose what is done, short inputs do little; and what the program prints is of no use.
manner() {
    case $1 in
        edits | cache | descriptor | kernel | kernel_compiled | packet) echo -len_control=0 ;;
        batch | graphs) echo -len_control=0 -close_fd_mask=3 ;;
    esac
}

tool() {
    command -v "$1-$version" || command -v "$1"
}

# fuzz TARGET ARGUMENT...: with the limits that hold for every input: 10 s, 2 GB.
fuzz() {
    name=$1
    shift
    # shellcheck disable=SC2046 # a list of options
    set -- $(manner "$name") "$@"
    [ ! -f "$programs/$name.dict" ] || set -- "-dict=$programs/$name.dict" "$@"
    LLVM_PROFILE_FILE=${profile:-/dev/null} TMPDIR=$scratch "$programs/fuzz_$name" "$@" "-max_len=$(longest "$name")" \
        -timeout=10 -rss_limit_mb=2560 -malloc_limit_mb=2048 "-artifact_prefix=$work/found/$name-"
}

# lines NAME PROGRAM... -- FILE...: which share of the lines of FILEs is reached, of all that PROGRAMs are made of. Each file's goes into
# NAME.coverage.
lines() {
    name=$1 objects=$2
    shift 2
    while [ "$1" != -- ]; do
        objects="$objects -object=$1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # names of programs have no blanks
    "$(tool llvm-cov)" export -format=lcov -summary-only "-instr-profile=$work/$name.profile" $objects |
        awk -F: -v root="$root/" -v files="$*" '
            BEGIN { split(files, list, " "); for (i in list) wanted[list[i]] = 1 }
            $1 == "SF" { file = $2; sub("^.*/build/[^/]*/[.][.]/[.][.]/", "", file); if (index(file, root) == 1) file = substr(file, length(root) + 1) }
            $1 == "LF" { all = $2 }
            $1 == "LH" && wanted[file]-- > 0 { printf "%5.1f %% of %4d lines: %s\n", 100 * $2 / all, all, file }' |
        sort -n >"$work/$name.coverage"
    awk '{ all += $4; hit += $1 / 100 * $4 } END { if (all) printf "%.1f %% of %d lines", 100 * hit / all, all }' "$work/$name.coverage"
}

# Of all inputs of a target.
coverage() {
    profile=$work/$1.raw fuzz "$1" -runs=0 "$work/corpus/$1" "$work/seeds/$1" >/dev/null 2>&1 || true
    "$(tool llvm-profdata)" merge -sparse "$work/$1.raw" -o "$work/$1.profile" 2>/dev/null || return 0
    rm -f "$work/$1.raw"
    # shellcheck disable=SC2046 # names of files have no blanks
    lines "$1" "$programs/fuzz_$1" -- $(about "$1")
}

# Of all targets together: the readers, the guards and the cache.
coverage_of_all() {
    set --
    for target in $targets; do
        set -- "$@" "$programs/fuzz_$target"
    done
    rm -f "$work/all.profile"
    "$(tool llvm-profdata)" merge -sparse "$work"/*.profile -o "$work/all.profile" 2>/dev/null || return 0
    for part in readers guard cache; do
        cp "$work/all.profile" "$work/$part.profile"
        # shellcheck disable=SC2046 # names of files have no blanks
        echo "$part, by all targets: $(lines $part "$@" -- $(part $part | tr ' ' '\n' | sort -u)); by file: $work/$part.coverage"
        rm -f "$work/$part.profile"
    done
}

# run TARGET SECONDS
run() {
    mkdir -p "$work/corpus/$1" "$work/seeds/$1"
    fuzz "$1" "$work/corpus/$1" "$work/seeds/$1" "-max_total_time=$2" -print_final_stats=1 >"$work/$1.log" 2>&1 || {
        tail -n 30 "$work/$1.log"
        failed=1
    }
    sed -n 's/^stat::\([a-z_]*\): *\([0-9]*\)$/\1 \2/p' "$work/$1.log" | awk -v name="$1" -v lines="$(coverage "$1")" '
        { of[$1] = $2 }
        END { printf "%-12s %9d inputs, %6d a second, %5d new, %4d MB at most, %s\n", name, of["number_of_executed_units"],
                     of["average_exec_per_sec"], of["new_units_added"], of["peak_rss_mb"], lines }'
}

# The least inputs that reach all lines, however often, without the longest and without those that are made or kept elsewhere.
keep() {
    few=$work/keep/$1
    rm -rf "$few" "$work/short"
    mkdir -p "$few" "$work/short" "$work/corpus/$1" "$work/seeds/$1" tests/fuzz/corpora
    find "$work/corpus/$1" -size -3k -type f -exec cp -t "$work/short" {} +
    fuzz "$1" -merge=1 -use_counters=0 "$few" "$work/seeds/$1" "$work/short" >"$work/$1.merge.log" 2>&1
    for digest in $(find "$work/seeds/$1" -maxdepth 1 -type f -exec sha1sum {} + | cut -d' ' -f1); do
        rm -f "$few/$digest"
    done
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rw,go=r -C "$few" -cf - . | gzip -9n >"tests/fuzz/corpora/$1.tar.gz"
    echo "$1: $(find "$few" -type f | wc -l) inputs, $(wc -c <"tests/fuzz/corpora/$1.tar.gz") bytes"
}

mkdir -p "$work/found" "$work/keep"
scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/orograph-fuzzing-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
sh tests/fuzz/seeds.sh "$work/seeds" "$build/cli/orograph"
what=$2
[ "$what" != keep ] || what=${3:-all}
targets=$(find "$programs" -name 'fuzz_*' -type f -perm -u+x ! -name fuzz_dictionary | sed 's|.*/fuzz_||' | LC_ALL=C sort)
[ "$what" = all ] || targets=$what
for target in $targets; do
    [ -x "$programs/fuzz_$target" ] || {
        echo "there is no fuzz target '$target'" >&2
        exit 2
    }
    if [ "$2" = keep ]; then
        keep "$target"
    else
        run "$target" "$3"
    fi
done
[ "$2" != all ] || coverage_of_all
if [ "$failed" -ne 0 ]; then
    echo "inputs that made a target fail are in $work/found; run a target of $programs with such a file to see it again"
fi
exit "$failed"
