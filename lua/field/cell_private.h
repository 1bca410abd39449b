/* Shared by cell*.c. */
#ifndef ORO_LUA_FIELD_CELL_PRIVATE_H
#define ORO_LUA_FIELD_CELL_PRIVATE_H

#include "base/text.h"
#include "lua/field/rasters.h"

/* Pushes the table f, with an object for each raster and map. Both arguments must outlive the state. Raises
 * Lua errors. */
void oro_cell_push_rasters(lua_State *lua, const struct oro_script_rasters *rasters,
                           const struct oro_grid *grid);

/* What a band of rows prints, to be passed on later by the evaluation's thread. */
struct oro_cell_notes {
    struct oro_text text; /* each line begins with its level, as a digit */
    int lines;
    bool muted;
};
/* A log that adds to the notes, and drops what is too much. */
struct oro_log oro_cell_log(struct oro_cell_notes *notes);
/* Passes at most `*left` notes on and counts `*left` down; says so when it drops more. */
void oro_cell_pass_on(const struct oro_cell_notes *notes, const struct oro_log *log, int *left);

#endif
