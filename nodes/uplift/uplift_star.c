/* A mountain range with a steep and a gentle side. */
#include "nodes/uplift/uplift_lines.h"
#include "terrain/uplift/uplift.h"

enum { POINTS_MAX = 64 };

struct params {
    const char *skeleton, *boundary;
    float uplift;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(
        struct params, skeleton, "3000 4000, 5000 3200, 7000 3800", .bends = "",
        .doc = "The crest: one line of 1 to 64 points, within the boundary. It bends smoothly, and passes "
               "by its inner points"),
    ORO_IN_NETWORK(struct params, boundary,
                   "1500 4500, 2500 2600, 5000 2000, 7500 2400, 8800 4500, 7500 7500, 5000 8500, 2500 7500",
                   .handle = ORO_HANDLE_OUTLINE, .bends = "",
                   .doc =
                       "The foot of the mountains: one line of 3 to 64 points around the skeleton, closed by "
                       "itself. Near the crest the flank is steep, far from it gentle"),
    ORO_IN_UPLIFT_HEIGHT(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "Highest on the skeleton, 0 beyond the boundary"),
    {0},
};

struct line {
    float points[POINTS_MAX + 1][2];
    size_t count;
};

/* Reads the only line of a network. The last point is dropped from a lone point, which names its vertex
 * twice, and from a closed line. */
static bool read_line(struct oro_eval *e, const char *name, bool closed, struct line *line)
{
    const struct oro_network *network = oro_eval_network(e, name);
    if (!network)
        return false;
    const uint32_t *indices = oro_network_indices(network);
    const struct oro_vertex *vertices = oro_network_vertices(network);
    if (network->line_count != 1)
        return oro_eval_fail(e, ORO_E_EVALUATE, "'%s' must be one line, not %u", name, network->line_count);
    size_t count = network->index_count;
    if (indices[0] == indices[count - 1] && (closed || count == 2))
        count--;
    if (count > POINTS_MAX)
        return oro_eval_fail(e, ORO_E_EVALUATE, "'%s' has %zu points: at most %d", name, count, POINTS_MAX);
    for (size_t i = 0; i < count; i++) {
        line->points[i][0] = vertices[indices[i]].x;
        line->points[i][1] = vertices[indices[i]].y;
    }
    line->count = count;
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {.code = ORO_OK};
    struct line skeleton = {.count = 0}, boundary = {.count = 0};
    if (!read_line(e, "skeleton", false, &skeleton) || !read_line(e, "boundary", true, &boundary))
        return false;
    struct oro_uplift *tree =
        oro_uplift_star((const float(*)[2])skeleton.points, skeleton.count,
                        (const float(*)[2])boundary.points, boundary.count, p->uplift, &err);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(uplift_star, .version = 1, .category = "uplift",
         .words = "asymmetric range, collision, plates, tectonics, thrust, subduction",
         .doc =
             "A mountain range with a steep and a gentle side, as colliding plates make them: from a crest "
             "line the "
             "uplift falls smoothly to 0 at a boundary that is drawn around it.",
         .paper = "Schott 2023, eq. 7", .spread = ORO_SPREAD_HOST, .eval = eval);
