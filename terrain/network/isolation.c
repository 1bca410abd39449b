#include "terrain/network/isolation.h"

#include <math.h>

#include "base/memory.h"

/* ---- Rings of squares around a place, until none can be nearer ---- */

struct search {
    int columns, rows;
    double side; /* of a square */
    double x, y; /* the north-west corner */
    /* The least distance to what is higher than the summit in the square, or INFINITY. */
    double (*nearest)(const void *user, int column, int row, const struct oro_vertex *summit);
    const void *user;
};

static int square_of(double at, double corner, double side, int count)
{
    return (int)fmin(fmax(floor((at - corner) / side), 0), count - 1);
}

/* The squares that are `ring` columns or rows away. */
static double nearest_in_ring(const struct search *s, int column, int row, int ring,
                              const struct oro_vertex *summit)
{
    double least = INFINITY;
    for (int y = row - ring; y <= row + ring; y++) {
        int step = y == row - ring || y == row + ring || ring == 0 ? 1 : 2 * ring;
        for (int x = column - ring; y >= 0 && y < s->rows && x <= column + ring; x += step)
            if (x >= 0 && x < s->columns)
                least = fmin(least, s->nearest(s->user, x, y, summit));
    }
    return least;
}

static double search(const struct search *s, const struct oro_vertex *summit)
{
    int column = square_of((double)summit->x, s->x, s->side, s->columns);
    int row = square_of((double)summit->y, s->y, s->side, s->rows);
    int rings = s->columns > s->rows ? s->columns : s->rows;
    double least = INFINITY;
    for (int ring = 0; ring < rings && least > (ring - 1) * s->side; ring++)
        least = fmin(least, nearest_in_ring(s, column, row, ring, summit));
    return least;
}

static double distance(const struct oro_vertex *summit, double x, double y)
{
    return hypot(x - (double)summit->x, y - (double)summit->y);
}

/* ---- On a terrain ---- */

static double nearest_cell(const void *user, int column, int row, const struct oro_vertex *summit)
{
    const struct oro_isolation_ground *g = user;
    if (!(g->z[(size_t)row * (size_t)g->width + (size_t)column] > summit->elevation))
        return INFINITY;
    return distance(summit, g->x + (column + 0.5) * g->cell, g->y + (row + 0.5) * g->cell);
}

double oro_isolation_on_ground(const struct oro_isolation_ground *ground, const struct oro_vertex *summit)
{
    struct search s = {.columns = ground->width,
                       .rows = ground->height,
                       .side = ground->cell,
                       .x = ground->x,
                       .y = ground->y,
                       .nearest = nearest_cell,
                       .user = ground};
    return search(&s, summit);
}

/* ---- Among vertices ---- */

struct oro_isolation_index {
    struct search search;
    const struct oro_vertex *vertices;
    uint32_t *starts, *items; /* the vertices in each square */
};

static size_t square(const struct oro_isolation_index *index, const struct oro_vertex *v)
{
    const struct search *s = &index->search;
    int column = square_of((double)v->x, s->x, s->side, s->columns);
    int row = square_of((double)v->y, s->y, s->side, s->rows);
    return (size_t)row * (size_t)s->columns + (size_t)column;
}

static double nearest_vertex(const void *user, int column, int row, const struct oro_vertex *summit)
{
    const struct oro_isolation_index *index = user;
    size_t at = (size_t)row * (size_t)index->search.columns + (size_t)column;
    double least = INFINITY;
    for (uint32_t k = index->starts[at]; k < index->starts[at + 1]; k++) {
        const struct oro_vertex *v = &index->vertices[index->items[k]];
        if (v->elevation > summit->elevation)
            least = fmin(least, distance(summit, (double)v->x, (double)v->y));
    }
    return least;
}

/* As many squares as vertices, or fewer. */
static void choose_squares(struct search *s, const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < network->vertex_count; i++) {
        low[0] = fmin(low[0], (double)v[i].x);
        low[1] = fmin(low[1], (double)v[i].y);
        high[0] = fmax(high[0], (double)v[i].x);
        high[1] = fmax(high[1], (double)v[i].y);
    }
    double width = fmax(high[0] - low[0], 1e-3), height = fmax(high[1] - low[1], 1e-3);
    double count = fmin(network->vertex_count, 1e6);
    s->side = fmax(sqrt(width * height / count), fmax(width, height) / count);
    s->columns = (int)(width / s->side) + 1;
    s->rows = (int)(height / s->side) + 1;
    s->x = low[0];
    s->y = low[1];
}

static void sort_vertices(struct oro_isolation_index *index, uint32_t count)
{
    size_t squares = (size_t)index->search.columns * (size_t)index->search.rows;
    for (uint32_t i = 0; i < count; i++)
        index->starts[square(index, &index->vertices[i]) + 1]++;
    for (size_t k = 0; k < squares; k++)
        index->starts[k + 1] += index->starts[k];
    for (uint32_t i = count; i-- > 0;) /* from the back, so that each square's end becomes its start */
        index->items[--index->starts[square(index, &index->vertices[i]) + 1]] = i;
    for (size_t k = 0; k < squares; k++)
        index->starts[k] = index->starts[k + 1];
    index->starts[squares] = count;
}

struct oro_isolation_index *oro_isolation_index(const struct oro_network *network)
{
    struct oro_isolation_index *index = oro_alloc(1, sizeof *index);
    if (!index)
        return NULL;
    index->vertices = oro_network_vertices(network);
    index->search.nearest = nearest_vertex;
    index->search.user = index;
    choose_squares(&index->search, network);
    size_t squares = (size_t)index->search.columns * (size_t)index->search.rows;
    index->starts = oro_alloc(squares + 1, sizeof *index->starts);
    index->items = oro_alloc(network->vertex_count, sizeof *index->items);
    if (!index->starts || !index->items) {
        oro_isolation_index_free(index);
        return NULL;
    }
    sort_vertices(index, network->vertex_count);
    return index;
}

void oro_isolation_index_free(struct oro_isolation_index *index)
{
    if (!index)
        return;
    oro_free(index->starts);
    oro_free(index->items);
    oro_free(index);
}

double oro_isolation_in_network(const struct oro_isolation_index *index, const struct oro_vertex *summit)
{
    return search(&index->search, summit);
}
