/* Shared by the tests of phasor: a world of hills, the node upon them, and comparisons of its rasters.
 * Included once by a test program, after cmocka. */
#ifndef ORO_TESTS_NODES_HILLS_H
#define ORO_TESTS_NODES_HILLS_H

#include <math.h>
#include <stdio.h>

#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define RAVINES(id, inputs) NODE(id, "phasor", LINK("terrain", "m.field") IN("rivers", "false") inputs)
#define WORLD(nodes) HARNESS_DOCUMENT("extent=\"2400\" resolution=\"24\"", nodes)
/* Hills on 24 x 24 cells of 100 m. */
#define HILLS NODE("m", "noise", IN("feature", "900") IN("amplitude", "300") IN("octaves", "3"))
#define LEVELS IN("scale", "4") IN("frequency", "0.002")

/* An output of a node of that world. Fails the test where a value is not finite. */
static struct harness_raster take(const char *nodes, const char *node, const char *output)
{
    char text[10240];
    snprintf(text, sizeof text, WORLD("%s"), nodes);
    struct harness_raster raster = harness_run(&h, text, node, output);
    for (size_t i = 0; i < oro_grid_cells(&raster.grid) * (size_t)raster.channels; i++)
        assert_true(isfinite(raster.data[i]));
    return raster;
}

static float largest(const struct harness_raster *r)
{
    float most = 0;
    for (size_t i = 0; i < oro_grid_cells(&r->grid) * (size_t)r->channels; i++)
        most = fmaxf(most, fabsf(r->data[i]));
    return most;
}

static float largest_difference(const struct harness_raster *a, const struct harness_raster *b)
{
    float most = 0;
    assert_true(oro_grid_same_size(&a->grid, &b->grid));
    for (size_t i = 0; i < oro_grid_cells(&a->grid) * (size_t)a->channels; i++)
        most = fmaxf(most, fabsf(a->data[i] - b->data[i]));
    return most;
}

#endif
