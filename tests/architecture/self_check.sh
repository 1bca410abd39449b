#!/bin/sh
# self_check.sh: plants violations in a temporary tree, and expects each to be found. A check that cannot fail proves
# nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# A small tree without violations.
plant_sound_tree() {
    rm -rf "$tree/t"
    mkdir -p "$tree/t/examples/nodes/mask"
    cd "$tree/t"
    mkdir -p base graph/type graph/file devices/gpu formats nodes/lib nodes/mask cli bench tests/graph
    printf '#include <stdio.h>\n\n#include "base/c.h"\n' >base/a.c
    printf 'struct oro_a {\n' >base/a.h
    printf '#include <libxml/tree.h>\n\n#include "base/a.h"\n#include "graph/type/node.h"\n' >graph/file/xml_read.c
    printf '#include <EGL/egl.h>\n\n#include "graph/type/device.h"\n' >devices/gpu/a.c
    echo '#include "base/a.h"' >formats/a.c
    printf '#include "formats/a.h"\n#include "graph/type/node.h"\nORO_NODE(a, .category = "mask");\n' >nodes/mask/a.c
    echo '#include "nodes/lib/a.h"' >nodes/mask/helper.c
    printf '#include "devices/gpu/gpu.h"\n#include "graph/file/xml.h"\n' >cli/a.c
    echo '#include "devices/gpu/gpu.h"' >bench/a.c
    printf '#include <libxml/relaxng.h>\n\n#include "support.h"\nstruct oro_a {\n' >tests/graph/a.c
    echo '<node type="a"/>' >examples/nodes/mask/a.oro
}

# expect_found CHECK FILE TEXT [WORDS]: with the line TEXT added to FILE, CHECK fails and names the file.
expect_found() {
    plant_sound_tree
    mkdir -p "$(dirname "$2")"
    printf '%s\n' "$3" >>"$2"
    if found=$(sh "$here/$1" "$tree/t"); then
        echo "$1 did not find '$3' in $2"
        failed=1
    elif ! printf '%s\n' "$found" | grep -q "^$2:.*${4:-}"; then
        echo "$1 did not say where '$3' is in $2, but: $found"
        failed=1
    fi
}

for check in includes.sh include_order.sh circles.sh failing.sh node_examples.sh home_paths.sh; do
    plant_sound_tree
    if ! sh "$here/$check" "$tree/t"; then
        echo "$check complains about a tree without violations"
        failed=1
    fi
done

expect_found includes.sh base/b.c '#include "graph/type/node.h"'
expect_found includes.sh graph/type/b.c '#include "devices/gpu/gpu.h"'
expect_found includes.sh graph/type/b.c '  #  include "nodes/lib/range.h"'
expect_found includes.sh graph/eval/b.c '#include "formats/format.h"'
expect_found includes.sh devices/gpu/b.c '#include "graph/type/node.h"'
expect_found includes.sh formats/b.h '#include "graph/type/node.h"'
expect_found includes.sh nodes/mask/b.c '#include "graph/document/document.h"'
expect_found includes.sh nodes/mask/b.c '#include "devices/gpu/gpu.h"'
expect_found includes.sh cli/b.c '#include "editor/canvas/canvas.h"' 'cli/ may not'
expect_found includes.sh editor/view/b.cpp '#include "cli/report/json.h"' 'editor/view/ may not'
expect_found includes.sh graph/type/b.c '#include "cli/report/json.h"'
expect_found includes.sh bench/b.c '#include "cli/report/json.h"'
expect_found includes.sh cli/b.c '#include "graph/plan/plan_private.h"' private
expect_found includes.sh cli/b.c '#include "devices/gpu/internal.h"' private
expect_found includes.sh cli/b.c '#include <GLES3/gl31.h>'
expect_found includes.sh nodes/mask/b.c '#include <EGL/egl.h>'
expect_found includes.sh tests/graph/b.c '#include <GLES2/gl2.h>'
expect_found includes.sh graph/type/b.c '#include <libxml/tree.h>'
expect_found includes.sh graph/file/check.c '#include <libxml/tree.h>'
expect_found includes.sh cli/b.c '#include <libxml/parser.h>'
expect_found includes.sh cli/b.c '#include <lua.h>'
expect_found includes.sh graph/type/b.c '#include "node.h"' 'path from the root'
expect_found includes.sh graph/type/b.c '#include "../gpu/gpu.h"' 'path from the root'
expect_found includes.sh graph/type/b.c '#include HEADER' 'names no file'
expect_found includes.sh extra/b.c '#include <stdio.h>' 'knows no folder'
expect_found includes.sh graph/b.c '#include <stdio.h>' 'knows no folder'

# Upwards within a folder; a circle between folders that the table lets know each other; a tag that exists.
expect_found includes.sh graph/type/b.c '#include "graph/file/xml.h"' 'may not include'
expect_found includes.sh nodes/lib/b.c '#include "nodes/mask/a.h"' 'may not include'
expect_found includes.sh graph/type/b.c '#include "graph/file/xml.h"' 'in a circle'
expect_found includes.sh formats/b.h 'struct oro_a {' 'defined in base/a.h'

newline='
'
expect_found include_order.sh base/b.c "#include \"base/a.h\"$newline$newline#include \"base/c.h\"$newline$newline#include <stdio.h>" 'in this order'
expect_found include_order.sh base/b.c "#include <stdio.h>$newline#include <errno.h>" 'comes before'
expect_found include_order.sh base/b.c "#include <stdio.h>$newline#include <png.h>" 'a blank line'
expect_found circles.sh base/c.h '#include "base/a.h"' 'know each other'

expect_found failing.sh base/b.c 'return err->code || oro_fail(err, ORO_E_MEMORY, "x");' 'err->code'
expect_found failing.sh base/b.c 'return problem.code || found;' 'problem.code'
expect_found failing.sh base/b.c 'return job->failed || oro_fail(err, ORO_E_MEMORY, "x");' 'job->failed'
expect_found failing.sh base/b.c 'return ok && oro_fail(err, ORO_E_MEMORY, "x");' 'always false'
expect_found failing.sh base/b.c 'stopped = !oro_fail(err, ORO_E_MEMORY, "x");' 'always false'

expect_found node_examples.sh nodes/mask/b.c 'ORO_NODE(b, .version = 1);' missing
expect_found node_examples.sh nodes/mask/b.c 'ORO_NODE(c, .version = 1);' 'not named'
expect_found node_examples.sh nodes/mask/b.c 'ORO_NODE(b, .category = "flow");' 'the category is not'
expect_found node_examples.sh examples/nodes/mask/b.oro '<node type="b"/>' 'no node type'
expect_found node_examples.sh examples/nodes/flow/a.oro '<node type="a"/>' 'no node type'

# In two pieces, so that this file passes the check.
expect_found home_paths.sh docs/b.md "Open /home""/someone/terrain.oro"
expect_found home_paths.sh docs/b.md "file=\"/Users""/someone/terrain.png\""
expect_found home_paths.sh .ci/b "cd /root""/project"

exit "$failed"
