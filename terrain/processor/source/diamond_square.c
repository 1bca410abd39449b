/* The surface at the cells' centres: between the vertices of the last level
 * (gles_shaders/source/diamond_square.comp).
 */
#include "terrain/processor/lib/diamond_square.h"

struct surface {
    struct oro_squares squares;
    int width;                 /* of the grid */
    const int32_t (*place)[2]; /* of columns, then of rows: the vertex before, and the way to the next */
    float offset;
    struct oro_map amplitude;
    struct oro_setter field;
};

/* Vertices around the cells of a row: north-west, north-east, south-west, south-east. */
typedef float around[4][ORO_TILE_WIDTH];

/* Levels after the first have vertices half a cell apart at least, and a row of them serves many cells. */
ORO_INLINE void look_up(const struct surface *k, const int32_t (*columns)[2], int y, int width, around values)
{
    float vertices[2][ORO_VERTICES];
    int first = columns[0][0], count = columns[width - 1][0] + 2 - first;
    oro_vertex_row(&k->squares, first, y, count, vertices[0]);
    oro_vertex_row(&k->squares, first, y + 1, count, vertices[1]);
    for (int x = 0; x < width; x++)
        for (int i = 0; i < 4; i++)
            values[i][x] = vertices[i / 2][columns[x][0] - first + i % 2];
}

/* The first level may have any number of them in a cell. */
ORO_INLINE void draw_lots(const struct surface *k, const int32_t (*columns)[2], int y, int width,
                          around values)
{
    for (int i = 0; i < 4; i++) {
#pragma omp simd
        for (int x = 0; x < width; x++)
            values[i][x] = k->squares.square * oro_deviate(&k->squares, columns[x][0] + i % 2, y + i / 2);
    }
}

static ORO_CLONES void fill(const void *user, const struct oro_tile *tile)
{
    const struct surface *k = user;
    const int32_t(*columns)[2] = k->place + tile->x, (*rows)[2] = k->place + k->width;
    float values[ORO_TILE_WIDTH], scratch[ORO_TILE_WIDTH];
    around v;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float t = oro_of_bits(rows[y][1]);
        const float *amplitude = oro_map_row(&k->amplitude, tile->x, y, tile->width, scratch);
        if (k->squares.level == 0)
            draw_lots(k, columns, rows[y][0], tile->width, v);
        else
            look_up(k, columns, rows[y][0], tile->width, v);
        for (int x = 0; x < tile->width; x++) {
            float s = oro_of_bits(columns[x][1]);
            float north = oro_mix(v[0][x], v[1][x], s), south = oro_mix(v[2][x], v[3][x], s);
            values[x] = k->offset + amplitude[x] * oro_mix(north, south, t);
        }
        oro_set_row(&k->field, tile->x, y, tile->width, values);
    }
}

ORO_PROCESSOR(source, diamond_square)
{
    struct surface k = {.squares = oro_squares_of(run),
                        .width = run->grid.width,
                        .place = oro_run_buffer(run, "place"),
                        .offset = oro_run_float(run, "offset"),
                        .amplitude = oro_run_map(run, "amplitude"),
                        .field = oro_run_setter(run, "field")};
    if (oro_run_ready(run))
        oro_run_tiles(run, fill, &k);
}
