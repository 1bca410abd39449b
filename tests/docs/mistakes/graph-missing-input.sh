title="A node lacks what it works on"
named=terrain
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise" version="3"/>
  <node id="open" type="breach" version="2"/>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '<node id="open" type="breach" version="2"/>' '<node id="open" type="breach" version="2"><in name="terrain" from="base.field"/></node>'
    run orograph check g.oro
}
