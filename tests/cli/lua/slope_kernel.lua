-- The node slope, as a kernel.
return {
  id = "slope_kernel",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "method", type = "choice", choices = { "angle", "tangent" } },
  },
  outputs = { { name = "field", like = "terrain" } },
  kernel = [[
#include "lib/terrain.glsl"

void cell(ivec2 p)
{
    float tangent = length(gradient(p));
    set_field(p, params.method == METHOD_TANGENT ? tangent : degrees(atan(tangent)));
}
]],
}
