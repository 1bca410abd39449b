title="A merge left its marks"
named=git
mistake() {
    graph g.oro <<'END'
<<<<<<< HEAD
  <node id="base" type="noise"><in name="amplitude" value="900"/></node>
=======
  <node id="base" type="noise"><in name="amplitude" value="700"/></node>
>>>>>>> other
END
    run orograph check g.oro
}
remedy() {
    graph g.oro <<'END'
  <node id="base" type="noise"><in name="amplitude" value="900"/></node>
END
    run orograph check g.oro
}
