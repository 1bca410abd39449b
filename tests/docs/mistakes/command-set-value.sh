title="--set gives a value that is no number"
named=number
mistake() {
    run orograph render hills.oro --set hills.amplitude=high -o out.png
}
remedy() {
    run orograph render hills.oro --set hills.amplitude=900 -o out.png
}
