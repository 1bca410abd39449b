#include "nodes/lib/duration.h"

#include <math.h>

static const double most_iterations = 1e7;

bool oro_pace_plan(struct oro_eval *e, int iterations, double duration, double step, double unit,
                   struct oro_pace *pace)
{
    *pace = (struct oro_pace){.iterations = iterations, .counted = iterations > 0, .step = 1};
    if (!pace->counted && duration > 0) {
        double count = fmax(1, round(duration / (step * unit)));
        if (!(count <= most_iterations))
            return oro_eval_fail(e, ORO_E_LIMIT,
                                 "'duration' %g takes %.3g iterations on cells of %g m; at most %g are done",
                                 duration, count, oro_eval_grid(e)->cell, most_iterations);
        *pace = (struct oro_pace){.iterations = (int)count, .step = step};
    }
    oro_eval_figure(e, "iterations", pace->iterations, "");
    return true;
}

/* Share of channels in what is carved, so far as grids of different resolution tell: fitted to worlds with
 * smooth slopes, which have none, and with rough ones. */
static const double channels = 0.35;

/* A cell of x reference cells stands for a channel that is narrower, of which it has the share 1 / x. On
 * slopes, where water spreads, x times the water comes to it, and 1 / x^m undoes that. A cell does not know
 * which it is, and with m about 1 the two are near each other. */
double oro_pace_carving(const struct oro_pace *pace, double x, double area_exponent)
{
    double shared = channels + (1 - channels) * area_exponent;
    return pace->counted ? 1 : pace->step * pow(x, -shared);
}
