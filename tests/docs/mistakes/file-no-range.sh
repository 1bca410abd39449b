title="Levels without metres"
named=--in-high
mistake() {
    quietly orograph convert hills.pfm levels.png
    quietly rm levels.png.json
    run orograph convert levels.png out.pfm
}
remedy() {
    run orograph convert levels.png out.pfm --in-low 0 --in-high 1200
}
