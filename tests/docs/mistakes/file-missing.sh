title="The input is not there"
named=hills.pfm
mistake() {
    run orograph convert hill.pfm out.png
}
remedy() {
    run orograph convert hills.pfm out.png
}
