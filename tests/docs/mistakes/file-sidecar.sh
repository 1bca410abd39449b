title="A file was changed without its sidecar"
named=sidecar
mistake() {
    quietly orograph render hills.oro --set hills.amplitude=900 --output hills.field -o other.pfm
    quietly cp other.pfm hills.pfm
    run orograph convert hills.pfm out.png
}
remedy() {
    run rm hills.pfm.json
    run orograph convert hills.pfm out.png
}
