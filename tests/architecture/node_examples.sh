#!/bin/sh
# node_examples.sh [ROOT]: every nodes/*.c that defines a node type has its example, and every example its node.
set -eu
cd "${1:-.}"

failed=0
complain() {
    echo "$1"
    failed=1
}

for source in nodes/*.c; do
    id=$(basename "$source" .c)
    if grep -q "^const struct oro_node_type oro_node_$id = " "$source"; then
        [ -f "examples/nodes/$id.oro" ] || complain "$source: the example examples/nodes/$id.oro is missing"
    elif grep -q '^const struct oro_node_type ' "$source"; then
        complain "$source: the node type is not named oro_node_$id after its file: the registry does not find it"
    fi
done
for example in examples/nodes/*.oro; do
    id=$(basename "$example" .oro)
    [ -f "nodes/$id.c" ] || complain "$example: there is no node type '$id'"
    grep -q "type=\"$id\"" "$example" || complain "$example: does not use the node type '$id'"
done
exit "$failed"
