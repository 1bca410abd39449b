title="A value lies beyond what its input takes"
named=16
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"><in name="octaves" value="99"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '"99"' '"16"'
    run orograph check g.oro
}
