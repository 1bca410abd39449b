/*
 * How a running evaluation is shown: a bar redrawn in one line, or one JSON object per line
 * (docs/command-line.md), both on standard error. Messages are printed through here too, so that they do not
 * run into the bar.
 */
#ifndef ORO_CLI_REPORT_PROGRESS_H
#define ORO_CLI_REPORT_PROGRESS_H

#include "base/log.h"
#include "graph/eval/evaluator.h"

enum cli_progress_mode { CLI_PROGRESS_AUTO, CLI_PROGRESS_BAR, CLI_PROGRESS_JSON, CLI_PROGRESS_OFF };
extern const char *const cli_progress_modes[]; /* the words for --progress; ends with NULL */

struct cli_progress {
    enum cli_progress_mode mode;
    bool drawn;                  /* a bar is on the screen */
    const struct oro_step *step; /* the step that runs */
};

/* Auto shows a bar if standard error is a terminal, else nothing. */
void cli_progress_begin(struct cli_progress *progress, enum cli_progress_mode mode);
void cli_progress_update(struct cli_progress *progress, const struct oro_progress *now);
void cli_progress_step_done(struct cli_progress *progress, const struct oro_step_report *step);
/* Takes the bar off the screen, before something else is printed. */
void cli_progress_erase(struct cli_progress *progress);
/* Reports that one of several outputs of a graph is done: a line of its own beside the bar, or an event. */
void cli_progress_rendered(struct cli_progress *progress, const char *document, const struct oro_step *step,
                           double seconds);
/* Reports that a file was written. */
void cli_progress_wrote(struct cli_progress *progress, const char *file);
/* Erases the bar; `err` is NULL when all went well. */
void cli_progress_end(struct cli_progress *progress, const struct oro_error *err);
/* A sink for notices; lives as long as `progress`. */
struct oro_log cli_progress_log(struct cli_progress *progress);

/* "computed", "memory", "disk", "failed" */
const char *cli_outcome_name(enum oro_step_outcome outcome);

#endif
