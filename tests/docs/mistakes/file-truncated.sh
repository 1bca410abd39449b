title="A file is cut off"
named=cut.png
mistake() {
    quietly orograph convert hills.pfm hills.png
    head -c 900 hills.png >cut.png
    run orograph convert cut.png out.pfm
}
remedy() {
    run orograph convert hills.png out.pfm
}
