/* Scripts that are read in a guest (devices/guest/guest.h): what they return is data, and no more is needed
 * to know the node type. */
#ifndef ORO_LUA_SCRIPT_GUEST_H
#define ORO_LUA_SCRIPT_GUEST_H

#include "devices/guest/guest.h"
#include "lua/script/script.h"

/* What a guest may take that runs a script for `seconds`: a little longer, as the script notices by itself in
 * most cases. */
struct oro_guest_limits oro_script_guest_limits(const struct oro_script *script, double seconds);

/* The guest's side; an oro_guest_worker but for the forms. */
void oro_script_describe(int socket, const struct oro_script_form *forms);

#endif
