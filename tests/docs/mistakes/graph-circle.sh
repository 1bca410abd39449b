title="Links go in a circle"
named=cycle
mistake() {
    graph g.oro <<'END'
  <node id="a" type="blur"><in name="field" from="b.field"/></node>
  <node id="b" type="blur"><in name="field" from="a.field"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '<node id="a" type="blur"><in name="field" from="b.field"/></node>' '<node id="a" type="noise"/>'
    run orograph check g.oro
}
