#!/bin/sh
# node_reference.sh PROGRAM REFERENCE: docs/nodes.md is what the node types say of themselves.
set -eu

if ! "$1" nodes --format markdown | diff -u "$2" -; then
    echo "docs/nodes.md is not up to date; write it anew with: ./dev docs"
    exit 1
fi
