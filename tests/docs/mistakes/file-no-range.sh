title="Levels without metres"
named=--high
mistake() {
    quietly orograph convert hills.pfm levels.png
    quietly rm levels.png.json
    run orograph convert levels.png out.pfm
}
remedy() {
    run orograph convert levels.png out.pfm --low 0 --high 1200
}
