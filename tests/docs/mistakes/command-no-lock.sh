title="There is no lock to verify"
named=lock
mistake() {
    run orograph verify hills.oro
}
remedy() {
    run orograph lock hills.oro
    run orograph verify hills.oro
}
