title="An import names no file"
named=file
mistake() {
    graph g.oro <<'END'
  <node id="dem" type="import"/>
END
    run orograph render g.oro --output dem.terrain -o out.pfm
}
remedy() {
    run orograph render g.oro --output dem.terrain -o out.pfm --set dem.file=hills.pfm
}
