/*
 * Messages as plain bytes. They may come from another process: a reader checks whatever it takes, and after a
 * failure gives zeros, so that one look at `failed` at the end of a loop suffices. Numbers are written seven
 * bits a byte, the lowest first.
 */
#ifndef ORO_TERRAIN_DRAINAGE_BYTES_H
#define ORO_TERRAIN_DRAINAGE_BYTES_H

#include "terrain/drainage/blocks.h"

/* Start with {0}; `failed`: memory was out, and what came later is missing. */
struct oro_tiled_bytes {
    unsigned char *data;
    size_t count, capacity;
    bool failed;
};

void oro_tiled_bytes_free(struct oro_tiled_bytes *bytes);
void oro_tiled_put(struct oro_tiled_bytes *bytes, uint64_t number);
void oro_tiled_put_byte(struct oro_tiled_bytes *bytes, unsigned byte);
void oro_tiled_put_four(struct oro_tiled_bytes *bytes, uint32_t number);
/* So many ascending numbers: their count, and the differences. */
void oro_tiled_put_ascending(struct oro_tiled_bytes *bytes, const uint64_t *numbers, size_t count);
/* Short for numbers near zero of both signs. */
void oro_tiled_put_signed(struct oro_tiled_bytes *bytes, int64_t number);

struct oro_tiled_reader {
    const unsigned char *at, *end;
    bool failed;
};

/* Of `most` at most; fails where it is greater. */
uint64_t oro_tiled_take(struct oro_tiled_reader *reader, uint64_t most);
unsigned oro_tiled_take_byte(struct oro_tiled_reader *reader);
uint32_t oro_tiled_take_four(struct oro_tiled_reader *reader);
/* Fails outside of -most..most. */
int64_t oro_tiled_take_signed(struct oro_tiled_reader *reader, int64_t most);
/* A count of things of at least so many bytes each, so that memory for them can't exceed the message by much.
 */
uint32_t oro_tiled_take_count(struct oro_tiled_reader *reader, size_t bytes_each);

/* What every message begins with: what it is, and of which block. */
enum oro_tiled_message {
    ORO_TILED_GRAPH = 'g',   /* graph.h: up */
    ORO_TILED_TURNS = 't',   /* graph.h: down */
    ORO_TILED_FLOWS = 'f',   /* flow.h: up */
    ORO_TILED_VALUES = 'v',  /* flow.h: down */
    ORO_TILED_SPILLS = 's',  /* certify.c: up */
    ORO_TILED_DEPTHS = 'd',  /* depths.c: up */
    ORO_TILED_MARKS = 'm',   /* water.c: up and down */
    ORO_TILED_ENDS = 'e',    /* numbers.h: up */
    ORO_TILED_NUMBERS = 'n', /* numbers.h: down */
    ORO_TILED_RIM = 'r',     /* tiled_flats.c: up */
    ORO_TILED_RING = 'w',    /* tiled_flats.c: down */
};
void oro_tiled_put_head(struct oro_tiled_bytes *bytes, enum oro_tiled_message what,
                        const struct oro_tiled_block *block);
/* Fails where the message is another, or of another block. */
bool oro_tiled_take_head(struct oro_tiled_reader *reader, enum oro_tiled_message what,
                         const struct oro_tiled_block *block);
/* True where all was read, and nothing is left; else fills `err` with ORO_E_EVALUATE. */
bool oro_tiled_read_all(const struct oro_tiled_reader *reader, const char *what,
                        const struct oro_tiled_block *block, struct oro_error *err);

/* A message as it is handed on. */
struct oro_tiled_view {
    const unsigned char *data;
    size_t count;
};
static inline struct oro_tiled_view oro_tiled_view(const struct oro_tiled_bytes *bytes)
{
    return (struct oro_tiled_view){bytes->data, bytes->count};
}
static inline struct oro_tiled_reader oro_tiled_read(struct oro_tiled_view view)
{
    return (struct oro_tiled_reader){view.data, view.count ? view.data + view.count : view.data, false};
}

#endif
