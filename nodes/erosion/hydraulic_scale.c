#include "nodes/erosion/hydraulic_scale.h"

#include <math.h>

/* Elevations take at most 2^ELEVATION_BITS steps; a reference cell 2^UNIT_BITS, or more where little rain
 * falls, so that what falls in an iteration is RAIN_STEPS or more. */
enum { ELEVATION_BITS = 28, UNIT_BITS = 22, UNIT_BITS_MAX = 30, RAIN_STEPS = 64 };

/* Share of the longest stable step: longer steps are cut to it. */
static const double longest = 0.95;

/* Share of the sediment or water that comes or goes in a step where the step is to make no difference. */
static const double most_exchanged = 0.1;

/* The most damping: waves as long as two cells lose 30 % of their height in a step of half the limit. */
static const double most_damping = 0.5;

/* The same as STEPS_MAX and DEPTH_MAX in gles_shaders/lib/pipes.glsl. */
static const double most_steps = 1 << 30, deepest = 1 << 29;

static double power_of_two_above(double value)
{
    int exponent;
    double mantissa = frexp(value, &exponent);
    return ldexp(1, mantissa > 0.5 ? exponent : exponent - 1);
}

/* The limit of stability: l^1.5 / sqrt(2 A g), with the cross-section A of a pipe as wide as the cell. */
static void choose_time_step(const struct oro_hydraulic_params *p, struct oro_hydraulic_scale *s)
{
    double area = (double)p->pipe_area * s->width;
    s->limit = longest * pow(s->width, 1.5) / sqrt(2 * area * (double)p->gravity);
    s->shortened = (double)p->time_step > s->limit;
    s->time_step = s->shortened ? s->limit : p->time_step > 0 ? (double)p->time_step : s->limit / 2;
    s->slides = s->time_step;
    if (p->iterations > 0)
        return;
    double fastest = fmax((double)p->suspension, fmax((double)p->deposition, (double)p->evaporation));
    if (p->time_step <= 0 && fastest > 0)
        s->time_step = fmin(s->time_step, most_exchanged / fastest);
    s->slides = s->time_step / (s->width * s->width);
}

static void choose_step(const struct oro_hydraulic_params *p, double largest, struct oro_hydraulic_scale *s)
{
    double reference = power_of_two_above((double)p->reference_cell);
    double step = ldexp(reference, -UNIT_BITS);
    double rain = (double)p->rain * s->time_step * (double)p->reference_cell / RAIN_STEPS;
    if (rain > 0 && rain < step)
        step = fmax(power_of_two_above(rain) / 2, ldexp(reference, -UNIT_BITS_MAX));
    s->step = fmax(step, ldexp(power_of_two_above(fmax(largest, 1e-30)), -ELEVATION_BITS));
}

void oro_hydraulic_scale(const struct oro_hydraulic_params *p, double cell, double largest,
                         struct oro_hydraulic_scale *s)
{
    s->width = cell / (double)p->reference_cell;
    choose_time_step(p, s);
    choose_step(p, largest, s);
    s->unit = (double)p->reference_cell / s->step;
    s->rain = (double)p->rain * s->time_step * s->unit;
}

double oro_hydraulic_deepest(const struct oro_hydraulic_scale *s)
{
    return deepest * s->step;
}

/* Short waves die down fastest where the surface is taken half a step ahead (0.5). A damping is stable if w
 * (1 + 2 damping) <= 4 for the fastest wave, w = (time step * its frequency)^2. */
static double damping(double fastest)
{
    return fmax(0, fmin(most_damping, 0.9 * (4 / fastest - 1) / 2));
}

void oro_hydraulic_constants(const struct oro_hydraulic_params *p, const struct oro_hydraulic_scale *s,
                             struct oro_dispatch *dispatch)
{
    double speed =
        s->width / s->time_step; /* of what crosses a cell in a step, in reference cells a second */
    double acceleration = (double)p->pipe_area * (double)p->gravity / (speed * speed);
    double fastest = acceleration * (p->neighbours == ORO_NEIGHBOURS_8 ? 16.0 / 3 : 8);
    double drag = (double)p->pipe_area * (double)p->friction * s->width * s->unit * s->unit;
    double sea = fmax(-most_steps, fmin((double)p->sea_level / s->step, most_steps));
    oro_add_constant(dispatch, "acceleration", acceleration);
    oro_add_constant(dispatch, "damping", damping(fastest));
    oro_add_constant(dispatch, "drag", drag);
    oro_add_constant(dispatch, "speed", speed);
    oro_add_constant(dispatch, "time_step", s->time_step);
    oro_add_constant(dispatch, "slides", s->slides);
    oro_add_constant(dispatch, "rain", p->flow ? round(s->rain) : 0);
    oro_add_constant(dispatch, "sea", round(sea));
    oro_add_constant(dispatch, "unit", s->unit);
    oro_add_constant(dispatch, "metre", 1 / s->step);
    oro_add_constant(dispatch, "slope", 1 / (s->unit * s->width));
    oro_add_constant(dispatch, "drop", s->unit * s->width);
    oro_add_constant(dispatch, "film", 1 / ((double)p->film * s->unit));
    oro_add_constant(dispatch, "meeting", p->iterations > 0 ? 1 : 1 / s->width);
    oro_add_constant(dispatch, "least_sine", sin((double)p->least_slope * acos(-1) / 180));
}
