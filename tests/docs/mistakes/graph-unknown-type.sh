title="A node's type is misspelt"
named=noise
mistake() {
    graph g.oro <<'END'
  <node id="base" type="niose"/>
END
    run orograph check g.oro
}
remedy() {
    change g.oro niose noise
    run orograph check g.oro
}
