/*
 * How a test is written: with cmocka's assertions, as TEST(name) { ... }. There is no list of tests and no
 * main function to keep: a test registers itself before main runs, and the main of tests/support/main.c runs
 * all tests of the program in the order of their lines. `PROGRAM PATTERN` runs those whose names match, as in
 * `base_test_text 'words_*'`; those that match OROGRAPH_TEST_SKIP, in the environment, are left out.
 */
#ifndef ORO_TESTS_SUPPORT_TEST_H
#define ORO_TESTS_SUPPORT_TEST_H

/* Headers that cmocka requires. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* With fixtures that run before and after it, also when it fails; either may be NULL. */
#define TEST_WITH(name, setup, teardown)                                                                     \
    static void test_##name(void **);                                                                        \
    __attribute__((constructor)) static void register_##name(void)                                           \
    {                                                                                                        \
        oro_test_register((struct CMUnitTest){#name, test_##name, setup, teardown, NULL}, __LINE__);         \
    }                                                                                                        \
    static void test_##name(__attribute__((unused)) void **state)

/* A function that sets up or tears down: returns 0 unless it failed. */
#define FIXTURE(name) static inline int name(__attribute__((unused)) void **state)

/* What runs before the first and after the last test of the program: at most one such line. */
#define TEST_GROUP(setup, teardown) const struct oro_test_group oro_test_group = {setup, teardown}

/* A requirement on the machine, checked by a function: if it is not met, the program exits with 77, and ctest
 * counts it as skipped. */
#define TEST_NEEDS(function) bool (*const oro_test_needs)(void) = function

struct oro_test_group {
    CMFixtureFunction set_up, tear_down;
};

void oro_test_register(struct CMUnitTest test, int line);

#endif
