#include "cli/report/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <jansson.h>

#include "base/line.h"
#include "base/text.h"
#include "cli/report/console.h"
#include "cli/report/json.h"

const char *const cli_progress_modes[] = {"auto", "bar", "json", "off", NULL};

const char *cli_outcome_name(enum oro_step_outcome outcome)
{
    static const char *const names[] = {[ORO_STEP_COMPUTED] = "computed",
                                        [ORO_STEP_MEMORY] = "memory",
                                        [ORO_STEP_DISK] = "disk",
                                        [ORO_STEP_FAILED] = "failed"};
    return names[outcome];
}

void cli_progress_begin(struct cli_progress *progress, enum cli_progress_mode mode)
{
    const char *terminal = getenv("TERM");
    bool dumb = !terminal || strcmp(terminal, "dumb") == 0;
    if (mode == CLI_PROGRESS_AUTO)
        mode = isatty(STDERR_FILENO) && !dumb ? CLI_PROGRESS_BAR : CLI_PROGRESS_OFF;
    *progress = (struct cli_progress){.mode = mode};
}

void cli_progress_erase(struct cli_progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}

static int terminal_width(void)
{
    struct winsize size = {0};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
        return 80;
    return size.ws_col;
}

enum { BAR_CELLS = 20 };

/* "  42% [########............]", or blanks while the amount of work is unknown. */
static void bar_text(const struct oro_progress *now, char *out, size_t size)
{
    if (now->total <= 0) {
        snprintf(out, size, "    working");
        return;
    }
    double share = (double)now->done / now->total;
    int filled = (int)(share * BAR_CELLS);
    char cells[BAR_CELLS + 1] = "";
    for (int i = 0; i < BAR_CELLS; i++)
        cells[i] = i < filled ? '#' : '.';
    cells[BAR_CELLS] = '\0';
    snprintf(out, size, "%3d%% [%s]", (int)(share * 100), cells);
}

static void rate_text(const struct oro_progress *now, char *out, size_t size)
{
    char rate[32] = "", left[32] = "";
    if (now->rate > 0)
        snprintf(rate, sizeof rate, now->rate < 10 ? "  %.1f it/s" : "  %.0f it/s", now->rate);
    if (now->seconds_left >= 0 && now->seconds_left < 360000) {
        int seconds = (int)(now->seconds_left + 0.5);
        snprintf(left, sizeof left, "  %d:%02d left", seconds / 60, seconds % 60);
    }
    snprintf(out, size, "%s%s", rate, left);
}

static void draw(struct cli_progress *progress, const struct oro_progress *now)
{
    char bar[64], rate[80], line[512];
    bar_text(now, bar, sizeof bar);
    rate_text(now, rate, sizeof rate);
    snprintf(line, sizeof line, "(%zu/%zu) %-16.64s %s%s", now->step_index + 1, now->step_count,
             now->step->id, bar, rate);
    /* One column stays free: a full line would wrap on some terminals. */
    fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, line);
    fflush(stderr);
    progress->drawn = true;
}

/* One write per event, so that lines of several processes do not mix. */
static void send_event(json_t *event)
{
    char *text = event ? json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(CLI_JSON_DIGITS)) : NULL;
    struct oro_text safe = {0};
    if (text)
        cli_json_escape(text, strlen(text), &safe);
    if (text && !safe.failed)
        fprintf(stderr, "%s\n", safe.data);
    oro_text_free(&safe);
    free(text);
    json_decref(event);
}

static json_t *event_of(const char *name, const struct oro_step *step)
{
    json_t *event = json_object();
    cli_json_text(event, "event", name);
    if (step) {
        cli_json_text(event, "step", step->id);
        cli_json_text(event, "type", step->type->id);
    }
    return event;
}

static void send_progress(const struct oro_progress *now, bool begins)
{
    json_t *event = event_of(begins ? "step_begin" : "progress", now->step);
    cli_json_integer(event, "index", (int64_t)now->step_index);
    cli_json_integer(event, "count", (int64_t)now->step_count);
    if (!begins) {
        cli_json_integer(event, "done", now->done);
        cli_json_integer(event, "total", now->total);
        cli_json_number(event, "rate", now->rate);
        cli_json_seconds(event, "seconds_left", now->seconds_left);
    }
    cli_json_seconds(event, "seconds", now->seconds);
    send_event(event);
}

void cli_progress_update(struct cli_progress *progress, const struct oro_progress *now)
{
    bool begins = progress->step != now->step;
    progress->step = now->step;
    if (progress->mode == CLI_PROGRESS_BAR)
        draw(progress, now);
    else if (progress->mode == CLI_PROGRESS_JSON)
        send_progress(now, begins);
}

void cli_progress_step_done(struct cli_progress *progress, const struct oro_step_report *step)
{
    progress->step = NULL;
    if (progress->mode != CLI_PROGRESS_JSON)
        return;
    json_t *event = event_of("step_done", step->step);
    cli_json_text(event, "outcome", cli_outcome_name(step->outcome));
    cli_json_seconds(event, "seconds", step->seconds);
    cli_json_seconds(event, "device_seconds", step->device_seconds);
    send_event(event);
}

void cli_progress_rendered(struct cli_progress *progress, const char *document, const struct oro_step *step,
                           double seconds)
{
    cli_progress_erase(progress);
    char name[1024];
    if (progress->mode == CLI_PROGRESS_BAR)
        fprintf(stderr, "rendered %s%s%s (%d x %d, %.2f s)\n",
                oro_one_line(document, strlen(document), name, sizeof name), *document ? " " : "", step->id,
                step->grid.width, step->grid.height, seconds);
    if (progress->mode != CLI_PROGRESS_JSON)
        return;
    json_t *event = event_of("rendered", step);
    cli_json_text(event, "document", document);
    cli_json_integer(event, "width", step->grid.width);
    cli_json_integer(event, "height", step->grid.height);
    cli_json_seconds(event, "seconds", seconds);
    send_event(event);
}

void cli_progress_wrote(struct cli_progress *progress, const char *file)
{
    if (progress->mode != CLI_PROGRESS_JSON)
        return;
    json_t *event = event_of("wrote", NULL);
    cli_json_text(event, "file", file);
    send_event(event);
}

void cli_progress_end(struct cli_progress *progress, const struct oro_error *err)
{
    cli_progress_erase(progress);
    if (progress->mode != CLI_PROGRESS_JSON)
        return;
    json_t *event = event_of(err ? "failed" : "done", NULL);
    if (err) {
        cli_json_text(event, "code", cli_code_name(err->code));
        cli_json_text(event, "text", err->text);
    }
    send_event(event);
}

static void write_log(void *user, enum oro_level level, const char *text)
{
    struct cli_progress *progress = user;
    if (level == ORO_DEBUG)
        return;
    cli_progress_erase(progress);
    if (progress->mode != CLI_PROGRESS_JSON) {
        cli_log.write(cli_log.user, level, text);
        return;
    }
    json_t *event = event_of(level == ORO_WARNING ? "warning" : "notice", NULL);
    cli_json_text(event, "text", text);
    send_event(event);
}

struct oro_log cli_progress_log(struct cli_progress *progress)
{
    return (struct oro_log){.write = write_log, .user = progress};
}
