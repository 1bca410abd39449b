return {
  id = "inputs",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
@
  },
  outputs = { { name = "terrain", unit = "m" } },
  kernel = [[ void cell(ivec2 p) { set_terrain(p, terrain_at(p)); } ]],
}
