title="A document names a file outside its folder"
named=--allow-path
mistake() {
    quietly mkdir project
    graph project/g.oro <<'END'
  <node id="dem" type="import"><in name="file" value="../hills.pfm"/></node>
END
    run orograph render project/g.oro --output dem.terrain -o out.pfm
}
remedy() {
    run orograph render project/g.oro --output dem.terrain -o out.pfm --allow-path
}
