title="The world's extent has a unit"
named=20000
mistake() {
    put g.oro <<'END'
<orograph xmlns="urn:orograph:1" version="1">
  <world extent="20 km" resolution="64"/>
  <node id="base" type="noise"/>
</orograph>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '20 km' 20000
    run orograph check g.oro
}
