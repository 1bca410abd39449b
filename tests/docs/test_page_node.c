/* The filter that docs/adding-a-node.md shows: its text is compiled as it stands there, and renders its
 * example. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "tests/nodes/harness.h"
#include "tests/support/test.h"

enum { LINES_MAX = 30 };

/* What the build would write for it (cmake/registry.cmake). */
extern const struct oro_node_type oro_node_slope_mask;
const char *const oro_kernels_slope_mask[] = {"mask/slope_mask.comp", NULL};

static struct harness harness;
static const struct oro_node_type **types;
static struct oro_registry registry;

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const struct oro_node_type *const *)a)->id,
                  (*(const struct oro_node_type *const *)b)->id);
}

FIXTURE(open_group)
{
    setenv("OROGRAPH_TEST_SHADERS", ORO_PAGE "/gles_shaders", 1);
    registry = oro_builtin_nodes;
    types = malloc((registry.count + 1) * sizeof(*types));
    if (!types)
        return 1;
    memcpy(types, registry.types, registry.count * sizeof(*types));
    types[registry.count++] = &oro_node_slope_mask;
    qsort(types, registry.count, sizeof(*types), by_id);
    registry.types = types;
    harness_open(&harness);
    harness.registry = &registry;
    return 0;
}

FIXTURE(close_group)
{
    harness_close(&harness);
    free(types);
    return 0;
}

TEST_GROUP(open_group, close_group);

static char *page_text(const char *path)
{
    void *text;
    size_t size;
    struct oro_error err;
    if (!oro_file_read(path, 1 << 20, &text, &size, &err))
        fail_msg("%s", err.text);
    return text;
}

TEST(it_takes_few_lines)
{
    char *text = page_text(ORO_PAGE "/nodes/mask/slope_mask.c");
    int lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    oro_free(text);
    assert_in_range(lines, 1, LINES_MAX);
}

TEST(its_example_renders)
{
    if (!harness.device)
        skip();
    char *document = page_text(ORO_PAGE "/examples/nodes/mask/slope_mask.oro");
    struct harness_raster slopes = harness_run(&harness, document, "steep", "field");
    float least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < oro_grid_cells(&slopes.grid); i++) {
        least = fminf(least, slopes.data[i]);
        most = fmaxf(most, slopes.data[i]);
    }
    assert_true(least >= 0 && most <= 1 && most > least);
    harness_free(&slopes);
    oro_free(document);
}

/* Ground that rises by 45 degrees towards the east is as steep as `hi` is by default, and is chosen; level
 * ground is not. */
TEST(it_selects_by_angle)
{
    if (!harness.device)
        skip();
    enum { SIDE = 8 };
    static float ground[SIDE * SIDE];
    char path[128], document[1024];
    for (int i = 0; i < SIDE * SIDE; i++)
        ground[i] = i % SIDE < 4 ? 0 : (float)(i % SIDE - 3) * 10;
    harness_store(&harness, "ground.r32", SIDE, SIDE, ground, path);
    snprintf(document, sizeof document,
             HARNESS_DOCUMENT(
                 "extent=\"80\" resolution=\"8\"",
                 "<node id=\"g\" type=\"import\"><in name=\"file\" value=\"%s\"/></node>"
                 "<node id=\"n\" type=\"slope_mask\"><in name=\"terrain\" from=\"g.terrain\"/></node>"),
             path);
    struct harness_raster mask = harness_run(&harness, document, "n", "field");
    assert_near(mask.data[1], 0, 0);
    assert_near(mask.data[5], 1, 1e-5);
    harness_free(&mask);
}
