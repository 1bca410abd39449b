/* Making networks, and moving them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/network_private.h"

struct oro_vertex oro_vertex_at(float x, float y)
{
    return (struct oro_vertex){
        .x = x, .y = y, .elevation = NAN, .drainage = NAN, .width = NAN, .prominence = NAN};
}

/* Makes room for `wanted` items in one of the builder's arrays. */
static bool reserve(struct oro_network_builder *b, void **items, size_t *capacity, size_t wanted, size_t size)
{
    if (!b->failed && !oro_reserve(items, capacity, wanted, size))
        b->failed = true;
    return !b->failed;
}

static bool reserve_numbers(struct oro_network_builder *b, uint32_t **numbers, size_t *capacity,
                            size_t wanted)
{
    void *items = *numbers;
    bool ok = reserve(b, &items, capacity, wanted, sizeof **numbers);
    *numbers = items;
    return ok;
}

uint32_t oro_network_add_vertex(struct oro_network_builder *b, struct oro_vertex vertex)
{
    void *items = b->vertices;
    bool ok = reserve(b, &items, &b->vertex_capacity, b->vertex_count + 1, sizeof vertex);
    b->vertices = items;
    if (!ok)
        return 0;
    b->vertices[b->vertex_count] = vertex;
    return (uint32_t)b->vertex_count++;
}

void oro_network_add_line(struct oro_network_builder *b, const uint32_t *vertices, size_t count)
{
    if (count < 2 || !reserve_numbers(b, &b->starts, &b->line_capacity, b->line_count + 1) ||
        !reserve_numbers(b, &b->indices, &b->index_capacity, b->index_count + count))
        return;
    b->starts[b->line_count++] = (uint32_t)b->index_count;
    memcpy(b->indices + b->index_count, vertices, count * sizeof *vertices);
    b->index_count += count;
}

/* ---- Joining ---- */

struct place {
    float x, y;
    uint32_t number;
};

static int by_place(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static float first_known(float a, float b)
{
    return isnan(a) ? b : a;
}

static void learn(struct oro_vertex *v, const struct oro_vertex *from)
{
    v->elevation = first_known(v->elevation, from->elevation);
    v->drainage = first_known(v->drainage, from->drainage);
    v->width = first_known(v->width, from->width);
    v->prominence = first_known(v->prominence, from->prominence);
    v->order = v->order ? v->order : from->order;
    v->kind = v->kind ? v->kind : from->kind;
}

/* Puts into `first`, for every vertex, the first one at its place, which gets what all of them know. */
static void find_first(struct oro_network_builder *b, struct place *places, uint32_t *first)
{
    for (size_t i = 0; i < b->vertex_count; i++)
        places[i] = (struct place){b->vertices[i].x, b->vertices[i].y, (uint32_t)i};
    qsort(places, b->vertex_count, sizeof *places, by_place);
    for (size_t i = 0; i < b->vertex_count; i++) {
        bool again = i > 0 && places[i].x == places[i - 1].x && places[i].y == places[i - 1].y;
        uint32_t number = places[i].number;
        first[number] = again ? first[places[i - 1].number] : number;
        if (again)
            learn(&b->vertices[first[number]], &b->vertices[number]);
    }
}

/* Keeps the vertices that are first at their place; `first` becomes the new number of every vertex. */
static void drop_others(struct oro_network_builder *b, uint32_t *first)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->vertex_count; i++) {
        bool is_first = first[i] == i;
        first[i] = is_first ? (uint32_t)kept : first[first[i]]; /* that one is before, and has its number */
        if (is_first)
            b->vertices[kept++] = b->vertices[i];
    }
    b->vertex_count = kept;
}

static void renumber_lines(struct oro_network_builder *b, const uint32_t *number)
{
    size_t kept = 0, total = b->index_count;
    for (size_t line = 0; line < b->line_count; line++) {
        size_t first = b->starts[line], end = line + 1 < b->line_count ? b->starts[line + 1] : total;
        size_t start = kept;
        for (size_t i = first; i < end; i++) {
            uint32_t vertex = number[b->indices[i]];
            if (kept == start || b->indices[kept - 1] != vertex)
                b->indices[kept++] = vertex;
        }
        if (kept == start + 1) {
            b->indices[kept] = b->indices[start];
            kept++;
        }
        b->starts[line] = (uint32_t)start;
    }
    b->index_count = kept;
}

void oro_network_join(struct oro_network_builder *b)
{
    if (b->failed || b->vertex_count == 0 || b->vertex_count > ORO_NETWORK_VERTICES)
        return;
    struct place *places = oro_alloc(b->vertex_count, sizeof *places);
    uint32_t *number = oro_alloc(b->vertex_count, sizeof *number);
    if (places && number) {
        find_first(b, places, number);
        drop_others(b, number);
        renumber_lines(b, number);
    } else
        b->failed = true;
    oro_free(places);
    oro_free(number);
}

/* ---- The end ---- */

static struct oro_network *assemble(const struct oro_network_builder *b)
{
    struct oro_network head = {.magic = ORO_NETWORK_MAGIC,
                               .version = ORO_NETWORK_VERSION,
                               .vertex_count = (uint32_t)b->vertex_count,
                               .line_count = (uint32_t)b->line_count,
                               .index_count = (uint32_t)b->index_count};
    struct oro_network *network = oro_alloc(oro_network_bytes(&head), 1);
    if (!network)
        return NULL;
    *network = head;
    struct oro_vertex *vertices = (struct oro_vertex *)(network + 1);
    uint32_t *starts = (uint32_t *)(vertices + b->vertex_count);
    if (b->vertex_count)
        memcpy(vertices, b->vertices, b->vertex_count * sizeof *vertices);
    if (b->line_count) {
        memcpy(starts, b->starts, b->line_count * sizeof *starts);
        memcpy(starts + b->line_count + 1, b->indices, b->index_count * sizeof *b->indices);
    }
    starts[b->line_count] = head.index_count;
    return network;
}

struct oro_network *oro_network_finish(struct oro_network_builder *b, struct oro_error *err)
{
    struct oro_network *network = NULL;
    if (b->vertex_count > ORO_NETWORK_VERTICES || b->index_count > ORO_NETWORK_INDICES)
        oro_fail(err, ORO_E_LIMIT, "a network of %zu vertices is too large: up to %zu are possible",
                 b->vertex_count, ORO_NETWORK_VERTICES);
    else if (b->failed || !(network = assemble(b)))
        oro_fail(err, ORO_E_MEMORY, "no memory for a network of %zu vertices", b->vertex_count);
    else if (!oro_network_of(network, oro_network_bytes(network), err)) {
        oro_free(network);
        network = NULL;
    }
    oro_free(b->vertices);
    oro_free(b->starts);
    oro_free(b->indices);
    *b = (struct oro_network_builder){0};
    return network;
}

struct oro_network *oro_network_moved(const struct oro_network *network, double east, double south,
                                      bool mirrored, struct oro_error *err)
{
    size_t bytes = oro_network_bytes(network);
    struct oro_network *copy = oro_alloc(bytes, 1);
    if (!copy) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a network of %u vertices", network->vertex_count);
        return NULL;
    }
    memcpy(copy, network, bytes);
    struct oro_vertex *vertices = (struct oro_vertex *)(copy + 1);
    for (uint32_t i = 0; i < copy->vertex_count; i++) {
        double y = (double)vertices[i].y;
        vertices[i].x = (float)((double)vertices[i].x + east);
        vertices[i].y = (float)(mirrored ? south - y : south + y);
    }
    if (!oro_network_of(copy, bytes, err)) {
        oro_free(copy);
        return NULL;
    }
    return copy;
}
