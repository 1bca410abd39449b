#!/bin/sh
# Whether two programs, such as builds by two compilers, give the same bits on the processor: locks graphs with the first and verifies
# them with the second, then with the first on one thread.
#
#   sh portable.sh PROGRAM OTHER EXAMPLES [PATTERN] [N]
#
# EXAMPLES is a folder with graphs, and hills_64.png somewhere in it, for imports that leave their file to the user; PATTERN chooses
# among their paths (as find -path does; default: all), N is the most cells a side (256). Exit code 1 if a node differs.
set -eu
[ $# -ge 3 ] || {
    sed -n 's/^# \{0,1\}//p' "$0" | sed 1d >&2
    exit 2
}
program=$(command -v "$1") && program=$(realpath "$program")
other=$(command -v "$2") && other=$(realpath "$other")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$3" "$work/graphs"
cd "$work/graphs"
input=$(find . -name hills_64.png | head -n 1)
find . -name '*.oro' -path "${4:-*}" | LC_ALL=C sort >"$work/list"
if [ ! -s "$work/list" ] || [ -z "$input" ]; then
    echo "portable.sh: there are no such graphs, or no hills_64.png, in $3" >&2
    exit 2
fi
most=${5:-256}
failed=0
while read -r graph; do
    set -- --max-resolution "$most" --progress off
    # shellcheck disable=SC2013 # ids of nodes have no blanks
    for node in $(sed -n 's/.*<node id="\([^"]*\)" type="import".*/\1/p' "$graph"); do
        grep -q '<in name="file"' "$graph" || set -- "$@" --set "$node.file=$input"
    done
    if ! "$program" lock "$graph" "$@" >"$work/said" 2>&1 || ! "$other" verify "$graph" --progress off >"$work/said" 2>&1 ||
        ! taskset -c 0 "$program" verify "$graph" --progress off >"$work/said" 2>&1; then
        cat "$work/said"
        failed=1
    fi
done <"$work/list"
echo "$(wc -l <"$work/list") graphs$([ $failed = 0 ] && echo ': the same bits')"
exit $failed
