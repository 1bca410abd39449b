return {
  id = "passes",
  inputs = { { name = "terrain", type = "field" }, { name = "iterations", type = "int", default = 2 } },
  outputs = { { name = "terrain" } },
@
}
