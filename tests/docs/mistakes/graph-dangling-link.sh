title="A link comes from a node that is not there"
named=base
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="open" type="breach"><in name="terrain" from="bass.field"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro bass.field base.field
    run orograph check g.oro
}
