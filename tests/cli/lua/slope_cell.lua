-- The node slope, cell by cell. Beyond an edge the ground goes on along its last slope.
local function beyond(terrain, x, y)
  local column = math.max(0, math.min(x, terrain.width - 1))
  local row = math.max(0, math.min(y, terrain.height - 1))
  local edge = terrain(column, row)
  local h = edge
  if column ~= x then
    h = h + edge - terrain(column - (x - column), row)
  end
  if row ~= y then
    h = h + edge - terrain(column, row - (y - row))
  end
  return h
end

return {
  id = "slope_cell",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "method", type = "choice", choices = { "angle", "tangent" } },
  },
  outputs = { { name = "field", like = "terrain" } },
  cell = function(x, y, f, p)
    local function h(dx, dy)
      return beyond(f.terrain, x + dx, y + dy)
    end
    local east = h(1, -1) + 2 * h(1, 0) + h(1, 1) - h(-1, -1) - 2 * h(-1, 0) - h(-1, 1)
    local south = h(-1, 1) + 2 * h(0, 1) + h(1, 1) - h(-1, -1) - 2 * h(0, -1) - h(1, -1)
    local tangent = math.sqrt(east ^ 2 + south ^ 2) / (8 * f.terrain.cell)
    return p.method == "tangent" and tangent or math.deg(math.atan(tangent))
  end,
}
