/* The inspector's queue: everything that widgets ask for while they are drawn is carried out afterwards. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "editor/inspector/inspector.h"
#include "editor/session/session.h"
#include "tests/support/test.h"

static int carried_out, last;

static void act(struct ed_session *session, const struct ed_change *change)
{
    (void)session;
    assert_string_equal(change->id, "hills");
    last = (int)strtol(change->text, NULL, 10);
    assert_int_equal(last, carried_out++); /* in order */
}

static void act_asks_for_more(struct ed_session *session, const struct ed_change *change)
{
    for (int i = 0; i < 40; i++) {
        char number[20];
        snprintf(number, sizeof number, "%d", i);
        ed_later(session,
                 &(struct ed_change){.act = act, .id = change->id, .part = change->part, .text = number});
    }
}

static struct ed_session *open_session(void)
{
    struct ed_session *session = oro_alloc(1, sizeof *session);
    assert_non_null(session);
    session->inspector = ed_inspector_create();
    assert_non_null(session->inspector);
    carried_out = 0;
    return session;
}

static void close_session(struct ed_session *session)
{
    ed_inspector_destroy(session->inspector);
    ed_messages_free(&session->messages);
    oro_free(session);
}

TEST(nothing_is_dropped)
{
    struct ed_session *session = open_session();
    for (int i = 0; i < 1000; i++) {
        char number[20];
        snprintf(number, sizeof number, "%d", i);
        ed_later(session, &(struct ed_change){.act = act, .id = "hills", .part = "seed", .text = number});
    }
    ed_later_run(session);
    assert_int_equal(carried_out, 1000);
    ed_later_run(session); /* once only */
    assert_int_equal(carried_out, 1000);
    close_session(session);
}

TEST(actions_ask_for_more)
{
    struct ed_session *session = open_session();
    ed_later(session, &(struct ed_change){.act = act_asks_for_more, .id = "hills", .part = "seed"});
    ed_later_run(session);
    assert_int_equal(carried_out, 40);
    close_session(session);
}

/* Memory is out: the user is told, and what was queued before is carried out. */
TEST(memory_is_out)
{
    struct ed_session *session = open_session();
    ed_later(session, &(struct ed_change){.act = act, .id = "hills", .part = "seed", .text = "0"});
    oro_memory_fail_at(1);
    ed_later(session, &(struct ed_change){.act = act, .id = "hills", .part = "seed", .text = "1"});
    oro_memory_fail_at(0);
    ed_later_run(session);
    assert_int_equal(carried_out, 1);
    assert_true(session->busy_frames > 0);
    close_session(session);
}
