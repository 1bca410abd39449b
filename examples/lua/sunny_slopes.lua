-- Where things grow: slopes that get sun, are not too steep, and not too high up.
local rad, min, max = math.rad, math.min, math.max

local function ramp(a, b, v)
  local t = min(max((v - a) / (b - a), 0), 1)
  return t * t * (3 - 2 * t)
end

-- 1 from low to high, 0 at `fade` below and above.
local function band(v, low, high, fade)
  return ramp(low - fade, low, v) * (1 - ramp(high, high + fade, v))
end

return {
  id = "sunny_slopes",
  category = "mask",
  doc = "Selects slopes by the side they face, by how steep and how high they are: meadows on the sunny side, snow that "
    .. "stays in the shade.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation to measure" },
    { name = "sun", type = "float", default = 180, min = -360, max = 360, soft_min = 0, unit = "deg", group = "Side",
      doc = "Compass direction in which the sun stands at noon: 180 is south" },
    { name = "altitude", type = "float", default = 50, min = 1, max = 90, unit = "deg", group = "Side",
      doc = "How high it stands" },
    { name = "shade", type = "bool", default = false, group = "Side", doc = "Selects the side that gets little sun instead" },
    { name = "steepest", type = "float", default = 34, min = 0, max = 90, unit = "deg", group = "Ground",
      doc = "What is steeper is left out" },
    { name = "lowest", type = "float", default = -100, min = -1e5, max = 1e5, soft_min = -500, soft_max = 4000, unit = "m",
      group = "Ground", doc = "Ground below is left out" },
    { name = "highest", type = "float", map = true, default = 1e5, min = -1e5, max = 1e5, soft_min = 0, soft_max = 5000,
      unit = "m", group = "Ground", doc = "Ground above is left out; a map for a border that is not level" },
    { name = "fade", type = "float", default = 100, min = 0.1, max = 1e4, soft_max = 500, unit = "m", group = "Ground",
      doc = "How softly it ends at these heights" },
  },
  outputs = {
    { name = "field", type = "field", like = "terrain", doc = "0 to 1" },
    { name = "sunlight", type = "field", like = "terrain", doc = "Light on the ground: 1 where it faces the sun" },
  },
  cell = function(x, y, f, p)
    local h, cell = f.terrain, 2 * f.cell
    local east = (h(x + 1, y) - h(x - 1, y)) / cell
    local south = (h(x, y + 1) - h(x, y - 1)) / cell
    -- The ground's normal is (-east, -south, 1), over its length.
    local length = math.sqrt(east * east + south * south + 1)
    local up, along = math.sin(rad(p.altitude)), math.cos(rad(p.altitude))
    local towards_east, towards_south = math.sin(rad(p.sun)) * along, -math.cos(rad(p.sun)) * along
    local light = max((up - east * towards_east - south * towards_south) / length, 0)

    local side = ramp(up - 0.1, up + 0.15, light)
    if p.shade then
      side = 1 - ramp(up - 0.25, up - 0.05, light)
    end
    local steep = math.deg(math.acos(1 / length))
    local gentle = 1 - ramp(p.steepest - 6, p.steepest, steep)
    return side * gentle * band(h(x, y), p.lowest, p.highest, p.fade), light
  end,
}
