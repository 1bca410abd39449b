/* Which way the ground faces, as a picture for materials. */
#include "graph/type/node.h"

struct params {
    int convention, values;
    float strength;
};

static const char *const conventions[] = {"opengl", "directx", NULL};
static const char *const forms[] = {"colour", "vector", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to show"),
    ORO_IN_VECTOR("gradient", .optional = true,
                  .doc = "Slope of the terrain, as `phasor` gives it: exact, where else it is taken from "
                         "neighbouring cells"),
    ORO_IN_CHOICE(
        struct params, convention, 0, conventions,
        .doc = "Which way green grows. opengl: to the north, the top of the picture, as Blender, Godot, "
               "Houdini, Unity and glTF have it. directx: to the south, as Unreal Engine has it"),
    ORO_IN_CHOICE(
        struct params, values, 0, forms,
        .doc = "colour: 0..1, where 0.5 is none, as normal maps are stored; level ground is the well-known "
               "blue. vector: the numbers themselves, -1..1, for .exr files"),
    ORO_IN_FLOAT(struct params, strength, 1, .min = 0, .max = 100, .soft_max = 5,
                 .doc = "Slopes are multiplied by this: 1 for the true shape"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_IMAGE("normal", .like = "terrain",
                  .doc = "Red is east, green north or south, blue up; alpha is 1"),
    {0},
};

ORO_NODE(normal_map, .version = 1, .category = "view", .words = "normals, bump map, tangent space",
         .doc =
             "Gives the terrain's normals at its full resolution, in tangent space: for a terrain that lies "
             "flat under the picture, x to the right and y to the top. A coarse mesh looks as fine as the "
             "terrain with it. Written as a PNG by `render -o` or `export`, or as channels of an .exr file; "
             "a .glb "
             "file makes its own by `--normal-map`, which counts from the mesh's normals.",
         .paper = "Horn 1981, Hill shading and the reflectance map", .spread = ORO_SPREAD_TILES, .reach = 1,
         .kernel = "view/normal_map.comp");
