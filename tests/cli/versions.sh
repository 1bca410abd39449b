#!/bin/sh
# versions.sh PROGRAM: what preset says to right and to wrong input, with which exit codes.
set -u
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
XDG_DATA_HOME=$folder/data
OROGRAPH_PATH=
export XDG_DATA_HOME OROGRAPH_PATH
failed=0

# expect CODE TEXT ARGUMENT...: the program ends so, and says that: on standard error where it fails.
expect() {
    code=$1
    text=$2
    shift 2
    "$program" "$@" >out 2>err
    found=$?
    if [ "$found" -ne "$code" ] || { [ "$text" ] && ! grep -qF -e "$text" out err; }; then
        echo "orograph $*: ended with $found, wanted $code and '$text'"
        cat out err
        failed=1
    fi
    case $code in
        2 | 3)
            if [ "$(wc -l <err)" -ne 1 ]; then
                echo "orograph $*: not one line"
                cat err
                failed=1
            fi
            ;;
    esac
}

graph() {
    printf '<orograph xmlns="urn:orograph:1" version="1"><variable name="v" value="2000"/>'
    printf '<node id="n" type="noise" version="1"><in name="feature" %s/></node></orograph>\n' "$1"
}
graph 'value="500"' >a.oro
graph 'value="600"' >b.oro
graph 'expr="v / 2"' >e.oro
echo 'no graph' >wrong.oro
cp a.oro kept.oro

expect 0 "data/orograph/presets/noise/wide.oro" preset save b.oro n wide --title 'Wide'
expect 1 "exists; --replace replaces it" preset save b.oro n wide
expect 0 'wrote' preset save b.oro n wide --title 'Wide' --replace
expect 0 'user' preset list
expect 0 '"source": "user"' preset list noise --json
expect 0 'feature' preset show noise wide
expect 0 'wrote a.oro' preset apply a.oro n wide
expect 0 'wrote' flatten b.oro -o c.oro
cmp -s a.oro c.oro || { echo "'preset apply' does not give what was saved" && failed=1; }
expect 0 "'feature' is saved as 1000" preset save e.oro n half --project
expect 0 'feature  1000' preset show noise half
[ -f presets/noise/half.oro ] || { echo "--project writes elsewhere" && failed=1; }
expect 0 'wrote m.oro' preset apply kept.oro n presets/noise/half.oro -o m.oro
expect 0 'wrote all.oro' preset save b.oro n all --all -o all.oro
expect 0 'amplitude' preset show noise all.oro
expect 3 "there is no preset 'wied' of 'noise'; did you mean 'wide'?" preset apply a.oro n wied
expect 3 "there is no node 'm'" preset apply a.oro m wide
expect 2 "cannot be the name of a preset" preset apply a.oro n ../../wide
expect 2 "cannot be the name of a preset" preset save a.oro n ../../wide
expect 3 "'wrong.oro' is no preset" preset apply a.oro n wrong.oro
expect 3 "none.oro" preset apply a.oro n none.oro
expect 3 "'wrong.oro' is no graph" preset apply wrong.oro n wide
expect 3 "did you mean 'noise'?" preset list nosie
expect 2 "did you mean 'apply'?" preset aply a.oro n wide
expect 2 "'preset apply' takes FILE NODE NAME" preset apply a.oro n
expect 2 "--reset makes no sense with 'preset list'" preset list --reset
exit $failed
