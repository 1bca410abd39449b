title="A node lacks what it works on"
named=terrain
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="open" type="breach"/>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '<node id="open" type="breach"/>' '<node id="open" type="breach"><in name="terrain" from="base.field"/></node>'
    run orograph check g.oro
}
