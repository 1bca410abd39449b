/* The node reference for a terminal. */
#include <string.h>

#include "cli/report/nodes.h"

enum { PAGE_WIDTH = 96 };

/* Adds a text broken into lines of at most PAGE_WIDTH, each behind `indent` blanks. Paragraphs are kept. */
static void add_wrapped(struct oro_text *to, const char *text, int indent)
{
    int column = 0;
    while (*text) {
        size_t blanks = strspn(text, " \n"), length = strcspn(text + blanks, " \n");
        bool paragraph = blanks > 1 && text[0] == '\n' && text[1] == '\n';
        text += blanks;
        if (length == 0)
            break;
        bool full = column > 0 && column + 1 + (int)length > PAGE_WIDTH;
        if (paragraph || full) {
            oro_text_add(to, paragraph ? "\n\n" : "\n");
            column = 0;
        }
        if (column == 0)
            oro_text_addf(to, "%*s", indent, "");
        column += column == 0 ? indent : 1;
        oro_text_addf(to, "%s%.*s", column > indent ? " " : "", (int)length, text);
        column += (int)length;
        text += length;
    }
    oro_text_add(to, "\n");
}

void cli_nodes_list(struct oro_text *to, const struct oro_node_type *const *types, size_t count)
{
    int width = 0;
    for (size_t i = 0; i < count; i++)
        if ((int)strlen(types[i]->id) > width)
            width = (int)strlen(types[i]->id);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(types[i]->category, types[i - 1]->category) != 0)
            oro_text_addf(to, "%s%s\n", i ? "\n" : "", types[i]->category);
        const char *doc = types[i]->doc ? types[i]->doc : "";
        oro_text_addf(to, "  %-*s  %.*s", width, types[i]->id, (int)cli_summary_length(doc), doc);
        if (cli_is_unread(types[i]))
            oro_text_addf(to, "%s(%s, not read)", doc[0] ? " " : "", types[i]->file);
        oro_text_add(to, "\n");
    }
}

static void add_input(struct oro_text *to, const struct oro_input *input)
{
    struct oro_text type = {0}, standard = {0}, range = {0};
    cli_input_type(&type, input);
    cli_input_default(&standard, input);
    cli_input_range(&range, input, ", ");
    const char *unit = oro_unit_name(input->unit);
    oro_text_addf(to, "  %s  ", input->name);
    if (input->label)
        oro_text_addf(to, "%s  ", input->label);
    oro_text_addf(to, "(%s", type.data ? type.data : "");
    if (oro_input_required(input))
        oro_text_add(to, oro_input_has_literal(input) ? ", must be linked or given" : ", must be linked");
    else if (!oro_input_has_default(input))
        oro_text_add(to, ", optional");
    else if (standard.length > 0)
        oro_text_addf(to, ", default %s", standard.data);
    if (range.length > 0)
        oro_text_addf(to, input->choices ? ", one of: %s" : ", %s", range.data);
    oro_text_addf(to, "%s%s)\n", unit[0] ? ", " : "", unit);
    if (input->doc)
        add_wrapped(to, input->doc, 6);
    to->failed = to->failed || type.failed || standard.failed || range.failed;
    oro_text_free(&type);
    oro_text_free(&standard);
    oro_text_free(&range);
}

static void add_output(struct oro_text *to, const struct oro_output *output)
{
    const char *unit = oro_unit_name(output->unit);
    oro_text_addf(to, "  %s  (%s%s%s)\n", output->name, oro_type_name(output->type), unit[0] ? ", " : "",
                  unit);
    if (output->doc)
        add_wrapped(to, output->doc, 6);
}

void cli_nodes_page(struct oro_text *to, const struct oro_node_type *type)
{
    oro_text_addf(to, "%s  (%s, version %d)\n\n", type->id, type->category, type->version);
    struct oro_text words = {0};
    cli_type_words(&words, type, "");
    add_wrapped(to, type->doc ? type->doc : "", 0);
    if (words.length > 0) {
        oro_text_add(to, "\n");
        add_wrapped(to, words.data, 0);
    }
    to->failed = to->failed || words.failed;
    oro_text_free(&words);
    if (type->paper)
        oro_text_addf(to, "\nSource: %s\n", type->paper);
    if (type->file)
        oro_text_addf(to, "\nScript: %s\n", type->file);
    oro_text_add(to, "\nIn tiles: ");
    cli_spread(to, type);
    oro_text_add(to, "\n");
    oro_text_add(to, oro_type_input_count(type) ? "\nInputs:\n" : "\nNo inputs.\n");
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        add_input(to, input);
    oro_text_add(to, oro_type_output_count(type) ? "\nOutputs:\n"
                     : type->sink                ? "\nNo outputs: it writes files.\n"
                                                 : "\nNo outputs.\n");
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        add_output(to, output);
}
