#include "nodes/mask/quadratic.h"

#include <math.h>

/* Cells that are looked at on each side of a place, at most. More would cost more and change little: a fit to
 * 65 x 65 samples of rough ground is certain to within 1%. */
enum { TAPS = 32 };
static const double least_reach = 1.5;

/* Sets `reach` and `stride` along an axis that is `size` cells long. */
static void look(double reach, int size, struct oro_dispatch *dispatch)
{
    const double least_samples = 2; /* on the one side, where there are none on the other */
    double stride = ceil(fmin(reach, size) / TAPS);
    oro_add_constant(dispatch, "reach", reach);
    oro_add_constant(dispatch, "stride", stride);
    dispatch->reach = (int)(stride * fmax(fmin(floor(reach / stride), size), least_samples));
}

bool oro_quadratic_fit(struct oro_eval *e, struct oro_buffer *terrain, double radius,
                       struct oro_dispatch *dispatch)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    static const char *const names[] = {"row_value", "row_slope", "row_bend"};
    struct oro_dispatch rows = {.kernel = "mask/quadratic_rows.comp",
                                .slots = {{"terrain", terrain}},
                                .maps = (const char *const[]){NULL}};
    double reach = fmax(radius / grid->cell, least_reach);
    look(reach, grid->width, &rows);
    look(reach, grid->height, dispatch);
    for (int i = 0; i < 3; i++) {
        struct oro_buffer *row = oro_eval_field(e);
        oro_add_slot(&rows, (struct oro_slot){names[i], row, ORO_WRITE, NULL});
        oro_add_slot(dispatch, (struct oro_slot){names[i], row, ORO_READ, NULL});
    }
    return oro_eval_dispatch(e, &rows);
}
