/* Cuts or copies a region of an uplift, and pastes it elsewhere. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/type/node.h"
#include "nodes/lib/angle.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"

enum { PLACES_MAX = 1024 };

struct params {
    int region, method;
    bool paste, mirror, cut;
    float from[2], to[2];
    float radius_x, radius_y, angle, scale, stretch, feather;
    const char *polygon, *places;
};

static const char *const regions[] = {
    [ORO_REGION_ELLIPSE] = "ellipse", [ORO_REGION_POLYGON] = "polygon", [ORO_REGION_MASK] = "mask", NULL};
static const char *const methods[] = {
    [ORO_PASTE_BLEND] = "blend", [ORO_PASTE_ADD] = "add", [ORO_PASTE_MAX] = "max", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_UPLIFT("uplift", .doc = "What a region is taken from, and pasted into"),
    ORO_IN_CHOICE(
        struct params, region, ORO_REGION_ELLIPSE, regions,
        .doc =
            "What is taken. ellipse: around `from`. polygon: what a line encloses. mask: what a field says"),
    ORO_IN_POINT(struct params, from, "3000 3000", .unit = ORO_METRE,
                 .doc = "Centre of the ellipse; of other regions, the place that comes to `to`: metres east "
                        "and south of the "
                        "north-west corner"),
    ORO_IN_FLOAT(struct params, radius_x, 2000, .handle = ORO_HANDLE_RADIUS_X, .handle_at = "from",
                 .when = "region=ellipse", .min = 0.1, .max = 1e7, .soft_min = 100, .soft_max = 20000,
                 .unit = ORO_METRE, .doc = "The ellipse reaches as far to the east and to the west"),
    ORO_IN_FLOAT(struct params, radius_y, 2000, .handle = ORO_HANDLE_RADIUS_Y, .handle_at = "from",
                 .when = "region=ellipse", .min = 0.1, .max = 1e7, .soft_min = 100, .soft_max = 20000,
                 .unit = ORO_METRE, .doc = "The ellipse reaches as far to the north and to the south"),
    ORO_IN_NETWORK(struct params, polygon, "1500 2000, 3500 1500, 4800 3000, 4000 4800, 2000 4500",
                   .handle = ORO_HANDLE_OUTLINE, .when = "region=polygon",
                   .doc = "For polygon: a line that closes itself, up to 1024 points. With several lines, "
                          "what lies within an "
                          "odd number of them: a line within another one leaves a hole"),
    ORO_IN_FIELD("mask", .when = "region=mask", .role = ORO_ROLE_MASK, .optional = true,
                 .doc = "For mask: how much of each place is taken, 0 to 1"),
    ORO_IN_FLOAT(struct params, feather, 0.3, .min = 0, .max = 1,
                 .doc =
                     "In which share of the radius the copy goes over into what is around it: 0 for a sharp "
                     "edge. For polygon, "
                     "the radius is how far the innermost point lies from the line; a mask has its own edge"),
    ORO_IN_BOOL(struct params, paste, true,
                .doc = "Off: nothing is pasted. With `cut`, the region is erased"),
    ORO_IN_POINT(struct params, to, "7000 7000", .handle = ORO_HANDLE_ARROW, .handle_at = "from",
                 .when = "paste=true", .unit = ORO_METRE, .doc = "Where `from` comes in the copy"),
    ORO_IN_FLOAT(struct params, angle, 0, .when = "paste=true", .handle = ORO_HANDLE_NONE, .min = -360,
                 .max = 360, .soft_min = -180, .soft_max = 180, .unit = ORO_DEGREE,
                 .doc = "How far the copy is turned, clockwise"),
    ORO_IN_FLOAT(struct params, scale, 1, .when = "paste=true", .min = 0.01, .max = 100, .soft_min = 0.2,
                 .soft_max = 4, .doc = "How many times larger the copy is"),
    ORO_IN_FLOAT(struct params, stretch, 1, .when = "paste=true", .min = 0.01, .max = 100, .soft_min = 0.2,
                 .soft_max = 4, .doc = "How many times wider besides, from west to east before it is turned"),
    ORO_IN_BOOL(struct params, mirror, false, .when = "paste=true",
                .doc = "The copy is the mirror image: east and west change places before it is turned"),
    ORO_IN_TEXT(struct params, places, "", .handle = ORO_HANDLE_PLACES, .when = "paste=true",
                .group = "More copies",
                .doc = "Further copies of the same region: \"9000 2000; 4000 8000 90 1.5\" with east and "
                       "south in metres, then, "
                       "where they are not to be as above, angle and scale; a scale below 0 is that of a "
                       "mirror image. Up to "
                       "1023"),
    ORO_IN_CHOICE(struct params, method, ORO_PASTE_BLEND, methods,
                  .doc = "How a copy meets what is there. blend: it takes its place. add: it comes on top. "
                         "max: the higher "
                         "of both"),
    ORO_IN_BOOL(struct params, cut, false,
                .doc = "The region is emptied at its old place: it is moved, not copied"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "With the copies in it"),
    {0},
};

/* ---- Places ---- */

static struct oro_paste_place place_of(const struct params *p, const double number[4], int count)
{
    double angle = count > 2 ? number[2] : (double)p->angle;
    double scale = count > 3 ? number[3] : p->mirror ? -(double)p->scale : (double)p->scale;
    return (struct oro_paste_place){.to = {number[0], number[1]},
                                    .angle = oro_radians(angle),
                                    .scale = {scale * (double)p->stretch, scale < 0 ? -scale : scale}};
}

/* The numbers of a place, which ends at a ';' or with the text. How many there are: 0 of an empty one; -1: it
 * is none. */
static int read_place(const char **text, double number[4])
{
    static const char blanks[] = " \t\r\n,";
    int count = 0;
    for (;;) {
        char word[48];
        *text += strspn(*text, blanks);
        size_t length = strcspn(*text, " \t\r\n,;");
        if (length == 0)
            return count == 1 ? -1 : count;
        if (count == 4 || length >= sizeof word)
            return -1;
        memcpy(word, *text, length);
        word[length] = '\0';
        if (!oro_parse_number(word, &number[count++]))
            return -1;
        *text += length;
    }
}

/* Fills `places`, of PLACES_MAX. Gives how many; negative: it failed. */
static int read_places(struct oro_eval *e, const struct params *p, struct oro_paste_place *places)
{
    const double first[4] = {(double)p->to[0], (double)p->to[1]};
    int count = 0;
    if (!p->paste)
        return 0;
    places[count++] = place_of(p, first, 2);
    for (const char *at = p->places; *at;) {
        double number[4];
        const char *begin = at;
        int numbers = read_place(&at, number);
        if (numbers < 0 || (numbers == 4 && number[3] == 0)) {
            oro_eval_fail(e, ORO_E_EVALUATE,
                          "'places' must be like \"9000 2000; 4000 8000 90 1.5\": two numbers, then an angle "
                          "and a scale "
                          "(not 0), not \"%.40s\"",
                          begin);
            return -1;
        }
        if (numbers > 0 && count == PLACES_MAX) {
            oro_eval_fail(e, ORO_E_LIMIT, "'places': more than %d copies", PLACES_MAX);
            return -1;
        }
        if (numbers > 0)
            places[count++] = place_of(p, number, numbers);
        at += *at == ';';
    }
    return count;
}

/* ---- Regions ---- */

/* The edges of a network's lines, each closed, to be freed. NULL: it failed. */
static float (*read_polygon(struct oro_eval *e, size_t *count))[4]
{
    const struct oro_network *network = oro_eval_network(e, "polygon");
    float(*edges)[4] =
        network ? oro_alloc((size_t)network->index_count + network->line_count, sizeof *edges) : NULL;
    if (!network)
        return NULL;
    const struct oro_vertex *vertices = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    *count = 0;
    for (uint32_t line = 0; edges && line < network->line_count; line++)
        for (uint32_t i = starts[line], end = starts[line + 1]; i < end; i++) {
            const struct oro_vertex *a = &vertices[indices[i]];
            const struct oro_vertex *b = &vertices[indices[i + 1 < end ? i + 1 : starts[line]]];
            const float edge[4] = {a->x, a->y, b->x, b->y};
            if (a != b)
                memcpy(edges[(*count)++], edge, sizeof edge);
        }
    if (!edges)
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for a region's outline");
    return edges;
}

static bool read_mask(struct oro_eval *e, struct oro_paste *paste)
{
    if (!oro_eval_linked(e, "mask"))
        return oro_eval_fail(e, ORO_E_EVALUATE, "the region is a mask, but none is linked to 'mask'");
    const struct oro_grid *grid = oro_eval_input_grid(e, "mask");
    paste->mask = oro_eval_input_host(e, "mask");
    if (!paste->mask)
        return false;
    paste->mask_width = grid->width;
    paste->mask_height = grid->height;
    paste->mask_cell = grid->cell;
    paste->mask_corner[0] = grid->x;
    paste->mask_corner[1] = grid->y;
    return true;
}

/* Whether the copies can be evaluated: whatever is made of them, this node is the one to say that they
 * cannot.
 */
static bool is_feasible(const struct oro_uplift *tree, struct oro_error *err)
{
    struct oro_uplift_program program;
    if (!oro_uplift_compile(tree, &program, err))
        return false;
    oro_uplift_program_free(&program);
    return true;
}

static bool give(struct oro_eval *e, struct oro_paste *paste)
{
    struct oro_error err = {.code = ORO_OK};
    const struct oro_uplift *tree = oro_eval_uplift(e, "uplift");
    float(*edges)[4] = NULL;
    if (!tree || (paste->region == ORO_REGION_MASK && !read_mask(e, paste)))
        return false;
    if (paste->region == ORO_REGION_POLYGON && !(edges = read_polygon(e, &paste->edge_count)))
        return false;
    paste->edges = (const float(*)[4])edges;
    struct oro_uplift *pasted = oro_uplift_paste(tree, paste, &err);
    oro_free(edges);
    if (pasted && !is_feasible(pasted, &err)) {
        oro_free(pasted);
        pasted = NULL;
    }
    return oro_eval_give_uplift(e, "uplift", pasted, &err);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_paste_place *places = oro_alloc(PLACES_MAX, sizeof *places);
    if (!places)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory for %d places", PLACES_MAX);
    int count = read_places(e, p, places);
    struct oro_paste paste = {.region = (enum oro_region)p->region,
                              .from = {(double)p->from[0], (double)p->from[1]},
                              .radius = {(double)p->radius_x, (double)p->radius_y},
                              .feather = (double)p->feather,
                              .method = (enum oro_paste_method)p->method,
                              .cut = p->cut,
                              .places = places,
                              .place_count = count > 0 ? (size_t)count : 0};
    bool ok = count >= 0 && give(e, &paste);
    oro_free(places);
    return ok;
}

ORO_NODE(
    uplift_region, .version = 1, .category = "uplift",
    .words = "copy, stamp, clone, paste, duplicate, erase, patch",
    .doc =
        "Copies a part of an uplift to other places, turned, scaled or mirrored, or moves it there, or "
        "erases it. "
        "Erosion joins what was pasted to its surroundings. Copies may be copied in turn, and cost what they "
        "show.",
    .paper = "Schott 2023, section 7.1, figure 22", .spread = ORO_SPREAD_HOST, .eval = eval);
