/* Checks the files of a plan: no node may write a file that another one reads or writes, or the result would
 * depend on the order of the work, or on how often it was done. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "graph/plan/plan_private.h"

struct use {
    char *place;
    const char *path; /* as in the parameters */
    const struct oro_step *step;
    bool writes;
};

struct uses {
    struct use *items;
    size_t count, capacity;
};

static bool add(struct uses *uses, const struct oro_step *step, const struct oro_input *input)
{
    const char *path;
    memcpy(&path, (const char *)step->params + input->offset, sizeof path);
    char *place = path && path[0] ? oro_path_true(path) : NULL;
    if (!place)
        return true; /* a missing folder is reported when the file is opened */
    void *items = uses->items;
    if (!oro_reserve(&items, &uses->capacity, uses->count + 1, sizeof *uses->items)) {
        oro_free(place);
        return false;
    }
    uses->items = items;
    uses->items[uses->count++] = (struct use){place, path, step, input->writes};
    return true;
}

static bool list(const struct oro_plan *plan, struct uses *uses)
{
    for (size_t i = 0; i < plan->step_count; i++)
        for (const struct oro_input *input = plan->steps[i].type->inputs; input->name; input++)
            if (input->type == ORO_FILE && !add(uses, &plan->steps[i], input))
                return false;
    return true;
}

/* Puts uses of one file side by side, those that write first. */
static int compare(const void *left, const void *right)
{
    const struct use *a = left, *b = right;
    int order = strcmp(a->place, b->place);
    if (order == 0)
        order = (int)b->writes - (int)a->writes;
    return order ? order : (a->step > b->step) - (a->step < b->step);
}

static bool check(const struct oro_planner *planner, const struct uses *uses)
{
    for (size_t i = 1; i < uses->count; i++) {
        const struct use *first = &uses->items[i - 1], *second = &uses->items[i];
        if (!first->writes || strcmp(first->place, second->place) != 0)
            continue;
        oro_fail(planner->err, ORO_E_DOCUMENT, "writes '%s', which node '%s' %s; give it another name",
                 first->path, second->step->id, second->writes ? "writes, too" : "reads");
        oro_error_place(planner->err, first->step->document, first->step->line, first->step->id);
        return false;
    }
    return true;
}

bool oro_plan_check_files(const struct oro_planner *planner)
{
    struct uses uses = {0};
    if (!planner->has_files)
        return true;
    bool ok = list(planner->plan, &uses);
    if (!ok)
        oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan the files");
    if (ok && uses.count > 1)
        qsort(uses.items, uses.count, sizeof *uses.items, compare);
    ok = ok && check(planner, &uses);
    for (size_t i = 0; i < uses.count; i++)
        oro_free(uses.items[i].place);
    oro_free(uses.items);
    return ok;
}
