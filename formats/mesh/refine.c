#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "base/memory.h"
#include "formats/mesh/span.h"

#define NOTHING UINT32_MAX
#define TRIANGLES_MAX ((size_t)UINT32_MAX / 3) /* edges are numbered with 32 bits */
enum { STOP_EVERY = 4096 };

/* A triangle's edge, as 3 * triangle + i: from its corner i to the next one. */
typedef uint32_t edge;

struct links {
    edge across[3]; /* the same edges in the triangles beside, or NOTHING at the grid's border */
};

/* The cell where a triangle is furthest from the terrain, and how far it is there: the next float that is not
 * below. 0: at no cell, or it is not known. */
struct furthest {
    struct oro_mesh_vertex cell;
    float distance;
};

struct refinement {
    struct oro_mesh *mesh;
    struct links *links; /* one per triangle, like the next */
    struct furthest *furthest;
    struct oro_heap queue; /* keys of triangles, also of some that are not what they were any more */
    size_t vertex_capacity, triangle_capacity, link_capacity, furthest_capacity;
    edge *doubtful; /* edges that may fail Delaunay's condition */
    size_t doubtful_count, doubtful_capacity;
    uint32_t *changed; /* triangles made since the last search, some of them twice */
    size_t changed_count, changed_capacity;
    bool failed; /* memory ran out */
};

/* ---- Room ---- */

/* Room for what one insertion adds at most, and for the first four vertices. */
static bool make_room(struct refinement *r)
{
    struct oro_mesh *mesh = r->mesh;
    size_t vertices = mesh->vertex_count + 4, triangles = mesh->triangle_count + 3;
    r->failed = r->failed ||
                !oro_reserve(&mesh->vertices, &r->vertex_capacity, vertices, sizeof *mesh->vertices) ||
                !oro_reserve(&mesh->triangles, &r->triangle_capacity, triangles, sizeof *mesh->triangles) ||
                !oro_reserve(&r->links, &r->link_capacity, triangles, sizeof *r->links) ||
                !oro_reserve(&r->furthest, &r->furthest_capacity, triangles, sizeof *r->furthest);
    return !r->failed;
}

/* ---- Triangles ---- */

/* An edge of the polygon around a new vertex, and the edge on its other side. */
struct rim {
    uint32_t from, to;
    edge across;
};

/* Makes `triangle` of the rim and the vertex `top`, its third corner. */
static void set_triangle(struct refinement *r, uint32_t triangle, struct rim rim, uint32_t top)
{
    uint32_t *corners = r->mesh->triangles[triangle];
    corners[0] = rim.from;
    corners[1] = rim.to;
    corners[2] = top;
    r->links[triangle].across[0] = rim.across;
    if (rim.across != NOTHING)
        r->links[rim.across / 3].across[rim.across % 3] = 3 * triangle;
    r->furthest[triangle].distance = 0;
    r->failed = r->failed ||
                !oro_reserve(&r->changed, &r->changed_capacity, r->changed_count + 1, sizeof *r->changed) ||
                !oro_reserve(&r->doubtful, &r->doubtful_capacity, r->doubtful_count + 1, sizeof *r->doubtful);
    if (r->failed)
        return;
    r->changed[r->changed_count++] = triangle;
    r->doubtful[r->doubtful_count++] = 3 * triangle;
}

/* Joins two triangles that follow each other counter-clockwise around their third corner. */
static void join(struct refinement *r, uint32_t triangle, uint32_t next)
{
    r->links[triangle].across[1] = 3 * next + 2;
    r->links[next].across[2] = 3 * triangle + 1;
}

/* Fills a polygon with triangles around the vertex `top`; an open one has `top` on the border. */
static void fill(struct refinement *r, const struct rim *rims, const uint32_t *triangles, int count,
                 bool closed, uint32_t top)
{
    for (int i = 0; i < count; i++)
        set_triangle(r, triangles[i], rims[i], top);
    for (int i = 0; i + 1 < count; i++)
        join(r, triangles[i], triangles[i + 1]);
    if (closed) {
        join(r, triangles[count - 1], triangles[0]);
    } else {
        r->links[triangles[count - 1]].across[1] = NOTHING;
        r->links[triangles[0]].across[2] = NOTHING;
    }
}

/* The rim that an edge of a triangle becomes. */
static struct rim rim_of(const struct refinement *r, edge e)
{
    const uint32_t *corners = r->mesh->triangles[e / 3];
    return (struct rim){corners[e % 3], corners[(e + 1) % 3], r->links[e / 3].across[e % 3]};
}

/* The `n`-th edge after `e` around its triangle. */
static edge after(edge e, uint32_t n)
{
    return e / 3 * 3 + (e + n) % 3;
}

static void split_triangle(struct refinement *r, uint32_t triangle, uint32_t top)
{
    uint32_t first = (uint32_t)r->mesh->triangle_count;
    edge e = 3 * triangle;
    struct rim rims[] = {rim_of(r, e), rim_of(r, e + 1), rim_of(r, e + 2)};
    r->mesh->triangle_count += 2;
    fill(r, rims, (uint32_t[]){triangle, first, first + 1}, 3, true, top);
}

static void split_edge(struct refinement *r, edge e, uint32_t top)
{
    uint32_t first = (uint32_t)r->mesh->triangle_count;
    edge other = r->links[e / 3].across[e % 3];
    struct rim rims[4] = {rim_of(r, after(e, 1)), rim_of(r, after(e, 2))};
    if (other == NOTHING) {
        r->mesh->triangle_count += 1;
        fill(r, rims, (uint32_t[]){e / 3, first}, 2, false, top);
        return;
    }
    rims[2] = rim_of(r, after(other, 1));
    rims[3] = rim_of(r, after(other, 2));
    r->mesh->triangle_count += 2;
    fill(r, rims, (uint32_t[]){e / 3, first, other / 3, first + 1}, 4, true, top);
}

/* Whether `d` lies within the circle through a, b, c: exact, since each product is less than 2^61. */
static bool in_circle(struct oro_mesh_vertex a, struct oro_mesh_vertex b, struct oro_mesh_vertex c,
                      struct oro_mesh_vertex d)
{
    const struct oro_mesh_vertex *corner[] = {&a, &b, &c};
    int64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        int64_t x = corner[i]->column - d.column, y = corner[i]->row - d.row;
        sum += (x * x + y * y) * oro_mesh_turn(*corner[(i + 1) % 3], *corner[(i + 2) % 3], d);
    }
    return sum > 0;
}

/* Flips the first edge of a triangle, which lies opposite the new vertex, if the vertex beyond it is within
 * the triangle's circle. */
static void legalise(struct refinement *r, edge e)
{
    edge other = r->links[e / 3].across[e % 3];
    if (other == NOTHING)
        return;
    const uint32_t *corners = r->mesh->triangles[e / 3];
    const struct oro_mesh_vertex *vertices = r->mesh->vertices;
    struct rim rims[] = {rim_of(r, after(other, 1)), rim_of(r, after(other, 2))};
    uint32_t top = corners[2];
    edge before = r->links[e / 3].across[2], behind = r->links[e / 3].across[1];
    if (!in_circle(vertices[corners[0]], vertices[corners[1]], vertices[top], vertices[rims[0].to]))
        return;
    uint32_t one = e / 3, two = other / 3;
    fill(r, rims, (uint32_t[]){one, two}, 2, false, top);
    r->links[one].across[2] = before;
    r->links[two].across[1] = behind;
    if (before != NOTHING)
        r->links[before / 3].across[before % 3] = 3 * one + 2;
    if (behind != NOTHING)
        r->links[behind / 3].across[behind % 3] = 3 * two + 1;
}

/* ---- Where the surface is furthest from the terrain ---- */

/* The lowest is of the triangle that is furthest; of several as far, of the one with the least number. */
static uint64_t key_of(const struct refinement *r, uint32_t triangle)
{
    uint32_t bits; /* of floats above 0, greater ones have greater bits */
    memcpy(&bits, &r->furthest[triangle].distance, sizeof bits);
    return (uint64_t)~bits << 32 | triangle;
}

static void search(struct refinement *r, uint32_t triangle)
{
    const struct oro_mesh_grid *grid = r->mesh->grid;
    const uint32_t *corners = r->mesh->triangles[triangle];
    struct oro_mesh_vertex corner[3], found = {0, 0};
    for (int i = 0; i < 3; i++)
        corner[i] = r->mesh->vertices[corners[i]];
    struct oro_mesh_plane plane = oro_mesh_plane(grid, corner);
    double most = 0;
    for (int row = oro_mesh_top(corner); row <= oro_mesh_bottom(corner); row++) {
        const float *heights = grid->heights + (size_t)row * (size_t)grid->width;
        double base = plane.base + plane.south * row;
        struct oro_mesh_span span = oro_mesh_span(corner, row);
        for (int column = span.first; column <= span.last; column++) {
            double distance = fabs(base + plane.east * column - (double)heights[column]);
            if (distance > most) {
                most = distance;
                found = (struct oro_mesh_vertex){column, row};
            }
        }
    }
    for (int i = 0; i < 3; i++)
        if (found.column == corner[i].column && found.row == corner[i].row)
            most = 0; /* rounding alone: at its corners the surface has the terrain's height */
    float distance = (float)most;
    r->furthest[triangle] =
        (struct furthest){found, (double)distance < most ? nextafterf(distance, INFINITY) : distance};
    if (most > 0)
        r->failed = !oro_heap_put(&r->queue, key_of(r, triangle)) || r->failed;
}

static void search_changed(struct refinement *r)
{
    for (size_t i = 0; i < r->changed_count; i++)
        if (r->furthest[r->changed[i]].distance <= 0)
            search(r, r->changed[i]);
    r->changed_count = 0;
}

/* The triangle that is furthest, if that is more than `error`. */
static uint32_t take(struct refinement *r, double error)
{
    while (r->queue.count > 0) {
        uint64_t key = oro_heap_take(&r->queue);
        uint32_t triangle = (uint32_t)key;
        if (key == key_of(r, triangle))
            return (double)r->furthest[triangle].distance > error ? triangle : NOTHING;
    }
    return NOTHING;
}

/* ---- The whole ---- */

static void begin(struct refinement *r)
{
    struct oro_mesh *mesh = r->mesh;
    int right = mesh->grid->width - 1, bottom = mesh->grid->height - 1;
    mesh->vertices[0] = (struct oro_mesh_vertex){0, 0};
    mesh->vertices[1] = (struct oro_mesh_vertex){0, bottom};
    mesh->vertices[2] = (struct oro_mesh_vertex){right, bottom};
    mesh->vertices[3] = (struct oro_mesh_vertex){right, 0};
    mesh->vertex_count = 4;
    mesh->triangle_count = 2;
    r->links[0].across[0] = r->links[0].across[1] = r->links[1].across[0] = r->links[1].across[1] = NOTHING;
    fill(r, (struct rim[]){{1, 2, NOTHING}, {2, 3, NOTHING}}, (uint32_t[]){0, 1}, 2, false, 0);
    r->doubtful_count = 0; /* both have the whole border around them */
}

static void insert(struct refinement *r, uint32_t triangle)
{
    struct oro_mesh_vertex found = r->furthest[triangle].cell;
    const uint32_t *corners = r->mesh->triangles[triangle];
    uint32_t top = (uint32_t)r->mesh->vertex_count++, on = 3;
    r->mesh->vertices[top] = found;
    for (uint32_t i = 0; i < 3; i++)
        if (oro_mesh_turn(r->mesh->vertices[corners[i]], r->mesh->vertices[corners[(i + 1) % 3]], found) == 0)
            on = i;
    if (on < 3)
        split_edge(r, 3 * triangle + on, top);
    else
        split_triangle(r, triangle, top);
    while (r->doubtful_count > 0 && !r->failed)
        legalise(r, r->doubtful[--r->doubtful_count]);
}

static bool refine(struct refinement *r, double error, size_t triangles, bool (*stop)(void *), void *user,
                   struct oro_error *err)
{
    size_t most = triangles > 0 && triangles < TRIANGLES_MAX ? triangles : TRIANGLES_MAX;
    while (!r->failed && r->mesh->triangle_count + 2 <= most && make_room(r)) {
        uint32_t triangle = take(r, error);
        if (triangle == NOTHING)
            break;
        insert(r, triangle);
        search_changed(r);
        if (r->mesh->vertex_count % STOP_EVERY == 0 && stop && stop(user))
            return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    }
    return !r->failed || oro_fail(err, ORO_E_MEMORY, "no memory for a mesh of more than %zu triangles",
                                  r->mesh->triangle_count);
}

bool oro_mesh_refine(const struct oro_mesh_grid *grid, double error, size_t triangles,
                     bool (*stop)(void *user), void *user, struct oro_mesh *mesh, struct oro_error *err)
{
    struct refinement r = {.mesh = mesh};
    *mesh = (struct oro_mesh){.grid = grid};
    if (make_room(&r))
        begin(&r);
    if (!r.failed)
        search_changed(&r);
    /* Measured again, the distance may differ by rounding. */
    bool ok = refine(&r, error * (1 - 1e-9), triangles, stop, user, err);
    oro_free(r.links);
    oro_free(r.furthest);
    oro_free(r.doubtful);
    oro_free(r.changed);
    oro_free(r.queue.keys);
    if (!ok)
        oro_mesh_free(mesh);
    return ok;
}
