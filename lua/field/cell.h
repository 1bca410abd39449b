/* Scripts with a function `cell`, which is called for every cell of the outputs. */
#ifndef ORO_LUA_FIELD_CELL_H
#define ORO_LUA_FIELD_CELL_H

#include "lua/field/rasters.h"

bool oro_cell_compute(struct oro_script_work *work, struct oro_error *err);

#endif
