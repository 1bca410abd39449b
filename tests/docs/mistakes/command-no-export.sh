title="A graph without export nodes is rendered without -o"
named=-o
mistake() {
    run orograph render hills.oro
}
remedy() {
    run orograph render hills.oro -o out.png
}
