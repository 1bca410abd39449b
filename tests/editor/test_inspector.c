/* The inspector's queue: what widgets ask for while they are drawn is carried out afterwards, all of it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "editor/app/app.h"
#include "editor/inspector/fields.h"
#include "tests/support/test.h"

static int carried_out, last;

static void act(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)app;
    (void)b;
    assert_string_equal(a, "hills");
    last = (int)strtol(text, NULL, 10);
    assert_int_equal(last, carried_out++); /* in order */
}

static void act_asks_for_more(struct ed_app *app, const char *a, const char *b, const char *text)
{
    for (int i = 0; i < 40; i++) {
        char number[20];
        snprintf(number, sizeof number, "%d", i);
        ed_later(app, act, a, b, number);
    }
    (void)text;
}

static struct ed_app *open_app(void)
{
    struct ed_app *app = oro_alloc(1, sizeof *app);
    assert_non_null(app);
    app->inspector = ed_inspector_create();
    assert_non_null(app->inspector);
    carried_out = 0;
    return app;
}

static void close_app(struct ed_app *app)
{
    ed_inspector_destroy(app->inspector);
    ed_messages_free(&app->messages);
    oro_free(app);
}

TEST(nothing_is_dropped)
{
    struct ed_app *app = open_app();
    for (int i = 0; i < 1000; i++) {
        char number[20];
        snprintf(number, sizeof number, "%d", i);
        ed_later(app, act, "hills", "seed", number);
    }
    ed_later_run(app);
    assert_int_equal(carried_out, 1000);
    ed_later_run(app); /* once only */
    assert_int_equal(carried_out, 1000);
    close_app(app);
}

TEST(actions_ask_for_more)
{
    struct ed_app *app = open_app();
    ed_later(app, act_asks_for_more, "hills", "seed", NULL);
    ed_later_run(app);
    assert_int_equal(carried_out, 40);
    close_app(app);
}

/* Told, and all that was asked for before is carried out. */
TEST(memory_is_out)
{
    struct ed_app *app = open_app();
    ed_later(app, act, "hills", "seed", "0");
    oro_memory_fail_at(1);
    ed_later(app, act, "hills", "seed", "1");
    oro_memory_fail_at(0);
    ed_later_run(app);
    assert_int_equal(carried_out, 1);
    assert_true(app->busy_frames > 0);
    close_app(app);
}
