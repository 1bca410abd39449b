title="The output's format is not known"
named=.png
mistake() {
    run orograph render hills.oro -o out.jpg
}
remedy() {
    run orograph render hills.oro -o out.png
}
