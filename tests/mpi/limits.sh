#!/bin/sh
# limits.sh ORO MPI MPIRUN ROOT: what does not fit rasters in tiles. What can be done nevertheless has the bits of `orograph`; what cannot
# is said, with the node or the rank that it is about, and leaves no output.
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"
if ! "$oro" devices | grep -q '^0 '; then
    exit 77 # the processor has no rasters in tiles
fi
cat >wide.oro <<'END'
<orograph xmlns="urn:orograph:1" version="1">
<world extent="5000" resolution="256" seed="3"/>
<interface><out name="blurred" from="b.field"/><out name="rain" from="f.rain"/><out name="slid" from="t.terrain"/></interface>
<node id="n" type="noise"/>
<node id="b" type="blur"><in name="field" from="n.field"/><in name="radius" value="900"/></node>
<node id="f" type="moisture"><in name="terrain" from="n.field"/></node>
<node id="t" type="thermal_erosion" version="1"><in name="terrain" from="n.field"/><in name="iterations" value="400"/></node>
</orograph>
END
tiles="--device 0 --whole 64 --tile"

# whole OUTPUT: b.r32, by one process without tiles.
whole() {
    "$oro" render wide.oro --device 0 --output "$1" -o b.r32 --no-cache >out 2>err || complain "orograph failed"
}

# shellcheck disable=SC2086 # lists
{
    # A blur looks farther than a tile reaches.
    ranks 2 wide.oro $tiles 32 --output blurred -o a.r32 --no-cache || complain "a tile that is smaller than its halo: failed"
    whole blurred
    cmp -s a.r32 b.r32 || complain "a tile that is smaller than its halo: another result"
    rm -f a.r32*

    ranks 2 wide.oro $tiles 32 --output rain -o a.r32 --no-cache
    [ $? -eq 1 ] || complain "a node that cannot be spread: another code than 1"
    grep -q "wide.oro:6: node 'f': a node of type 'moisture' needs .*before the resolution rises, or .*--whole" err ||
        complain "a node that cannot be spread: another message"
    [ ! -e a.r32 ] || complain "a node that cannot be spread: there is an output"

    # Disks that are full, for rank 1: files of at most 4 KiB, which is less than a tile. That of the cache, which all of them have, is
    # said once, and the work goes on.
    cat >full <<END
#!/bin/sh
[ "\$OMPI_COMM_WORLD_RANK" != 1 ] || ulimit -f 8
exec "$mpi" "\$@"
END
    chmod +x full
    timeout 60 "$mpirun" --oversubscribe -n 2 ./full wide.oro $tiles 64 --output slid -o a.exr --checkpoint 0.001 >out 2>err ||
        complain "a full cache: the work failed"
    [ "$(grep -c 'results are no longer kept on disk' err)" -eq 1 ] || complain "a full cache: it is not said once"
    [ ! "$(find cache -name '*.t[0-9]*')" ] || complain "a full cache: tiles are left"
    whole slid
    "$oro" convert a.exr a.r32 >out 2>err
    cmp -s a.r32 b.r32 || complain "a full cache: another result"
}
exit "$failed"
