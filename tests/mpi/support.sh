# shellcheck shell=sh disable=SC2034 # what is assigned here is for them
# For the scripts of this folder, which are called with: ORO MPI MPIRUN ROOT, the programs and the tree. They run in a folder of
# their own, with a cache of their own.
set -u
oro=$1
mpi=$2
mpirun=$3
root=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
OROGRAPH_CACHE=$folder/cache
export OROGRAPH_CACHE
failed=0

complain() {
    printf '%s\n' "$*"
    [ ! -f err ] || cat err
    failed=1
}

# ranks N ARGUMENT...: orograph-mpi on N ranks; what it says is in `out` and `err`.
ranks() {
    n=$1
    shift
    timeout 120 "$mpirun" --oversubscribe -n "$n" "$mpi" "$@" >out 2>err
}

# An erosion that takes as long as one likes.
long_document() {
    cat <<'END'
<orograph xmlns="urn:orograph:1" version="1">
<world extent="12800" resolution="256"/>
<interface><out name="terrain" from="f.terrain"/></interface>
<node id="n" type="noise"/>
<node id="f" type="hydraulic_erosion" version="2"><in name="terrain" from="n.field"/><in name="iterations" value="1000000"/></node>
</orograph>
END
}
