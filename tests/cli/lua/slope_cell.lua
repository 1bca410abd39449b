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
    local h = f.terrain
    if x == 0 or y == 0 or x == f.width - 1 or y == f.height - 1 then
      h = function(column, row)
        return beyond(f.terrain, column, row)
      end
    end
    local west, east, north, south = x - 1, x + 1, y - 1, y + 1
    local nw, ne, sw, se = h(west, north), h(east, north), h(west, south), h(east, south)
    local across = ne + 2 * h(east, y) + se - nw - 2 * h(west, y) - sw
    local along = sw + 2 * h(x, south) + se - nw - 2 * h(x, north) - ne
    local tangent = math.sqrt(across ^ 2 + along ^ 2) / (8 * f.cell)
    return p.method == "tangent" and tangent or math.deg(math.atan(tangent))
  end,
}
