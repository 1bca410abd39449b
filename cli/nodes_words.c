#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "cli/nodes.h"
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
