/* What scripts can call, as documentation: docs/lua-api.md is made from the tables that the functions are
 * made from. */
#ifndef ORO_LUA_TYPES_REFERENCE_H
#define ORO_LUA_TYPES_REFERENCE_H

#include "base/text.h"

/* Markdown. */
void oro_lua_reference(struct oro_text *to);

#endif
