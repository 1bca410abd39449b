/* The layout's columns, and the parts of a graph that no link connects. */
#include "editor/project/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "editor/project/layout_private.h"

enum { BENDS_MAX = 20000 }; /* if there are more, links that lead across columns are ignored */

/* ---- Columns ---- */

/* One part: its boxes and links, by their numbers within it. */
struct part {
    size_t *boxes;
    size_t count;
    struct link *links;
    size_t link_count;
    double width, height; /* when it is laid out */
};

/* Counts the links that lead to each box. */
static size_t *count_ins(const struct part *part, struct oro_arena *arena)
{
    size_t *ins = oro_arena_alloc(arena, part->count, sizeof *ins);
    for (size_t i = 0; ins && i < part->link_count; i++)
        ins[part->links[i].to]++;
    return ins;
}

/* Ranks that rise along all links, except those that close a cycle: when only cycles are left, their first
 * box is treated as if no link led to it. NULL: memory is out. */
static size_t *rank_boxes(const struct part *part, struct oro_arena *arena)
{
    size_t *ins = count_ins(part, arena);
    size_t *rank = oro_arena_alloc(arena, part->count, sizeof *rank);
    size_t *starts = oro_arena_alloc(arena, part->count + 1, sizeof *starts);
    size_t *targets = oro_arena_alloc(arena, part->link_count + 1, sizeof *targets);
    size_t *queue = oro_arena_alloc(arena, part->count, sizeof *queue);
    if (!ins || !rank || !starts || !targets || !queue)
        return NULL;
    for (size_t i = 0; i < part->link_count; i++)
        starts[part->links[i].from + 1]++;
    for (size_t i = 0; i < part->count; i++)
        starts[i + 1] += starts[i];
    for (size_t i = part->link_count; i-- > 0;)
        targets[--starts[part->links[i].from + 1]] = part->links[i].to;
    memmove(starts, starts + 1, part->count * sizeof *starts);
    starts[part->count] = part->link_count;
    memset(rank, 0xff, part->count * sizeof *rank); /* SIZE_MAX: none yet */
    size_t done = 0, waiting = 0, next_free = 0;
    for (size_t i = 0; i < part->count; i++)
        if (ins[i] == 0)
            queue[waiting++] = i;
    while (done < part->count) {
        while (done == waiting) {
            if (rank[next_free] == SIZE_MAX && ins[next_free] > 0) {
                ins[next_free] = 0;
                queue[waiting++] = next_free;
            }
            next_free++;
        }
        size_t box = queue[done];
        rank[box] = done++;
        for (size_t i = starts[box]; i < starts[box + 1]; i++)
            if (ins[targets[i]] > 0 && --ins[targets[i]] == 0)
                queue[waiting++] = targets[i];
    }
    return rank;
}

static void drop_circles(struct part *part, const size_t *rank)
{
    size_t kept = 0;
    for (size_t i = 0; i < part->link_count; i++)
        if (rank[part->links[i].from] < rank[part->links[i].to])
            part->links[kept++] = part->links[i];
    part->link_count = kept;
}

/* Sorts links by the rank of where they come from, so that one sweep finds the longest paths. */
static bool order_links(struct part *part, const size_t *rank, struct oro_arena *arena)
{
    size_t *starts = oro_arena_alloc(arena, part->count + 2, sizeof *starts);
    struct link *sorted = oro_arena_alloc(arena, part->link_count + 1, sizeof *sorted);
    if (!starts || !sorted)
        return false;
    for (size_t i = 0; i < part->link_count; i++)
        starts[rank[part->links[i].from] + 1]++;
    for (size_t i = 0; i < part->count; i++)
        starts[i + 1] += starts[i];
    for (size_t i = 0; i < part->link_count; i++)
        sorted[starts[rank[part->links[i].from]]++] = part->links[i];
    memcpy(part->links, sorted, part->link_count * sizeof *sorted);
    return true;
}

/* The column of a box is the longest path to it; a box without inputs goes right before the first box that it
 * leads to. */
static size_t choose_columns(const struct part *part, struct vertex *vertices, struct oro_arena *arena)
{
    size_t most = 0;
    bool *led_to = oro_arena_alloc(arena, part->count, sizeof *led_to);
    for (size_t i = 0; i < part->link_count; i++) {
        const struct link *link = &part->links[i];
        if (vertices[link->to].column <= vertices[link->from].column)
            vertices[link->to].column = vertices[link->from].column + 1;
        if (vertices[link->to].column > most)
            most = vertices[link->to].column;
        if (led_to)
            led_to[link->to] = true;
    }
    size_t *nearest = oro_arena_alloc(arena, part->count, sizeof *nearest);
    for (size_t i = 0; nearest && i < part->link_count; i++) {
        const struct link *link = &part->links[i];
        size_t column = vertices[link->to].column;
        if (nearest[link->from] == 0 || column < nearest[link->from])
            nearest[link->from] = column;
    }
    for (size_t i = 0; led_to && nearest && i < part->count; i++)
        if (!led_to[i] && nearest[i] > 0)
            vertices[i].column = nearest[i] - 1;
    return most + 1;
}

/* ---- Bends ---- */

static size_t count_bends(const struct part *part, const struct vertex *vertices)
{
    size_t bends = 0;
    for (size_t i = 0; i < part->link_count; i++)
        bends += vertices[part->links[i].to].column - vertices[part->links[i].from].column - 1;
    return bends;
}

/* Cuts links into pieces that lead to the next column. */
static void bend_links(struct layout *layout, const struct part *part, bool bends)
{
    for (size_t i = 0; i < part->link_count; i++) {
        struct link link = part->links[i];
        size_t column = layout->vertices[link.from].column + 1, end = layout->vertices[link.to].column;
        if (column < end && !bends)
            continue;
        for (; column < end; column++) {
            size_t bend = layout->vertex_count++;
            layout->vertices[bend] = (struct vertex){.column = column, .height = ED_BEND_HEIGHT};
            layout->links[layout->link_count++] =
                (struct link){.from = link.from, .to = bend, .from_end = link.from_end, .to_end = 0.5};
            link.from = bend;
            link.from_end = 0.5;
        }
        layout->links[layout->link_count++] = link;
    }
}

static bool index_links(struct layout *layout)
{
    size_t ins = 0, outs = 0;
    layout->ins = oro_arena_alloc(layout->arena, layout->link_count + 1, sizeof *layout->ins);
    layout->outs = oro_arena_alloc(layout->arena, layout->link_count + 1, sizeof *layout->outs);
    if (!layout->ins || !layout->outs)
        return false;
    for (size_t i = 0; i < layout->link_count; i++) {
        layout->vertices[layout->links[i].to].ins++;
        layout->vertices[layout->links[i].from].outs++;
    }
    for (size_t i = 0; i < layout->vertex_count; i++) {
        struct vertex *vertex = &layout->vertices[i];
        vertex->first_in = ins;
        vertex->first_out = outs;
        ins += vertex->ins;
        outs += vertex->outs;
        vertex->ins = vertex->outs = 0;
    }
    for (size_t i = 0; i < layout->link_count; i++) {
        struct vertex *from = &layout->vertices[layout->links[i].from],
                      *to = &layout->vertices[layout->links[i].to];
        layout->ins[to->first_in + to->ins++] = i;
        layout->outs[from->first_out + from->outs++] = i;
    }
    return true;
}

static bool fill_columns(struct layout *layout)
{
    layout->columns = oro_arena_alloc(layout->arena, layout->column_count, sizeof *layout->columns);
    layout->column_sizes = oro_arena_alloc(layout->arena, layout->column_count, sizeof *layout->column_sizes);
    if (!layout->columns || !layout->column_sizes)
        return false;
    for (size_t i = 0; i < layout->vertex_count; i++)
        layout->column_sizes[layout->vertices[i].column]++;
    for (size_t i = 0; i < layout->column_count; i++) {
        layout->columns[i] =
            oro_arena_alloc(layout->arena, layout->column_sizes[i] + 1, sizeof *layout->columns[i]);
        if (!layout->columns[i])
            return false;
        layout->column_sizes[i] = 0;
    }
    for (size_t i = 0; i < layout->vertex_count; i++) {
        size_t column = layout->vertices[i].column;
        layout->vertices[i].place = layout->column_sizes[column]++;
        layout->columns[column][layout->vertices[i].place] = i;
    }
    return true;
}

/* ---- One part ---- */

static void give_places(const struct layout *layout, struct part *part, struct ed_layout_box *boxes)
{
    double x = 0, top = INFINITY, bottom = -INFINITY;
    for (size_t i = 0; i < layout->box_count; i++) {
        top = fmin(top, layout->vertices[i].y);
        bottom = fmax(bottom, layout->vertices[i].y + layout->vertices[i].height);
    }
    for (size_t column = 0; column < layout->column_count; column++) {
        double widest = 0;
        for (size_t i = 0; i < layout->column_sizes[column]; i++)
            widest = fmax(widest, layout->vertices[layout->columns[column][i]].width);
        for (size_t i = 0; i < layout->column_sizes[column]; i++) {
            size_t vertex = layout->columns[column][i];
            if (vertex >= layout->box_count)
                continue;
            boxes[part->boxes[vertex]].x = x;
            boxes[part->boxes[vertex]].y = round(layout->vertices[vertex].y - top);
        }
        part->width = x + ceil(widest);
        x += ceil(widest) + ED_COLUMN_GAP;
    }
    part->height = ceil(bottom - top);
}

static bool lay_out(struct part *part, struct ed_layout_box *boxes, struct oro_arena *arena)
{
    struct layout layout = {.arena = arena, .box_count = part->count, .vertex_count = part->count};
    size_t *rank = rank_boxes(part, arena);
    struct vertex *vertices = oro_arena_alloc(arena, part->count, sizeof *vertices);
    if (!rank || !vertices)
        return false;
    drop_circles(part, rank);
    if (!order_links(part, rank, arena))
        return false;
    layout.column_count = choose_columns(part, vertices, arena);
    size_t bends = count_bends(part, vertices);
    bool with_bends = bends <= BENDS_MAX;
    layout.vertices = oro_arena_alloc(arena, part->count + bends * with_bends, sizeof *layout.vertices);
    layout.links = oro_arena_alloc(arena, part->link_count + bends * with_bends + 1, sizeof *layout.links);
    if (!layout.vertices || !layout.links)
        return false;
    for (size_t i = 0; i < part->count; i++) {
        layout.vertices[i].column = vertices[i].column;
        layout.vertices[i].width = boxes[part->boxes[i]].width;
        layout.vertices[i].height = boxes[part->boxes[i]].height;
    }
    bend_links(&layout, part, with_bends);
    if (!index_links(&layout) || !fill_columns(&layout) || !ed_layout_order(&layout) ||
        !ed_layout_place(&layout))
        return false;
    give_places(&layout, part, boxes);
    return true;
}

/* ---- Parts ---- */

static size_t find_root(size_t *parents, size_t box)
{
    while (parents[box] != box) {
        parents[box] = parents[parents[box]];
        box = parents[box];
    }
    return box;
}

struct parts {
    struct part *items;
    size_t count;
};

/* Boxes that links connect. The lowest box of a part gives its place among the parts. */
static bool split(size_t count, const struct ed_layout_link *links, size_t link_count, struct parts *parts,
                  struct oro_arena *arena)
{
    size_t *roots = oro_arena_alloc(arena, count, sizeof *roots);
    size_t *part_of = oro_arena_alloc(arena, count, sizeof *part_of);
    size_t *number = oro_arena_alloc(arena, count, sizeof *number);
    parts->items = oro_arena_alloc(arena, count, sizeof *parts->items);
    if (!roots || !part_of || !number || !parts->items)
        return false;
    for (size_t i = 0; i < count; i++)
        roots[i] = i;
    for (size_t i = 0; i < link_count; i++) {
        size_t a = find_root(roots, links[i].from), b = find_root(roots, links[i].to);
        roots[a < b ? b : a] = a < b ? a : b;
    }
    for (size_t i = 0; i < count; i++) {
        size_t root = find_root(roots, i);
        part_of[i] = root == i ? parts->count++ : part_of[root];
        number[i] = parts->items[part_of[i]].count++;
    }
    for (size_t i = 0; i < link_count; i++)
        parts->items[part_of[links[i].from]].link_count++;
    for (size_t i = 0; i < parts->count; i++) {
        struct part *part = &parts->items[i];
        part->boxes = oro_arena_alloc(arena, part->count, sizeof *part->boxes);
        part->links = oro_arena_alloc(arena, part->link_count + 1, sizeof *part->links);
        part->link_count = 0;
        if (!part->boxes || !part->links)
            return false;
    }
    for (size_t i = 0; i < count; i++)
        parts->items[part_of[i]].boxes[number[i]] = i;
    for (size_t i = 0; i < link_count; i++) {
        struct part *part = &parts->items[part_of[links[i].from]];
        part->links[part->link_count++] = (struct link){.from = number[links[i].from],
                                                        .to = number[links[i].to],
                                                        .from_end = links[i].from_end,
                                                        .to_end = links[i].to_end};
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    const struct part *one = a, *two = b;
    double first = one->width * one->height, second = two->width * two->height;
    if (one->count != two->count)
        return one->count > two->count ? -1 : 1;
    if (first != second)
        return first > second ? -1 : 1;
    return (one->boxes[0] > two->boxes[0]) - (one->boxes[0] < two->boxes[0]);
}

/* Puts the parts in rows, the largest first. */
static void pack(const struct parts *parts, struct ed_layout_box *boxes)
{
    double area = 0, widest = 0, x = 0, y = 0, row = 0;
    for (size_t i = 0; i < parts->count; i++) {
        area += (parts->items[i].width + ED_COLUMN_GAP) * (parts->items[i].height + ED_ROW_GAP);
        widest = fmax(widest, parts->items[i].width);
    }
    double room = fmax(widest, 1.4 * sqrt(area));
    for (size_t i = 0; i < parts->count; i++) {
        const struct part *part = &parts->items[i];
        if (x > 0 && x + part->width > room) {
            y += row + 2 * ED_ROW_GAP;
            x = row = 0;
        }
        for (size_t k = 0; k < part->count; k++) {
            boxes[part->boxes[k]].x += x;
            boxes[part->boxes[k]].y += y;
        }
        x += part->width + ED_COLUMN_GAP;
        row = fmax(row, part->height);
    }
}

bool ed_layout(struct ed_layout_box *boxes, size_t count, const struct ed_layout_link *links,
               size_t link_count)
{
    struct oro_arena *arena = oro_arena_create();
    struct parts parts = {0};
    bool ok = arena && (count == 0 || split(count, links, link_count, &parts, arena));
    for (size_t i = 0; i < parts.count && ok; i++)
        ok = lay_out(&parts.items[i], boxes, arena);
    if (ok && parts.count > 0) {
        qsort(parts.items, parts.count, sizeof *parts.items, by_size);
        pack(&parts, boxes);
    }
    oro_arena_destroy(arena);
    return ok;
}
