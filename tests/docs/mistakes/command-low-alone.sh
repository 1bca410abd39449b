title="--low without --high"
named=--high
mistake() {
    run orograph convert hills.pfm out.png --low 0
}
remedy() {
    run orograph convert hills.pfm out.png --low -1000 --high 1000
}
