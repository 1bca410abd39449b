title="An option is misspelt"
named=--output
mistake() {
    run orograph render hills.oro --ouput terrain -o out.png
}
remedy() {
    run orograph render hills.oro --output terrain -o out.png
}
