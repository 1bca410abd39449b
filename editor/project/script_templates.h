/* Scripts to begin with, one for each form that a script can have (docs/lua.md). Any thread. */
#ifndef ED_PROJECT_SCRIPT_TEMPLATES_H
#define ED_PROJECT_SCRIPT_TEMPLATES_H

#include "editor/project/project.h"

struct ed_script_template {
    const char *form; /* "field" */
    const char *doc;  /* what it is good for */
    const char *text;
};
/* Ends with a zeroed one. The first is that of new nodes. */
extern const struct ed_script_template ed_script_templates[];

/* Adds a node with such a script. `file`: NULL, within the document; else the script becomes NAME.lua beside
 * the document, where there must be none yet, and the node one of type NAME. One step. */
bool ed_add_script(struct ed_project *project, const struct ed_script_template *script, const char *file,
                   double x, double y, char id[128], struct oro_error *err);

#endif
