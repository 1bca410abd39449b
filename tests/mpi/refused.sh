#!/bin/sh
# refused.sh ORO MPI MPIRUN ROOT: ranks that would not compute the same are refused, on all of them, with a message that names two.
# shellcheck source=tests/mpi/support.sh
. "$(dirname "$0")/support.sh"
host=$(hostname)

# two CODE TEXT FIRST SECOND: two ranks, each with its own start ("FOLDER ENVIRONMENT... -- ARGUMENT..."), end with that code, and one
# line that begins with "orograph: " and contains the text.
two() {
    code=$1
    text=$2
    # shellcheck disable=SC2086 # lists
    timeout 60 "$mpirun" --oversubscribe -n 1 ${3%% -- *} "$mpi" ${3##* -- } : -n 1 ${4%% -- *} "$mpi" ${4##* -- } >out 2>err
    found=$?
    if [ $found -ne "$code" ] || ! grep -F -e "$text" err | grep -q '^orograph: ' || [ "$(grep -c '^orograph: ' err)" -ne 1 ]; then
        complain "'$3' with '$4' ended with $found, wanted $code and '$text'"
    fi
    [ ! -e one/x.r32 ] || complain "a file was written nevertheless"
    rm -f one/x.r32
}

cat >reads.oro <<'END'
<orograph xmlns="urn:orograph:1" version="1">
<world extent="1000" resolution="64"/>
<interface><out name="terrain" from="i.terrain"/></interface>
<node id="i" type="import"><in name="file" value="x.asc"/></node>
</orograph>
END
ascii() {
    printf 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3\n4 5 %s\n' "$1"
}
for place in one two; do
    mkdir $place
    cp reads.oro $place
    ascii 6 >$place/x.asc
done
render="-- reads.oro -o x.r32"

two 2 "the same options: rank 0 on $host has 'reads.oro -o x.r32 " "-wdir one $render" "-wdir two $render --seed 3"
two 2 "unknown option '--nope'" "-wdir one $render --nope" "-wdir two $render --nope"
two 2 "needs FILE; see 'orograph-mpi --help'" "-wdir one -- --seed 3" "-wdir two -- --seed 3"
ascii 7 >two/x.asc
two 3 "key for 'i' (do they find the same files" "-wdir one $render" "-wdir two $render"
rm two/x.asc
two 3 "node 'i': rank 1 of 2 on $host: cannot read 'x.asc'" "-wdir one $render" "-wdir two $render"
rm one/x.asc
two 3 "node 'i': cannot read 'x.asc'" "-wdir one $render" "-wdir two $render"
ascii 6 >one/x.asc
ascii 6 >two/x.asc
echo >>two/reads.oro
two 3 "the same contents of the document: rank 0" "-wdir one $render" "-wdir two $render"
rm two/reads.oro
two 3 "rank 1 of 2 on $host: cannot read 'reads.oro'" "-wdir one $render" "-wdir two $render"
cp one/reads.oro two/reads.oro

# Drivers and devices. A driver of other vectors calls itself by another name.
if "$oro" devices | grep -q '^0 .*llvmpipe'; then
    two 5 "the same device and driver: rank 0 on $host has 'llvmpipe" "-wdir one $render --device 0" \
        "-wdir two -x LP_NATIVE_VECTOR_WIDTH=128 $render --device 0"
    two 5 "rank 1 of 2 on $host: no usable device: " "-wdir one $render --device 0" \
        "-wdir two -x __EGL_VENDOR_LIBRARY_DIRS=/nowhere $render --device 0"
fi
two 5 "no usable device: there is no device 200" "-wdir one $render --device 200" "-wdir two $render --device 200"

# Where rank 0 cannot write, nobody begins.
two 1 "cannot write 'none/x.r32'" "-wdir one -- reads.oro -o x.r32 --report none/x.r32" "-wdir two -- reads.oro -o x.r32 --report none/x.r32"

# A disk that is full, for rank 0: files of at most 4 KiB.
cat >full <<END
#!/bin/sh
ulimit -f 4
exec "$mpi" "\$@"
END
chmod +x full
timeout 60 "$mpirun" --oversubscribe -n 1 -wdir one ../full reads.oro -o big.r32 --no-cache : \
    -n 1 -wdir two "$mpi" reads.oro -o big.r32 --no-cache >out 2>err
[ $? -eq 1 ] || complain "a full disk: another code than 1"
grep -q "^orograph: rank 0 of 2 on $host: cannot write 'big.r32'" err || complain "a full disk: another message"
[ ! -e one/big.r32 ] || complain "a full disk: part of a file"
exit "$failed"
