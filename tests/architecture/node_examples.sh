#!/bin/sh
# node_examples.sh [ROOT]: every file below nodes/ that defines a node type has its example, and every example its node.
set -eu
cd "${1:-.}"

failed=0
complain() {
    echo "$1"
    failed=1
}

sources=$(find nodes -name '*.c' | LC_ALL=C sort)
for source in $sources; do
    id=$(basename "$source" .c)
    grep -q '^ORO_NODE' "$source" || continue
    if tr -d ' \n' <"$source" | grep -q "ORO_NODE\(_WITH\)*($id,"; then
        [ -f "examples/nodes/$id.oro" ] || complain "$source: the example examples/nodes/$id.oro is missing"
    else
        complain "$source: the node type is not named '$id' after its file: the registry does not find it"
    fi
done
for example in examples/nodes/*.oro; do
    id=$(basename "$example" .oro)
    printf '%s\n' "$sources" | grep -q "/$id\.c$" || complain "$example: there is no node type '$id'"
    grep -q "type=\"$id\"" "$example" || complain "$example: does not use the node type '$id'"
done
exit "$failed"
