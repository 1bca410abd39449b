title="An engine takes no such format"
named=.raw
mistake() {
    run orograph convert hills.pfm out.tif --for unity
}
remedy() {
    run orograph convert hills.pfm out.raw --for unity
}
