/* Packets between the program and its guests: what is put comes out, and what is wrong is noticed. */
#include <string.h>
#include <unistd.h>

#include <pthread.h>
#include <sys/socket.h>

#include "devices/guest/packet.h"
#include "tests/support/test.h"

static int ends[2];

FIXTURE(connect_ends)
{
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

FIXTURE(close_ends)
{
    close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
    return 0;
}

static bool never(void *user)
{
    (void)user;
    return false;
}
static const struct oro_packet_wait at_once = {never, NULL};

TEST_WITH(values, connect_ends, close_ends)
{
    struct oro_packet sent = {.kind = 7, .file = -1}, got = {.file = -1};
    struct oro_error err, back;
    size_t length;
    oro_fail(&err, ORO_E_LIMIT, "too much");
    oro_error_place(&err, "d.oro", 12, "n");
    oro_put_int(&sent, -5);
    oro_put_real(&sent, 0.1);
    oro_put_text(&sent, NULL);
    oro_put_text(&sent, "");
    oro_put_bytes(&sent, "a\0b", 3);
    oro_put_error(&sent, &err);
    assert_int_equal(oro_packet_send(ends[0], &sent, NULL), ORO_PACKET_DONE);
    assert_int_equal(oro_packet_receive(ends[1], &got, NULL), ORO_PACKET_DONE);
    assert_int_equal(got.kind, 7);
    assert_int_equal(oro_take_int(&got), -5);
    assert_true(oro_take_real(&got) == 0.1);
    assert_null(oro_take_text(&got));
    assert_string_equal(oro_take_text(&got), "");
    assert_memory_equal(oro_take_bytes(&got, &length), "a\0b", 4);
    assert_int_equal(length, 3);
    assert_false(oro_packet_is_whole(&got));
    oro_take_error(&got, &back);
    assert_memory_equal(&back.code, &err.code, sizeof err.code);
    assert_string_equal(back.text, "too much");
    assert_string_equal(back.document, "d.oro");
    assert_int_equal(back.line, 12);
    assert_string_equal(back.node, "n");
    assert_true(oro_packet_is_whole(&got));
    assert_int_equal(oro_take_int(&got), 0);
    assert_true(got.failed);
    oro_packet_free(&sent);
    oro_packet_free(&got);
}

/* What a guest says of its error may be shown. */
TEST(errors_are_lines)
{
    struct oro_error err = {.code = ORO_E_FILE, .text = "a\nb\x1b[2Jc\xC2\x9B"}, back;
    struct oro_packet packet = {.file = -1};
    oro_put_error(&packet, &err);
    oro_take_error(&packet, &back);
    assert_string_equal(back.text, "a b [2Jc ");
    oro_packet_free(&packet);
}

/* Every packet that is cut short, or whose lengths are wrong, fails without reading beyond its end. */
TEST(wrong_values)
{
    struct oro_packet whole = {.file = -1};
    oro_put_bytes(&whole, "abc", 3);
    oro_put_text(&whole, "d\0");
    for (size_t length = 0; length < whole.bytes.length; length++) {
        struct oro_packet part = {.file = -1};
        size_t got;
        oro_text_add_bytes(&part.bytes, whole.bytes.data, length);
        oro_take_bytes(&part, &got);
        oro_take_text(&part);
        assert_false(oro_packet_is_whole(&part));
        oro_packet_free(&part);
    }
    static const int64_t lengths[] = {INT64_MAX, INT64_MIN, -2, 4, 1 << 20};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct oro_packet wrong = {.file = -1};
        size_t got;
        oro_put_int(&wrong, lengths[i]);
        oro_text_add_bytes(&wrong.bytes, "abc", 4);
        const char *bytes = oro_take_bytes(&wrong, &got);
        assert_true(!bytes || got == 0);
        assert_false(oro_packet_is_whole(&wrong));
        oro_packet_free(&wrong);
    }
    oro_packet_free(&whole);
}

TEST_WITH(the_other_side_is_gone, connect_ends, close_ends)
{
    struct oro_packet packet = {.file = -1};
    assert_int_equal(oro_packet_receive(ends[0], &packet, &at_once), ORO_PACKET_STOPPED);
    static const uint32_t head[2] = {1, ORO_PACKET_BYTES_MAX + 1};
    assert_int_equal(write(ends[1], head, sizeof head), sizeof head);
    assert_int_equal(oro_packet_receive(ends[0], &packet, NULL), ORO_PACKET_GONE);
    assert_int_equal(write(ends[1], head, 3), 3);
    close(ends[1]);
    ends[1] = -1;
    assert_int_equal(oro_packet_receive(ends[0], &packet, NULL), ORO_PACKET_GONE);
    assert_int_equal(oro_packet_send(ends[0], &packet, NULL), ORO_PACKET_GONE);
    oro_packet_free(&packet);
}

/* Nobody waits for a side that does not read. */
TEST_WITH(the_other_side_does_not_read, connect_ends, close_ends)
{
    struct oro_packet packet = {.file = -1};
    static char bytes[4 << 20];
    oro_put_bytes(&packet, bytes, sizeof bytes);
    assert_int_equal(oro_packet_send(ends[0], &packet, &at_once), ORO_PACKET_STOPPED);
    oro_packet_free(&packet);
}

/* Nor for one that sends without end: it is asked whether to go on also where there is something. */
TEST_WITH(the_other_side_sends_for_ever, connect_ends, close_ends)
{
    static const uint32_t head[2] = {1, 0};
    struct oro_packet packet = {.file = -1};
    assert_int_equal(write(ends[1], head, sizeof head), sizeof head);
    assert_int_equal(oro_packet_receive(ends[0], &packet, &at_once), ORO_PACKET_STOPPED);
    oro_packet_free(&packet);
}

TEST_WITH(files_are_handed_over, connect_ends, close_ends)
{
    int pipe_ends[2];
    char letter = 0;
    assert_int_equal(pipe(pipe_ends), 0);
    struct oro_packet packet = {.file = pipe_ends[1]}, got = {.file = -1};
    assert_int_equal(oro_packet_send(ends[0], &packet, NULL), ORO_PACKET_DONE);
    assert_int_equal(oro_packet_receive(ends[1], &got, NULL), ORO_PACKET_DONE);
    assert_true(got.file >= 0 && got.file != pipe_ends[1]);
    assert_int_equal(write(got.file, "x", 1), 1);
    assert_int_equal(read(pipe_ends[0], &letter, 1), 1);
    assert_int_equal(letter, 'x');
    close(got.file);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    oro_packet_free(&got);
}
