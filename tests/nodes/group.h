/* What a test group of this folder begins with: a harness that is open while it runs. Without a device its
 * tests are skipped. Included once by a test program, after cmocka. */
#ifndef ORO_TESTS_NODES_GROUP_H
#define ORO_TESTS_NODES_GROUP_H

#include "tests/nodes/harness.h"

static struct harness h;

static int open_harness(void **state)
{
    (void)state;
    if (!harness_open(&h))
        print_message("skipped: %s\n", h.err.text);
    return 0;
}

static int close_harness(void **state)
{
    (void)state;
    harness_close(&h);
    return 0;
}

static void need_device(void)
{
    if (!h.device)
        skip();
}

#endif
