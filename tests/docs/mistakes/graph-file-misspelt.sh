title="An import's file is misspelt"
named=hills.pfm
mistake() {
    graph g.oro <<'END'
  <node id="dem" type="import"><in name="file" value="hill.pfm"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro hill.pfm hills.pfm
    run orograph check g.oro
}
