/* Ways to bring terrain back, for the eye. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "bench/realism.h"
#include "formats/format.h"

enum { TIMES = 4, GAP = 4 };

struct canvas {
    int width, height;
    float *rgba;
};

/* Light from the north-west, 45 degrees high, on heights as they are. Beyond the borders the ground is
 * level. */
static double light(const struct bench_realism *r, const float *z, int x, int y)
{
    int west = x > 0 ? x - 1 : x, east = x + 1 < r->width ? x + 1 : x;
    int north = y > 0 ? y - 1 : y, south = y + 1 < r->height ? y + 1 : y;
    double dx = ((double)z[y * r->width + east] - (double)z[y * r->width + west]) / (2 * r->cell);
    double dy = ((double)z[south * r->width + x] - (double)z[north * r->width + x]) / (2 * r->cell);
    double lit = (M_SQRT1_2 + 0.5 * (dx + dy)) / sqrt(1 + dx * dx + dy * dy);
    return lit > 0 ? lit : 0;
}

static void set_pixel(const struct canvas *c, int x, int y, double grey)
{
    float *pixel = c->rgba + 4 * ((size_t)y * (size_t)c->width + (size_t)x);
    pixel[0] = pixel[1] = pixel[2] = (float)grey;
    pixel[3] = 1;
}

static void draw_way(const struct bench_realism *r, int way, const struct canvas *c)
{
    const float *z = r->ways[way].z;
    int left = way * (r->width + GAP), side = r->width / TIMES, height = r->height < side ? r->height : side;
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++)
            set_pixel(c, left + x, y, light(r, z, x, y));
    int from_x = (r->width - side) / 2, from_y = (r->height - height) / 2;
    for (int y = 0; y < height * TIMES; y++)
        for (int x = 0; x < side * TIMES; x++)
            set_pixel(c, left + x, r->height + GAP + y, light(r, z, from_x + x / TIMES, from_y + y / TIMES));
}

bool bench_realism_draw(const struct bench_realism *r, const char *folder, struct oro_error *err)
{
    struct canvas c = {.width = r->way_count * (r->width + GAP), .height = r->height + GAP + r->width};
    char path[1024];
    if (!oro_make_folders(folder, err))
        return false;
    snprintf(path, sizeof path, "%s/%s.png", folder, r->name);
    c.rgba = oro_alloc((size_t)c.width * (size_t)c.height, 4 * sizeof *c.rgba);
    if (!c.rgba)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a picture of %d x %d", c.width, c.height);
    for (int y = 0; y < c.height; y++)
        for (int x = 0; x < c.width; x++)
            set_pixel(&c, x, y, 1);
    for (int i = 0; i < r->way_count; i++)
        draw_way(r, i, &c);
    bool ok = oro_image_write(path, c.width, c.height, c.rgba, err);
    oro_free(c.rgba);
    return ok;
}
