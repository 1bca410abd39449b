-- Levels of detail, one after the other: each doubles the cells, and erodes what they show.
return {
  id = "alpine_chain",
  category = "resolution",
  doc = "Turns a coarse terrain into high mountains, level by level: every level doubles the number of cells along each "
    .. "side. The first carves the valleys, and those after it add detail that keeps to them.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation, of some 64 to 256 cells a side" },
    { name = "levels", type = "int", default = 3, min = 1, max = 5, doc = "How often the number of cells is doubled" },
    { name = "valleys", type = "float", default = 1, min = 0, max = 10, soft_max = 4,
      doc = "How deeply water carves the valleys: 0 not at all" },
    { name = "detail", type = "float", map = true, default = 1, min = 0, max = 20, soft_max = 3,
      doc = "How strong detail is, relative to what the larger forms let expect" },
    { name = "repose", label = "Angle of repose", type = "float", map = true, default = 42, min = 0, max = 89, unit = "deg",
      group = "Rock", doc = "Slopes above this angle slide" },
    { name = "hardness", type = "float", map = true, default = 0, min = 0, max = 1, group = "Rock",
      doc = "Resistance of the rock: 0 erodes freely, 1 not at all" },
    { name = "drained", type = "bool", default = true, doc = "Opens a way out for all water in the end" },
    { name = "seed", type = "seed" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation with 2, 4, 8, ... times as many cells a side" },
    { name = "drainage", type = "field", unit = "m2", doc = "Area that drains through each cell" },
  },
  graph = function(b, p)
    local terrain, drainage = p.terrain, nil
    for level = 1, p.levels do
      local inputs = { terrain = terrain, drainage = drainage, detail = p.detail, repose = p.repose, hardness = p.hardness,
        seed = math.random(1e6) }
      if level == 1 then
        inputs.ground, inputs.area_limit = "free", 250
        inputs.iterations, inputs.erodibility = math.floor(300 * p.valleys), 0.002
        inputs.thermal_iterations = 120
      end
      local finer = b.amplify(inputs)
      terrain, drainage = finer.terrain, finer.drainage
    end
    if p.drained then
      local open = b.multiscale_breach{ terrain = terrain, radius = 200 }
      terrain, drainage = open.terrain, open.drainage
    end
    return terrain, drainage
  end,
}
