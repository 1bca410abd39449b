/* Nodes whose script has a function `cell`, which is called for every cell of the outputs. */
#ifndef ORO_LUA_FIELD_CELL_H
#define ORO_LUA_FIELD_CELL_H

#include "graph/type/node.h"

bool oro_script_eval_cell(struct oro_eval *eval, const void *params);

#endif
