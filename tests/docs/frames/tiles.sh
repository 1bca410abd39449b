sed -i 's/resolution="64"/resolution="1009"/' alps.oro
orograph convert fine.pfm alps.tif --size 1025
@
