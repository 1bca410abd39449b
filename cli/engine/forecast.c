#include "cli/engine/forecast.h"

#include <stdio.h>

#include "graph/eval/pace.h"

static const double LONG = 60;    /* seconds of work that are told of */
static const double PREVIEW = 20; /* that a preview may take */
static const double SEEN = 2;     /* of a step, before its own estimate is believed */
enum { LEAST_PREVIEW = 128 };

const char *cli_about(double seconds, char out[CLI_ABOUT_SIZE])
{
    if (seconds < 10)
        snprintf(out, CLI_ABOUT_SIZE, "%.0f s", seconds < 1 ? 1 : seconds);
    else if (seconds < 90)
        snprintf(out, CLI_ABOUT_SIZE, "%d s", 10 * (int)(seconds / 10 + 0.5));
    else if (seconds < 90 * 60)
        snprintf(out, CLI_ABOUT_SIZE, "%.0f min", seconds / 60);
    else
        snprintf(out, CLI_ABOUT_SIZE, "%.1f h", seconds / 3600);
    return out;
}

static int longest_side(const struct oro_plan *plan)
{
    int side = 0;
    for (size_t i = 0; i < plan->step_count; i++)
        if (oro_grid_longer(&plan->steps[i].grid) > side)
            side = oro_grid_longer(&plan->steps[i].grid);
    return side;
}

/* Whether a preview of at most `cap` cells a side has fewer than `side`, and takes but a moment. */
static bool is_quick(const struct cli_forecast *forecast, int cap, int side, double *seconds)
{
    struct oro_plan_options options = forecast->options;
    struct oro_device *device = forecast->session->device;
    options.max_resolution = cap;
    struct oro_plan *plan = cli_graph_plan(forecast->graph, &options, device, NULL);
    if (!plan)
        return false;
    *seconds = oro_forecast_plan(plan, oro_cache_notes(forecast->session->cache), device->info.name).seconds;
    bool smaller = longest_side(plan) < side;
    oro_plan_destroy(plan);
    return smaller && *seconds <= PREVIEW;
}

/* "; a preview with ...", or "". */
static void preview(const struct cli_forecast *forecast, const struct oro_plan *plan, char *out, size_t size)
{
    char time[CLI_ABOUT_SIZE];
    int side = longest_side(plan), cap = LEAST_PREVIEW;
    double seconds = 0;
    out[0] = '\0';
    while (cap < side)
        cap *= 2;
    do {
        cap /= 2;
    } while (cap >= LEAST_PREVIEW && !is_quick(forecast, cap, side, &seconds));
    if (cap >= LEAST_PREVIEW)
        snprintf(out, size, "; a preview with --max-resolution %d about %s", cap, cli_about(seconds, time));
}

void cli_forecast_before(struct cli_forecast *forecast, const struct oro_plan *plan,
                         const struct oro_forecast *work)
{
    char all[CLI_ABOUT_SIZE], longest[CLI_ABOUT_SIZE], hint[96] = "";
    if (work->seconds < LONG || forecast->told)
        return;
    forecast->told = true;
    if (forecast->graph)
        preview(forecast, plan, hint, sizeof hint);
    oro_note(&forecast->log, ORO_NOTICE, "this takes %s %s on '%s', of which '%s' takes %s%s",
             work->unknown > 0 ? "at least" : "about", cli_about(work->seconds, all),
             forecast->session->device->info.name, work->longest->id,
             cli_about(work->longest_seconds, longest), hint);
}

void cli_forecast_while(struct cli_forecast *forecast, const struct oro_progress *progress)
{
    char left[CLI_ABOUT_SIZE];
    if (forecast->step != progress->step)
        forecast->since = progress->seconds;
    forecast->step = progress->step;
    if (forecast->told || progress->seconds - forecast->since < SEEN || progress->seconds_left < LONG)
        return;
    forecast->told = true;
    oro_note(&forecast->log, ORO_NOTICE, "'%s' takes about %s more on '%s'", progress->step->id,
             cli_about(progress->seconds_left, left), forecast->session->device->info.name);
}
