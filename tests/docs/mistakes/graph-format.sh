title="An export's format is not known"
named=.png
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="one" type="export"><in name="terrain" from="base.field"/><in name="file" value="out.jpg"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro out.jpg out.png
    run orograph check g.oro
}
