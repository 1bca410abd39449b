/* Which share of a batch a process does: task K of N. */
#ifndef ORO_CLI_OPTIONS_TASK_H
#define ORO_CLI_OPTIONS_TASK_H

#include "cli/options/options.h"

enum { CLI_TASKS_MAX = 1000000 };

struct cli_task {
    int number, count; /* both 0: the whole batch */
};

/* What `--task` says ("3/8"); NULL: what Slurm says of the job array that this process belongs to, whose
 * numbers may begin anywhere and have steps. Fails with ORO_E_USAGE. */
bool cli_task_find(const char *text, struct cli_task *task, struct oro_error *err);

/* Prints the command once for each task, for a shell: with all options that were given but `--task` and
 * `--list-tasks`. */
bool cli_task_list(const struct cli_command *command, const void *options, char *const *arguments, int count,
                   int tasks, struct oro_error *err);

#endif
