#!/bin/sh
# layers.sh ROOT: docs/architecture.md draws the layers of folders as they are.
set -eu
cd "$1"
drawn=$(sed -n '/^Each folder includes only what lies below it/,/^The test/s/^    //p' docs/architecture.md)
found=$(sh tests/architecture/includes.sh --layers .)
if [ "$drawn" != "$found" ]; then
    printf 'docs/architecture.md should draw these layers:\n%s\n' "$found"
    exit 1
fi
