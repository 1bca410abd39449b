/* Units through nodes that pass them on, such as sums and blurs. Groups, reroutes, switches and muted nodes
 * are no steps of a plan, and need nothing. */
#include <string.h>

#include "base/memory.h"
#include "graph/plan/unit.h"

/* Whether a name is among those of a list with blanks between. */
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (*list) {
        size_t word = strcspn(list, " ");
        if (word == length && strncmp(list, name, length) == 0)
            return true;
        list += word + (list[word] == ' ');
    }
    return false;
}

static enum oro_unit unit_of(const struct oro_plan *plan, struct oro_plan_source source,
                             const enum oro_unit *passed)
{
    const struct oro_output *output = &plan->steps[source.step].type->outputs[source.output];
    return output->unit == ORO_NO_UNIT && output->unit_of ? passed[source.step] : output->unit;
}

/* The unit of those inputs that have one. */
static enum oro_unit pass(const struct oro_plan *plan, const struct oro_step *step, const char *names,
                          const enum oro_unit *passed)
{
    enum oro_unit unit = ORO_NO_UNIT;
    for (size_t i = 0; step->type->inputs[i].name; i++) {
        if (step->sources[i].step < 0 || !lists(names, step->type->inputs[i].name))
            continue;
        enum oro_unit one = unit_of(plan, step->sources[i], passed);
        if (unit != ORO_NO_UNIT && one != ORO_NO_UNIT && one != unit)
            return ORO_NO_UNIT;
        unit = one != ORO_NO_UNIT ? one : unit;
    }
    return unit;
}

enum oro_unit oro_plan_unit(const struct oro_plan *plan, struct oro_plan_source source)
{
    enum oro_unit *passed = oro_alloc((size_t)source.step + 1, sizeof *passed);
    if (!passed)
        return plan->steps[source.step].type->outputs[source.output].unit;
    /* Steps come after their sources. Only the first output can pass a unit on. */
    for (int i = 0; i <= source.step; i++) {
        const struct oro_step *step = &plan->steps[i];
        passed[i] = step->type->outputs[0].unit_of ? pass(plan, step, step->type->outputs[0].unit_of, passed)
                                                   : ORO_NO_UNIT;
    }
    enum oro_unit unit = unit_of(plan, source, passed);
    oro_free(passed);
    return unit;
}
