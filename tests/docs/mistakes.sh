#!/bin/sh
# mistakes.sh PROGRAM ROOT: prints docs/mistakes.md, of what is in tests/docs/mistakes/: each mistake is made, what is printed is
# shown, and what it advises is done. Exit code 1 where a mistake goes through, where what is printed does not name the remedy, or where
# the remedy does not help. `mistakes.sh PROGRAM ROOT --check` compares with the page instead.
#
# A mistake is a file KIND-NAME.sh, of the kind graph, command or file, which sets
#
#   title   what somebody does, as a heading
#   named   words of the remedy, which what is printed must have
#   still   words of a warning that has another reason, which the remedy leaves
#
# and has two functions, `mistake` and `remedy`. They use
#
#   put FILE            writes a file from standard input; graph FILE: the same within <orograph>, with a small world
#   run COMMAND...      runs a command, shown with all that it prints; the last one of `mistake` fails or warns, that of `remedy`
#                       does neither
#   change FILE A B     replaces A by B in a file, shown as that
#   quietly COMMAND...  what is not shown, to make inputs
#
# There are a graph of hills, hills.oro, and their heightfield, hills.pfm (64 x 64 cells of 50 m), to begin with.
set -u
program=$(realpath "$1")
root=$(realpath "$2")
here=$root/tests/docs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state" OROGRAPH_CACHE="$work/cache" OROGRAPH_PATH="$root/library"
export PATH="$work/bin:$PATH" LC_ALL=C
mkdir "$work/bin" "$work/begin"
# shellcheck disable=SC2016 # of blocks in the page
fence='```'
ln -s "$program" "$work/bin/orograph"

put() {
    cat >"$1"
}

graph() {
    {
        echo '<orograph xmlns="urn:orograph:1" version="1">'
        echo '  <world extent="3200" resolution="64"/>'
        cat
        echo '</orograph>'
    } >"$1"
}

quietly() {
    "$@" >/dev/null 2>&1
}

# Words that a shell would take apart get quotes.
shown() {
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./=:,+@%-]*) printf " '%s'" "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done | cut -c 2-
}

run() {
    echo "\$ $(shown "$@")"
    "$@" >"$work/out" 2>&1
    code=$?
    grep -v '^computed on ' "$work/out" | tee -a "$work/said"
}

change() {
    grep -qF -- "$2" "$1" || {
        echo "mistakes.sh: $1 has no '$2'" >&2
        exit 1
    }
    echo "in $1: $2 -> $3"
    FROM=$2 TO=$3 awk '{
        while ((at = index($0, ENVIRON["FROM"])) > 0 && !done) {
            $0 = substr($0, 1, at - 1) ENVIRON["TO"] substr($0, at + length(ENVIRON["FROM"]))
            done = 1
        }
        print
    }' "$1" >"$work/changed" && mv "$work/changed" "$1"
}

complains() {
    [ "$code" != 0 ] || grep -vF -- "${still:-(nothing)}" "$work/out" | grep -qE '^orograph: |: (error|warning) '
}

cd "$work/begin" || exit 1
graph hills.oro <<'END'
  <interface><out name="terrain" from="open.terrain"/></interface>
  <node id="hills" type="noise"><in name="amplitude" value="800"/></node>
  <node id="open" type="breach"><in name="terrain" from="hills.field"/></node>
END
orograph render hills.oro --output hills.field -o hills.pfm >"$work/out" 2>&1 || {
    cat "$work/out"
    exit 1
}

# one FILE: the section of a mistake, on standard output.
one() {
    cp -R "$work/begin" "$work/now" && cd "$work/now" || return 1
    : >"$work/said"
    title='' named='' still='' code=0
    # shellcheck source=/dev/null
    . "$1"
    printf '\n### %s\n\n%stext\n' "$title" "$fence"
    mistake
    complains || wrong="what is done goes through"
    for word in $named; do
        grep -qF -- "$word" "$work/said" || wrong="what is printed does not name '$word'"
    done
    printf '%s\n\n%stext\n' "$fence" "$fence"
    remedy
    if complains; then
        wrong="the remedy does not help"
    fi
    echo "$fence"
    cd "$work" && rm -rf "$work/now"
}

page() {
    cat <<'END'
# Mistakes

What the program prints where something is wrong, and what helps. Written by `tests/docs/mistakes.sh`, which makes each mistake, looks whether
what is printed names the remedy, and follows it.
END
    for kind in graph command file; do
        case $kind in
            graph) printf '\n## In a graph\n' ;;
            command) printf '\n## On the command line\n' ;;
            file) printf '\n## With files\n' ;;
        esac
        for file in "$here/mistakes/$kind"-*.sh; do
            wrong=
            one "$file"
            [ -z "$wrong" ] || echo "$(basename "$file"): $wrong" >>"$work/wrong"
        done
    done
}

page >"$work/page"
if [ -s "$work/wrong" ]; then
    cat "$work/page" "$work/wrong" >&2
    exit 1
fi
if [ "${3:-}" = --check ]; then
    diff -u "$root/docs/mistakes.md" "$work/page" || {
        echo "docs/mistakes.md is not up to date; write it anew with: ./dev docs"
        exit 1
    }
else
    cat "$work/page"
fi
