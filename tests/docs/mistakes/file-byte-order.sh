title="A raw file has the other byte order"
named=--in-big-endian
mistake() {
    quietly orograph convert hills.pfm in.r16 --big-endian
    quietly rm in.r16.json
    run orograph convert in.r16 out.pfm --in-low 0 --in-high 1000
}
remedy() {
    run orograph convert in.r16 out.pfm --in-low 0 --in-high 1000 --in-big-endian
}
