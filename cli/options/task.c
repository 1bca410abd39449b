#include "cli/options/task.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- Which one ---- */

static bool read_part(const char *text, size_t length, int *number)
{
    char digits[16] = "";
    int64_t value = 0;
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    if (!cli_parse_integer(digits, &value) || value < INT32_MIN || value > INT32_MAX)
        return false;
    *number = (int)value;
    return true;
}

static bool read_task(const char *text, struct cli_task *task, struct oro_error *err)
{
    const char *slash = strchr(text, '/');
    if (!slash || !read_part(text, (size_t)(slash - text), &task->number) ||
        !read_part(slash + 1, strlen(slash + 1), &task->count))
        return oro_fail(err, ORO_E_USAGE,
                        "--task takes a number and how many there are, such as 3/8, not '%s'", text);
    if (task->count < 1 || task->count > CLI_TASKS_MAX)
        return oro_fail(err, ORO_E_USAGE, "--task takes one of 1 to %d tasks, not %s", CLI_TASKS_MAX, text);
    if (task->number < 1 || task->number > task->count)
        return oro_fail(err, ORO_E_USAGE, "--task counts from 1: of %d tasks, there is no %d", task->count,
                        task->number);
    return true;
}

/* `standard`: what counts where Slurm does not say. */
static bool read_variable(const char *name, const char *standard, int *number, struct oro_error *err)
{
    const char *text = getenv(name);
    if (!text || !text[0])
        text = standard;
    return read_part(text, strlen(text), number) ||
           oro_fail(err, ORO_E_USAGE, "%s is '%.60s', which is no number; give --task K/N", name, text);
}

/* Numbers that are no row belong to an array of which only a part runs: its shares are not those of the
 * whole. */
static bool ask_slurm(struct cli_task *task, struct oro_error *err)
{
    int id = 0, first = 0, last = 0, step = 0;
    if (!read_variable("SLURM_ARRAY_TASK_ID", "", &id, err) ||
        !read_variable("SLURM_ARRAY_TASK_MIN", "", &first, err) ||
        !read_variable("SLURM_ARRAY_TASK_MAX", "", &last, err) ||
        !read_variable("SLURM_ARRAY_TASK_STEP", "1", &step, err) ||
        !read_variable("SLURM_ARRAY_TASK_COUNT", "", &task->count, err))
        return false;
    int64_t from = (int64_t)id - first, all = (int64_t)last - first;
    if (step < 1 || from < 0 || from > all || from % step != 0 || all / step + 1 != task->count ||
        task->count > CLI_TASKS_MAX)
        return oro_fail(err, ORO_E_USAGE,
                        "Slurm's array has %d tasks from %d to %d, and this is %d: no row of numbers; give "
                        "--task K/N",
                        task->count, first, last, id);
    task->number = (int)(from / step) + 1;
    return true;
}

bool cli_task_find(const char *text, struct cli_task *task, struct oro_error *err)
{
    const char *id = getenv("SLURM_ARRAY_TASK_ID");
    *task = (struct cli_task){0};
    if (text)
        return read_task(text, task, err);
    return !id || !id[0] || ask_slurm(task, err);
}

/* ---- All of them ---- */

static bool is_plain(const char *word)
{
    const char *c = word;
    while (isalnum((unsigned char)*c) || (*c && strchr("_./=:,@%+-", *c)))
        c++;
    return *word && !*c;
}

static void add_word(struct oro_text *line, const char *word)
{
    oro_text_add(line, " ");
    if (is_plain(word)) {
        oro_text_add(line, word);
        return;
    }
    oro_text_add(line, "'");
    for (const char *c = word; *c; c++)
        oro_text_addf(line, *c == '\'' ? "'\\''" : "%c", *c);
    oro_text_add(line, "'");
}

static void add_value(struct oro_text *line, const struct cli_option *option, const char *value)
{
    oro_text_addf(line, " --%s", option->name);
    add_word(line, value);
}

static void add_option(struct oro_text *line, const struct cli_option *option, const void *at)
{
    char number[ORO_NUMBER_SIZE];
    const struct cli_integer *integer = at;
    const struct cli_number *real = at;
    const struct cli_list *list = at;
    if (option->kind == CLI_FLAG && *(const bool *)at)
        oro_text_addf(line, " --%s", option->name);
    else if (option->kind == CLI_TEXT && *(const char *const *)at)
        add_value(line, option, *(const char *const *)at);
    else if (option->kind == CLI_INTEGER && integer->given)
        oro_text_addf(line, " --%s %lld", option->name, (long long)integer->value);
    else if (option->kind == CLI_NUMBER && real->given)
        add_value(line, option, oro_format_number(real->value, number));
    else if (option->kind == CLI_CHOICE && *(const int *)at)
        add_value(line, option, option->choices[*(const int *)at]);
    for (size_t i = 0; option->kind == CLI_LIST && i < list->count; i++)
        add_value(line, option, list->items[i]);
}

bool cli_task_list(const struct cli_command *command, const void *options, char *const *arguments, int count,
                   int tasks, struct oro_error *err)
{
    struct oro_text before = {0}, behind = {0};
    bool dashes = false;
    for (const struct cli_option *o = command->options; o->name; o++)
        if (strcmp(o->name, "task") != 0 && strcmp(o->name, "list-tasks") != 0)
            add_option(&before, o, (const char *)options + o->offset);
    for (int i = 0; i < count; i++)
        dashes |= arguments[i][0] == '-';
    oro_text_add(&behind, dashes ? " --" : "");
    for (int i = 0; i < count; i++)
        add_word(&behind, arguments[i]);
    bool ok = !before.failed && !behind.failed;
    for (int task = 1; ok && task <= tasks; task++)
        printf("orograph %s%s --task %d/%d%s\n", command->name, before.length ? before.data : "", task, tasks,
               behind.data);
    oro_text_free(&before);
    oro_text_free(&behind);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory for a list of tasks");
}
