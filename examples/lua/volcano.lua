-- A volcano where you want it.
local shapes = require "lib.shapes"

return {
  id = "volcano",
  category = "generator",
  doc = "A volcano with a crater, ravines that run down its flanks, and flows of lava. It stands on a terrain, or on level "
    .. "ground.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", optional = true, doc = "Ground that it rises from" },
    { name = "place", type = "point", default = "5000 5000", unit = "m", doc = "Its middle, in metres east and south" },
    { name = "height", type = "float", default = 1400, min = 1, max = 1e5, soft_min = 100, soft_max = 5000, unit = "m",
      doc = "Of the rim above the ground" },
    { name = "radius", type = "float", default = 4200, min = 1, max = 1e6, soft_min = 500, soft_max = 20000, unit = "m",
      handle = "radius", handle_at = "place", doc = "From the middle to the foot" },
    { name = "crater", type = "float", default = 0.11, min = 0, max = 0.9, doc = "Radius of the crater, as a share" },
    { name = "depth", type = "float", default = 0.25, min = 0, max = 1, doc = "Of the crater, as a share of the height" },
    { name = "flank", type = "float", default = 2.2, min = 1, max = 5,
      doc = "1 for a straight cone, more for one that gets steeper towards the top" },
    { name = "ravines", type = "float", default = 0.5, min = 0, max = 2, soft_max = 1, doc = "Depth of the ravines" },
    { name = "seed", type = "seed" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "lava", type = "field", doc = "Flows from the crater, 0 to 1" },
  },
  field = function(f, p)
    local away, around = shapes.distance(p.place), shapes.direction(p.place)
    local wobble = field.noise{ feature = 0.7 * p.radius, octaves = 5, seed = p.seed }
    local reach = away * (1 + 0.2 * wobble)
    local cone = shapes.cone(reach, p.radius, p.flank)

    -- Ravines: waves around the middle that noise bends, deepest half way down.
    local bends = field.noise{ feature = 0.25 * p.radius, octaves = 6, seed = p.seed + 1 }
    local waves = field.sin(around * 17 + 5 * bends):abs() * 0.6 + field.sin(around * 41 + 9 * bends):abs() * 0.4
    local slope = cone * (1 - cone) * 4
    local land = p.height * (cone - 0.12 * p.ravines * slope * (1 - waves))

    local rim = p.height * (1 - p.crater) ^ p.flank
    land = shapes.bowl(land, reach, p.crater * p.radius, rim - p.depth * p.height, rim)

    -- Flows find their way between the ravines, and get wider as they go.
    local flow = field.noise{ feature = 0.35 * p.radius, octaves = 6, seed = p.seed + 2 }
    local across = (around * 2.5 + 2.5 * flow):sin():abs()
    local length = 0.75 + 0.6 * field.noise{ feature = p.radius, octaves = 2, seed = p.seed + 3 }
    local lava = across:smoothstep(0.34, 0.22) * (reach / p.radius):smoothstep(length + 0.05, length - 0.05)
      * reach:gt(p.crater * p.radius)
    local ground = f.terrain or 0
    return ground + land + 0.008 * p.height * lava, lava
  end,
}
