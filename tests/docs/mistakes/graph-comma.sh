title="A number has a comma"
named=0.5
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"><in name="gain" value="0,5"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '"0,5"' '"0.5"'
    run orograph check g.oro
}
