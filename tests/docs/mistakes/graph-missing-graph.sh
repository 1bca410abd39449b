title="A graph that is used is not there"
named=OROGRAPH_PATH
mistake() {
    quietly mkdir shared
    quietly cp hills.oro shared/land.oro
    graph g.oro <<'END'
  <node id="land" type="graph" href="land.oro"/>
END
    run orograph check g.oro
}
remedy() {
    run env OROGRAPH_PATH=shared orograph check g.oro
}
