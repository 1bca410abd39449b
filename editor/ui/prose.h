/* Short forms of documentation, for where there is little room. Any thread. */
#ifndef ED_UI_PROSE_H
#define ED_UI_PROSE_H

#include <stddef.h>

/* The first sentence of a text, without '`' and '*', cut where it does not fit. Returns `out`. */
const char *ed_summary(const char *doc, char *out, size_t size);

#endif
