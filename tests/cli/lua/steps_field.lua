-- What the node terrace does with level beds of one height, by fields. Not for a sharpness of 1.
return {
  id = "steps_field",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "spacing", type = "float", map = true, default = 150, min = 0.01, max = 1e6, unit = "m" },
    { name = "sharpness", type = "float", map = true, default = 0.7, min = 0, max = 1 },
    { name = "riser", type = "float", map = true, default = 0.5, min = 0, max = 1 },
    { name = "mask", type = "mask" },
  },
  outputs = { { name = "terrain", unit = "m", like = "terrain" }, { name = "step", like = "terrain" } },
  field = function(f, p)
    local spacing, riser = field.new(1) * p.spacing, field.new(1) * p.riser
    local t = (f.terrain / spacing):fract()
    local power = 1 / (1 - field.new(1) * p.sharpness)
    local below = riser * (t / riser:max(1e-6)):min(1):pow(power)
    local above = 1 - (1 - riser) * ((1 - t) / (1 - riser):max(1e-6)):min(1):pow(power)
    local bent = t:lt(riser):select(below, above)
    return f.terrain + spacing * (bent - t), t
  end,
}
