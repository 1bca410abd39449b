#!/bin/sh
# includes.sh [ROOT]: the plan of the house. Every #include of the project is held against the table below, no two folders may
# know each other in a circle, and no tag of a struct, union or enum that has a prefix is defined twice. Prints each violation
# as file:line: text; exit code 1 if there is any. `includes.sh --layers [ROOT]` prints the folders by layers instead:
# each includes only what lies below it.
set -eu
layers=false
if [ "${1:-}" = --layers ]; then
    layers=true
    shift
fi
cd "${1:-.}"

# What each folder may include of the project: folders with all that is in them, sub-folders, or single headers. A sub-folder
# that has no line of its own follows the line of the folder that it is in. The files' own folder goes without saying.
allowed='
base
devices/guest     base
terrain/drainage  base
terrain/hydrology base terrain/drainage
terrain/processor base terrain/hydrology/steady_drainage.h
terrain/uplift    base
terrain/folds     base
terrain/network   base terrain/drainage
terrain/realism   base terrain/drainage
terrain/inversion base terrain/drainage terrain/processor
graph/type        base terrain
graph/document    base terrain graph/type
graph/derived     base terrain graph/type graph/document
graph/file        base terrain graph/type graph/document graph/derived
graph/reuse       base terrain graph/type graph/document graph/derived graph/file
graph/plan        base terrain graph/type graph/document graph/derived graph/file graph/cache
graph/cache       base terrain graph/type
graph/eval        base terrain graph/type graph/document graph/plan graph/cache
devices/gpu       base devices/guest graph/type/device.h
devices           base terrain devices/gpu graph/type/device.h
devices/processor base terrain devices devices/gpu graph/type/device.h
devices/spread    base graph/type/device.h graph/type/ranks.h
formats           base terrain formats/mesh
formats/mesh      base
formats/raw       base terrain formats
formats/sidecar   base terrain formats
formats/exr       base terrain formats
formats/png       base terrain formats formats/raw formats/sidecar
formats/zarr      base terrain formats formats/raw formats/sidecar
formats/gdal      base terrain formats formats/sidecar formats/zarr
formats/network   base terrain formats formats/gdal formats/sidecar
formats/reader    base terrain formats formats/gdal formats/raw formats/sidecar
formats/writer    base terrain formats
formats/spread    base terrain formats formats/writer graph/type/device.h graph/type/drainage_tiles.h graph/type/ranks.h
nodes/lib         base terrain formats graph/type/node.h
nodes/flow        base terrain formats graph/type/drainage_tiles.h graph/type/node.h graph/type/ranks.h nodes/lib
nodes/source      base terrain formats graph/type/node.h graph/type/ranks.h nodes/lib
nodes/erosion     base terrain formats graph/type/node.h nodes/lib nodes/flow
nodes/network     base terrain formats graph/type/node.h nodes/lib nodes/flow
nodes/uplift      base terrain formats graph/type/node.h nodes/lib nodes/flow
nodes             base terrain formats graph/type/node.h nodes/lib
lua/sandbox       base devices/guest
lua/expression    base graph
lua/glsl          base
lua/script        base graph devices/guest lua/sandbox lua/glsl
lua/kernel        base graph lua/sandbox lua/glsl lua/script
lua/field         base graph devices/guest lua/sandbox lua/script
lua/batch         base graph devices/guest lua/sandbox
lua/types         base graph devices/guest lua
cli/report        base terrain graph devices formats nodes
cli/options       base graph formats cli/report
cli/engine        base terrain graph devices formats nodes lua cli/options cli/report
cli/command       base terrain graph devices formats nodes lua cli/engine cli/options cli/report
cli               base terrain graph devices formats nodes lua cli
devices/mpi       base graph/type graph/eval
editor/ui         base
editor/library    base graph
editor/project    base terrain graph formats
editor/live       base terrain graph devices formats nodes lua
editor/session    base terrain graph formats editor/ui editor/project editor/live
editor/canvas     base terrain graph formats editor/ui editor/library editor/project editor/live editor/session
editor/inspector  base terrain graph formats editor/ui editor/library editor/project editor/live editor/session
editor/render     base terrain graph devices/gpu formats editor/ui editor/live
editor/pane       base terrain graph formats editor/ui editor/project editor/live editor/session editor/render
editor/tools      base terrain graph formats editor/ui editor/project editor/live editor/session editor/render editor/pane
editor/view       base terrain graph formats editor/ui editor/project editor/live editor/session editor/render editor/pane editor/tools
editor/panels     base terrain graph devices formats editor/ui editor/library editor/project editor/live editor/session
editor/shell      base terrain graph devices formats nodes lua editor
editor            base terrain graph devices formats nodes lua editor/shell
bench             base terrain graph devices formats nodes
tests             *
'

# Headers of libraries that only some files may include (extended regular expressions, on the path).
libraries='
EGL/ GLES[0-9]*/ GL/ KHR/ epoxy/  ^(devices/gpu|editor|tests/editor)/
seccomp\.h landlock\.h               ^devices/guest/
libqhull                          ^terrain/folds/
kiss_fft                          ^terrain/realism/
gdal ogr_ cpl_                     ^formats/gdal/|^tests/formats/(test_)?geo
libxml/                           ^graph/file/xml[a-z_]*\.c$|^tests/(graph|library)/
mpi\.h                            ^devices/mpi/
lua\.h lauxlib\.h lualib\.h       ^(lua|tests/lua)/
SDL                               ^(editor|tests/editor)/
imgui cimgui                      ^editor/ui/
'

# Headers that stay inside their top folder; tests may look in.
private='_private\.h$|/internal\.h$'

find . \( -path ./build -o -path ./out -o -path './.*' \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.cpp' -o -name '*.hpp' \) -print |
    LC_ALL=C sort | sed 's|^\./||' | tr '\n' '\0' |
    xargs -0 grep -nE '^[[:space:]]*#[[:space:]]*include|^(typedef |static |const )*(struct|union|enum) [a-z]+_[a-z0-9_]+ \{' /dev/null |
    awk -v allowed="$allowed" -v libraries="$libraries" -v private="$private" -v layers="$layers" '
function complain(text) {
    print place ": " text
    failed = 1
}
# The folder of a path: two levels at most.
function folder_of(path, parts, n) {
    n = split(path, parts, "/")
    return n == 1 ? "." : n == 2 ? parts[1] : parts[1] "/" parts[2]
}
function top_of(path) {
    sub("/.*", "", path)
    return path
}
function may_include(from, header) {
    if (!(from in known))
        from = top_of(from)
    return (from, header) in may || (from, folder_of(header)) in may || (from, top_of(header)) in may
}
function check_tag(line, word) {
    match(line, /(struct|union|enum) [a-z]+_[a-z0-9_]+/)
    split(substr(line, RSTART, RLENGTH), word, " ")
    if (top_of(file) == "tests" || word[2] !~ /^(oro|ed|ui)_/)
        return
    if (word[2] in defined)
        complain("\"" word[2] "\" is defined in " defined[word[2]] ", too")
    defined[word[2]] = place
}
# Every step of a circle among the folders is told, where it is taken first.
function find_circles(i, j, k) {
    for (k = 1; k <= folder_count; k++)
        for (i = 1; i <= folder_count; i++)
            for (j = 1; (folders[i], folders[k]) in reached && j <= folder_count; j++)
                if ((folders[k], folders[j]) in reached)
                    reached[folders[i], folders[j]]
    for (i = 1; i <= folder_count; i++)
        for (j = 1; j <= folder_count; j++)
            if ((folders[i], folders[j]) in edge && (folders[j], folders[i]) in reached) {
                place = edge[folders[i], folders[j]]
                complain(folders[i] "/ and " folders[j] "/ know each other in a circle")
            }
}
function print_layers(i, j, level, line, left, waits) {
    for (level = 1; left != "none"; level++) {
        line = ""
        left = "none"
        for (i = 1; i <= folder_count; i++) {
            if (folders[i] in placed)
                continue
            waits = 0
            for (j = 1; j <= folder_count; j++)
                if ((folders[i], folders[j]) in edge && !((folders[j] in placed) && placed[folders[j]] < level))
                    waits = 1
            if (!waits)
                line = line "  " folders[i]
            left = "some"
        }
        for (i = split(line, names, " "); i > 0; i--)
            placed[names[i]] = level
        if (line != "")
            printf "%2d%s\n", level, line
    }
}
BEGIN {
    count = split(allowed, lines, "\n")
    for (i = 1; i <= count; i++) {
        words = split(lines[i], word, " ")
        if (words) {
            known[word[1]] = 1
            tops[top_of(word[1])] = 1
        }
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
    folder = folder_of(file)
    top = top_of(file)
    if ($0 !~ /#[ \t]*include/) {
        check_tag($0)
        next
    }
    if (!(top in tops)) {
        complain("the include table knows no folder \"" top "\"")
        next
    }
    if (!(folder in known) && !(top in known)) {
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
    if (!own || top == "tests")
        next
    if (header !~ "/" || !(top_of(header) in tops)) {
        complain("include \"" header "\" by its path from the root of the project")
        next
    }
    target = folder_of(header)
    if (target == folder)
        next
    if (!(folder in seen))
        folders[++folder_count] = folder
    if (!(target in seen) && target != folder)
        folders[++folder_count] = target
    seen[folder]
    seen[target]
    if (!((folder, target) in edge))
        edge[folder, target] = place
    reached[folder, target]
    if (!may_include(folder, header))
        complain(folder "/ may not include \"" header "\"")
    else if (top != top_of(header) && header ~ private)
        complain("\"" header "\" is private to " top_of(header) "/")
}
END {
    find_circles()
    if (layers == "true" && !failed)
        print_layers()
    exit failed
}
'
