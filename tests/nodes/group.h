/* The setup of a test group of this folder: a harness that is open while the group runs. Without a device its
 * tests are skipped. Included once by a test program. */
#ifndef ORO_TESTS_NODES_GROUP_H
#define ORO_TESTS_NODES_GROUP_H

#include "tests/nodes/harness.h"
#include "tests/support/test.h"

static struct harness h;

FIXTURE(open_harness)
{
    if (!harness_open(&h))
        print_message("skipped: %s\n", h.err.text);
    return 0;
}

FIXTURE(close_harness)
{
    harness_close(&h);
    return 0;
}

static void need_device(void)
{
    if (!h.device)
        skip();
}

#endif
