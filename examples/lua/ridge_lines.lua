-- Ridges, drawn and sharpened.
return {
  id = "ridge_lines",
  category = "filter",
  doc = "Finds ridges and valleys at one scale, as curvature shows them, and sharpens the ridges: gives smooth land a "
    .. "backbone, and masks for rock and for scree.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation" },
    { name = "radius", type = "float", default = 150, min = 1, max = 1e6, soft_min = 20, soft_max = 2000, unit = "m",
      doc = "Size of the ridges that count" },
    { name = "sharpness", type = "float", map = true, default = 0.8, min = 0, max = 4, soft_max = 2,
      doc = "How far ridges are raised" },
    { name = "carve", type = "float", default = 0.3, min = 0, max = 4, soft_max = 2, doc = "How far valleys are deepened" },
    { name = "mask", type = "mask" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", like = "terrain" },
    { name = "ridges", type = "field", like = "terrain", doc = "0 to 1" },
    { name = "valleys", type = "field", like = "terrain", doc = "0 to 1" },
  },
  field = function(f, p)
    local smooth = f.terrain:blur(p.radius)
    -- What stands above its surroundings, and what bends down on both sides. (Curvature first: a blur folds the ground
    -- at the border.)
    local above = f.terrain - smooth
    local bend = f.terrain:laplacian():blur(p.radius / 2)
    local most = math.max(-bend:quantile(0.02), bend:quantile(0.98), 1e-12)
    local ridges = (-bend):smoothstep(0.15 * most, 0.9 * most)
    local valleys = bend:smoothstep(0.15 * most, 0.9 * most)

    local raised = above:max(0) * ridges * p.sharpness
    local lowered = above:min(0) * valleys * p.carve
    return f.terrain + raised + lowered, ridges, valleys
  end,
}
