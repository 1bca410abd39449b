title="The output's folder is not there"
named=out
mistake() {
    run orograph render hills.oro -o out/hills.png
}
remedy() {
    run mkdir out
    run orograph render hills.oro -o out/hills.png
}
