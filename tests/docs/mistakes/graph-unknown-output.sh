title="A link comes from an output that its node does not have"
named=field
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="open" type="breach"><in name="terrain" from="base.fields"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro base.fields base.field
    run orograph check g.oro
}
