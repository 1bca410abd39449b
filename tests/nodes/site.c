#include "tests/nodes/site.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/support/test.h"

struct site site_start(struct harness *h, int width, int height, double cell)
{
    return (struct site){.harness = h, .width = width, .height = height, .cell = cell};
}

static void add(struct site *site, const char *text)
{
    size_t used = strlen(site->nodes);
    assert_true(used + strlen(text) < sizeof site->nodes);
    memcpy(site->nodes + used, text, strlen(text) + 1);
}

void site_raster(struct site *site, const char *id, const float *data)
{
    static int number; /* files of one process must not get in each other's way */
    char name[64], path[128];
    snprintf(name, sizeof name, "%.40s%d.pfm", id, number++);
    harness_store(site->harness, name, site->width, site->height, data, path);
    site_node(site, id, "import", IN("file", "%s") IN("size", "file"), path);
}

void site_node(struct site *site, const char *id, const char *type, const char *inputs, ...)
{
    char start[128], given[4096];
    va_list args;
    va_start(args, inputs);
    assert_true(vsnprintf(given, sizeof given, inputs, args) < (int)sizeof given);
    va_end(args);
    const struct oro_node_type *known = oro_registry_find(site->harness->registry, type);
    snprintf(start, sizeof start, "<node id=\"%s\" type=\"%s\" version=\"%d\" x=\"0\" y=\"0\">", id, type,
             known ? known->version : 1);
    add(site, start);
    add(site, given);
    add(site, "</node>\n");
}

float *site_take(struct site *site, const char *node, const char *output)
{
    static char text[SITE_TEXT_MAX + 512];
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"%.17g\" resolution=\"16\"", "%s"),
             site->cell * site->width, site->nodes);
    struct harness_raster raster = harness_run(site->harness, text, node, output);
    for (int i = 0; i < raster.grid.width * raster.grid.height; i++)
        assert_true(isfinite(raster.data[i]));
    return raster.data;
}

/* PCG's output permutation (O'Neill 2014). */
static unsigned hash(unsigned x)
{
    unsigned state = x * 747796405u + 2891336453u;
    unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

double site_random(unsigned seed, int i)
{
    return hash((unsigned)i + hash(seed)) / 4294967296.0;
}

static float *raster(int width, int height)
{
    float *data = oro_alloc((size_t)width * (size_t)height, sizeof *data);
    assert_non_null(data);
    return data;
}

/* Soft steps between random values on a lattice. */
static double value_noise(double x, double y, unsigned seed)
{
    int cx = (int)floor(x), cy = (int)floor(y);
    double u = x - cx, v = y - cy, corner[4];
    u *= u * (3 - 2 * u);
    v *= v * (3 - 2 * v);
    for (int i = 0; i < 4; i++)
        corner[i] = site_random(seed + (unsigned)(cy + i / 2), cx + i % 2);
    return (corner[0] * (1 - u) + corner[1] * u) * (1 - v) + (corner[2] * (1 - u) + corner[3] * u) * v;
}

float *site_rough(int width, int height, double size, double relief, double low, unsigned seed)
{
    float *data = raster(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0, gain = 0.5, scale = 1 / size;
            for (int octave = 0; scale <= 1; octave++, gain *= 0.5, scale *= 2)
                sum += gain * value_noise(x * scale, y * scale, seed + 1000u * (unsigned)octave);
            sum += gain * site_random(seed, width * y + x);
            data[width * y + x] = (float)(low + relief * sum);
        }
    return data;
}

float *site_scatter(int width, int height, double low, double high, unsigned seed)
{
    float *data = raster(width, height);
    for (int i = 0; i < width * height; i++)
        data[i] = (float)(low + (high - low) * site_random(seed, i));
    return data;
}

float *site_uniform(int width, int height, double value)
{
    return site_scatter(width, height, value, value, 0);
}

double site_sum(const float *a, int cells)
{
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += (double)a[i];
    return sum;
}

double site_difference(const float *a, const float *b, int cells)
{
    double most = 0;
    for (int i = 0; i < cells; i++)
        most = fmax(most, fabs((double)a[i] - (double)b[i]));
    return most;
}

static bool is_pit(const float *height, int columns, int x, int y)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (height[columns * (y + dy) + x + dx] < height[columns * y + x])
                return false;
    return true;
}

int site_pits(const float *height, int columns, int rows)
{
    int count = 0;
    for (int y = 1; y < rows - 1; y++)
        for (int x = 1; x < columns - 1; x++)
            count += is_pit(height, columns, x, y);
    return count;
}
