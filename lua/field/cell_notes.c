/* Collects what scripts print while many of their states run at once. */
#include <string.h>

#include "lua/field/cell_private.h"

enum { LINES_MAX = 100 }; /* of one band */

static void take(void *user, enum oro_level level, const char *text)
{
    struct oro_cell_notes *notes = user;
    if (notes->muted || notes->lines > LINES_MAX)
        return;
    notes->lines++;
    oro_text_addf(&notes->text, "%d", (int)level);
    for (; *text; text++)
        oro_text_add_bytes(&notes->text, *text == '\n' ? " " : text, 1);
    oro_text_add(&notes->text, "\n");
}

struct oro_log oro_cell_log(struct oro_cell_notes *notes)
{
    return (struct oro_log){take, notes};
}

void oro_cell_pass_on(const struct oro_cell_notes *notes, const struct oro_log *log, int *left)
{
    const char *line = notes->text.failed || !notes->text.data ? "" : notes->text.data;
    for (; *line && *left >= 0; --*left) {
        int length = (int)strcspn(line, "\n");
        if (*left == 0)
            oro_note(log, ORO_NOTICE, "what the script prints further is dropped");
        else
            oro_note(log, (enum oro_level)(line[0] - '0'), "%.*s", length - 1, line + 1);
        line += length + 1;
    }
}
