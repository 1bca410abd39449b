/* What the tools of the views share when they make steps of the document. Threads: the window's. */
#ifndef ED_VIEW_TOOL_STEPS_H
#define ED_VIEW_TOOL_STEPS_H

#include "editor/session/session.h"

bool ed_tool_set_number(struct ed_session *session, const char *node, const char *input, double value);
/* Rounded to about `step` metres. */
bool ed_tool_set_point(struct ed_session *session, const char *node, const char *input, const double at[2],
                       double step);
/* The literal that an input has, or its default. The caller frees; NULL: it is linked or an expression, there
 * is none, or memory is out. */
char *ed_tool_literal(const struct ed_session *session, const char *node, const char *input);
/* Tells the user why nothing is done; false. */
bool ed_tool_refuse(struct ed_session *session, const char *why);
/* Ends a gesture; one that failed is taken back, and the user is told why. `err` may be NULL. */
void ed_tool_end_step(struct ed_session *session, bool ok, const struct oro_error *err);

#endif
