/* Checks what is independent of node types: ids, numbers, the form of inputs and interface. */
#include <string.h>

#include "graph/document/document_private.h"
#include "graph/document/variable.h"
#include "graph/type/literal.h"

/* Reports attributes that should be numbers and are not; the reader kept them aside. */
static void check_numbers(const struct oro_doc_attributes *other, const char *const *names, const char *code,
                          int line, const char *node, struct oro_problems *problems)
{
    for (size_t i = 0; i < other->count; i++) {
        const struct oro_doc_attribute *attribute = &other->items[i];
        double number;
        char what[200];
        size_t known = 0;
        while (names[known] && strcmp(names[known], attribute->name) != 0)
            known++;
        if (!names[known])
            continue;
        if (oro_parse_number(attribute->value, &number))
            oro_problem_add(problems, true, code, line, node,
                            "%s: '%.60s' must be a whole number within its limits", attribute->name,
                            attribute->value);
        else
            oro_problem_add(problems, true, code, line, node, "%s: %s", attribute->name,
                            oro_not_a_number(attribute->value, what, sizeof what));
    }
}

static void check_world(const struct oro_document *doc, struct oro_problems *problems)
{
    static const char *const names[] = {"extent", "resolution", "aspect", "seed", "sea", NULL};
    const struct oro_item *world = doc->world;
    struct oro_error err;
    if (!world)
        return;
    check_numbers(&world->other, names, "bad-world", world->line, NULL, problems);
    if (oro_attributes_have(&world->other, "origin"))
        oro_problem_add(problems, true, "bad-world", world->line, NULL,
                        "origin must be two numbers, west and north: \"399960 5100000\"");
    if (!oro_world_valid(&world->world, &err))
        oro_problem_add(problems, true, "bad-world", world->line, NULL, "%s", err.text);
}

static bool named_before(const struct oro_doc_node *node, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(node->inputs[i].name, node->inputs[index].name) == 0)
            return true;
    return false;
}

static void check_input_form(const struct oro_doc_node *node, size_t index, struct oro_problems *problems)
{
    const struct oro_doc_input *input = &node->inputs[index];
    bool value_left = oro_attributes_have(&input->other, "value");
    bool from_left = oro_attributes_have(&input->other, "from");
    bool expr_left = oro_attributes_have(&input->other, "expr");
    if (!*input->name)
        oro_problem_add(problems, true, "bad-input", input->line, node->id, "an input has no name");
    else if (named_before(node, index))
        oro_problem_add(problems, true, "duplicate-input", input->line, node->id,
                        "input '%.100s' is given more than once; the first counts", input->name);
    if (value_left || expr_left || (from_left && (input->value || input->expr)))
        oro_problem_add(problems, true, "bad-input", input->line, node->id, "input '%.100s' has %s",
                        input->name,
                        expr_left || input->expr ? "more than one of a value, an expression and a link"
                                                 : "both a value and a link");
    else if (from_left)
        oro_problem_add(problems, true, "bad-link", input->line, node->id,
                        "the link of input '%.100s' is not of the form from=\"node.output\"", input->name);
    else if (!input->value && !input->expr && !input->from_node)
        oro_problem_add(problems, true, "bad-input", input->line, node->id,
                        "input '%.100s' has neither a value nor a link", input->name);
}

/* Reports attributes that should be true or false and are not. */
static void check_flag(const struct oro_doc_node *node, const char *name, struct oro_problems *problems)
{
    for (size_t i = 0; i < node->other.count; i++)
        if (strcmp(node->other.items[i].name, name) == 0)
            oro_problem_add(problems, true, "bad-value", node->line, node->id,
                            "%s: '%.60s' is neither true nor false", name, node->other.items[i].value);
}

static void check_node_form(const struct oro_document *doc, size_t index, struct oro_problems *problems)
{
    static const char *const names[] = {"x", "y", "version", NULL};
    const struct oro_doc_node *node = oro_document_node(doc, index);
    const struct oro_doc_node *first = oro_document_find(doc, node->id);
    if (!*node->id)
        oro_problem_add(problems, true, "bad-id", node->line, NULL, "a node has no id");
    else if (!oro_is_identifier(node->id) || strlen(node->id) > ORO_ID_MAX)
        oro_problem_add(problems, true, "bad-id", node->line, node->id,
                        "an id is a letter or _, then letters, digits, _ and -, at most %d", ORO_ID_MAX);
    if (*node->id && first != node)
        oro_problem_add(problems, true, "duplicate-id", node->line, node->id,
                        "the node of line %d has the same id", first->line);
    if (!*node->type)
        oro_problem_add(problems, true, "unknown-type", node->line, node->id, "the node has no type");
    check_numbers(&node->other, names, "bad-number", node->line, node->id, problems);
    check_flag(node, "mute", problems);
    check_flag(node, "collapsed", problems);
    for (size_t i = 0; i < node->input_count; i++)
        check_input_form(node, i, problems);
}

/* Whether an entry repeats another: each output has its own name, and inputs of one name lead to different
 * places. */
static bool repeats(const struct oro_doc_port *port, const struct oro_doc_port *other)
{
    if (other->is_output != port->is_output || strcmp(other->name, port->name) != 0)
        return false;
    return port->is_output ||
           (strcmp(other->node, port->node) == 0 && strcmp(other->socket, port->socket) == 0);
}

static void check_port_form(const struct oro_document *doc, size_t index, struct oro_problems *problems)
{
    const struct oro_doc_port *port = oro_document_port(doc, index);
    const char *kind = port->is_output ? "output" : "input";
    if (!oro_is_identifier(port->name))
        oro_problem_add(problems, true, "bad-interface", port->line, NULL,
                        "'%.100s' cannot be the name of an %s", port->name, kind);
    for (size_t i = 0; i < index; i++) {
        if (repeats(port, oro_document_port(doc, i))) {
            oro_problem_add(problems, true, "bad-interface", port->line, NULL,
                            "there is an %s '%.100s' already", kind, port->name);
            break;
        }
    }
    if (!*port->node && !*port->socket)
        oro_problem_add(problems, true, "bad-interface", port->line, NULL, "%s '%.100s' needs %s", kind,
                        port->name,
                        port->is_output ? "from=\"node.output\"" : "to=\"node.input\" or to=\"variable\"");
}

static void check_variable_form(const struct oro_document *doc, size_t index, struct oro_problems *problems)
{
    const struct oro_doc_variable *variable = oro_document_variable(doc, index);
    const struct oro_doc_variable *first = oro_document_find_variable(doc, variable->name);
    double number;
    char what[200];
    if (!oro_is_variable_name(variable->name))
        oro_problem_add(problems, true, "bad-variable", variable->line, NULL,
                        "'%.100s' cannot be the name of a variable: a letter or _ comes first, then letters, "
                        "digits and _, and words of expressions are taken",
                        variable->name);
    else if (first != variable)
        oro_problem_add(problems, true, "bad-variable", variable->line, NULL,
                        "the variable of line %d has the same name", first->line);
    if (oro_attributes_have(&variable->other, "expr"))
        oro_problem_add(problems, true, "bad-variable", variable->line, NULL,
                        "variable '%.100s' has both a value and an expression; the value counts",
                        variable->name);
    if (!variable->value && !variable->expr)
        oro_problem_add(problems, true, "bad-variable", variable->line, NULL,
                        "variable '%.100s' has neither a value nor an expression", variable->name);
    else if (variable->value && !oro_parse_number(variable->value, &number))
        oro_problem_add(problems, true, "bad-variable", variable->line, NULL, "variable '%.100s': %s",
                        variable->name, oro_not_a_number(variable->value, what, sizeof what));
}

static void check_group_form(const struct oro_document *doc, size_t index, struct oro_problems *problems)
{
    const struct oro_doc_group *group = oro_document_group(doc, index);
    const struct oro_doc_group *first = oro_document_find_group(doc, group->name);
    if (!oro_is_identifier(group->name))
        oro_problem_add(problems, true, "bad-group", group->line, NULL,
                        "'%.100s' cannot be the name of a group", group->name);
    else if (first != group)
        oro_problem_add(problems, true, "bad-group", group->line, NULL,
                        "the group of line %d has the same name", first->line);
}

void oro_check_form(const struct oro_document *doc, struct oro_problems *problems)
{
    static const char *const names[] = {"x", "y", "width", "height", NULL}, *const version[] = {"version",
                                                                                                NULL};
    check_world(doc, problems);
    if (doc->interface)
        check_numbers(&doc->interface->other, version, "bad-interface", doc->interface->line, NULL, problems);
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        check_port_form(doc, i, problems);
    for (size_t i = 0; i < doc->variable_count; i++)
        check_variable_form(doc, i, problems);
    for (size_t i = 0; i < doc->group_count; i++)
        check_group_form(doc, i, problems);
    for (size_t i = 0; i < doc->node_count && !oro_problems_full(problems); i++)
        check_node_form(doc, i, problems);
    for (size_t i = 0; i < doc->frame_count; i++) {
        const struct oro_doc_frame *frame = oro_document_frame(doc, i);
        check_numbers(&frame->other, names, "bad-number", frame->line, NULL, problems);
    }
}
