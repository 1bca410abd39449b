/* Messages go with their document, and errors of a node when it is mended. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "editor/session/messages.h"
#include "tests/support/test.h"

static struct ed_messages *messages;

FIXTURE(begin)
{
    messages = oro_alloc(1, sizeof *messages);
    return messages ? 0 : -1;
}

FIXTURE(end)
{
    ed_messages_free(messages);
    oro_free(messages);
    return 0;
}

static const char *text_at(size_t k)
{
    const struct ed_message *message = ed_message_at(messages, k);
    return message ? message->text : "";
}

TEST_WITH(they_go_with_their_document, begin, end)
{
    ed_message(messages, ED_WARNING, NULL, "no settings");
    messages->revision = 7;
    ed_message(messages, ED_NOTICE, NULL, "Saved a.oro");
    ed_message(messages, ED_ERROR, "hills", "no");
    ed_problem(messages, ED_ERROR, "hills", "wrong");
    ed_messages_closed(messages);
    assert_int_equal(messages->count, 1);
    assert_string_equal(text_at(0), "no settings");
    assert_int_equal(messages->problem_count, 0);
    ed_message(messages, ED_NOTICE, NULL, "next");
    assert_string_equal(text_at(0), "next");
    assert_int_equal(messages->count, 2);
}

/* The ring has gone round. */
TEST_WITH(many_go_too, begin, end)
{
    for (int i = 0; i < ED_MESSAGES_MAX + 20; i++) {
        messages->revision = i % 2 ? 5 : 0;
        ed_message(messages, ED_NOTICE, NULL, "%d", i);
    }
    ed_messages_closed(messages);
    assert_int_equal(messages->count, ED_MESSAGES_MAX / 2);
    for (size_t k = 0; k < messages->count; k++)
        assert_int_equal(strtol(text_at(k), NULL, 10), ED_MESSAGES_MAX + 18 - 2 * (int)k);
}

static bool is_mended(void *user, const char *node)
{
    return strcmp(node, user) == 0;
}

TEST_WITH(mended_nodes_have_no_errors, begin, end)
{
    char mended[] = "hills";
    messages->revision = 3;
    ed_message(messages, ED_ERROR, "hills", "too large");
    ed_message(messages, ED_ERROR, "slab", "no");
    ed_message(messages, ED_WARNING, "hills", "steep");
    ed_messages_mended(messages, is_mended, mended); /* nothing has changed since */
    assert_int_equal(messages->count, 3);
    messages->revision = 4;
    ed_messages_mended(messages, is_mended, mended);
    assert_int_equal(messages->count, 2);
    assert_string_equal(text_at(0), "steep");
    assert_string_equal(text_at(1), "no");
}
