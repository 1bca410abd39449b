/* What planning asks of a node type again and again, found once per plan. */
#include <string.h>

#include "graph/plan/plan_private.h"
#include "graph/type/literal.h"

static unsigned char flags_of(const struct oro_input *input)
{
    bool settled = input->role == ORO_ROLE_SEED || input->role == ORO_ROLE_ITERATIONS ||
                   input->role == ORO_ROLE_DURATION;
    return (unsigned char)((oro_input_required(input) ? ORO_FACT_REQUIRED : 0) |
                           (oro_input_has_literal(input) ? ORO_FACT_LITERAL : 0) |
                           (oro_input_takes_field(input) ? ORO_FACT_TAKES_FIELD : 0) |
                           (settled ? ORO_FACT_SETTLED : 0) | (input->type == ORO_FILE ? ORO_FACT_FILE : 0) |
                           (input->type == ORO_FILE && input->writes ? ORO_FACT_WRITES : 0) |
                           (input->share > 0 ? ORO_FACT_SHARE : 0));
}

static bool find_facts(struct oro_type_facts *facts, struct oro_arena *arena)
{
    const struct oro_node_type *type = facts->type;
    const char *like = type->outputs ? type->outputs[0].like : NULL;
    facts->input_count = oro_type_input_count(type);
    facts->output_count = oro_type_output_count(type);
    facts->iterations = oro_type_input_as(type, ORO_ROLE_ITERATIONS);
    facts->like = -1;
    facts->flags = oro_arena_alloc(arena, facts->input_count + 1, 1);
    facts->defaults = oro_arena_alloc(arena, 1, type->params_size + 1);
    if (!facts->flags || !facts->defaults)
        return false;
    oro_params_default(type, facts->defaults);
    for (size_t i = 0; i < facts->input_count; i++) {
        facts->flags[i] = flags_of(&type->inputs[i]);
        facts->all |= facts->flags[i];
        if (like && facts->like < 0 && strcmp(type->inputs[i].name, like) == 0)
            facts->like = (int)i;
    }
    return true;
}

struct oro_type_facts *oro_plan_type_facts(struct oro_planner *planner, const struct oro_node_type *type)
{
    struct oro_type_facts **bucket = &planner->types[(uintptr_t)type / 32 % ORO_PLAN_TYPE_BUCKETS];
    for (struct oro_type_facts *facts = *bucket; facts; facts = facts->next)
        if (facts->type == type)
            return facts;
    struct oro_type_facts *facts = oro_arena_alloc(planner->plan->arena, 1, sizeof *facts);
    if (!facts)
        return NULL;
    *facts = (struct oro_type_facts){.type = type, .next = *bucket};
    if (!find_facts(facts, planner->plan->arena))
        return NULL;
    *bucket = facts;
    return facts;
}
