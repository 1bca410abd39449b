title="--set names no node"
named=hills
mistake() {
    run orograph render hills.oro --set hill.amplitude=900 -o out.png
}
remedy() {
    run orograph render hills.oro --set hills.amplitude=900 -o out.png
}
