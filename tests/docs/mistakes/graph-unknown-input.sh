title="An input's name is misspelt"
named=amplitude
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"><in name="amplitud" value="900"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '"amplitud"' '"amplitude"'
    run orograph check g.oro
}
