/* h = a + b h(receiver) for all cells at once, on the device and on the processor, against a plain loop over
 * the receivers. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "nodes/flow/drainage_tree.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "terrain/drainage/routing.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

/* ---- A node for it ---- */

struct params {
    ORO_OUTLET_PARAMS;
    float rain;
};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "Ground"),
    ORO_IN_FIELD("a", .doc = "Added"),
    ORO_IN_FIELD("b", .doc = "Share"),
    ORO_IN_OUTLETS(struct params),
    ORO_IN_MAP(struct params, rain, 1, .min = 0, .max = 100, .doc = "Not used"),
    {0},
};
static const struct oro_output outputs[] = {ORO_OUT_FIELD("field", .like = "terrain", .doc = "h"), {0}};

static bool solve(struct oro_eval *e, struct oro_drainage_tree *tree)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    struct oro_buffer *a = oro_eval_buffer(e, cells), *b = oro_eval_buffer(e, cells),
                      *h_out = oro_eval_buffer(e, cells);
    return oro_eval_copy(e, oro_eval_input(e, "a"), a, cells) &&
           oro_eval_copy(e, oro_eval_input(e, "b"), b, cells) &&
           oro_drainage_tree_route(tree, oro_eval_input(e, "terrain")) &&
           oro_drainage_tree_solve(tree, a, b, h_out) && oro_eval_give(e, "field", h_out);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_drainage_tree tree;
    bool ok = oro_drainage_tree_begin(e, p->sea, p->borders, &tree) && solve(e, &tree);
    oro_drainage_tree_end(&tree);
    return ok;
}

extern const char *const oro_kernels_breach[]; /* as in the generated registry */
static const struct oro_node_type solver = {.id = "solve",
                                            .version = 1,
                                            .category = "test",
                                            .doc = "Solves along the tree.",
                                            .inputs = inputs,
                                            .outputs = outputs,
                                            .params_size = sizeof(struct params),
                                            .kernels = oro_kernels_breach,
                                            .eval = eval};
static const struct oro_node_type *types[2];
static const struct oro_registry registry = {.types = types, .count = 2};

/* ---- Cases ---- */

struct trial {
    int width, height;
    float *z, *sea; /* sea: NULL: none, and open borders */
};

static void expect_solved(const struct trial *t, const float *a, const float *b, const double *expected,
                          double largest)
{
    struct site site = site_start(&h, t->width, t->height, 2);
    site_raster(&site, "z", t->z);
    site_raster(&site, "a", a);
    site_raster(&site, "b", b);
    if (t->sea)
        site_raster(&site, "sea", t->sea);
    site_node(&site, "node", "solve",
              LINK("terrain", "z.terrain") LINK("a", "a.terrain") LINK("b", "b.terrain") "%s",
              t->sea ? LINK("sea", "sea.terrain") IN("borders", "walls") : "");
    for (int kernels_only = 0; kernels_only < 2; kernels_only++) {
        h.kernels_only = kernels_only;
        float *got = site_take(&site, "node", "field");
        for (int i = 0; i < t->width * t->height; i++)
            if (fabs((double)got[i] - expected[i]) > 2e-6 * largest)
                fail_msg("%d x %d, kernels %d, cell %d: %.9g, not %.9g", t->width, t->height, kernels_only, i,
                         (double)got[i], expected[i]);
        oro_free(got);
    }
    h.kernels_only = false;
}

/* In double, each cell after its receiver. Returns the largest value. */
static double plain(const struct trial *t, const float *a, const float *b, double *expected)
{
    size_t cells = (size_t)t->width * (size_t)t->height;
    const struct oro_ground ground = {
        .width = t->width, .height = t->height, .z = t->z, .sea = t->sea, .walls = t->sea != NULL};
    struct oro_routing routing;
    assert_true(oro_route(&ground, &routing, NULL));
    double largest = 0;
    for (size_t k = 0; k < cells; k++) {
        size_t i = routing.order[k], to = routing.receiver[i];
        expected[i] = (double)a[i] + (to == i ? 0 : (double)b[i] * expected[to]);
        largest = fmax(largest, fabs(expected[i]));
    }
    oro_routing_free(&routing);
    return largest;
}

/* Takes the trial's rasters. Shares from a little above 0 to 1 and, as where ground slides, 1 everywhere. */
static void check(struct trial t)
{
    need_device();
    int cells = t.width * t.height;
    double *expected = oro_alloc((size_t)cells, sizeof *expected);
    assert_non_null(expected);
    for (int even = 0; even < 2; even++) {
        float *a = site_scatter(t.width, t.height, even ? 0 : -3, 5, 11),
              *b = site_scatter(t.width, t.height, even ? 1 : 0.01, 1, 12);
        double largest = plain(&t, a, b, expected);
        expect_solved(&t, a, b, expected, largest);
        oro_free(a);
        oro_free(b);
    }
    oro_free(expected);
    oro_free(t.z);
    oro_free(t.sea);
}

TEST(rough_ground)
{
    check((struct trial){97, 61, site_rough(97, 61, 16, 300, 0, 1), NULL});
    check((struct trial){64, 64, site_scatter(64, 64, 0, 9, 2), NULL}); /* pits everywhere */
    check((struct trial){40, 40, site_uniform(40, 40, 3), NULL});
}

TEST(small_and_thin)
{
    static const int sizes[][2] = {{1, 1}, {1, 2}, {1, 50}, {50, 1}, {2, 2}, {3, 3}, {3, 40}, {17, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check((struct trial){sizes[i][0], sizes[i][1],
                             site_scatter(sizes[i][0], sizes[i][1], 0, 9, (unsigned)i), NULL});
}

TEST(outlets_in_the_sea)
{
    float *sea = site_uniform(70, 45, 0);
    sea[20 * 70 + 33] = sea[3] = 1;
    check((struct trial){70, 45, site_rough(70, 45, 16, 300, 0, 3), sea});
    sea = site_uniform(1, 33, 0);
    sea[32] = 1; /* one way, from end to end */
    check((struct trial){1, 33, site_scatter(1, 33, 0, 9, 4), sea});
}

/* One way of 1200 cells: water falls along a spiral trench to the middle, where the sea is. */
TEST(a_long_chain)
{
    enum { N = 49 };
    struct trial t = {N, N, site_uniform(N, N, 5000), site_uniform(N, N, 0)};
    int x = 1, y = 1, dx = 1, dy = 0, length = 0;
    for (;; length++) {
        t.z[y * N + x] = 2000 - (float)length;
        int ahead_x = x + 2 * dx, ahead_y = y + 2 * dy;
        if (ahead_x < 1 || ahead_y < 1 || ahead_x > N - 2 || ahead_y > N - 2 ||
            t.z[ahead_y * N + ahead_x] < 3000) {
            int turned = dx;
            dx = -dy;
            dy = turned;
            if (t.z[(y + 2 * dy) * N + x + 2 * dx] < 3000)
                break;
        }
        x += dx;
        y += dy;
    }
    t.sea[y * N + x] = 1;
    assert_true(length > 1000);
    check(t);
}

FIXTURE(open_with_solver)
{
    open_harness(state);
    types[0] = oro_registry_find(&oro_builtin_nodes, "import");
    types[1] = &solver;
    h.registry = &registry;
    return 0;
}

TEST_GROUP(open_with_solver, close_harness);
