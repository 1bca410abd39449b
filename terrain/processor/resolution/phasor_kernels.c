/* Directions of the kernels: along the slope of the smoothed terrain, which guides them, and of the levels of
 * ravines before (gles_shaders/resolution/phasor_kernels.comp). */
#include "base/parallel.h"
#include "terrain/processor/lib/gabor_lay.h"
#include "terrain/processor/lib/phasor.h"

enum { WIDTH = ORO_TILE_WIDTH };

struct kernels {
    struct oro_gabor_lay lay;
    struct oro_phasor phasor;
    int level, each;
    float cell;
};

/* Some kernels in a row of the lattice. */
struct piece {
    struct oro_gabor_seedling kernels[WIDTH];
    float along_x[WIDTH], along_y[WIDTH], pitch[WIDTH], full[WIDTH];
};

static void begin(const struct kernels *k, int first, int y, int count, struct piece *piece)
{
    for (int i = 0; i < count; i++) {
        piece->kernels[i] = oro_gabor_seed(&k->lay.lattice, first + i, y);
        const float *guide = oro_gabor_guide(&k->lay, &piece->kernels[i]);
        piece->along_x[i] = guide[ORO_GABOR_ALONG_X];
        piece->along_y[i] = guide[ORO_GABOR_ALONG_Y];
        piece->pitch[i] = guide[ORO_GABOR_PITCH];
        piece->full[i] = guide[ORO_GABOR_GUIDED_BY];
    }
}

/* The field of a level at the kernels' centres. */
ORO_INLINE void look_at_level(const struct kernels *k, int level, int count, const struct piece *piece,
                              struct oro_gabor_row *row)
{
    const struct oro_gabor_kernels *gabor = &k->lay.gabor;
    for (int i = 0; i < count; i++) {
        float x = piece->kernels[i].centre_x, y = piece->kernels[i].centre_y;
        float west = oro_floor(x), north = oro_floor(y);
        struct oro_gabor_field field = {0};
        for (int n = level * k->each; n < (level + 1) * k->each; n++)
            if (gabor->lattices[n].size[0] > 0)
                oro_gabor_lattice_at(gabor, &gabor->lattices[n], (int)west, (int)north, x - west, y - north,
                                     &field);
        row->re[i] = field.re;
        row->im[i] = field.im;
        row->east_re[i] = field.east_re;
        row->east_im[i] = field.east_im;
        row->south_re[i] = field.south_re;
        row->south_im[i] = field.south_im;
    }
}

/* Adds the slope of the ravines of the levels before; the amplitude counts as constant. */
static ORO_CLONES void follow_ravines(const struct kernels *k, int count, struct piece *piece)
{
    struct oro_phasor_row row = {0};
    struct oro_gabor_row field;
    for (int i = 0; i < count; i++)
        row.amplitude[0][i] = piece->full[i];
    for (int level = 0; level < k->level; level++) {
        look_at_level(k, level, count, piece, &field);
        oro_phasor_add(&k->phasor, count, &field, 0, &row);
    }
    for (int i = 0; i < count; i++) {
        float squared = piece->along_x[i] * piece->along_x[i] + piece->along_y[i] * piece->along_y[i];
        piece->along_x[i] += squared > 0 ? row.detail[1][i] / k->cell : 0;
        piece->along_y[i] += squared > 0 ? row.detail[2][i] / k->cell : 0;
    }
}

static void lay_rows(void *user, size_t top, size_t end)
{
    const struct kernels *k = user;
    int columns = k->lay.lattice.size[0];
    struct piece piece;
    for (int y = (int)top; y < (int)end; y++)
        for (int first = 0; first < columns; first += WIDTH) {
            int count = columns - first < WIDTH ? columns - first : WIDTH;
            begin(k, first, y, count, &piece);
            if (k->level > 0)
                follow_ravines(k, count, &piece);
            for (int i = 0; i < count; i++)
                oro_gabor_put(&k->lay, &piece.kernels[i], piece.along_x[i], piece.along_y[i], piece.pitch[i]);
        }
}

ORO_PROCESSOR(resolution, phasor_kernels)
{
    struct kernels k = {.lay = oro_gabor_lay_of(run),
                        .phasor = oro_phasor_of(run),
                        .level = (int)oro_run_number(run, "level"),
                        .each = (int)oro_run_number(run, "each"),
                        .cell = run->grid.cell};
    if (oro_run_ready(run))
        oro_parallel((size_t)k.lay.lattice.size[1], 2, lay_rows, &k);
}
