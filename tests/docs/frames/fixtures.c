#include "tests/support/test.h"
int make_folder(void **), remove_folder(void **), open_harness(void **), close_harness(void **);
@
