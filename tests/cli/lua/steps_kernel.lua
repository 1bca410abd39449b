-- What the node terrace does with level beds of one height, as a kernel.
return {
  id = "steps_kernel",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "spacing", type = "float", map = true, default = 150, min = 0.01, max = 1e6, unit = "m" },
    { name = "sharpness", type = "float", map = true, default = 0.7, min = 0, max = 1 },
    { name = "riser", type = "float", map = true, default = 0.5, min = 0, max = 1 },
    { name = "mask", type = "mask" },
  },
  outputs = { { name = "terrain", unit = "m", like = "terrain" }, { name = "step", like = "terrain" } },
  kernel = [[
float sharpened(float t, float sharpness, float riser)
{
    if (sharpness <= 0.0)
        return t;
    if (sharpness >= 1.0)
        return t < riser || t == 0.0 ? 0.0 : 1.0;
    float power = 1.0 / (1.0 - sharpness);
    return t < riser ? riser * pow(t / riser, power)
                     : 1.0 - (1.0 - riser) * pow((1.0 - t) / max(1.0 - riser, 1e-6), power);
}

void cell(ivec2 p)
{
    float h = terrain_at(p), u = h / spacing_at(p), t = u - floor(u);
    set_terrain(p, h + spacing_at(p) * (sharpened(t, sharpness_at(p), riser_at(p)) - t));
    set_step(p, t);
}
]],
}
