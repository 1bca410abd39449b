#include "nodes/mask/quadratic.h"

#include <math.h>

/* Cells that are looked at on each side of a place, at most. More would cost more and change little: a fit to
 * 65 x 65 samples of rough ground is certain to within 1%. */
enum { TAPS = 32 };
static const double least_reach = 1.5;

/* Constants of a pass along an axis that is `size` cells long. */
static void look(double reach, int size, float constants[2])
{
    constants[0] = (float)reach;
    constants[1] = (float)ceil(fmin(reach, size) / TAPS);
}

bool oro_quadratic_fit(struct oro_eval *e, struct oro_buffer *terrain, double radius,
                       struct oro_quadratic *fit)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    size_t cells = oro_grid_cells(grid);
    struct oro_pass pass = {.kernel = "mask/quadratic_rows.comp",
                            .slots = {{"terrain", ORO_READ},
                                      {"row_value", ORO_WRITE},
                                      {"row_slope", ORO_WRITE},
                                      {"row_bend", ORO_WRITE}},
                            .maps = (const char *const[]){NULL},
                            .constants = {ORO_QUADRATIC_CONSTANTS}};
    double reach = fmax(radius / grid->cell, least_reach);
    float across[2];
    look(reach, grid->width, across);
    look(reach, grid->height, fit->constants);
    for (int i = 0; i < 3; i++)
        fit->rows[i] = oro_eval_buffer(e, cells);
    struct oro_buffer *buffers[] = {terrain, fit->rows[0], fit->rows[1], fit->rows[2]};
    return oro_eval_run_with(e, &pass, buffers, across);
}
