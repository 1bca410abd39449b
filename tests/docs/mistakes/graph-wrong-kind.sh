title="A picture is linked where a terrain belongs"
named=field
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="shade" type="hillshade"><in name="terrain" from="base.field"/></node>
  <node id="open" type="breach"><in name="terrain" from="shade.image"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro 'from="shade.image"' 'from="base.field"'
    run orograph check g.oro
}
