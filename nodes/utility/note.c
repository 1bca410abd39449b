/* A text in the graph. */
#include "graph/type/node.h"

struct params {
    const char *text;
    float width, height;
};

static const struct oro_input inputs[] = {
    ORO_IN_TEXT(struct params, text, "", .doc = "What it says; lines end with a line break"),
    ORO_IN_FLOAT(struct params, width, 240, .min = 20, .max = 10000,
                 .doc = "Of the note in the editor, in its units"),
    ORO_IN_FLOAT(struct params, height, 120, .min = 20, .max = 10000, .doc = "Likewise"),
    {0},
};
static const struct oro_output outputs[] = {{0}};

ORO_NODE(note, .version = 1, .category = "utility",
         .words = "comment, sticky note, text, annotation, remark, label",
         .doc = "A text for who reads the graph. It has no outputs, and nothing is evaluated.");
