#include "graph/type/node.h"
@
