/* Finds the ridges of a terrain. */
#include "graph/type/node.h"
#include "nodes/network/network_lines.h"
#include "terrain/network/divide.h"

struct params {
    float prominence, sea;
    ORO_LINES_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_FLOAT(struct params, prominence, 50, .min = 0, .max = 1e5, .soft_max = 1000, .unit = ORO_METRE,
                 .doc = "How far one must go down from a peak on the way to a higher one. Peaks with less "
                        "are left out, and the "
                        "ridges that lead to them alone: more leaves the great ranges"),
    ORO_IN_LINES(struct params),
    ORO_IN_MAP(struct params, sea, 0, .min = 0, .max = 1,
               .doc = "Where this mask is above 0.5 there are no ridges: every island has its own"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_NETWORK("network", .like = "terrain",
                    .doc = "Ridges: peaks with their prominence, saddles, and elevations everywhere"),
    {0},
};

static void report(struct oro_eval *e, const struct oro_divide_report *found,
                   const struct oro_network *network)
{
    oro_eval_figure(e, "peaks", (double)found->peaks, "");
    oro_eval_figure(e, "saddles", (double)found->saddles, "");
    oro_eval_figure(e, "length", oro_network_length(network), "m");
    if (found->peaks == 0)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "no peak rises by 'prominence' over the ground around it: the network is empty");
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_input_grid(e, "terrain");
    const float *z = oro_eval_input_host(e, "terrain");
    const float *sea = oro_eval_linked(e, "sea") ? oro_eval_input_host(e, "sea") : NULL;
    struct oro_error err = {0};
    if (!z || (oro_eval_linked(e, "sea") && !sea))
        return false;
    if (!sea && p->sea > 0.5f)
        return oro_give_no_network(e, "all is sea: there are no ridges");
    struct oro_ground ground = {.width = grid->width,
                                .height = grid->height,
                                .z = z,
                                .sea = sea,
                                .stop = oro_eval_stopped,
                                .user = e};
    struct oro_divide_options options = {.cell = grid->cell,
                                         .x = grid->x,
                                         .y = grid->y,
                                         .prominence = (double)p->prominence,
                                         .smooth = p->smooth,
                                         .simplify = (double)p->simplify};
    struct oro_divide_report found;
    struct oro_network *network = oro_divide_tree(&ground, &options, &found, &err);
    if (network)
        report(e, &found, network);
    return oro_eval_give_network(e, "network", network, &err);
}

ORO_NODE(
    divide_tree, .version = 1, .category = "network",
    .words = "ridge lines, ridges, crests, peaks, skeleton, prominence, divides, mountain tree",
    .doc =
        "Finds the ridges of a terrain: its peaks, joined along the highest ways between them, over saddles. "
        "`uplift_from_ridges` raises mountains along them.",
    .paper = "Argudo 2019; Schott 2023, section 6.1", .spread = ORO_SPREAD_HOST, .eval = eval);
