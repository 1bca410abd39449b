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
