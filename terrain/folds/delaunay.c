/* Who is whose neighbour: Delaunay triangulation by Qhull, and for points in a row by their order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <libqhull_r/libqhull_r.h>

#include "base/memory.h"
#include "terrain/folds/folds.h"

/* Half edges, both ways; more than once where two triangles share one. */
struct edges {
    uint32_t (*pair)[2];
    size_t count, capacity;
};

static bool add_edge(struct edges *edges, uint32_t a, uint32_t b)
{
    void *pairs = edges->pair;
    bool room = oro_reserve(&pairs, &edges->capacity, edges->count + 2, sizeof *edges->pair);
    edges->pair = pairs;
    if (!room)
        return false;
    edges->pair[edges->count][0] = a;
    edges->pair[edges->count++][1] = b;
    edges->pair[edges->count][0] = b;
    edges->pair[edges->count++][1] = a;
    return true;
}

/* ---- In a row ---- */

struct place {
    double x, y;
    uint32_t index;
};

static int by_place(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return 0;
}

/* The first and the last in order are the ends of the row, if it is one. What lies off it by less than a
 * billionth of its length makes no triangles. */
static bool is_row(const struct place *places, size_t count)
{
    double x = places[count - 1].x - places[0].x, y = places[count - 1].y - places[0].y;
    for (size_t i = 1; i + 1 < count; i++)
        if (fabs(x * (places[i].y - places[0].y) - y * (places[i].x - places[0].x)) > 1e-9 * (x * x + y * y))
            return false;
    return true;
}

static bool link_row(const struct place *places, size_t count, struct edges *edges)
{
    for (size_t i = 1; i < count; i++)
        if (!add_edge(edges, places[i - 1].index, places[i].index))
            return false;
    return true;
}

/* ---- Triangles ---- */

static bool add_triangle(qhT *qh, const facetT *facet, struct edges *edges)
{
    uint32_t corner[3];
    int count = 0;
    for (vertexT **vertex = SETaddr_(facet->vertices, vertexT); *vertex && count < 3; vertex++)
        corner[count++] = (uint32_t)qh_pointid(qh, (*vertex)->point);
    for (int i = 0; count == 3 && i < 3; i++)
        if (!add_edge(edges, corner[i], corner[(i + 1) % 3]))
            return false;
    return true;
}

/* The list ends with a sentinel. */
static bool read_triangles(qhT *qh, struct edges *edges, struct oro_error *err)
{
    for (const facetT *facet = qh->facet_list; facet && facet->next; facet = facet->next)
        if (!facet->upperdelaunay && !add_triangle(qh, facet, edges))
            return oro_fail(err, ORO_E_MEMORY, "no memory for neighbours");
    return true;
}

/* Qhull writes what it has to say into a file, and ends the program where that is NULL. */
static bool triangulate(const struct oro_point *points, size_t count, struct edges *edges,
                        struct oro_error *err)
{
    char options[] = "qhull d Qt Qbb Qz Pp"; /* triangles, also where four points share a circle */
    FILE *silence = fopen("/dev/null", "w");
    qhT *qh = oro_alloc(1, sizeof *qh);
    double(*places)[2] = oro_alloc(count, sizeof *places);
    bool ok = silence && qh && places;
    if (!ok)
        oro_fail(err, ORO_E_MEMORY, "no memory for the neighbours of %zu discs", count);
    for (size_t i = 0; ok && i < count; i++) {
        places[i][0] = points[i].x - points[0].x;
        places[i][1] = points[i].y - points[0].y;
    }
    if (ok) {
        int kept, bytes;
        qh_zero(qh, silence);
        int status = qh_new_qhull(qh, 2, (int)count, *places, false, options, NULL, silence);
        ok = status == 0
                 ? read_triangles(qh, edges, err)
                 : oro_fail(err, status == qh_ERRmem ? ORO_E_MEMORY : ORO_E_EVALUATE,
                            "%zu discs cannot be joined into triangles (qhull: error %d)", count, status);
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &kept, &bytes);
    }
    oro_free(places);
    oro_free(qh);
    if (silence)
        fclose(silence);
    return ok;
}

/* ---- Neighbours ---- */

static int by_ends(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

static bool collect(struct edges *edges, size_t count, struct oro_neighbours *neighbours,
                    struct oro_error *err)
{
    *neighbours = (struct oro_neighbours){oro_alloc(count + 1, sizeof(uint32_t)),
                                          oro_alloc(edges->count + 1, sizeof(uint32_t))};
    if (!neighbours->start || !neighbours->neighbour) {
        oro_neighbours_free(neighbours);
        return oro_fail(err, ORO_E_MEMORY, "no memory for neighbours");
    }
    if (edges->count)
        qsort(edges->pair, edges->count, sizeof *edges->pair, by_ends);
    uint32_t kept = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const uint32_t *edge = edges->pair[i];
        if (i > 0 && by_ends(edge, edges->pair[i - 1]) == 0)
            continue;
        neighbours->neighbour[kept++] = edge[1];
        neighbours->start[edge[0] + 1] = kept;
    }
    for (size_t i = 1; i <= count; i++) /* points without neighbours */
        if (neighbours->start[i] < neighbours->start[i - 1])
            neighbours->start[i] = neighbours->start[i - 1];
    return true;
}

bool oro_delaunay(const struct oro_point *points, size_t count, struct oro_neighbours *neighbours,
                  struct oro_error *err)
{
    struct edges edges = {0};
    struct place *places = oro_alloc(count + 1, sizeof *places);
    bool ok = places != NULL;
    if (!ok)
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu discs", count);
    for (size_t i = 0; ok && i < count; i++)
        places[i] = (struct place){points[i].x, points[i].y, (uint32_t)i};
    if (ok)
        qsort(places, count, sizeof *places, by_place);
    for (size_t i = 1; ok && i < count; i++)
        if (by_place(&places[i - 1], &places[i]) == 0)
            ok = oro_fail(err, ORO_E_EVALUATE, "two discs lie at %g %g", places[i].x, places[i].y);
    if (ok && (count < 3 || is_row(places, count)))
        ok = link_row(places, count, &edges) || oro_fail(err, ORO_E_MEMORY, "no memory for neighbours");
    else if (ok)
        ok = triangulate(points, count, &edges, err);
    *neighbours = (struct oro_neighbours){0};
    ok = ok && collect(&edges, count, neighbours, err);
    oro_free(edges.pair);
    oro_free(places);
    return ok;
}

void oro_neighbours_free(struct oro_neighbours *neighbours)
{
    oro_free(neighbours->start);
    oro_free(neighbours->neighbour);
    *neighbours = (struct oro_neighbours){0};
}
