title="An expression names a variable that is not there"
named=relief
mistake() {
    graph g.oro <<'END'
  <variable name="relief" value="900"/>
  <node id="base" type="noise"><in name="amplitude" expr="relif / 2"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro 'relif / 2' 'relief / 2'
    run orograph check g.oro
}
