/* Mounds scattered over the world: a first elevation for synthesis. */
#include <math.h>
#include <stdint.h>

#include "base/random.h"
#include "graph/type/node.h"

/* Places tried for every bump; the one farthest from the bumps before is taken (best-candidate sampling). */
enum { BUMPS_MAX = 512, CANDIDATES = 24 };

struct params {
    int count, blend, seed;
    float radius_low, radius_high, height_low, height_high, margin, elongation, roughness;
};

static const char *const blends[] = {"smooth_max", "max", "sum", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_LIKE(.doc = "Gives the terrain the size of this raster; without it, the world's base resolution"),
    ORO_IN_INT(struct params, count, 9, .min = 1, .max = BUMPS_MAX, .soft_max = 60, .doc = "Number of bumps"),
    ORO_IN_FLOAT(
        struct params, radius_low, 0, .share = 0.12, .min = 0, .max = 1e6, .soft_max = 5000,
        .unit = ORO_METRE, .group = "Shape",
        .doc = "Radius of the smallest bumps. At its radius a bump has fallen to an eighth of its height. 0: "
               "12 hundredths of the world's width"),
    ORO_IN_FLOAT(struct params, radius_high, 0, .share = 0.28, .min = 0, .max = 1e6, .soft_max = 5000,
                 .unit = ORO_METRE, .group = "Shape",
                 .doc = "Radius of the largest bumps. 0: 28 hundredths of the world's width"),
    ORO_IN_FLOAT(struct params, height_low, 500, .min = 0, .max = 1e5, .soft_max = 4000, .unit = ORO_METRE,
                 .group = "Shape", .doc = "Height of the lowest bumps"),
    ORO_IN_FLOAT(struct params, height_high, 1500, .min = 0, .max = 1e5, .soft_max = 4000, .unit = ORO_METRE,
                 .group = "Shape", .doc = "Height of the highest bumps"),
    ORO_IN_FLOAT(struct params, elongation, 2, .min = 1, .max = 10, .soft_max = 4, .group = "Shape",
                 .doc = "How many times longer than wide a bump may be: 1 keeps all of them round"),
    ORO_IN_FLOAT(struct params, roughness, 0.4, .min = 0, .max = 2, .soft_max = 1, .group = "Shape",
                 .doc = "Bends the outlines and roughens the slopes with noise: 0 for smooth bumps"),
    ORO_IN_CHOICE(
        struct params, blend, 0, blends,
        .doc =
            "Where bumps meet: smooth_max: soft passes between them. max: the higher one counts. sum: they "
            "pile up"),
    ORO_IN_FLOAT(struct params, margin, 15, .min = 0, .max = 45, .unit = ORO_PERCENT,
                 .doc = "Centres keep this far from the world's edge, in percent of its shorter side"),
    ORO_IN_SEED(struct params, seed),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.doc = "Elevation: 0 far from all bumps"),
    {0},
};

struct place {
    double x, y; /* metres from the raster's corner */
};

/* Squared distance to the nearest place taken. */
static double clearance(const struct place *taken, int count, struct place at)
{
    double nearest = INFINITY;
    for (int i = 0; i < count; i++) {
        double dx = taken[i].x - at.x, dy = taken[i].y - at.y;
        nearest = fmin(nearest, dx * dx + dy * dy);
    }
    return nearest;
}

static void scatter(const struct params *p, const struct oro_grid *grid, uint32_t *random,
                    struct place *places)
{
    double width = grid->width * grid->cell, height = grid->height * grid->cell;
    double margin = (double)p->margin / 100 * fmin(width, height);
    for (int i = 0; i < p->count; i++) {
        double best = -1;
        for (int k = 0; k < CANDIDATES; k++) {
            struct place at = {oro_random_between(random, margin, width - margin), 0};
            at.y = oro_random_between(random, margin, height - margin);
            double clear = clearance(places, i, at);
            if (clear > best) {
                best = clear;
                places[i] = at;
            }
        }
    }
}

/* Two vec4 per bump: place, height, elongation; then the long axis divided by the radius, and zeros. */
static void describe(const struct params *p, const struct oro_grid *grid, float bumps[][8])
{
    struct place places[BUMPS_MAX];
    uint32_t random = (uint32_t)p->seed;
    scatter(p, grid, &random, places);
    for (int i = 0; i < p->count; i++) {
        double radius = oro_random_between(&random, (double)p->radius_low, (double)p->radius_high);
        double height = oro_random_between(&random, (double)p->height_low, (double)p->height_high);
        double elongation = oro_random_between(&random, 1, (double)p->elongation);
        double angle = oro_random_between(&random, 0, 3.141592653589793);
        float values[8] = {(float)places[i].x, (float)places[i].y,           (float)height,
                           (float)elongation,  (float)(cos(angle) / radius), (float)(sin(angle) / radius)};
        for (int k = 0; k < 8; k++)
            bumps[i][k] = values[k];
    }
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    float bumps[BUMPS_MAX][8];
    describe(p, oro_eval_grid(e), bumps);
    struct oro_buffer *buffer = oro_eval_buffer(e, (size_t)p->count * 8);
    return oro_eval_upload(e, buffer, bumps, (size_t)p->count * sizeof bumps[0]) &&
           oro_eval_default(e, &(struct oro_dispatch){.slots = {{"bumps", buffer, ORO_READ, "vec4"}}});
}

ORO_NODE(bumps, .version = 1, .category = "source",
         .words = "hills, mounds, blobs, Gaussian, domes, knolls, metaballs",
         .doc = "Gaussian bumps scattered evenly over the world and blended. A few of them make the first "
                "elevation of a "
                "mountain range, which erosion then turns into one.",
         .paper = "Schott 2024, figure 24", .spread = ORO_SPREAD_TILES, .reach = ORO_REACH_CELL,
         .kernel = "source/bumps.comp", .eval = eval);
