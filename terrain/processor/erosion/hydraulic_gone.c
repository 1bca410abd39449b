/* What has left over the border from every block of 32 x 32 cells: gles_shaders/erosion/hydraulic_gone.comp.
 */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { SIDE = 32 };

struct gone {
    const uint64_t (*gone)[2];
    uint64_t (*sums)[2];
    int columns, rows; /* of what has left */
    int width;         /* of the blocks */
};

static ORO_CLONES void sum_blocks(const void *user, const struct oro_tile *tile)
{
    const struct gone *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            uint64_t *sum = k->sums[(size_t)y * (size_t)k->width + (size_t)x];
            sum[0] = sum[1] = 0;
            for (int row = y * SIDE; row < k->rows && row < (y + 1) * SIDE; row++)
                for (int column = x * SIDE; column < k->columns && column < (x + 1) * SIDE; column++)
                    for (int i = 0; i < 2; i++)
                        sum[i] += k->gone[(size_t)row * (size_t)k->columns + (size_t)column][i];
        }
}

ORO_PROCESSOR(erosion, hydraulic_gone)
{
    struct gone k = {.gone = oro_run_buffer(run, "gone"),
                     .sums = oro_run_buffer(run, "sums"),
                     .columns = run->source.width,
                     .rows = run->source.height,
                     .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, sum_blocks, &k);
}
