-- What the node terrace does with level beds of one height, cell by cell.
local function sharpened(t, sharpness, riser)
  if sharpness <= 0 then
    return t
  elseif sharpness >= 1 then
    return (t < riser or t == 0) and 0 or 1
  end
  local power = 1 / (1 - sharpness)
  if t < riser then
    return riser * (t / riser) ^ power
  end
  return 1 - (1 - riser) * ((1 - t) / math.max(1 - riser, 1e-6)) ^ power
end

return {
  id = "steps_cell",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "spacing", type = "float", map = true, default = 150, min = 0.01, max = 1e6, unit = "m" },
    { name = "sharpness", type = "float", map = true, default = 0.7, min = 0, max = 1 },
    { name = "riser", type = "float", map = true, default = 0.5, min = 0, max = 1 },
    { name = "mask", type = "mask" },
  },
  outputs = { { name = "terrain", unit = "m", like = "terrain" }, { name = "step", like = "terrain" } },
  cell = function(x, y, f, p)
    local h = f.terrain(x, y)
    local u = h / p.spacing
    local t = u - math.floor(u)
    return h + p.spacing * (sharpened(t, p.sharpness, p.riser) - t), t
  end,
}
