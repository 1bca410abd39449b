#include "nodes/erosion/stream_power_sediment.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { LIFTED, CARVING, SETTLING, PULLED, AROUND, TERMS };
static const char *const term_names[TERMS] = {"lifted", "carving", "settling", "pulled", "around"};

enum { BED, PASSING, FLOORS, LEVELS, STATES }; /* what a stored state has besides heights and control */

/* Kept in the first words of the control. Volumes in metres over one cell. */
struct account {
    double risen, left;
    float change, reference;
};

/* Likewise, in balance: the least change so far, and after how many steps it was. */
struct shifting {
    float least;
    int32_t at;
};

struct oro_stream_power_sediment {
    struct shifting shifting;
    struct oro_dispatch terms;
    struct oro_buffer *buffers[TERMS];
    float *found[TERMS]; /* the same on the host, where a card has them */
    float *before, *after, *bed;
    float *rising;  /* LIFTED, as far as ground that sinks can; NULL: constraints let nothing sink */
    double *flux;   /* of the last step, or a year in balance: metres over one cell */
    float *passing; /* the same in a year */
    struct oro_buffer *state[STATES];
    struct oro_sediment_scratch scratch;
    struct account account;
};

static bool no_memory(struct oro_stream_power *sp)
{
    return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
}

/* ---- Beginning and end ---- */

static void plan_terms(struct oro_stream_power *sp)
{
    static const char *const maps[] = {"mask",       "uplift", "erodibility", "hillslope",
                                       "deposition", "rain",   NULL};
    struct oro_stream_power_sediment *s = sp->sediment;
    s->terms =
        (struct oro_dispatch){.kernel = "erosion/stream_power_terms.comp",
                              .slots = {{"height"}, {"area"}},
                              .defines = sp->correction ? "#define CORRECTED 1\n" : "#define CORRECTED 0\n",
                              .maps = maps};
    for (int i = 0; i < TERMS; i++) {
        s->buffers[i] = oro_eval_field(sp->eval);
        oro_add_slot(&s->terms, (struct oro_slot){term_names[i], s->buffers[i], ORO_WRITE, NULL});
    }
    if (sp->correction)
        oro_add_slot(&s->terms, (struct oro_slot){"correction", sp->correction, ORO_READ, NULL});
}

/* The rock: the ground that the run starts from, less the sediment on it. In balance that is the ground
 * before all coarser levels. */
static bool find_bed(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    bool covered = oro_eval_linked(sp->eval, "sediment");
    bool original = !(sp->params->step > 0) && oro_eval_linked(sp->eval, "ground");
    const float *ground = oro_eval_input_host(sp->eval, original ? "ground" : "terrain");
    const float *cover = covered ? oro_eval_input_host(sp->eval, "sediment") : NULL;
    size_t bytes = sp->cells * sizeof(float);
    if (!ground || (covered && !cover) || !oro_eval_download(sp->eval, sp->height[0], s->before, bytes))
        return false;
    for (size_t i = 0; i < sp->cells; i++) {
        bool water = sp->basins && sp->basins->body[i];
        float bed = ground[i] - (cover ? fmaxf(cover[i], 0) : 0);
        s->bed[i] = fminf(bed, water ? sp->basins->floor[i] : s->before[i]);
    }
    return true;
}

bool oro_stream_power_sediment_begin(struct oro_stream_power *sp)
{
    if (!oro_stream_power_lays(sp))
        return true;
    struct oro_stream_power_sediment *s = sp->sediment = oro_alloc(1, sizeof *s);
    if (!s)
        return no_memory(sp);
    s->before = oro_alloc(sp->cells, sizeof *s->before);
    s->after = oro_alloc(sp->cells, sizeof *s->after);
    s->bed = oro_alloc(sp->cells, sizeof *s->bed);
    s->flux = oro_alloc(sp->cells, sizeof *s->flux);
    s->passing = oro_alloc(sp->cells, sizeof *s->passing);
    bool sinks = sp->correction && sp->params->subsidence;
    s->rising = sinks ? oro_alloc(sp->cells, sizeof *s->rising) : NULL;
    if (!s->before || !s->after || !s->bed || !s->flux || !s->passing || (sinks && !s->rising))
        return no_memory(sp);
    sp->tree.on_processor = true; /* on a card as well: what is laid down goes by its order */
    plan_terms(sp);
    sp->lifting = oro_eval_field(sp->eval);
    return sp->lifting && find_bed(sp);
}

void oro_stream_power_sediment_end(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    if (!s)
        return;
    for (int i = 0; i < TERMS; i++)
        oro_free(s->found[i]);
    oro_free(s->before);
    oro_free(s->after);
    oro_free(s->bed);
    oro_free(s->rising);
    oro_free(s->flux);
    oro_free(s->passing);
    oro_sediment_scratch_free(&s->scratch);
    oro_free(s);
    sp->sediment = NULL;
}

/* A term on the host. NULL: failed. */
static const float *term(struct oro_stream_power *sp, int which)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    const float *there = oro_eval_memory(sp->eval, s->buffers[which], false);
    if (there)
        return there;
    if (!s->found[which] && !(s->found[which] = oro_alloc(sp->cells, sizeof(float)))) {
        no_memory(sp);
        return NULL;
    }
    size_t bytes = sp->cells * sizeof(float);
    return oro_eval_download(sp->eval, s->buffers[which], s->found[which], bytes) ? s->found[which] : NULL;
}

static bool find_terms(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    oro_bind(&s->terms, "height", sp->height[0]);
    oro_bind(&s->terms, "area", sp->area[0]);
    return oro_eval_dispatch(sp->eval, &s->terms);
}

static void tell_passing(struct oro_stream_power *sp, double years)
{
    for (size_t i = 0; i < sp->cells; i++)
        sp->sediment->passing[i] = (float)(fmax(sp->sediment->flux[i], 0) / years);
}

/* ---- Balance ---- */

bool oro_stream_power_lay(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    if (!s)
        return true;
    size_t bytes = sp->cells * sizeof(float);
    const float *lifted = find_terms(sp) ? term(sp, LIFTED) : NULL;
    const float *settling = lifted ? term(sp, SETTLING) : NULL;
    if (!settling || (sp->correction && !oro_eval_download(sp->eval, sp->correction, s->before, bytes)))
        return false;
    oro_sediment_in_balance(&sp->tree.routing, lifted, settling, s->after, s->flux);
    tell_passing(sp, 1);
    for (size_t i = 0; sp->correction && i < sp->cells; i++)
        s->after[i] += s->before[i];
    return oro_eval_upload(sp->eval, sp->lifting, s->after, bytes);
}

bool oro_stream_power_shifts(struct oro_stream_power *sp, bool *shifts)
{
    enum { PATIENCE = 100 };
    *shifts = false;
    if (!sp->sediment)
        return true;
    struct shifting *kept = &sp->sediment->shifting;
    if (kept->at == 0 || (float)sp->change < 0.9f * kept->least)
        *kept = (struct shifting){(float)sp->change, sp->done > 0 ? sp->done : 1};
    *shifts = sp->params->tolerance > 0 && sp->done - kept->at >= PATIENCE;
    if (*shifts && !sp->params->coarse)
        oro_note(oro_eval_log(sp->eval), ORO_NOTICE,
                 "rivers keep shifting over what they lay down, where little rises: %d steps, and they still "
                 "change "
                 "the ground by %.2g of the uplift. With a `step` in years this has an age",
                 sp->done, sp->change);
    return oro_eval_upload(sp->eval, sp->control, kept, sizeof *kept);
}

bool oro_stream_power_resume_shifting(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    return !s || sp->done == 0 || oro_eval_download(sp->eval, sp->control, &s->shifting, sizeof s->shifting);
}

/* ---- Years ---- */

static bool load(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    size_t bytes = sp->cells * sizeof(float);
    bool ok = oro_eval_download(sp->eval, sp->control, &s->account, sizeof s->account) &&
              oro_eval_download(sp->eval, s->state[BED], s->bed, bytes) &&
              oro_eval_download(sp->eval, s->state[PASSING], s->passing, bytes);
    if (!ok || !sp->basins)
        return ok;
    return oro_eval_download(sp->eval, s->state[FLOORS], sp->basins->floor, bytes) &&
           oro_eval_download(sp->eval, s->state[LEVELS], sp->basins->level, bytes) &&
           oro_stream_power_basins_fill(sp);
}

static int state_of(struct oro_stream_power *sp, struct oro_buffer *state[STATES + 2])
{
    int count = 0;
    state[count++] = sp->height[0];
    state[count++] = sp->control;
    for (int i = 0; i < (sp->basins ? STATES : FLOORS); i++)
        state[count++] = sp->sediment->state[i];
    return oro_stream_power_control_words(sp) > sp->cells ? 0 : count;
}

static bool start(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    struct oro_buffer *state[STATES + 2];
    s->account.reference = (float)sp->reference;
    s->account.change = 1;
    for (int i = 0; i < (sp->basins ? STATES : FLOORS); i++)
        if (!(s->state[i] = oro_eval_field(sp->eval)))
            return false;
    int count = state_of(sp, state);
    int done = count ? oro_eval_resume(sp->eval, sp->params->iterations, state, count) : 0;
    sp->done = done > 0 ? done : 0;
    return done == 0 || (done > 0 && load(sp) && oro_stream_power_constraints_apply(sp));
}

static bool keep(struct oro_stream_power *sp, int last)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    struct oro_buffer *state[STATES + 2];
    size_t bytes = sp->cells * sizeof(float);
    int count = oro_stream_power_constraints_dug(sp) ? 0 : state_of(sp, state);
    return !count || !oro_eval_checkpoint_due(sp->eval, sp->done, last) ||
           (oro_eval_upload(sp->eval, s->state[BED], s->bed, bytes) &&
            oro_eval_upload(sp->eval, s->state[PASSING], s->passing, bytes) &&
            (!sp->basins || (oro_eval_upload(sp->eval, s->state[FLOORS], sp->basins->floor, bytes) &&
                             oro_eval_upload(sp->eval, s->state[LEVELS], sp->basins->level, bytes))) &&
            oro_eval_upload(sp->eval, sp->control, &s->account, sizeof s->account) &&
            oro_eval_checkpoint(sp->eval, sp->done, last, state, count));
}

static bool is_outlet(const struct oro_stream_power *sp, size_t cell)
{
    return sp->tree.routing.receiver[cell] == cell;
}

/* What rose and changed in a step, and the rock, which rises too, and which rivers cut. */
static void account_for(struct oro_stream_power *sp, const float *lifted, const float *settling)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    double years = (double)sp->params->step, changed = 0;
    for (size_t i = 0; i < sp->cells; i++) {
        bool water = sp->basins && sp->basins->outlet[i] > 0 && sp->basins->body[i];
        float ground = water ? sp->basins->floor[i] : s->after[i];
        if (!is_outlet(sp, i) && settling[i] >= 0) {
            s->account.risen += (double)lifted[i] * years;
            s->bed[i] += lifted[i] * sp->params->step;
            changed += fabs((double)s->after[i] - (double)s->before[i]);
        }
        s->bed[i] = fminf(s->bed[i], ground);
    }
    double rate = changed / years / (double)sp->cells;
    if (!(s->account.reference > 0))
        s->account.reference = (float)rate;
    s->account.change = rate > 0 ? (float)(rate / (double)s->account.reference) : 0;
}

/* What arrives at outlets leaves, or settles in the water that stands there. */
static bool settle(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    if (sp->basins)
        return oro_stream_power_basins_settle(sp, s->flux, s->after, &s->account.left);
    for (size_t i = 0; i < sp->cells; i++)
        if (is_outlet(sp, i))
            s->account.left += s->flux[i];
    return true;
}

/* How fast the ground rises. Where constraints let it sink, it comes to rest on its receiver, which may sink
 * as well; lower it would be a hollow, and go on down while water stands in it. */
static const float *find_rising(const struct oro_stream_power *sp, const float *lifted)
{
    const double least_slope = 1e-4, years = (double)sp->params->step, cell = oro_eval_grid(sp->eval)->cell;
    const struct oro_routing *routing = &sp->tree.routing;
    const float *z = sp->sediment->before;
    float *rising = sp->sediment->rising;
    for (size_t i = 0; rising && i < sp->cells; i++) {
        size_t at = routing->order[i], to = routing->receiver[at];
        double rest = to == at ? 0 : (double)z[to] + fmin((double)rising[to] * years, 0) + least_slope * cell;
        rising[at] = fmaxf(lifted[at], to == at ? 0 : (float)fmin((rest - (double)z[at]) / years, 0));
    }
    return rising ? rising : lifted;
}

static bool take(struct oro_stream_power *sp)
{
    struct oro_stream_power_sediment *s = sp->sediment;
    const struct oro_stream_power_params *p = sp->params;
    size_t bytes = sp->cells * sizeof(float);
    const float *found[TERMS] = {0};
    bool ok = oro_stream_power_route(sp) && find_terms(sp);
    for (int i = 0; i < TERMS; i++)
        ok = ok && (found[i] = term(sp, i));
    if (!ok || !oro_eval_download(sp->eval, sp->height[0], s->before, bytes))
        return false;
    struct oro_ground ground = sp->tree.ground;
    ground.z = s->before;
    found[LIFTED] = find_rising(sp, found[LIFTED]);
    struct oro_sediment step = {.ground = &ground,
                                .routing = &sp->tree.routing,
                                .cell = oro_eval_grid(sp->eval)->cell,
                                .years = (double)p->step,
                                .n = (double)p->n,
                                .steepest = tan((double)p->slope_limit * 0.017453292519943295),
                                .lift = found[LIFTED],
                                .strength = found[CARVING],
                                .settling = found[SETTLING],
                                .pull = found[PULLED],
                                .mean = found[AROUND]};
    struct oro_error err;
    if (!oro_sediment_step(&step, &s->scratch, s->after, s->flux, NULL, &err))
        return oro_eval_failed(sp->eval, &err);
    tell_passing(sp, (double)p->step);
    if (!settle(sp))
        return false;
    account_for(sp, found[LIFTED], found[SETTLING]);
    sp->done++;
    sp->routed = false;
    return oro_eval_upload(sp->eval, sp->height[1], s->after, bytes);
}

static bool finish(struct oro_stream_power *sp)
{
    const struct account *account = &sp->sediment->account;
    double cell = oro_eval_grid(sp->eval)->cell, area = cell * cell;
    oro_eval_figure(sp->eval, "risen", account->risen * area, "m3");
    oro_eval_figure(sp->eval, "left", account->left * area, "m3");
    return keep(sp, sp->done);
}

bool oro_stream_power_age(struct oro_stream_power *sp)
{
    int iterations = sp->params->iterations;
    if (!start(sp))
        return false;
    for (;;) {
        bool settled = true;
        if (!oro_stream_power_constraints_settled(sp, &settled))
            return false;
        sp->years = sp->done * (double)sp->params->step;
        sp->change = (double)sp->sediment->account.change;
        oro_eval_converging(sp->eval, sp->done, sp->done > 0 ? sp->change : INFINITY,
                            (double)sp->params->tolerance);
        bool balanced = sp->done > 0 && sp->change < (double)sp->params->tolerance && settled;
        if (balanced || sp->done >= iterations)
            return finish(sp);
        if (!oro_eval_show(sp->eval, "terrain", sp->height[0], sp->done) || !take(sp))
            return false;
        oro_swap_buffers(&sp->height[0], &sp->height[1]);
        if (!oro_stream_power_constraints_update(sp) || !oro_eval_progress(sp->eval, sp->done, iterations) ||
            !keep(sp, iterations + 1))
            return false;
    }
}

/* ---- Results ---- */

/* Without a common length of steps the rock is where it began where nothing rises, and elsewhere it has come
 * up. */
static float thickness(const struct oro_stream_power *sp, size_t cell, float height, const float *lifted)
{
    const struct oro_stream_power_sediment *s = sp->sediment;
    const struct oro_stream_power_basins *b = sp->basins;
    float top = b && b->body[cell] && b->outlet[cell] > 0 ? b->floor[cell] : height;
    if (lifted && lifted[cell] > 0)
        return 0;
    return fmaxf(top - s->bed[cell], 0);
}

static bool fill_results(struct oro_stream_power *sp, struct oro_buffer *height, float *results[3])
{
    struct oro_stream_power_sediment *s = sp->sediment;
    const struct oro_stream_power_basins *b = sp->basins;
    double cell = oro_eval_grid(sp->eval)->cell;
    if (b)
        for (size_t i = 0; i < sp->cells; i++)
            results[2][i] = b->body[i] && b->outlet[i] > 0 ? b->level[i] - b->floor[i] : 0;
    if (!s)
        return true;
    const bool aged = sp->params->step > 0;
    const float *lifted = aged ? NULL : term(sp, LIFTED);
    if ((!aged && !lifted) || !oro_eval_download(sp->eval, height, s->before, sp->cells * sizeof *s->before))
        return false;
    for (size_t i = 0; i < sp->cells; i++) {
        results[0][i] = thickness(sp, i, s->before[i], lifted);
        results[1][i] = (float)((double)s->passing[i] * cell * cell);
    }
    return true;
}

bool oro_stream_power_give_sediment(struct oro_stream_power *sp, struct oro_buffer *height)
{
    static const char *const names[] = {"sediment", "sediment_flux", "water"};
    float *results[3] = {0};
    bool ok = true;
    for (int i = 0; ok && i < 3; i++)
        ok = (results[i] = oro_alloc(sp->cells, sizeof(float))) || no_memory(sp);
    ok = ok && (!height || fill_results(sp, height, results));
    for (int i = 0; i < 3; i++) {
        if (ok)
            ok = oro_eval_give_host(sp->eval, names[i], results[i]);
        else
            oro_free(results[i]);
    }
    return ok;
}
