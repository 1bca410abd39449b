title="Two nodes have the same id"
named=base
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="base" type="ramp"/>
END
    run orograph check g.oro
}
remedy() {
    change g.oro 'id="base" type="ramp"' 'id="slope" type="ramp"'
    run orograph check g.oro
}
