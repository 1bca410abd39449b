/* What a script says about itself in plain words, found in its text without running it: for lists. */
#ifndef ORO_GRAPH_DERIVED_SCRIPT_ABOUT_H
#define ORO_GRAPH_DERIVED_SCRIPT_ABOUT_H

#include "base/error.h"

/* How lines at the head of a script begin that say its tags and its description. */
#define ORO_SCRIPT_TAGS "-- tags:"
#define ORO_SCRIPT_DOC "-- about:"

/* In UTF-8 without control characters; "" where it says nothing. */
struct oro_script_about {
    char id[64], category[64], words[200], doc[600];
};
/* Takes what those lines say, else what the script's table says in plain strings, and for the description at
 * last the first line of comment. What is put together in another way is not understood. */
void oro_script_about(const char *text, struct oro_script_about *about);
/* The same for a file; all is "" where it cannot be read: ORO_E_FILE. */
bool oro_script_about_read(const char *path, struct oro_script_about *about, struct oro_error *err);
/* The text behind those lines at its head. */
const char *oro_script_behind_about(const char *text);

#endif
