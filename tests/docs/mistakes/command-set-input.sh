title="--set names no input of the node"
named=amplitude
mistake() {
    run orograph render hills.oro --set hills.amplitud=900 -o out.png
}
remedy() {
    run orograph render hills.oro --set hills.amplitude=900 -o out.png
}
