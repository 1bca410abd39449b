#!/bin/sh
# home_paths.sh [ROOT]: the project's text files name nobody's home folder.
set -eu
cd "${1:-.}"

find . \( -path ./build -o -path ./out -o -path ./.git -o -path './.git/*' \) -prune -o -type f -print |
    sed 's|^\./||' | tr '\n' '\0' |
    xargs -0 grep -nIE '(^|[^A-Za-z0-9_.~-])(/(home|Users)/[A-Za-z0-9_.-]+|/roo[t]/)' /dev/null && exit 1
exit 0
