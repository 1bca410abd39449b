/* Functions `cell` and `field` in a guest (devices/guest/guest.h): rasters go there and come back in shared
 * memory.
 */
#ifndef ORO_LUA_FIELD_GUEST_H
#define ORO_LUA_FIELD_GUEST_H

#include "lua/field/rasters.h"

bool oro_script_compute_in_guest(struct oro_script_work *work, struct oro_error *err);

/* The guest's side; an oro_guest_worker but for the forms. */
void oro_script_work_as_guest(int socket, const struct oro_script_form *forms);

#endif
