/* Names agree across nodes: an input called terrain, mask, like or seed has that role. Without the role, the
 * engine would treat it as an ordinary input. */
#include <stdint.h>
#include <string.h>

#include "graph/type/registry.h"
#include "tests/support/test.h"

/* `size` is a stricter `like`, and seeds of scripts and graphs are not mixed. */
static enum oro_role role_by_name(const struct oro_input *input)
{
    struct oro_input unsaid[2] = {*input, {0}};
    unsaid[0].role = ORO_ROLE_NONE;
    oro_roles_by_name(unsaid, NULL);
    enum oro_role role = unsaid[0].role;
    if (role == ORO_ROLE_LIKE && input->role == ORO_ROLE_SIZE)
        return ORO_ROLE_SIZE;
    return role == ORO_ROLE_VARIANT ? ORO_ROLE_SEED : role;
}

TEST(inputs_are_what_they_are_called)
{
    for (size_t t = 0; t < oro_builtin_nodes.count; t++)
        for (const struct oro_input *input = oro_builtin_nodes.types[t]->inputs; input->name; input++)
            if (input->role != ORO_ROLE_ITERATIONS && input->role != ORO_ROLE_DURATION &&
                input->role != ORO_ROLE_CELLS && input->role != role_by_name(input))
                fail_msg("%s: input '%s' has the role '%s'", oro_builtin_nodes.types[t]->id, input->name,
                         oro_role_name(input->role));
}

TEST(outputs_are_what_they_are_called)
{
    for (size_t t = 0; t < oro_builtin_nodes.count; t++) {
        const struct oro_output *output = oro_builtin_nodes.types[t]->outputs;
        for (; output && output->name; output++) {
            struct oro_output unsaid[2] = {*output, {0}};
            unsaid[0].role = ORO_ROLE_NONE;
            oro_roles_by_name(NULL, unsaid);
            if (output->role != unsaid[0].role)
                fail_msg("%s: output '%s' has the role '%s'", oro_builtin_nodes.types[t]->id, output->name,
                         oro_role_name(output->role));
        }
    }
}

/* Sizes that follow the world do so where nothing is written, and say it. */
TEST(shares_of_the_world_are_told)
{
    size_t shared = 0;
    for (size_t t = 0; t < oro_builtin_nodes.count; t++)
        for (const struct oro_input *input = oro_builtin_nodes.types[t]->inputs; input->name; input++) {
            if (input->share == 0)
                continue;
            shared++;
            bool right = input->type == ORO_FLOAT && input->value == 0 && input->min <= 0 &&
                         (input->unit == ORO_METRE || input->unit == ORO_PER_METRE) &&
                         strstr(input->doc, "0: ") && strstr(input->doc, "world");
            if (!right)
                fail_msg("%s.%s has a share of the world", oro_builtin_nodes.types[t]->id, input->name);
        }
    assert_true(shared > 15);
}

TEST(handles_make_sense)
{
    struct oro_error err;
    size_t held = 0;
    for (size_t t = 0; t < oro_builtin_nodes.count; t++) {
        const struct oro_input *inputs = oro_builtin_nodes.types[t]->inputs;
        for (const struct oro_input *input = inputs; input->name; input++) {
            if (!oro_handle_check(inputs, input, &err))
                fail_msg("%s.%s: %s", oro_builtin_nodes.types[t]->id, input->name, err.text);
            held += oro_input_handle(input) != ORO_HANDLE_NONE;
        }
    }
    assert_true(held > 60);
}
