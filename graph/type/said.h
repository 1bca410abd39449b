/*
 * What was said of a value while it was made: kept with it, so that it is told again where the value comes
 * from a cache, in the files that it goes into, and at its node. A text of lines, each with its level before
 * it.
 */
#ifndef ORO_GRAPH_TYPE_SAID_H
#define ORO_GRAPH_TYPE_SAID_H

#include "base/log.h"
#include "base/text.h"

/* Adds a line, unless it is there. */
void oro_said_add(struct oro_text *said, enum oro_level level, const char *line);
/* Adds the lines of what something was made from, as such. `lines` may be NULL. */
void oro_said_inherit(struct oro_text *said, const char *lines);
/* Tells all lines, or only those of the value itself. `lines` may be NULL. */
void oro_said_tell(const char *lines, bool own, const struct oro_log *log);

#endif
