#!/bin/sh
# circles.sh [ROOT]: no two files of a folder know each other, by their headers or their code. A header and the code of its name are one
# file, and so is what is called after it: x_private.h and x_y.c are parts of x. Prints each circle as file:line: text; exit code 1 if
# there is any.
set -eu
cd "${1:-.}"

find . \( -path ./build -o -path ./out -o -path ./tests -o -path './.*' \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cc' \) -print | LC_ALL=C sort | sed 's|^\./||' | tr '\n' '\0' |
    xargs -0 grep -nE '^[[:space:]]*#[[:space:]]*include "' /dev/null | awk -F '[:"]' '
function stem_of(path) {
    sub(/(_private)?\.[a-z]+$/, "", path)
    return path
}
function folder_of(path) {
    sub(/\/[^\/]*$/, "", path)
    return path
}
{
    from = stem_of($1)
    to = stem_of($4)
    if (folder_of(from) != folder_of(to) || index(from "_", to "_") == 1 || index(to "_", from "_") == 1 || (from, to) in knows)
        next
    knows[from, to] = $1 ":" $2
    if ((to, from) in knows) {
        print knows[from, to] ": " from " and " to " know each other: " knows[to, from]
        failed = 1
    }
}
END { exit failed }
'
