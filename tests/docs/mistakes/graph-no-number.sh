title="A number has a unit"
named=900
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"><in name="amplitude" value="900 m"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '"900 m"' '"900"'
    run orograph check g.oro
}
