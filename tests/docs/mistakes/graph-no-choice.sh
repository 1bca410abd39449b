title="A choice has no such word"
named=ridged
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"><in name="fractal" value="riged"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro riged ridged
    run orograph check g.oro
}
