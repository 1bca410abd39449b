title="A command is misspelt"
named=render
mistake() {
    run orograph rendr hills.oro -o out.png
}
remedy() {
    run orograph render hills.oro -o out.png
}
