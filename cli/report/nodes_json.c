/* The node reference as JSON: all members of all descriptors, except code. */
#include "cli/report/json.h"
#include "cli/report/nodes.h"

static json_t *default_of(const struct oro_input *input)
{
    if (input->type == ORO_BOOL)
        return json_boolean(input->value != 0);
    struct oro_text text = {0};
    cli_input_default(&text, input);
    return cli_json_of(&text);
}

static void add_limits(json_t *object, const struct oro_input *input)
{
    if (input->min != 0 || input->max != 0) {
        cli_json_number(object, "min", input->min);
        cli_json_number(object, "max", input->max);
    }
    if (input->soft_min != 0 || input->soft_max != 0) {
        cli_json_number(object, "soft_min", input->soft_min);
        cli_json_number(object, "soft_max", input->soft_max);
    }
    if (input->choices) {
        json_t *words = json_array();
        for (size_t i = 0; input->choices[i]; i++)
            json_array_append_new(words, json_string(input->choices[i]));
        cli_json_add(object, "choices", words);
    }
}

static json_t *input_of(const struct oro_input *input)
{
    json_t *object = json_object();
    cli_json_text(object, "name", input->name);
    cli_json_text(object, "type", oro_type_name(input->type));
    if (input->type == ORO_FLOAT || input->type == ORO_INT)
        cli_json_number(object, "default", input->value);
    else if (oro_input_has_default(input))
        cli_json_add(object, "default", default_of(input));
    add_limits(object, input);
    if (input->role != ORO_ROLE_NONE)
        cli_json_text(object, "role", oro_role_name(input->role));
    if (oro_input_handle(input) != ORO_HANDLE_NONE)
        cli_json_text(object, "handle", oro_handle_name(oro_input_handle(input)));
    if (input->handle_at)
        cli_json_text(object, "handle_at", input->handle_at);
    if (input->when)
        cli_json_text(object, "when", input->when);
    if (input->handle_when)
        cli_json_text(object, "handle_when", input->handle_when);
    cli_json_text(object, "unit", oro_unit_name(input->unit));
    if (input->label)
        cli_json_text(object, "label", input->label);
    if (input->group)
        cli_json_text(object, "group", input->group);
    cli_json_flag(object, "link", oro_input_linkable(input));
    cli_json_flag(object, "map", input->map);
    cli_json_flag(object, "tree", input->takes_uplift);
    cli_json_flag(object, "required", oro_input_required(input));
    cli_json_flag(object, "seed", input->role == ORO_ROLE_SEED);
    if (input->type == ORO_FILE)
        cli_json_flag(object, "writes", input->writes);
    cli_json_text(object, "doc", input->doc ? input->doc : "");
    return object;
}

static json_t *output_of(const struct oro_output *output)
{
    json_t *object = json_object();
    cli_json_text(object, "name", output->name);
    cli_json_text(object, "type", oro_type_name(output->type));
    if (output->role != ORO_ROLE_NONE)
        cli_json_text(object, "role", oro_role_name(output->role));
    cli_json_text(object, "unit", oro_unit_name(output->unit));
    if (output->like)
        cli_json_text(object, "like", output->like);
    cli_json_text(object, "doc", output->doc ? output->doc : "");
    return object;
}

json_t *cli_use_values(const struct oro_use *use)
{
    json_t *values = json_object();
    for (size_t i = 0; i < ORO_USE_SETS && use->set[i].input; i++)
        cli_json_text(values, use->set[i].input, use->set[i].value);
    return values;
}

static json_t *use_of(const struct oro_use *use)
{
    json_t *object = json_object();
    cli_json_text(object, "id", use->id);
    cli_json_text(object, "label", use->label);
    cli_json_text(object, "words", use->words ? use->words : "");
    cli_json_add(object, "set", cli_use_values(use));
    return object;
}

static json_t *type_of(const struct oro_node_type *type)
{
    json_t *object = json_object(), *inputs = json_array(), *outputs = json_array();
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        json_array_append_new(inputs, input_of(input));
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        json_array_append_new(outputs, output_of(output));
    cli_json_text(object, "id", type->id);
    if (cli_is_unread(type))
        cli_json_flag(object, "unread", true);
    else
        cli_json_integer(object, "version", type->version);
    cli_json_text(object, "category", type->category);
    cli_json_text(object, "doc", type->doc ? type->doc : "");
    cli_json_text(object, "words", type->words ? type->words : "");
    json_t *uses = json_array();
    for (const struct oro_use *use = type->uses; use && use->id; use++)
        json_array_append_new(uses, use_of(use));
    cli_json_add(object, "uses", uses);
    cli_json_text(object, "paper", type->paper);
    const struct oro_input *iterations = oro_type_input_as(type, ORO_ROLE_ITERATIONS);
    cli_json_text(object, "iterations", iterations ? iterations->name : NULL);
    cli_json_text(object, "script", type->file);
    cli_json_flag(object, "sink", type->sink);
    cli_json_text(object, "spread", cli_is_unread(type) ? NULL : cli_spread_word(type));
    cli_json_add(object, "inputs", inputs);
    cli_json_add(object, "outputs", outputs);
    return object;
}

bool cli_nodes_json_page(const struct oro_node_type *type)
{
    return cli_json_print(type_of(type));
}

bool cli_nodes_json(const struct oro_node_type *const *types, size_t count)
{
    json_t *root = json_object(), *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, type_of(types[i]));
    cli_json_text(root, "program", "orograph " OROGRAPH_VERSION);
    cli_json_add(root, "nodes", list);
    return cli_json_print(root);
}
