#include "devices/processor/native.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

static int compare(const void *digest, const void *entry)
{
    return strcmp(digest, ((const struct oro_native *)entry)->digest);
}

const struct oro_native *oro_native_find(struct oro_hash digest)
{
    char text[ORO_HASH_TEXT];
    return bsearch(oro_hash_text(digest, text), oro_native_table, oro_native_count,
                   sizeof oro_native_table[0], compare);
}

/* ---- Kinds of processor ---- */

static bool can_run(enum oro_native_kind kind)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (kind == ORO_NATIVE_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (kind == ORO_NATIVE_AVX2)
        return __builtin_cpu_supports("avx2");
#endif
    return kind == ORO_NATIVE_LEAST;
}

static atomic_int chosen = ORO_NATIVE_KINDS; /* not yet */

enum oro_native_kind oro_native_force(enum oro_native_kind kind)
{
    enum oro_native_kind best = kind < ORO_NATIVE_KINDS ? kind : ORO_NATIVE_AVX512;
    while (!can_run(best))
        best--;
    atomic_store(&chosen, (int)best);
    return best;
}

static enum oro_native_kind kind_in_use(void)
{
    int kind = atomic_load(&chosen);
    return kind < ORO_NATIVE_KINDS ? (enum oro_native_kind)kind : oro_native_force(ORO_NATIVE_KINDS);
}

/* ---- Pieces ---- */

enum {
    PIECE_COLUMNS = 512,
    PIECE_ROWS = 8,
    PIECE = PIECE_COLUMNS * PIECE_ROWS,
    /* Of a single row. What is dispatched along one axis often goes through a line of cells in each
       invocation. */
    PIECE_OF_ROW = 64,
    PIECES_OF_ROW_A_THREAD = 4,
    PIECES_A_THREAD = 2,
    CELLS_AT_ONCE = 1 << 22,
};

struct pieces {
    oro_native_code *code;
    const unsigned char *block;
    const struct oro_native_buffer *buffers;
    int columns, rows, width, height; /* of all; of a piece */
    size_t in_row, first;             /* pieces beside each other; piece that the work begins with */
};

static void run_pieces(void *data, size_t first, size_t end)
{
    const struct pieces *pieces = data;
    for (size_t i = pieces->first + first; i < pieces->first + end; i++) {
        int x = (int)(i % pieces->in_row) * pieces->width, y = (int)(i / pieces->in_row) * pieces->height;
        int columns = pieces->columns - x, rows = pieces->rows - y;
        pieces->code(pieces->block, pieces->buffers, x,
                     x + (columns < pieces->width ? columns : pieces->width), y,
                     y + (rows < pieces->height ? rows : pieces->height));
    }
}

/* How much more there is to read than four words for each invocation: of those that go through blocks of
 * cells, a piece has the fewer. */
static size_t weight_of(const struct pieces *pieces, int buffer_count)
{
    size_t words = 0;
    for (int i = 0; i < buffer_count; i++)
        words = words > (size_t)pieces->buffers[i].words ? words : (size_t)pieces->buffers[i].words;
    return words / 4 / ((size_t)pieces->columns * (size_t)pieces->rows) + 1;
}

/* Narrow grids go by whole rows. */
static void cut(struct pieces *pieces, int buffer_count)
{
    bool narrow = pieces->columns < 2 * PIECE_COLUMNS;
    pieces->width = narrow ? pieces->columns : PIECE_COLUMNS;
    size_t rows = PIECE / (size_t)pieces->width / weight_of(pieces, buffer_count);
    pieces->height = rows > 1 ? (int)rows : 1;
    if (pieces->rows == 1) {
        pieces->width = PIECE_OF_ROW;
        pieces->height = 1;
    }
}

bool oro_native_run(const struct oro_native *native, const unsigned char *block,
                    const struct oro_native_buffer *buffers, int buffer_count, int columns, int rows,
                    bool (*stop)(void *user), void *user)
{
    struct pieces pieces = {.code = native->code[kind_in_use()],
                            .block = block,
                            .buffers = buffers,
                            .columns = columns,
                            .rows = rows};
    if (columns < 1 || rows < 1)
        return true;
    cut(&pieces, buffer_count);
    size_t piece = (size_t)pieces.width * (size_t)pieces.height, at_once = CELLS_AT_ONCE / piece;
    size_t least = rows == 1 ? PIECES_OF_ROW_A_THREAD : PIECES_A_THREAD;
    pieces.in_row = ((size_t)columns - 1) / (size_t)pieces.width + 1;
    size_t count = (((size_t)rows - 1) / (size_t)pieces.height + 1) * pieces.in_row;
    for (; pieces.first < count; pieces.first += at_once) {
        if (stop && stop(user))
            return false;
        size_t left = count - pieces.first;
        oro_parallel(left < at_once ? left : at_once, least, run_pieces, &pieces);
    }
    return !(stop && stop(user));
}
