/*
 * What `orograph render --report FILE.json` writes (docs/command-line.md lists the members). It is filled in
 * as the work goes on, so that a run that failed or was cancelled has a report too. Without a path, all
 * functions do nothing.
 */
#ifndef ORO_CLI_REPORT_REPORT_H
#define ORO_CLI_REPORT_REPORT_H

#include <jansson.h>

#include "graph/eval/evaluator.h"

struct cli_report {
    const char *path;
    json_t *root, *steps, *outputs;
    double began;
};

void cli_report_begin(struct cli_report *report, const char *path, const char *document);
void cli_report_device(struct cli_report *report, const struct oro_device *device);
void cli_report_plan(struct cli_report *report, const struct oro_plan *plan, int max_resolution);
void cli_report_step(struct cli_report *report, const struct oro_step_report *step);
/* What the ranks of orograph-mpi sent to each other: bytes and messages of all, and the longest time that one
 * of them spent on it, waiting included. */
void cli_report_ranks(struct cli_report *report, int count, const uint64_t sums[2], double seconds);
/* `digest` is that of the data written, or NULL where it is unknown. */
void cli_report_output(struct cli_report *report, const char *file, const struct oro_hash *digest);
/* Writes and frees. `device` tells the peak of memory and may be NULL; `failure` is NULL when all went well.
 */
bool cli_report_end(struct cli_report *report, const struct oro_device *device,
                    const struct oro_error *failure, struct oro_error *err);

/* Reads a report and prints its steps, slowest first. Fails with ORO_E_FILE. */
bool cli_report_show(const char *path, struct oro_error *err);

#endif
