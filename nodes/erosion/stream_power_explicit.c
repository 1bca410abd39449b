/* The paper's own solver: the water moves one cell on with every step (section 4), whose length adapts (7.2).
 */
#include <math.h>
#include <string.h>

#include "nodes/erosion/stream_power.h"
#include "nodes/lib/simulation.h"

#define RADIANS (3.14159265358979323846 / 180)

#define LARGE ((size_t)1 << 23) /* cells from which longer strips are faster */

enum { LOOK_EVERY = 64, LOOK_SELDOM = 512, CONSTRAIN_EVERY = 50, FILL_EVERY = 200, FILL_AT = 150 };

/* The kernel's lists. REFERENCE and CHANGE are used only in stored states, where they are those of the last
 * look; what follows LIST, only where a dispatch does several steps. */
enum { LISTS = 3, LIST = 8, PITS = 1, STEP = 2, YEARS = 3, REFERENCE = 6, CHANGE = 7 };
enum { BEFORE = 8, COUNT = 9, MORE = 11, TIMES_MAX = 64, LIST_MAX = MORE + 2 * TIMES_MAX };

struct steps {
    struct oro_dispatch step, rate;
    int most; /* steps that a dispatch may do */
    char defines[256];
    struct oro_buffer *lists[LISTS]; /* of the last step, of this one, of the next */
};

static const char *step_defines(const struct oro_stream_power *sp)
{
#define DEFINES(corrected, fourth, creep)                                                                    \
    "#define CORRECTED " #corrected "\n#define FOURTH_POWER " #fourth "\n#define CREEP " #creep "\n"
    static const char *const defines[2][2][2] = {
        {{DEFINES(0, 0, 0), DEFINES(0, 0, 1)}, {DEFINES(0, 1, 0), DEFINES(0, 1, 1)}},
        {{DEFINES(1, 0, 0), DEFINES(1, 0, 1)}, {DEFINES(1, 1, 0), DEFINES(1, 1, 1)}}};
    int fourth = sp->params->flow_exponent >= 4 && sp->params->flow_exponent <= 4;
    int creep = sp->params->hillslope > 0 || oro_eval_linked(sp->eval, "hillslope");
    return defines[sp->correction ? 1 : 0][fourth][creep];
}

/* On which grids several steps a dispatch are faster. */
static const struct oro_iterations_per_dispatch per_dispatch = {
    .reach = 2,
    .givers = 1,
    .arrays = 3,
    .shapes = {{128.0 * 128, {4, 16, 16, 1}}, {256.0 * 256, {4, 24, 24, 2}}, {512.0 * 512, {3, 64, 32, 4}}}};

static bool plan(struct oro_stream_power *sp, struct steps *steps)
{
    const struct oro_stream_power_params *p = sp->params;
    double cell = oro_eval_grid(sp->eval)->cell;
    *steps = (struct steps){
        .step = {.kernel = "erosion/stream_power_explicit.comp",
                 .slots = {{"height"},
                           {"area"},
                           {"height_out", NULL, ORO_WRITE},
                           {"area_out", NULL, ORO_WRITE},
                           {"last", NULL, ORO_READ, "uint"},
                           {"now", NULL, ORO_UPDATE, "uint"},
                           {"next", NULL, ORO_WRITE, "uint"},
                           {sp->correction ? "correction" : NULL, sp->correction}},
                 .reach = 2,
                 .sums = true,
                 .defines = step_defines(sp),
                 .constants = {{"longest", p->step > 0 ? p->step : 1e9f},
                               {"scale", (float)(-(double)p->n * log2(cell))},
                               {"steepest", (float)(tan((double)p->slope_limit * RADIANS) * cell)}}},
        .rate = {.kernel = "erosion/stream_power_rate.comp",
                 .slots = {{"before"}, {"after"}, {"rate", sp->rate, ORO_WRITE}},
                 .reach = ORO_REACH_CELL},
    };
    oro_dispatch_tiles_by(sp->eval, &steps->step, sp->cells >= LARGE ? 4 : ORO_TILE_STRIP);
    /* Constraints look at the ground every few steps. */
    steps->most = sp->correction ? 1
                                 : oro_dispatch_iterations(sp->eval, &steps->step, &per_dispatch,
                                                           steps->defines, sizeof steps->defines);
    for (int i = 0; i < LISTS; i++)
        steps->lists[i] = oro_eval_buffer(sp->eval, LIST_MAX);
    return steps->lists[LISTS - 1];
}

/* The first step is stable on the slope in balance below a row of cells; later ones adapt. */
static float first_step(const struct oro_stream_power *sp)
{
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    const struct oro_stream_power_params *p = sp->params;
    double area = grid->cell * grid->cell * (double)grid->width * 1e-6 + (double)p->channel_head * 1e-6;
    double rise = sp->reference > 0 ? sp->reference : 1e-4, k = fmax((double)p->erodibility, 1e-9);
    double slope = pow(rise / k, 1 / (double)p->n) * pow(area, -(double)(p->m / p->n));
    double step = grid->cell * slope / (fmax((double)p->n, 1) * rise);
    return p->step > 0 ? p->step : (float)fmin(step, 1e6);
}

/* Only the last step's list has something to keep; the others begin cleared. */
static bool put_lists(struct oro_stream_power *sp, struct steps *steps, const uint32_t last[LIST])
{
    uint32_t words[LIST_MAX] = {0};
    for (int i = LISTS - 1; i >= 0; i--) {
        for (int k = 0; i == 0 && k < LIST; k++)
            words[k] = last[k];
        words[BEFORE] = i == 0 ? (uint32_t)sp->done : 0;
        if (!oro_eval_upload(sp->eval, steps->lists[i], words, sizeof words))
            return false;
    }
    sp->clock = steps->lists[0];
    return true;
}

static float number_of(uint32_t word)
{
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static uint32_t word_of(double value)
{
    float number = (float)value;
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    return word;
}

/* Whether a run looks for balance now. A look costs as much as some ten iterations on small terrain, so looks
 * grow rarer as the run goes on. Depends only on the iterations done, so that a resumed run looks at the same
 * times. */
static bool regular_look(int done)
{
    int every = LOOK_EVERY;
    while (every < LOOK_SELDOM && done >= 8 * every)
        every *= 2;
    return done % every == 0;
}

static bool find_balance(struct oro_stream_power *sp, bool *balanced)
{
    bool settled = false, ok = oro_stream_power_constraints_settled(sp, &settled);
    *balanced = settled && (float)sp->change < sp->params->tolerance;
    oro_eval_converging(sp->eval, sp->done, sp->change, (double)sp->params->tolerance);
    return ok;
}

/* Starts from the beginning, or from a stored state, which may be in balance already if it is that of a
 * regular look. */
static bool start(struct oro_stream_power *sp, struct steps *steps, bool *balanced)
{
    uint32_t words[LIST] = {[STEP] = word_of((double)first_step(sp))};
    oro_eval_converging(sp->eval, 0, INFINITY, (double)sp->params->tolerance);
    int done = oro_stream_power_route(sp) ? oro_stream_power_resume(sp, sp->area[0]) : -1;
    if (done < 0 || (done > 0 && !oro_eval_download(sp->eval, sp->control, words, sizeof words)))
        return false;
    sp->change = (double)number_of(words[CHANGE]);
    sp->years = (double)number_of(words[YEARS]);
    if (!(sp->reference > 0))
        sp->reference = (double)number_of(words[REFERENCE]);
    return (done == 0 || !regular_look(sp->done) || find_balance(sp, balanced)) &&
           put_lists(sp, steps, words);
}

/* Where constraints hold the ground back, it may rise all around, and the rim of such a basin would rise for
 * ever, since the water that would carve a way out stays within. Basins that have been there for long fill
 * with sediment up to where they spill. Not at the times of looks, which compare the last two states. Ground
 * that is held keeps its own basins. */
static bool fill_basins(struct oro_stream_power *sp)
{
    uint32_t words[LIST];
    bool holds = sp->params->mask < 1 || oro_eval_linked(sp->eval, "mask");
    if (sp->done % FILL_EVERY != FILL_AT || sp->done == sp->params->iterations || holds)
        return true;
    if (!oro_eval_download(sp->eval, sp->clock, words, sizeof words))
        return false;
    if (words[PITS] == 0)
        return true;
    if (!oro_drainage_tree_route(&sp->tree, sp->height[0]) ||
        !oro_drainage_tree_fill(&sp->tree, true, sp->height[1]))
        return false;
    oro_swap_buffers(&sp->height[0], &sp->height[1]);
    return true;
}

static bool see_to_constraints(struct oro_stream_power *sp)
{
    return sp->done % CONSTRAIN_EVERY != 0 || !oro_stream_power_constraints_count(sp) ||
           (fill_basins(sp) && oro_stream_power_constraints_update(sp));
}

/* One dispatch of `times` steps. */
static bool take(struct oro_stream_power *sp, struct steps *steps, int times)
{
    oro_bind(&steps->step, "height", sp->height[0]);
    oro_bind(&steps->step, "area", sp->area[0]);
    oro_bind(&steps->step, "height_out", sp->height[1]);
    oro_bind(&steps->step, "area_out", sp->area[1]);
    oro_bind(&steps->step, "last", steps->lists[0]);
    oro_bind(&steps->step, "now", steps->lists[1]);
    oro_bind(&steps->step, "next", steps->lists[2]);
    if (steps->most > 1)
        oro_set(&steps->step, "times", times);
    if (!oro_eval_dispatch(sp->eval, &steps->step))
        return false;
    oro_swap_buffers(&sp->height[0], &sp->height[1]);
    oro_swap_buffers(&sp->area[0], &sp->area[1]);
    for (int i = 1; i < LISTS; i++) /* the oldest becomes the next */
        oro_swap_buffers(&steps->lists[i - 1], &steps->lists[i]);
    sp->clock = steps->lists[0];
    sp->routed = false;
    sp->done += times;
    return oro_eval_progress(sp->eval, sp->done, sp->params->iterations) &&
           (steps->most > 1 || see_to_constraints(sp));
}

static bool time_to_look(const struct oro_stream_power *sp, int done)
{
    return regular_look(done) || done == sp->params->iterations;
}

/* How many steps are done when next something happens beside them: a look, a picture, a stored state. */
static int next_stop(const struct oro_stream_power *sp)
{
    int done = sp->done, stop = done + 1;
    int last = done + oro_eval_iterations_ahead(sp->eval, done, sp->params->iterations);
    while (stop < last && !time_to_look(sp, stop))
        stop++;
    return stop;
}

/* Goes on to `stop`, several steps a dispatch. The last dispatch has but one, for a look to see what it
 * changes. A dispatch whose steps were too long is done again, in part: then it takes a few more. */
static bool take_together(struct oro_stream_power *sp, struct steps *steps, int stop)
{
    while (sp->done < stop) {
        uint32_t words[LIST_MAX];
        for (int left = stop - 1 - sp->done; left > 0; left -= steps->most)
            if (!take(sp, steps, left < steps->most ? left : steps->most))
                return false;
        if (!take(sp, steps, 1) || !oro_eval_download(sp->eval, steps->lists[0], words, sizeof words))
            return false;
        sp->done = (int)(words[BEFORE] + words[COUNT]);
    }
    return true;
}

/* Finds out what the last step changed in a year and whether that is little enough, and offers the state to
 * the store. The reference found by a look that a run with more iterations would not have made is not
 * stored. */
static bool look(struct oro_stream_power *sp, struct steps *steps, bool *balanced)
{
    uint32_t words[LIST];
    double before = sp->reference;
    oro_bind(&steps->rate, "before", sp->height[1]);
    oro_bind(&steps->rate, "after", sp->height[0]);
    if (!oro_eval_dispatch(sp->eval, &steps->rate) ||
        !oro_eval_download(sp->eval, steps->lists[0], words, sizeof words) ||
        !oro_stream_power_measure(sp, (double)number_of(words[STEP])) || !find_balance(sp, balanced))
        return false;
    sp->years = (double)number_of(words[YEARS]);
    words[CHANGE] = word_of(sp->change);
    words[REFERENCE] = word_of(regular_look(sp->done) ? sp->reference : before);
    int last = *balanced ? sp->done : sp->params->iterations;
    return oro_eval_upload(sp->eval, sp->control, words, sizeof words) &&
           oro_stream_power_checkpoint(sp, last, sp->area[0]);
}

bool oro_stream_power_explicit(struct oro_stream_power *sp)
{
    int iterations = sp->params->iterations;
    bool balanced = false;
    struct steps steps;
    if (!plan(sp, &steps) || !start(sp, &steps, &balanced))
        return false;
    while (sp->done < iterations && !balanced)
        if (!oro_eval_show(sp->eval, "terrain", sp->height[0], sp->done) ||
            !(steps.most > 1 ? take_together(sp, &steps, next_stop(sp)) : take(sp, &steps, 1)) ||
            (time_to_look(sp, sp->done) && !look(sp, &steps, &balanced)))
            return false;
    if (!balanced)
        oro_stream_power_note_unbalanced(sp);
    return true;
}
