title="A raw file does not tell its size"
named=64x32
mistake() {
    quietly orograph convert hills.pfm wide.r32 --size 64x32
    quietly rm wide.r32.json
    run orograph convert wide.r32 out.pfm
}
remedy() {
    run orograph convert wide.r32 out.pfm --in-size 64x32
}
