#!/bin/sh
# blocks.sh PROGRAM ROOT COMPILER: what the pages show is done. Blocks of C are compiled; scripts in Lua are run, as a node or as a
# batch; commands are run in a folder of each page's own, a copy of the small world made below, in which examples are small, too.
# blocks.awk says how a block tells its frame.
set -u
program=$(realpath "$1")
root=$(realpath "$2")
compiler=$3
here=$root/tests/docs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state" OROGRAPH_CACHE="$work/cache" OROGRAPH_PATH="$root/library"
export PATH="$work/bin:$PATH"

# Other programs: that commands name them right is not looked at.
mkdir "$work/bin" "$work/state" "$work/terrains"
ln -s "$program" "$work/bin/orograph"
printf '#!/bin/sh\ncat >/dev/null\ncat fine.pfm\n' >"$work/bin/other-program"
for other in orograph-bench mpirun srun parallel ffmpeg gdal_translate git python3; do
    printf '#!/bin/sh\ncat >/dev/null 2>&1 </dev/null\n' >"$work/bin/$other"
done
chmod +x "$work"/bin/*

make_world() {
    cp "$here"/world/* . && cp -R "$root/examples" . || exit 1
    cp examples/nodes/source/hills_64.png alps_64.png
    find examples -name '*.oro' -exec sed -i '/<world /s/ resolution="[0-9]*"/ resolution="16"/' {} +
    mkdir -p out library variants docs terrains build/release/cli
    ln -s "$program" build/release/cli/orograph
    # Commands of ./dev must exist.
    # shellcheck disable=SC2016 # for the script that is written
    printf '#!/bin/sh\ngrep -q "^    $1[ |)]" "%s/dev"\n' "$root" >dev
    chmod +x dev
    sh -e "$here/world.sh"
}

# whole FILE FRAME: the block within its frame, which has a line "@" in its place.
whole() {
    if [ "$2" = - ]; then
        cat "$1"
    else
        sed -e "/^@\$/{r $1" -e 'd}' "$here/frames/$2.frame"
    fi
}

# Kernels that a block leaves out set the terrain.
run_lua() {
    id=$2
    [ "$id" != - ] || id=$(basename "$1" .lua)
    whole "$1" "$2" | sed 's/\[\[ \.\.\. \]\]/[[ void cell(ivec2 p) { set_terrain(p, 1.0); } ]]/' >"$id.lua"
    if grep -q 'orograph\.' "$id.lua"; then
        orograph run "$id.lua" alps.oro --read . --write variants
    else
        sed "s/TYPE/$id/" script.oro >"$id.oro"
        orograph render "$id.oro" --output it.terrain -o "$id.pfm"
    fi
}

# do_block FILE FRAME
do_block() {
    case $1 in
        *.c)
            whole "$1" "$2" >whole.c
            "$compiler" -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Wno-unused -Wno-unknown-pragmas -Werror -fsyntax-only -I "$root" whole.c
            ;;
        *.lua) run_lua "$1" "$2" ;;
        *.sh) whole "$1" "$2" >whole.sh && sh -eu whole.sh ;;
        *.oro | *.comp | *.glsl | *.xml | *.text) ;;
    esac
}

mkdir "$work/world" && cd "$work/world" || exit 1
make_world >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
failed=0
for page in "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md; do
    name=$(basename "$page" .md)
    cp -R "$work/world" "$work/$name" && cd "$work/$name" || exit 1
    awk -v out=blocks -f "$here/blocks.awk" "$page" >blocks.list
    while read -r file frame; do
        [ "$frame" != none ] || continue
        do_block "blocks/$file" "$frame" >"$work/log" 2>&1 </dev/null || {
            echo "$name.md: $file fails:"
            tail -n 12 "$work/log" | sed "s/^/    /"
            failed=1
        }
    done <blocks.list
done
exit $failed
