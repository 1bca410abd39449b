title="A terrain that must drain has hollows"
named=--drain
mistake() {
    run orograph convert hills.pfm out.pfm --require-drained
}
remedy() {
    run orograph convert hills.pfm out.pfm --require-drained --drain repair
}
