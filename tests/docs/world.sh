#!/bin/sh
# The files that the pages name, made from what lies in world/ and from examples.
orograph render alps.oro -o alps.png --report alps.report.json
orograph convert alps.png fine.pfm --low 0 --high 4200 --cell 400
for copy in alps.pfm truth.pfm rebuilt.pfm alps.tif out/amplify-terrain.png cliffs.png meadows.png YOURS.png; do
    orograph convert fine.pfm $copy --low 0 --high 4200
done
orograph convert fine.pfm alps.r16 --size 1024
head -c 2884802 /dev/zero >N46E008.hgt
line='{"type": "LineString", "coordinates": [[0, 0, 100], [4000, 3000, 200], [9000, 5000, 100]]}'
echo "$line" | tee ridges.geojson >drawn.geojson
for copy in alps-old range; do
    cp alps.oro $copy.oro
done
cp examples/lua/strata.* .
cp examples/lua/inline.oro valley.oro
mkdir tools
echo 'print(orograph.args[1])' >tools/report.lua
echo 'orograph.open(orograph.args[1]):render("terrain"):write("variants/1.png")' >sweep.lua
