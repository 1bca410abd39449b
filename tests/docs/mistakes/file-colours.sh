title="A coloured picture is read as heights"
named=--decode
still='has 8 bits'
mistake() {
    graph g.oro <<'END'
  <node id="base" type="noise"/>
  <node id="shown" type="colorize"><in name="field" from="base.field"/></node>
END
    quietly orograph render g.oro --output shown.image -o shown.png
    run orograph convert shown.png out.pfm --in-low 0 --in-high 1000
}
remedy() {
    run orograph convert shown.png out.pfm --in-low 0 --in-high 1000 --decode luminance
}
