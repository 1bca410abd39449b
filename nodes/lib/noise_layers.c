#include "nodes/lib/noise_layers.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

/* Splits a lattice coordinate into a whole cell, modulo 2^32 as the kernel counts, and a fraction. */
static void split(double coordinate, int32_t *cell, float *fraction)
{
    double whole = floor(coordinate), wrapped = fmod(whole, 4294967296.0);
    uint32_t bits = (uint32_t)(int64_t)wrapped;
    memcpy(cell, &bits, sizeof bits);
    *fraction = (float)(coordinate - whole);
}

void oro_noise_place(struct oro_noise_layers *layers, int index, const struct oro_grid *grid,
                     double frequency, double angle, double shear, uint32_t *random)
{
    double c = frequency * cos(angle), s = frequency * sin(angle);
    double rows[2][2] = {{c + shear * (c + s), -s + shear * (c - s)},
                         {s + shear * (c + s), c + shear * (c - s)}};
    for (int i = 0; i < 2; i++) {
        double start = rows[i][0] * grid->x + rows[i][1] * grid->y + oro_random_between(random, 0, 1024);
        layers->turn[index][2 * i] = (float)(rows[i][0] * grid->cell);
        layers->turn[index][2 * i + 1] = (float)(rows[i][1] * grid->cell);
        split(start, &layers->cell[index][i], &layers->turn[index][4 + i]);
    }
}

void oro_noise_place_octaves(struct oro_noise_layers *layers, int count, int each,
                             const struct oro_grid *grid, double feature, uint32_t seed)
{
    uint32_t random = seed;
    double angle = oro_random_between(&random, 0, 6.283185307179586);
    for (int i = 0; i < count; i++)
        oro_noise_place(layers, i, grid, ldexp(1, i / each) / feature, angle + i * ORO_NOISE_ROTATION, 0,
                        &random);
}

bool oro_noise_upload(struct oro_eval *eval, const struct oro_noise_layers *layers,
                      struct oro_dispatch *dispatch)
{
    struct oro_buffer *turn = oro_eval_buffer(eval, sizeof layers->turn / sizeof(float));
    struct oro_buffer *lattice = oro_eval_buffer(eval, sizeof layers->cell / sizeof(float));
    oro_add_slot(dispatch, (struct oro_slot){"turn", turn, ORO_READ, "vec4"});
    oro_add_slot(dispatch, (struct oro_slot){"lattice", lattice, ORO_READ, "ivec2"});
    return oro_eval_upload(eval, turn, layers->turn, sizeof layers->turn) &&
           oro_eval_upload(eval, lattice, layers->cell, sizeof layers->cell);
}
