-- An erosion of its own: what lies too steep creeps down, and nothing is lost.
return {
  id = "talus_creep",
  category = "erosion",
  doc = "Loose ground slides from slopes that are too steep and comes to rest at their feet, cone by cone. What leaves "
    .. "one cell arrives in others: no ground is lost or made.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation to wear down" },
    { name = "iterations", type = "int", default = 200, min = 0, max = 20000, soft_max = 2000,
      doc = "Steps; in each, ground slides one cell down" },
    { name = "repose", label = "Angle of repose", type = "float", map = true, default = 34, min = 0, max = 85, unit = "deg",
      group = "Rock", doc = "Steepest slope on which loose ground lies still" },
    { name = "hardness", type = "float", map = true, default = 0, min = 0, max = 1, group = "Rock",
      doc = "Solid rock stands steeper: 0 for loose ground, 1 for rock that holds any slope" },
    { name = "rate", type = "float", default = 0.8, min = 0.01, max = 1, group = "Rock",
      doc = "Share of what is too high that slides in one step" },
    { name = "mask", type = "mask" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", like = "terrain" },
    { name = "moved", type = "field", unit = "m", like = "terrain",
      doc = "How much higher the ground is than before: above 0 for rubble, below for bare rock" },
  },
  -- What leaves a cell: to the east, south, west and north, and to the corners between.
  buffers = { "ground", "talus", sides = "image", corners = "image" },
  passes = { "begin", { times = "iterations", "slide", "settle" }, "finish" },
  kernel = {
    begin = [[
void cell(ivec2 p)
{
    float steepest = mix(repose_at(p), 90.0, hardness_at(p));
    set_ground(p, terrain_at(p));
    set_talus(p, tan(radians(min(steepest, 89.0))) * grid.cell);
}
]],
    slide = [[
/* How far the ground lies above what would be at rest on its neighbour. Beyond the border nothing slides. */
float excess(float here, ivec2 neighbour, float rest)
{
    return oro_inside(neighbour) ? max(here - ground_at(neighbour) - rest, 0.0) : 0.0;
}

void cell(ivec2 p)
{
    float here = ground_at(p), straight = talus_at(p), across = 1.41421356 * straight;
    vec4 sides = vec4(excess(here, p + ivec2(1, 0), straight), excess(here, p + ivec2(0, 1), straight),
                      excess(here, p + ivec2(-1, 0), straight), excess(here, p + ivec2(0, -1), straight));
    vec4 corners = vec4(excess(here, p + ivec2(1, 1), across), excess(here, p + ivec2(-1, 1), across),
                        excess(here, p + ivec2(-1, -1), across), excess(here, p + ivec2(1, -1), across));
    float sum = dot(sides + corners, vec4(1.0));
    vec4 most = max(sides, corners);
    /* Half of the largest excess evens it out; shares follow the excess. */
    float part = sum > 0.0 ? 0.5 * params.rate * max(max(most.x, most.y), max(most.z, most.w)) / sum : 0.0;
    set_sides(p, part * sides);
    set_corners(p, part * corners);
}
]],
    settle = [[
/* What a neighbour sends here; nothing from beyond the border. */
vec4 from_side(ivec2 q) { return oro_inside(q) ? sides_at(q) : vec4(0.0); }
vec4 from_corner(ivec2 q) { return oro_inside(q) ? corners_at(q) : vec4(0.0); }

void cell(ivec2 p)
{
    float leaves = dot(sides_at(p) + corners_at(p), vec4(1.0));
    float comes = from_side(p - ivec2(1, 0)).x + from_side(p - ivec2(0, 1)).y
                + from_side(p + ivec2(1, 0)).z + from_side(p + ivec2(0, 1)).w
                + from_corner(p - ivec2(1, 1)).x + from_corner(p - ivec2(-1, 1)).y
                + from_corner(p + ivec2(1, 1)).z + from_corner(p + ivec2(-1, 1)).w;
    set_ground(p, ground_at(p) + comes - leaves);
}
]],
    finish = [[
void cell(ivec2 p)
{
    set_terrain(p, ground_at(p));
    set_moved(p, ground_at(p) - terrain_at(p));
}
]],
  },
}
