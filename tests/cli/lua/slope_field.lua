-- The node slope, by fields.
return {
  id = "slope_field",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "method", type = "choice", choices = { "angle", "tangent" } },
  },
  outputs = { { name = "field", like = "terrain" } },
  field = function(f, p)
    if p.method == "angle" then
      return f.terrain:slope()
    end
    local east, south = f.terrain:gradient()
    return (east * east + south * south):sqrt()
  end,
}
