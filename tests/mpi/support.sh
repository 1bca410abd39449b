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
<node id="f" type="hydraulic_erosion" version="1"><in name="terrain" from="n.field"/><in name="iterations" value="1000000"/></node>
</orograph>
END
}

# Makes ./direct, which mpirun starts instead of orograph-mpi, and which tells the process of each rank in rank.N.
direct() {
    cat >direct <<END
#!/bin/sh
echo \$\$ >rank.\$OMPI_COMM_WORLD_RANK
exec "$mpi" "\$@"
END
    chmod +x direct
}

# wait_until SECONDS COMMAND...: until the command succeeds.
wait_until() {
    tenths=$(($1 * 10))
    shift
    while ! "$@"; do
        tenths=$((tenths - 1))
        [ $tenths -gt 0 ] || return 1
        sleep 0.1
    done
}
gone() {
    ! kill -0 "$1" 2>/dev/null
}
# The iterations of all stored states, and of the greatest.
states() {
    find cache -name '*.*' ! -name '*.*[!0-9]*' 2>/dev/null | sed -n 's/.*\.\([0-9]*\)$/\1/p' | sort -n
}
state() {
    states | tail -1
}
stored() {
    [ "$(state)" ]
}
