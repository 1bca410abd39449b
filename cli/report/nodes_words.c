#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report/nodes.h"
#include "graph/type/literal.h"

void cli_input_type(struct oro_text *to, const struct oro_input *input)
{
    oro_text_add(to, oro_type_name(input->type));
    if (input->type == ORO_UPLIFT || input->map)
        oro_text_add(to, input->takes_uplift ? ", field or uplift" : " or field");
}

void cli_input_default(struct oro_text *to, const struct oro_input *input)
{
    if (!oro_input_has_default(input))
        return;
    char *text = oro_literal_default(input);
    if (text)
        oro_text_add(to, text);
    else
        to->failed = true;
    oro_free(text);
}

void cli_input_range(struct oro_text *to, const struct oro_input *input, const char *between)
{
    char low[ORO_NUMBER_SIZE], high[ORO_NUMBER_SIZE];
    for (size_t i = 0; input->choices && input->choices[i]; i++)
        oro_text_addf(to, "%s%s", i ? between : "", input->choices[i]);
    bool number = input->type == ORO_FLOAT || input->type == ORO_INT;
    if (number && (input->min != 0 || input->max != 0))
        oro_text_addf(to, "%s..%s", oro_format_number(input->min, low), oro_format_number(input->max, high));
}

/* method="worley". */
static void add_use(struct oro_text *to, const struct oro_use *use, const char *mark)
{
    oro_text_addf(to, "%s with", use->label);
    for (size_t i = 0; i < ORO_USE_SETS && use->set[i].input; i++)
        oro_text_addf(to, "%s %s%s=%s%s", i ? "," : "", mark, use->set[i].input, use->set[i].value, mark);
    if (use->words)
        oro_text_addf(to, " (%s)", use->words);
}

void cli_type_words(struct oro_text *to, const struct oro_node_type *type, const char *mark)
{
    if (type->words && type->words[0])
        oro_text_addf(to, "Also called: %s.\n\n", type->words);
    for (const struct oro_use *use = type->uses; use && use->id; use++) {
        oro_text_add(to, use == type->uses ? "Used as: " : "; ");
        add_use(to, use, mark);
        oro_text_add(to, use[1].id ? "" : ".\n\n");
    }
}

const char *cli_spread_word(const struct oro_node_type *type)
{
    static const char *const words[] = {[ORO_SPREAD_WHOLE] = "whole",
                                        [ORO_SPREAD_TILES] = "tiles",
                                        [ORO_SPREAD_DRAINAGE] = "drainage",
                                        [ORO_SPREAD_HOST] = "host"};
    return type->expand && !type->eval && !type->kernel ? "parts" : words[type->spread];
}

void cli_spread(struct oro_text *to, const struct oro_node_type *type)
{
    bool parts = type->expand && !type->eval && !type->kernel;
    if (parts)
        oro_text_add(to, "as far as its parts can");
    else if (type->spread == ORO_SPREAD_HOST)
        oro_text_add(to, "no: works on the host, on whole rasters");
    else if (type->spread == ORO_SPREAD_DRAINAGE)
        oro_text_add(to, "yes; drainage is found on the host");
    else if (type->spread == ORO_SPREAD_WHOLE)
        oro_text_add(to, "no: needs whole rasters");
    else if (type->reach == ORO_REACH_CELL)
        oro_text_add(to, "yes, cell by cell");
    else if (type->reach > 0)
        oro_text_addf(to, "yes, looking %d cell%s far", type->reach, type->reach == 1 ? "" : "s");
    else
        oro_text_add(to, "yes");
    if (type->spread_by)
        oro_text_add(to, ", but not with all inputs");
}

/* A full stop ends a sentence where a capital letter or nothing follows, so "e.g. this" does not. */
size_t cli_summary_length(const char *doc)
{
    for (size_t i = 0; doc[i]; i++) {
        if (doc[i] == '\n' && doc[i + 1] == '\n')
            return i;
        if (doc[i] != '.')
            continue;
        size_t blanks = strspn(doc + i + 1, " \n");
        unsigned char next = (unsigned char)doc[i + 1 + blanks];
        if (next == '\0' || (blanks > 0 && !islower(next)))
            return i + 1;
    }
    return strlen(doc);
}
