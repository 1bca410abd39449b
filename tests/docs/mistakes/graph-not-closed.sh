title="An element is not closed"
named=node
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise">
END
    run orograph check g.oro
}
remedy() {
    change g.oro '"noise">' '"noise"/>'
    run orograph check g.oro
}
