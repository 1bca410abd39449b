/* Text within text, for fields that narrow a list. base/search.h finds things by what they are called. */
#ifndef ED_UI_SEARCH_H
#define ED_UI_SEARCH_H

#include <stdbool.h>

/* Whether `part` is anywhere in the text, which may be NULL. Only the case of ASCII letters is ignored. */
bool ed_text_holds(const char *text, const char *part);

#endif
