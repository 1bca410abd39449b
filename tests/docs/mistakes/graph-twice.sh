title="Two nodes have the same id"
named=base
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise" version="3"/>
  <node id="base" type="ramp" version="1"/>
END
    run orograph check g.oro
}
remedy() {
    change g.oro 'id="base" type="ramp"' 'id="slope" type="ramp"'
    run orograph check g.oro
}
