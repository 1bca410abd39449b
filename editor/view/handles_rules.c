/* Which inputs have handles, and of what kind: the first rule that fits an input holds. */
#include <string.h>

#include "editor/view/handles.h"

/* Where radii and directions are, unless a rule of the type says otherwise. */
#define ANYWHERE                                                                                             \
    {                                                                                                        \
        "centre", "pivot", "from-to", "curve", "points"                                                      \
    }

static const struct ed_rule rules[] = {
    /* Coordinates of files, not of the map. */
    {"network_import", "origin", .of = ORO_POINT, .how = ED_RULE_NONE},
    {"network_export", "origin", .of = ORO_POINT, .how = ED_RULE_NONE},
    /* What is meant by the points of some types. */
    {"transform", "move", .of = ORO_POINT, .how = ED_RULE_OFFSET},
    {"transform", "pivot", .of = ORO_POINT, .how = ED_RULE_POINT, .when = "about=pivot"},
    {"transform", "angle", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {"pivot"}},
    {"uplift_transform", "move", .of = ORO_POINT, .unit = ORO_METRE, .how = ED_RULE_OFFSET,
     .anchors = {"centre"}},
    {"uplift_region", "to", .of = ORO_POINT, .unit = ORO_METRE, .how = ED_RULE_LINE, .anchors = {"from"}},
    {"uplift_region", "angle", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {"to"}},
    {"uplift_range", "to", .of = ORO_POINT, .unit = ORO_METRE, .how = ED_RULE_LINE, .anchors = {"from"}},
    {"uplift_scatter", "to", .of = ORO_POINT, .unit = ORO_METRE, .how = ED_RULE_BOX, .anchors = {"from"}},
    {"uplift_scatter", "network", .of = ORO_NETWORK, .how = ED_RULE_POINTS, .when = "method=vertices"},
    {"uplift_scatter", "radius", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_NONE}, /* of each */
    {"ramp", "end", .of = ORO_POINT, .unit = ORO_METRE, .how = ED_RULE_PAIR, .anchors = {"start"}},
    {"ramp", "angle", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {0},
     .when = "start=end"},
    {"tensor_field", "centre", .of = ORO_POINT, .how = ED_RULE_POINT, .when = "method!=ridge"},
    {"tensor_field", "curve", .of = ORO_NETWORK, .how = ED_RULE_NETWORK, .when = "method=ridge"},
    {"uplift_warp", "centre", .of = ORO_POINT, .how = ED_RULE_POINT, .when = "method=twist"},
    {"uplift_warp", "radius", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = {"centre"},
     .when = "method=twist"},
    {"uplift_warp", "angle", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {"centre"},
     .when = "method=twist"},
    {"uplift_star", "boundary", .of = ORO_NETWORK, .how = ED_RULE_CLOSED},
    {"network_rasterize", "width", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING,
     .anchors = {"network", ""}, .factor = 2},
    {"warp", "direction", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM,
     .when = "method=direction"},
    {"mask_select", "direction", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM,
     .when = "method=aspect"},
    {"retarget", "points", .of = ORO_TEXT, .how = ED_RULE_KNOWN},
    {"retarget", "reach", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = {"points", ""}},
    {"amplify_chain", "points", .of = ORO_TEXT, .how = ED_RULE_KNOWN},
    {"amplify_chain", "radius", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_NONE}, /* of carving */
    {"amplify_chain", "reach", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING,
     .anchors = {"points", ""}},
    {"crop", "x", .of = ORO_FLOAT, .how = ED_RULE_CROP, .when = "method=metres"},
    {"crop", "width", .of = ORO_FLOAT, .how = ED_RULE_CROP, .when = "method=metres"},
    {"crop", "y", .of = ORO_FLOAT, .how = ED_RULE_CROP, .when = "method=metres"}, /* the middle */
    {"lake", "points", .of = ORO_NETWORK, .how = ED_RULE_POINTS},
    /* By name. */
    {NULL, "constraints", .of = ORO_NETWORK, .how = ED_RULE_KNOWN},
    {NULL, "constraint_radius", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING,
     .anchors = {"constraints", ""}},
    {NULL, "radius_x", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING_X,
     .anchors = {"centre", "from", ""}},
    {NULL, "radius_y", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING_Y,
     .anchors = {"centre", "from", ""}},
    {NULL, "radius", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = ANYWHERE},
    {NULL, "width", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = ANYWHERE,
     .factor = 2},
    {NULL, "size", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = {"centre", ""}},
    {NULL, "falloff", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = {"centre", ""}},
    {NULL, "length", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = {"centre", ""}},
    {NULL, "decay", .of = ORO_FLOAT, .unit = ORO_METRE, .how = ED_RULE_RING, .anchors = {"centre", ""}},
    {NULL, "angle", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {"centre"}},
    {NULL, "azimuth", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {"centre"}},
    {NULL, "direction", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {"centre"}},
    {NULL, "rotation", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM,
     .anchors = {"centre", "pivot"}},
    {NULL, "twist", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {"centre", "pivot"}},
    {NULL, "wind", .of = ORO_FLOAT, .unit = ORO_DEGREE, .how = ED_RULE_ARM, .anchors = {0}},
    {NULL, "pivot", .of = ORO_POINT, .how = ED_RULE_POINT},
    {NULL, "end", .of = ORO_POINT, .unit = ORO_METRE, .how = ED_RULE_LINE, .anchors = {"start"}},
    {NULL, "to", .of = ORO_POINT, .unit = ORO_METRE, .how = ED_RULE_LINE, .anchors = {"from"}},
    /* All that is left of these types. */
    {NULL, NULL, .of = ORO_POINT, .how = ED_RULE_POINT},
    {NULL, NULL, .of = ORO_NETWORK, .how = ED_RULE_NETWORK},
};

bool ed_rule_is_network(const struct ed_rule *rule)
{
    return rule->how == ED_RULE_NETWORK || rule->how == ED_RULE_CLOSED || rule->how == ED_RULE_POINTS ||
           rule->how == ED_RULE_KNOWN;
}

const struct ed_rule *ed_rule_of(const struct oro_node_type *type, const struct oro_input *input)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct ed_rule *rule = &rules[i];
        if (rule->of != input->type || (rule->type && strcmp(rule->type, type->id) != 0) ||
            (rule->input && strcmp(rule->input, input->name) != 0) ||
            (rule->of == ORO_FLOAT && rule->unit != input->unit))
            continue;
        return rule->how == ED_RULE_NONE ? NULL : rule;
    }
    return NULL;
}
