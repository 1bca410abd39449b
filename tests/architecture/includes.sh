#!/bin/sh
# includes.sh [ROOT]: who may include whom. The table below is section 1 of the design; every #include of the
# project is held against it. Prints each violation as file:line: text; exit code 1 if there is any.
set -eu
cd "${1:-.}"

# What each folder may include of the project: folders, or single headers. Its own folder goes without saying.
allowed='
base
uplift   base
network  base hydrology
folds    base
graph    base uplift network
gpu      base graph/type/device.h
hydrology base
formats  base hydrology network
nodes    base formats hydrology uplift network folds graph/type/node.h
lua      base graph
cli      base graph gpu formats hydrology uplift network nodes lua
editor   base graph gpu formats hydrology uplift network nodes lua
bench    base graph gpu formats hydrology uplift network nodes
tests    *
'

# Headers of libraries that only some files may include (extended regular expressions, on the path).
libraries='
EGL/ GLES[0-9]*/ GL/ KHR/ epoxy/  ^(gpu|editor|tests/editor)/
libqhull                          ^folds/
libxml/                           ^graph/xml[a-z_]*\.c$|^tests/(graph|library)/
lua\.h lauxlib\.h lualib\.h       ^(lua|tests/lua)/
SDL                               ^(editor|tests/editor/window)/
imgui cimgui                      ^editor/
'

# Headers that stay inside their folder; tests may look in.
private='_private\.h$|/internal\.h$'

find . \( -path ./build -o -path ./out -o -path './.*' \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.cpp' -o -name '*.hpp' \) -print |
    LC_ALL=C sort | sed 's|^\./||' | tr '\n' '\0' |
    xargs -0 grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null |
    awk -v allowed="$allowed" -v libraries="$libraries" -v private="$private" '
function complain(text) {
    print place ": " text
    failed = 1
}
BEGIN {
    count = split(allowed, lines, "\n")
    for (i = 1; i <= count; i++) {
        words = split(lines[i], word, " ")
        if (words)
            known[word[1]] = 1
        for (j = 2; j <= words; j++)
            may[word[1], word[j]] = 1
    }
    count = split(libraries, lines, "\n")
    for (i = 1; i <= count; i++) {
        words = split(lines[i], word, " ")
        for (j = 1; j < words; j++) {
            library[++library_count] = "^" word[j]
            owner[library_count] = word[words]
        }
    }
}
{
    split($0, part, ":")
    file = part[1]
    place = part[1] ":" part[2]
    folder = file
    sub("/.*", "", folder)
    if (!(folder in known)) {
        complain("the include table knows no folder \"" folder "\"")
        next
    }
    own = match($0, /"[^"]*"/)
    if (!own && !match($0, /<[^>]*>/)) {
        complain("names no file")
        next
    }
    header = substr($0, RSTART + 1, RLENGTH - 2)
    for (i = 1; i <= library_count; i++)
        if (header ~ library[i] && file !~ owner[i])
            complain("may not include <" header ">")
    if (!own || folder == "tests")
        next
    target = header
    sub("/.*", "", target)
    if (target == header || !(target in known))
        complain("include \"" header "\" by its path from the root of the project")
    else if (target != folder && !((folder, target) in may) && !((folder, header) in may))
        complain(folder "/ may not include \"" header "\"")
    else if (target != folder && header ~ private)
        complain("\"" header "\" is private to " target "/")
}
END { exit failed }
'
