#!/bin/sh
# git_merge.sh PROGRAM: graphs in a git repository. Separate edits of two branches merge with plain git into a valid graph that
# has both; edits of the same are an ordinary conflict, which `orograph check` finds in the file.
set -eu
program=$1
if ! command -v git >/dev/null; then
    echo "git is missing: skipped"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$folder
export GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM GIT_CEILING_DIRECTORIES
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE 2>/dev/null || true

run_git() {
    git -c user.name=Tester -c user.email=tester@example.org -c init.defaultBranch=main "$@"
}

fail() {
    echo "$case: $1"
    cat "${2:-log}" 2>/dev/null || true
    cat graphs/alps.oro
    exit 1
}

# Written by the program, so that it is as a user has it.
node() {
    printf '  <node id="%s" type="noise" version="1">\n    <in name="feature" value="%s"/>\n    <in name="amplitude" value="%s"/>\n' "$@"
    printf '    <in name="octaves" value="4"/>\n    <in name="seed" value="%s"/>\n  </node>\n' 5
}
base() {
    printf '<?xml version="1.0" encoding="UTF-8"?>\n<orograph xmlns="urn:orograph:1" version="1">\n'
    printf '  <about title="Alps"/>\n  <world extent="5000" resolution="64"/>\n'
    node hills 1000 50
    node peaks 3000 200
    printf '  <node id="both" type="combine" version="1">\n    <in name="a" from="hills.field"/>\n    <in name="b" from="peaks.field"/>\n  </node>\n'
    printf '</orograph>\n'
}
added() { # before the end
    sed "s|^</orograph>|  <node id=\"$1\" type=\"constant\" version=\"1\">\\
    <in name=\"value\" value=\"$2\"/>\\
  </node>\\
&|" graphs/alps.oro
}
value() { # NODE INPUT VALUE
    sed "/id=\"$1\"/,/<\\/node>/s|\\(name=\"$2\" value=\"\\)[^\"]*|\\1$3|" graphs/alps.oro
}

# try CASE OURS THEIRS: two branches from one base, merged; true where git found no conflict.
try() {
    case=$1
    rm -rf .git graphs
    mkdir graphs
    run_git init -q .
    base >graphs/alps.oro
    run_git add -A && run_git commit -q -m base
    run_git checkout -q -b other
    $3 >new && mv new graphs/alps.oro
    run_git commit -q -a -m theirs
    run_git checkout -q main
    $2 >new && mv new graphs/alps.oro
    run_git commit -q -a -m ours
    run_git merge -q --no-edit other >log 2>&1
}

has() {
    grep -qF "$1" graphs/alps.oro || fail "lacks '$1'"
}
is_valid() {
    "$program" check graphs/alps.oro >checked 2>&1 || fail "is not valid" checked
}
# The program refuses a file with conflict markers and names the line of the first; resolved, the file is a graph again.
is_conflict() {
    has '<<<<<<<' && has '>>>>>>>'
    code=0
    "$program" check graphs/alps.oro >checked 2>&1 || code=$?
    [ "$code" -eq 3 ] || fail "check ends with $code" checked
    line=$(grep -n -m 1 '^<<<<<<<' graphs/alps.oro | cut -d : -f 1)
    grep -qF "graphs/alps.oro:$line: " checked || fail "check does not name line $line" checked
    run_git checkout -q "$1" graphs/alps.oro
    is_valid
}

ours_value() { value hills feature 1100; }
theirs_value() { value hills octaves 6; }
theirs_other() { value peaks amplitude 250; }
ours_node() { added ours 1; }
theirs_node() { added theirs 2; }
theirs_same() { value hills feature 1200; }

# The test graph is as the program writes it, so that the lines that git compares are those of real files.
mkdir graphs && base >graphs/alps.oro
case=base
"$program" flatten graphs/alps.oro -o written.oro >log 2>&1 || fail "cannot be written"
cmp -s graphs/alps.oro written.oro || fail "is not as the program writes it"
rm written.oro

try "values of two nodes" ours_value theirs_other || fail conflict
has 'value="1100"' && has 'value="250"' && is_valid
try "distant values of one node" ours_value theirs_value || fail conflict
has 'value="1100"' && has 'value="6"' && is_valid
try "a node here, a value there" ours_node theirs_other || fail conflict
has 'id="ours"' && has 'value="250"' && is_valid
try "a value here, a node there" ours_value theirs_node || fail conflict
has 'value="1100"' && has 'id="theirs"' && is_valid

! try "a node on both sides" ours_node theirs_node || fail "no conflict"
is_conflict --ours
has 'id="ours"'
! try "one value" ours_value theirs_same || fail "no conflict"
is_conflict --theirs
has 'value="1200"'

echo "all merges are as they should be"
