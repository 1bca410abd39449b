-- A plateau with canyons, made of noise alone: nothing is simulated, so that it shows at once.
return {
  id = "canyon_noise",
  category = "generator",
  doc = "A plateau with winding canyons, large ones and smaller ones that join them. The canyons run where a noise passes "
    .. "through zero; their walls have beds of rock.",
  inputs = {
    { name = "height", type = "float", default = 900, min = 1, max = 1e5, soft_min = 100, soft_max = 3000, unit = "m",
      doc = "Of the plateau above the floor of the largest canyons" },
    { name = "size", type = "float", default = 7000, min = 1, max = 1e6, soft_min = 500, soft_max = 50000, unit = "m",
      doc = "From one large canyon to the next" },
    { name = "levels", type = "int", default = 3, min = 1, max = 6, doc = "Smaller and smaller canyons" },
    { name = "width", type = "float", default = 0.22, min = 0.01, max = 1, doc = "Of canyons, as a share of the size" },
    { name = "beds", type = "int", default = 9, min = 1, max = 100, doc = "Number of beds in the walls" },
    { name = "walls", type = "profile", default = "0 0, 0.2 0.03, 0.4 0.35, 0.62 0.62, 0.85 0.94, 1 1",
      doc = "From the floor of a canyon (0) to the plateau (1)" },
    { name = "seed", type = "seed" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "layer", type = "field", doc = "A number for each bed of rock, 0 to 1" },
  },
  graph = function(b, p)
    -- The heights of the plateau's swells, and then canyon by canyon whatever is lower.
    local land = b.noise{ feature = p.size / 2, amplitude = 0.12 * p.height, offset = 0.9 * p.height, octaves = 6,
                          seed = math.random(1e6) }
    for level = 1, p.levels do
      local smaller = 2.1 ^ (level - 1)
      local depth = p.height / 1.6 ^ (level - 1)
      local course = b.noise{ feature = p.size / smaller, amplitude = 1, octaves = 4, gain = 0.4,
                              warp = 0.25 * p.size / smaller, warp_feature = 0.6 * p.size / smaller,
                              seed = math.random(1e6) }
      -- Distance from where the noise is 0, on both sides.
      local away = b.remap{ field = course, automatic = false, low = -p.width, high = p.width,
                            to_low = 0, to_high = 1, curve = "0 1, 0.5 0, 1 1" }
      local walls = b.remap{ field = away, automatic = false, low = 0, high = 1,
                             to_low = p.height - depth, to_high = 1.1 * p.height, curve = p.walls }
      land = b.combine{ a = land, b = walls, method = "smooth_min", smoothness = 0.08 * p.height }
    end
    local beds = b.terrace{ terrain = land, spacing = p.height / p.beds, sharpness = 0.75, uniformity = 0.4,
                            roughness = 0.02 * p.height, feature = p.size / 3, seed = math.random(1e6) }
    local rubble = b.thermal_erosion{ terrain = beds, iterations = 20, repose = 55 }
    return rubble, beds.layer
  end,
}
