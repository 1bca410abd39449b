title="A lock was changed by hand"
named=lock
mistake() {
    quietly orograph lock hills.oro
    quietly sed -i s/digest/digits/ hills.oro.lock
    run orograph verify hills.oro
}
remedy() {
    run orograph lock hills.oro
    run orograph verify hills.oro
}
