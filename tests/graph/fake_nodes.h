/* A small registry with one of everything, for the tests of documents. */
#ifndef TESTS_GRAPH_FAKE_NODES_H
#define TESTS_GRAPH_FAKE_NODES_H

#include "graph/type/registry.h"

struct fake_blend_params {
    float amount;
    int method;
};
static const char *const fake_blend_methods[] = {"add", "multiply", "minimum", "maximum", NULL};
static const struct oro_input fake_blend_inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "First"),
    ORO_IN_FIELD("other", .optional = true, .doc = "Second"),
    ORO_IN_MAP(struct fake_blend_params, amount, 0.5, .min = 0, .max = 1, .doc = "Share of the second"),
    ORO_IN_CHOICE(struct fake_blend_params, method, 1, fake_blend_methods, .doc = "How they meet"),
    {0},
};
static const struct oro_output fake_blend_outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .like = "terrain"), {0}};
static const struct oro_node_type fake_blend = {
    .id = "blend",
    .version = 1,
    .inputs = fake_blend_inputs,
    .outputs = fake_blend_outputs,
    .params_size = sizeof(struct fake_blend_params),
    .kernel = "blend.comp",
};

struct fake_erode_params {
    float amount, angle;
    int iterations;
};
static const struct oro_input fake_erode_inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
    ORO_IN_MAP(struct fake_erode_params, amount, 1, .min = 0, .max = 10),
    ORO_IN_FLOAT(struct fake_erode_params, angle, 35, .min = 0, .max = 90, .unit = ORO_DEGREE),
    ORO_IN_INT(struct fake_erode_params, iterations, 100, .role = ORO_ROLE_ITERATIONS, .min = 1,
               .max = 100000),
    {0},
};
static const struct oro_output fake_erode_outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .like = "terrain"),
    {.name = "flow", .type = ORO_VECTOR},
    {0}};
static const struct oro_node_migration fake_erode_migrations[] = {
    {.from = 1, .old_name = "strength", .new_name = "force"},
    {.from = 1, .old_name = "speed"},
    {.from = 2, .old_name = "force", .new_name = "amount"},
    {0}};
static const struct oro_node_type fake_erode = {
    .id = "erode",
    .version = 3,
    .inputs = fake_erode_inputs,
    .outputs = fake_erode_outputs,
    .params_size = sizeof(struct fake_erode_params),
    .kernel = "erode.comp",
    .migrations = fake_erode_migrations,
};

struct fake_import_params {
    const char *file;
    float low, high;
};
static const struct oro_input fake_import_inputs[] = {
    ORO_IN_FILE(struct fake_import_params, file, ""),
    ORO_IN_FLOAT(struct fake_import_params, low, 0, .unit = ORO_METRE),
    ORO_IN_FLOAT(struct fake_import_params, high, 1000, .unit = ORO_METRE),
    {0},
};
static const struct oro_output fake_import_outputs[] = {ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
                                                        {0}};
static const struct oro_node_type fake_import = {
    .id = "import",
    .version = 1,
    .inputs = fake_import_inputs,
    .outputs = fake_import_outputs,
    .params_size = sizeof(struct fake_import_params),
};

struct fake_noise_params {
    float size, height;
    int octaves, method, seed;
    bool ridged;
};
static const char *const fake_noise_methods[] = {"perlin", "simplex", "value", "worley", NULL};
static const struct oro_input fake_noise_inputs[] = {
    ORO_IN_FLOAT(struct fake_noise_params, size, 2000, .min = 0.1, .max = 1e6, .unit = ORO_METRE),
    ORO_IN_FLOAT(struct fake_noise_params, height, 0.1, .unit = ORO_METRE),
    ORO_IN_INT(struct fake_noise_params, octaves, 8, .min = 1, .max = 16),
    ORO_IN_CHOICE(struct fake_noise_params, method, 0, fake_noise_methods),
    ORO_IN_BOOL(struct fake_noise_params, ridged, false),
    ORO_IN_SEED(struct fake_noise_params, seed),
    {0},
};
static const struct oro_output fake_noise_outputs[] = {ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD), {0}};
static const struct oro_node_type fake_noise = {
    .id = "noise",
    .version = 1,
    .inputs = fake_noise_inputs,
    .outputs = fake_noise_outputs,
    .params_size = sizeof(struct fake_noise_params),
    .kernel = "source/noise.comp",
};

struct fake_paint_params {
    const char *caption;
    float tint[4], centre[2];
    struct oro_profile curve;
    struct oro_gradient colours;
};
static const struct oro_input fake_paint_inputs[] = {
    ORO_IN_IMAGE("picture", .optional = true),
    ORO_IN_VECTOR("flow", .optional = true),
    ORO_IN_TEXT(struct fake_paint_params, caption, "none"),
    ORO_IN_COLOUR(struct fake_paint_params, tint, "#FF8000"),
    ORO_IN_POINT(struct fake_paint_params, centre, "0 0"),
    ORO_IN_PROFILE(struct fake_paint_params, curve, "0 0, 1 1"),
    ORO_IN_GRADIENT(struct fake_paint_params, colours, "0 #000000, 1 #ffffff"),
    {0},
};
static const struct oro_output fake_paint_outputs[] = {ORO_OUT_IMAGE("picture"), {0}};
static const struct oro_node_type fake_paint = {
    .id = "paint",
    .version = 1,
    .inputs = fake_paint_inputs,
    .outputs = fake_paint_outputs,
    .params_size = sizeof(struct fake_paint_params),
};

struct fake_ridges_params {
    const char *lines, *drawn, *open;
    float rate;
};
static const struct oro_input fake_ridges_inputs[] = {
    ORO_IN_NETWORK(struct fake_ridges_params, lines, NULL),
    ORO_IN_NETWORK(struct fake_ridges_params, drawn, "10 20, 30.5 40"),
    ORO_IN_NETWORK(struct fake_ridges_params, open, NULL, .optional = true),
    ORO_IN_UPLIFT("base", .optional = true),
    ORO_IN_MAP(struct fake_ridges_params, rate, 0.001, .min = 0, .max = 1, .takes_uplift = true,
               .unit = ORO_METRE_PER_YEAR),
    {0},
};
static const struct oro_output fake_ridges_outputs[] = {
    ORO_OUT_UPLIFT("uplift"), ORO_OUT_NETWORK("network"), {0}};
static const struct oro_node_type fake_ridges = {
    .id = "ridges",
    .version = 1,
    .inputs = fake_ridges_inputs,
    .outputs = fake_ridges_outputs,
    .params_size = sizeof(struct fake_ridges_params),
};

static const struct oro_node_type *const fake_types[] = {&fake_blend, &fake_erode, &fake_import,
                                                         &fake_noise, &fake_paint, &fake_ridges};
static const struct oro_registry fake_registry = {.types = fake_types,
                                                  .count = sizeof fake_types / sizeof fake_types[0]};

#endif
