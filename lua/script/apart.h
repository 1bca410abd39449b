/* Scripts that are read in a guest (guest/guest.h): what they return is data, and no more is needed to know
 * the node type. */
#ifndef ORO_LUA_SCRIPT_APART_H
#define ORO_LUA_SCRIPT_APART_H

#include "lua/script/script.h"

/* The guest's side; an oro_guest_worker but for the forms. */
void oro_script_describe(int socket, const struct oro_script_form *forms);

#endif
