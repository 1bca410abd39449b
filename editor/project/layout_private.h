/* The layout in the making; shared by layout.c, layout_order.c and layout_place.c. */
#ifndef ED_PROJECT_LAYOUT_PRIVATE_H
#define ED_PROJECT_LAYOUT_PRIVATE_H

#include <stdint.h>

#include "base/memory.h"
#include "editor/project/layout.h"

enum {
    ED_COLUMN_GAP = 70,
    ED_ROW_GAP = 26,
    ED_BEND_HEIGHT = 10, /* room for a link on its way through a column */
};

/* A box, or the bend of a link where it crosses a column. */
struct vertex {
    size_t column, place; /* place within the column, from above */
    double width, height;
    double y;
    double wanted, weight;
    size_t way;                            /* how many straight links follow one another from here */
    size_t first_in, ins, first_out, outs; /* links: into order[] of the layout */
};
struct link {
    size_t from, to; /* vertices in neighbouring columns */
    double from_end, to_end;
    bool straight; /* both ends are to stand at one height */
};

struct layout {
    struct oro_arena *arena;
    struct vertex *vertices; /* the boxes come first */
    size_t vertex_count, box_count;
    struct link *links;
    size_t link_count;
    size_t *ins, *outs; /* links, by the vertices that they lead to, and come from */
    size_t **columns;   /* vertices from above */
    size_t *column_sizes;
    size_t column_count;
};

/* Orders all columns so that few links cross. */
bool ed_layout_order(struct layout *layout);
/* Sets y of all vertices. */
bool ed_layout_place(struct layout *layout);

#endif
