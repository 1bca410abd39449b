#!/bin/sh
# circles.sh [ROOT]: no two files of a folder know each other, by their headers or their code. A header and the code of its name are one
# file, and so is what is called after it: x_private.h and x_y.c are parts of x. Prints each circle as file:line: text; exit code 1 if
# there is any.
set -eu
cd "${1:-.}"

# A whole whose parts work on its struct, which its header has: it calls them, and they know it. New ones are not added here.
# Those of nodes/flow/ are to be opened.
known='
nodes/flow/drainage_patches nodes/flow/drainage_tree
graph/eval/eval graph/eval/evaluator
editor/canvas/canvas editor/canvas/state
editor/inspector/fields editor/inspector/inspector
editor/live/engine editor/live/live
editor/project/history editor/project/project
editor/project/kept_history editor/project/project
editor/project/project editor/project/working
editor/session/comparison editor/session/session
editor/session/panes editor/session/session
editor/shell/commands editor/shell/shell
editor/shell/events editor/shell/shell
editor/ui/icons editor/ui/ui
editor/view/pane editor/view/screenshot
editor/view/pane editor/view/views
'

find . \( -path ./build -o -path ./out -o -path ./tests -o -path './.*' \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cc' \) -print | LC_ALL=C sort | sed 's|^\./||' | tr '\n' '\0' |
    xargs -0 grep -nE '^[[:space:]]*#[[:space:]]*include "' /dev/null | awk -F '[:"]' -v known="$known" '
function stem_of(path) {
    sub(/(_private)?\.[a-z]+$/, "", path)
    return path
}
function folder_of(path) {
    sub(/\/[^\/]*$/, "", path)
    return path
}
BEGIN {
    count = split(known, pairs, "\n")
    for (i = 1; i <= count; i++)
        excused[pairs[i]]
}
{
    from = stem_of($1)
    to = stem_of($4)
    if (folder_of(from) != folder_of(to) || index(from "_", to "_") == 1 || index(to "_", from "_") == 1 || (from, to) in knows)
        next
    knows[from, to] = $1 ":" $2
    if ((to, from) in knows && !(from " " to in excused) && !(to " " from in excused)) {
        print knows[from, to] ": " from " and " to " know each other: " knows[to, from]
        failed = 1
    }
}
END { exit failed }
'
