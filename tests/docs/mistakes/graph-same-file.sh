title="Two nodes write the same file"
named=out.png
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="one" type="export"><in name="terrain" from="base.field"/><in name="file" value="out.png"/></node>
  <node id="two" type="export"><in name="terrain" from="base.field"/><in name="file" value="out.png"/></node>
END
    run orograph check g.oro
}
remedy() {
    change g.oro '"out.png"/></node>' '"first.png"/></node>'
    run orograph check g.oro
}
