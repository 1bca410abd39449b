-- Fields on a hillside, each held by a wall.
return {
  id = "terraces",
  category = "filter",
  doc = "Cuts a hillside into terraces as farmers do: level fields that follow the contours, with walls between them, "
    .. "only where the ground is neither too flat nor too steep.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation" },
    { name = "height", type = "float", default = 12, min = 0.1, max = 1000, soft_min = 1, soft_max = 60, unit = "m",
      doc = "From one field to the next" },
    { name = "wall", type = "float", default = 0.15, min = 0.01, max = 1, doc = "Part of the way up that a wall takes" },
    { name = "smoothness", type = "float", default = 80, min = 0, max = 1e5, soft_max = 500, unit = "m",
      doc = "Fields follow the ground as it is when what is smaller is smoothed away" },
    { name = "flattest", type = "float", default = 4, min = 0, max = 90, unit = "deg", group = "Where",
      doc = "Flatter ground has no terraces" },
    { name = "steepest", type = "float", default = 35, min = 0, max = 90, unit = "deg", group = "Where",
      doc = "Steeper ground has none either" },
    { name = "where", type = "float", map = true, default = 1, min = 0, max = 1, group = "Where",
      doc = "Where they may be: a number, or a mask" },
    { name = "mask", type = "mask" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", like = "terrain" },
    { name = "fields", type = "field", like = "terrain", doc = "1 on the level ground" },
    { name = "walls", type = "field", like = "terrain", doc = "1 on the walls" },
  },
  field = function(f, p)
    local base = f.terrain:blur(p.smoothness)
    local steps = base / p.height
    local within = steps:fract()
    -- Level up to the wall, then up to the next field.
    local rise = within:smoothstep(1 - p.wall, 1)
    local stepped = (steps:floor() + rise) * p.height

    local slope = base:blur(2 * p.smoothness):slope()
    local chosen = slope:smoothstep(p.flattest - 2, p.flattest + 2)
      * (1 - slope:smoothstep(p.steepest - 4, p.steepest + 4)) * p.where
    local terrain = field.mix(f.terrain, stepped, chosen)
    local fields = chosen:gt(0.5) * within:lt(1 - p.wall)
    local walls = chosen:gt(0.5) * within:ge(1 - p.wall)
    return terrain, fields, walls
  end,
}
