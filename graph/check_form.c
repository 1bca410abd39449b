/* What is wrong with a document whatever the node types are: ids, numbers, the form of inputs and interface.
 */
#include <string.h>

#include "graph/document_private.h"
#include "graph/literal.h"

/* Attributes that should be numbers and are not were kept aside by the reader. */
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
    static const char *const names[] = {"extent", "resolution", "aspect", "seed", NULL};
    const struct oro_item *world = doc->world;
    struct oro_error err;
    if (!world)
        return;
    check_numbers(&world->other, names, "bad-world", world->line, NULL, problems);
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
    if (!*input->name)
        oro_problem_add(problems, true, "bad-input", input->line, node->id, "an input has no name");
    else if (named_before(node, index))
        oro_problem_add(problems, true, "duplicate-input", input->line, node->id,
                        "input '%.100s' is given more than once; the first counts", input->name);
    if (value_left || (from_left && input->value))
        oro_problem_add(problems, true, "bad-input", input->line, node->id,
                        "input '%.100s' has both a value and a link", input->name);
    else if (from_left)
        oro_problem_add(problems, true, "bad-link", input->line, node->id,
                        "the link of input '%.100s' is not of the form from=\"node.output\"", input->name);
    else if (!input->value && !input->from_node)
        oro_problem_add(problems, true, "bad-input", input->line, node->id,
                        "input '%.100s' has neither a value nor a link", input->name);
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
    for (size_t i = 0; i < node->input_count; i++)
        check_input_form(node, i, problems);
}

static void check_port_form(const struct oro_document *doc, size_t index, struct oro_problems *problems)
{
    const struct oro_doc_port *port = oro_document_port(doc, index);
    const char *kind = port->is_output ? "output" : "input";
    if (!oro_is_identifier(port->name))
        oro_problem_add(problems, true, "bad-interface", port->line, NULL,
                        "'%.100s' cannot be the name of an %s", port->name, kind);
    for (size_t i = 0; i < index; i++) {
        const struct oro_doc_port *other = oro_document_port(doc, i);
        if (other->is_output == port->is_output && strcmp(other->name, port->name) == 0) {
            oro_problem_add(problems, true, "bad-interface", port->line, NULL,
                            "there is an %s '%.100s' already", kind, port->name);
            break;
        }
    }
    if (!*port->node)
        oro_problem_add(problems, true, "bad-interface", port->line, NULL, "%s '%.100s' needs %s", kind,
                        port->name, port->is_output ? "from=\"node.output\"" : "to=\"node.input\"");
}

void oro_check_form(const struct oro_document *doc, struct oro_problems *problems)
{
    static const char *const names[] = {"x", "y", "width", "height", NULL};
    check_world(doc, problems);
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        check_port_form(doc, i, problems);
    for (size_t i = 0; i < doc->node_count && !oro_problems_full(problems); i++)
        check_node_form(doc, i, problems);
    for (size_t i = 0; i < doc->frame_count; i++) {
        const struct oro_doc_frame *frame = oro_document_frame(doc, i);
        check_numbers(&frame->other, names, "bad-number", frame->line, NULL, problems);
    }
}
