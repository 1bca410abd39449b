/*
 * What the tests of the window have in common: the editor that the test drives, and its end after each test.
 * Included by one file of a program.
 */
#ifndef TESTS_EDITOR_WINDOW_FIXTURE_H
#define TESTS_EDITOR_WINDOW_FIXTURE_H

#include "tests/editor/window/support.h"

TEST_NEEDS(window_can_run);

static struct driver *driver;

FIXTURE(stop)
{
    drive_stop(driver);
    driver = NULL;
    return 0;
}

/* Writes the document and starts the editor with it, until `what` is true. Returns 0, as a fixture does. */
static inline int window_open(const char *name, const char *document, const char *what)
{
    window_write(window_path(name), document);
    driver = window_start(window_path(name));
    drive_wait(driver, what, 20);
    return 0;
}

#endif
