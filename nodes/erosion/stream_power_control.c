/* The controllers of elevation constraints: PID controllers (Schott 2023, eq. 10) whose errors are parted
 * among those that can do something about them.
 *
 * Errors are relative to the elevation asked for, what is added to the mean uplift: the gains have no unit.
 * An uplift around one constraint raises others nearby, and all that lies upstream. How much is known
 * (stream_power_constraints_response.comp): the uplifts that would make up for all errors at once are a
 * linear least squares problem, whose solution takes the place of each controller's own error. Errors are
 * summed over time, since a step may be a century or a million years.
 *
 * A controller whose error changes its sign too readily becomes more careful. One that has not settled in a
 * long time of work gives up: it asks for what cannot be. The others then go on without it.
 */
#include <math.h>

#include "base/least_squares.h"
#include "base/memory.h"
#include "nodes/erosion/stream_power_constraints.h"

#define RADIANS (3.14159265358979323846 / 180)

static const float small_error = 0.002F, large_error = 0.006F;
static const float patience = 300, sure = 3;               /* response times */
static const float at_rest = 0.005F;                       /* of `scale` in a response time */
static const double most = 100;                            /* times the mean uplift */
static const double quickness = 600, quickness_late = 800; /* where ground still moves as it is looked at */
static const double sinking = 10;                          /* times the mean uplift, at the most */
static const double weakest = 0.05, regularisation = 1e-3;

bool oro_constraints_answer_late(const struct oro_stream_power *sp)
{
    return sp->params->method || sp->params->step > 0; /* explicit, or in years */
}

static float *words_of(const struct oro_stream_power_constraints *c, int i)
{
    return c->control + ORO_CONTROL_POINTS + (size_t)ORO_CONTROL_POINT * (size_t)i;
}

static const float *heard_of(const struct oro_stream_power_constraints *c, int i)
{
    return c->heard + (size_t)ORO_RESPONSE * (size_t)i;
}

static float next_state(float state, float size, float small, float worked)
{
    if (state == (float)ORO_CONTROL_SETTLED && size > large_error)
        return ORO_CONTROL_WORKING;
    if (state == (float)ORO_CONTROL_WORKING)
        return small >= sure ? ORO_CONTROL_SETTLED : worked > patience ? ORO_CONTROL_GIVEN_UP : state;
    return state;
}

/* Of the ground's response, how much a step without length brings. Creep goes from cell to cell, step by
 * step: where it moves more than rivers do, it takes many. */
static double share_of_step(const struct oro_stream_power *sp, double reference)
{
    const struct oro_stream_power_params *p = sp->params;
    double cell = oro_eval_grid(sp->eval)->cell, steepest = tan((double)p->slope_limit * RADIANS);
    double head = (double)p->channel_head, area = sqrt(head * (head + cell * cell)); /* of a divide */
    double strength = fmax((double)p->erodibility * pow(area * 1e-6, (double)p->m), 1e-30);
    double slope = fmin(pow(reference / strength, 1 / (double)p->n), steepest);
    double carved =
        (double)p->n * reference / (slope * cell); /* shares of the height over a cell, in a year */
    double crept = sp->constraints->creep * 8 / (3 * cell * cell);
    return 1 / (1 + 2 * crept / carved);
}

/* How much of its response time the ground has had since the last look. */
static float share_of(const struct oro_stream_power *sp, int i, double reference, double years)
{
    if (!(years > 0))
        return (float)share_of_step(sp, reference);
    float *words = words_of(sp->constraints, i);
    double share =
        (years - (double)words[ORO_CONTROL_YEARS]) * reference * 4 / (double)sp->constraints->points[i].scale;
    words[ORO_CONTROL_YEARS] = (float)years;
    return (float)fmin(fmax(share, 0), 1);
}

/* What the lift is not to fall below in the middle of a constraint, in mean uplifts. */
static double floor_of(const struct oro_stream_power *sp)
{
    return oro_constraints_answer_late(sp) ? -0.25 : sp->params->subsidence ? -sinking : -1;
}

/* The height that counts, and that at the end of the constraint's ground, less what was asked for. Where
 * steps have lengths, the ground answers late: controllers that waited for it would swing. What counts is
 * then where the present ways lead to in balance; and, where the ground has come to rest, how far from that
 * it lies. */
struct excess {
    float here, at_exit;
};

static struct excess find_excess(const struct oro_stream_power *sp, int i, float share)
{
    const struct oro_constraint_point *point = &sp->constraints->points[i];
    const float *heard = heard_of(sp->constraints, i);
    float *words = words_of(sp->constraints, i), height = heard[ORO_RESPONSE_HEIGHT];
    float moved = fabsf(height - words[ORO_CONTROL_HEIGHT]), *bias = &words[ORO_CONTROL_BIAS];
    words[ORO_CONTROL_HEIGHT] = height;
    if (!oro_constraints_answer_late(sp))
        return (struct excess){height - point->elevation, heard[ORO_RESPONSE_EXIT] - point->elevation};
    bool rests = moved < at_rest * share * point->scale && sp->change < 0.05;
    *bias += share * (rests ? 0.3F * (height - heard[ORO_RESPONSE_BALANCED] - *bias) : -0.05F * *bias);
    return (struct excess){heard[ORO_RESPONSE_BALANCED] + *bias - point->elevation,
                           heard[ORO_RESPONSE_BALANCED_EXIT] + *bias - point->elevation};
}

/* Counts for how long the error has been small, and so on. */
static void keep_time(const struct oro_stream_power *sp, int i, float share, struct excess excess)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_constraint_point *point = &c->points[i];
    float *words = words_of(c, i), small = small_error * point->scale;
    float size = fabsf(point->elevation - heard_of(c, i)[ORO_RESPONSE_HEIGHT]) / point->scale;
    bool working = words[ORO_CONTROL_STATE] == (float)ORO_CONTROL_WORKING;
    bool sunk = (double)heard_of(c, i)[ORO_RESPONSE_LIFT] < 0.95 * sp->reference * floor_of(sp);
    bool high = excess.at_exit > small || (sunk && excess.here > small);
    words[ORO_CONTROL_WORKED] += working ? share : 0;
    words[ORO_CONTROL_SMALL] = size < small_error ? words[ORO_CONTROL_SMALL] + share : 0;
    words[ORO_CONTROL_HIGH] = working && high ? words[ORO_CONTROL_HIGH] + share : 0;
    words[ORO_CONTROL_STATE] =
        next_state(words[ORO_CONTROL_STATE], size, words[ORO_CONTROL_SMALL], words[ORO_CONTROL_WORKED]);
}

/* Looks at the error of a constraint. Returns what its controller wants to make up for, relative to `scale`.
 */
static double look(const struct oro_stream_power *sp, int i, float share)
{
    const bool late = oro_constraints_answer_late(sp);
    const struct oro_stream_power_constraints *c = sp->constraints;
    float *words = words_of(c, i), last = words[ORO_CONTROL_LAST], before = words[ORO_CONTROL_BEFORE];
    struct excess excess = find_excess(sp, i, share);
    float error = -excess.here / c->points[i].scale;
    bool turned = error * last < 0 && fabsf(error) > small_error;
    keep_time(sp, i, share, excess);
    words[ORO_CONTROL_CARE] =
        fminf(fmaxf(words[ORO_CONTROL_CARE] * (turned ? (late ? 0.7F : 0.85F) : 1 + 0.03F * share),
                    late ? 0.2F : 0.02F),
              1);
    words[ORO_CONTROL_BEFORE] = last;
    words[ORO_CONTROL_LAST] = error;
    const struct oro_stream_power_params *p = sp->params;
    return (double)(p->kp * (error - last) + p->kd * (error - 2 * last + before)) +
           (late ? quickness_late : quickness) * (double)(p->ki * share * error);
}

/* ---- Least squares ---- */

struct system {
    struct oro_least_squares problem;
    uint32_t *starts, *column;
    double *value, *wanted, *low, *high, *x;
};

static bool make_system(struct system *s, size_t count)
{
    size_t most_values = count * (ORO_RESPONSE_CONTROLLERS + 1);
    *s = (struct system){.starts = oro_alloc(count + 1, sizeof *s->starts),
                         .column = oro_alloc(most_values, sizeof *s->column),
                         .value = oro_alloc(most_values, sizeof *s->value),
                         .wanted = oro_alloc(4 * count, sizeof *s->wanted)};
    s->low = s->wanted + count;
    s->high = s->wanted + 2 * count;
    s->x = s->wanted + 3 * count;
    s->problem = (struct oro_least_squares){.rows = count,
                                            .columns = count,
                                            .starts = s->starts,
                                            .column = s->column,
                                            .value = s->value,
                                            .wanted = s->wanted,
                                            .regularisation = regularisation,
                                            .low = s->low,
                                            .high = s->high};
    return s->starts && s->column && s->value && s->wanted;
}

static void free_system(struct system *s)
{
    oro_free(s->starts);
    oro_free(s->column);
    oro_free(s->value);
    oro_free(s->wanted);
}

/* How much the controllers raise constraint i, per mean uplift and relative to its scale. Its own at least a
 * little: ground that does not answer is tried all the same. */
static void put_row(const struct oro_stream_power *sp, double reference, int i, struct system *s)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    const float *heard = heard_of(c, i);
    uint32_t at = s->starts[i];
    double unit = reference / (double)c->points[i].scale, own = 0;
    for (int k = 0; k < (int)heard[ORO_RESPONSE_COUNT]; k++) {
        s->column[at] = (uint32_t)heard[ORO_RESPONSE_PAIRS + 2 * k];
        s->value[at] = unit * (double)heard[ORO_RESPONSE_PAIRS + 2 * k + 1];
        own += s->column[at] == (uint32_t)i ? s->value[at] : 0;
        at++;
    }
    if (own < weakest) {
        s->column[at] = (uint32_t)i;
        s->value[at++] = weakest - own;
    }
    s->starts[i + 1] = at;
}

/* Bounds of what is added now, in mean uplifts. Once the ground does not rise in the middle, a little less
 * stops more of it around, and much less does nothing but in a valley. It need not at once rise by more than
 * half as fast again, nor then. */
static void put_bounds(const struct oro_stream_power *sp, double reference, int i, struct system *s)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    double added = (double)words_of(c, i)[ORO_CONTROL_ADDED] / reference;
    double lift = (double)heard_of(c, i)[ORO_RESPONSE_LIFT] / reference;
    double lower =
        fmin(floor_of(sp) - lift, c->valleys[i] ? (oro_constraints_answer_late(sp) ? -1.3 : -2) - added : 0);
    s->low[i] = fmin(fmax(lower, -most - added), 0);
    s->high[i] = fmax(fmin(0.5 * (fmax(lift, 0) + 1), most - added), 0);
}

static bool is_moved(const struct oro_stream_power_constraints *c, int i)
{
    return words_of(c, i)[ORO_CONTROL_STATE] != (float)ORO_CONTROL_GIVEN_UP;
}

static void put(const struct oro_stream_power *sp, double reference, int i, struct system *s)
{
    if (is_moved(sp->constraints, i)) {
        put_row(sp, reference, i, s);
        put_bounds(sp, reference, i, s);
    } else
        s->starts[i + 1] = s->starts[i];
}

static bool is_working(const struct oro_stream_power_constraints *c)
{
    for (int i = 0; i < c->count; i++)
        if (words_of(c, i)[ORO_CONTROL_STATE] == (float)ORO_CONTROL_WORKING)
            return true;
    return false;
}

/* Those that have settled go on with the others, which would push them off their elevations. */
bool oro_constraints_steer(struct oro_stream_power *sp, double years)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    double reference = sp->reference > 0 ? sp->reference : 1e-4;
    bool working = is_working(c);
    struct system s;
    bool ok = make_system(&s, (size_t)c->count);
    for (int i = 0; ok && i < c->count; i++) {
        s.wanted[i] = look(sp, i, share_of(sp, i, reference, years));
        put(sp, reference, i, &s);
    }
    ok = ok && (!working || oro_least_squares(&s.problem, s.x));
    for (int i = 0; ok && working && i < c->count; i++) {
        float *words = words_of(c, i);
        words[ORO_CONTROL_ADDED] += (float)(reference * (double)words[ORO_CONTROL_CARE] * s.x[i]);
    }
    free_system(&s);
    return ok || oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
}
