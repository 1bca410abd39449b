/* Problems: a bounded list, its order, and its text form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document/document_private.h"

bool oro_problems_full(const struct oro_problems *problems)
{
    return problems->count >= ORO_PROBLEMS_MAX;
}

/* Cuts off the partial character at the end of a truncated text. */
static void trim_partial(char *text)
{
    size_t length = strlen(text), start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    if (length - start < wanted)
        text[start - 1] = '\0';
}

static void add(struct oro_problems *problems, bool error, const char *code, int line, const char *node,
                const char *format, va_list args)
{
    void *items = problems->items;
    if (!oro_reserve(&items, &problems->capacity, problems->count + 1, sizeof *problems->items))
        return;
    problems->items = items;
    struct oro_problem *problem = &problems->items[problems->count++];
    memset(problem, 0, sizeof *problem);
    problem->error = error;
    problem->line = line;
    snprintf(problem->code, sizeof problem->code, "%s", code);
    snprintf(problem->node, sizeof problem->node, "%s", node ? node : "");
    vsnprintf(problem->text, sizeof problem->text, format, args);
    trim_partial(problem->node);
    trim_partial(problem->text);
}

static void add_last(struct oro_problems *problems, const char *format, ...) ORO_PRINTF(2, 3);
static void add_last(struct oro_problems *problems, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(problems, true, "too-many", 0, NULL, format, args);
    va_end(args);
}

void oro_problem_add(struct oro_problems *problems, bool error, const char *code, int line, const char *node,
                     const char *format, ...)
{
    problems->errors += error;
    if (oro_problems_full(problems))
        return;
    if (problems->count == ORO_PROBLEMS_MAX - 1) {
        problems->errors += !error;
        add_last(problems, "there are more than %d problems; the others are not listed",
                 ORO_PROBLEMS_MAX - 1);
        return;
    }
    va_list args;
    va_start(args, format);
    add(problems, error, code, line, node, format, args);
    va_end(args);
}

bool oro_problem_is_local(const struct oro_problem *problem)
{
    static const char *const local[] = {"missing-graph", "bad-graph", "bad-script", "bad-build"};
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++)
        if (strcmp(problem->code, local[i]) == 0)
            return true;
    return false;
}

size_t oro_problems_fatal(const struct oro_problems *problems)
{
    size_t local = 0;
    for (size_t i = 0; i < problems->count; i++)
        local += oro_problem_is_local(&problems->items[i]);
    return problems->errors - local;
}

void oro_problems_free(struct oro_problems *problems)
{
    oro_free(problems->items);
    *problems = (struct oro_problems){0};
}

const char *oro_problem_line(const struct oro_problem *problem, const char *file, char *out, size_t size)
{
    char line[16] = "", node[sizeof problem->node + 16] = "";
    if (problem->line > 0)
        snprintf(line, sizeof line, ":%d", problem->line);
    if (problem->node[0])
        snprintf(node, sizeof node, "node '%s': ", problem->node);
    bool placed = file && *file;
    snprintf(out, size, "%s%s%s%s [%s]: %s%s", placed ? file : "", placed ? line : "", placed ? ": " : "",
             problem->error ? "error" : "notice", problem->code, node, problem->text);
    return out;
}

/* Orders by line; problems without one come first. The other criteria make the order the same on every
 * run. */
static int compare(const void *left, const void *right)
{
    const struct oro_problem *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->error != b->error)
        return a->error ? -1 : 1;
    int order = strcmp(a->node, b->node);
    if (order == 0)
        order = strcmp(a->code, b->code);
    return order ? order : strcmp(a->text, b->text);
}

void oro_problems_sort(struct oro_problems *problems)
{
    if (problems->count == 0)
        return;
    qsort(problems->items, problems->count, sizeof *problems->items, compare);
    size_t kept = 1;
    for (size_t i = 1; i < problems->count; i++) {
        if (compare(&problems->items[i], &problems->items[kept - 1]) == 0)
            problems->errors -= problems->items[i].error;
        else
            problems->items[kept++] = problems->items[i];
    }
    problems->count = kept;
}
