title="An element is not closed"
named=node
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise" version="3">
END
    run orograph check g.oro
}
remedy() {
    change g.oro 'version="3">' 'version="3"/>'
    run orograph check g.oro
}
