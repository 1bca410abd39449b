title="An output is asked for that the graph does not have"
named=terrain
mistake() {
    run orograph render hills.oro --output terrian -o out.png
}
remedy() {
    run orograph render hills.oro --output terrain -o out.png
}
