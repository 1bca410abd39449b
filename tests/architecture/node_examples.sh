#!/bin/sh
# node_examples.sh [ROOT]: every file below nodes/ that defines a node type lies in the folder of its category and has its example in
# the folder of that name below examples/nodes/, and every example has its node.
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
        category=$(basename "$(dirname "$source")")
        grep -q "\.category = \"$category\"" "$source" || complain "$source: the category is not '$category' after its folder"
        example=examples/${source%.c}.oro
        [ -f "$example" ] || complain "$source: the example $example is missing"
    else
        complain "$source: the node type is not named '$id' after its file: the registry does not find it"
    fi
done
for example in $(find examples/nodes -name '*.oro' | LC_ALL=C sort); do
    id=$(basename "$example" .oro)
    source=${example#examples/}
    [ -f "${source%.oro}.c" ] || complain "$example: there is no node type '$id' in $(dirname "$source")/"
    grep -q "type=\"$id\"" "$example" || complain "$example: does not use the node type '$id'"
done
exit "$failed"
