#!/bin/sh
# lua_reference.sh PROGRAM REFERENCE: docs/lua-api.md is what the tables of scripts' functions say.
set -eu

if ! "$1" run --api | diff -u "$2" -; then
    echo "docs/lua-api.md is not up to date; write it anew with: ./dev docs"
    exit 1
fi
