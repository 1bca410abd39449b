/* Runs the tests that have registered themselves: tests/support/test.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

enum { TESTS_MAX = 200, SKIPPED = 77 };

extern const struct oro_test_group oro_test_group;
extern bool (*const oro_test_needs)(void);
__attribute__((weak)) const struct oro_test_group oro_test_group;
__attribute__((weak)) bool (*const oro_test_needs)(void);

/* Entries without a function are no tests to cmocka. */
static struct CMUnitTest tests[TESTS_MAX];
static int lines[TESTS_MAX], count;

void oro_test_register(struct CMUnitTest test, int line)
{
    if (count == TESTS_MAX) {
        fprintf(stderr, "more than %d tests: raise TESTS_MAX\n", TESTS_MAX);
        abort();
    }
    int at = count++;
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = test;
    lines[at] = line;
}

int main(int argc, char **argv)
{
    const char *folder = strrchr(argv[0], '/');
    if (oro_test_needs && !oro_test_needs())
        return SKIPPED;
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    cmocka_set_skip_filter(getenv("OROGRAPH_TEST_SKIP"));
    return cmocka_run_group_tests_name(folder ? folder + 1 : argv[0], tests, oro_test_group.set_up,
                                       oro_test_group.tear_down);
}
