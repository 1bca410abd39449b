/* Messages of a guest, which may say anything: the bytes choose values of Lua, well formed or not. They
 * arrive as values that can be sent again and are as large then, or the message has failed. And whatever
 * bytes come through a socket, they are messages or its end; a message that is sent arrives as it was. */
#include <string.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "devices/guest/packet.h"
#include "lua/sandbox/guard.h"
#include "lua/sandbox/values.h"
#include "tests/fuzz/fuzz.h"

enum { KINDS = 12, VALUES_MAX = 4000, SENT_MAX = 32768 /* fits a socket */ };

/* What a value of each kind consists of, besides its kind: an integer, a number, or bytes; at random, so that
 * some do not fit. */
static void put_values(struct fuzz_bytes *bytes, struct oro_packet *message)
{
    char text[64];
    for (int i = 0; i < VALUES_MAX && bytes->left > 0; i++) {
        unsigned kind = fuzz_below(bytes, KINDS);
        oro_put_int(message, (int64_t)(fuzz_chance(bytes, 64) ? fuzz_below(bytes, 65536) : kind));
        if (kind == 3 || kind == 9) /* integer, object: lua/sandbox/values.c */
            oro_put_int(message, fuzz_below(bytes, 65536));
        else if (kind == 4)
            oro_put_real(message, fuzz_number(bytes));
        else if (kind == 5)
            oro_put_text(message, fuzz_text(bytes, text, sizeof text));
        else if (kind == 11 && fuzz_chance(bytes, 4)) /* bytes that are not there */
            oro_put_int(message, (int64_t)1 << fuzz_below(bytes, 63));
    }
}

static bool push_object(lua_State *lua, int number, void *user)
{
    (void)user;
    if (number >= 1000)
        return false;
    lua_pushinteger(lua, number);
    return true;
}

/* Functions and such count as objects, one of two. */
static int number_of(lua_State *lua, int index, void *user)
{
    (void)user;
    return lua_type(lua, index) == LUA_TFUNCTION ? 1000 : -1;
}

static const struct oro_value_objects objects = {.push = push_object, .number = number_of};

/* Arguments: the message, and one for the answer. */
static int there_and_back(lua_State *lua)
{
    struct oro_packet *message = lua_touserdata(lua, 1), *answer = lua_touserdata(lua, 2);
    oro_push_value(lua, message, &objects);
    fuzz_require(lua_gettop(lua) == 3);
    oro_put_value(lua, 3, answer, &objects);
    return 0;
}

static bool carry(struct oro_guard *guard, struct oro_packet *message, struct oro_packet *answer)
{
    struct oro_error err = {0};
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, there_and_back);
    lua_pushlightuserdata(lua, message);
    lua_pushlightuserdata(lua, answer);
    bool ok = oro_guard_call(guard, 2, 0, &err);
    if (!ok)
        fuzz_require_reason(&err);
    return ok;
}

static void send_over(struct oro_packet *message)
{
    struct oro_packet received = {.file = -1};
    int ends[2];
    if (message->bytes.length > SENT_MAX)
        return;
    fuzz_require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    message->kind = 7;
    message->file = message->bytes.length % 3 == 1 ? ends[0] : -1;
    fuzz_require(oro_packet_send(ends[0], message, NULL) == ORO_PACKET_DONE);
    fuzz_require(oro_packet_receive(ends[1], &received, NULL) == ORO_PACKET_DONE);
    fuzz_require(received.kind == message->kind && received.bytes.length == message->bytes.length);
    fuzz_require(received.bytes.length == 0 ||
                 memcmp(received.bytes.data, message->bytes.data, received.bytes.length) == 0);
    fuzz_require((received.file >= 0) == (message->file >= 0));
    if (received.file >= 0)
        close(received.file);
    message->file = -1;
    close(ends[0]);
    fuzz_require(oro_packet_receive(ends[1], &received, NULL) == ORO_PACKET_GONE);
    oro_packet_free(&received);
    close(ends[1]);
}

static bool never(void *user)
{
    (void)user;
    return false;
}

/* Messages until there is none. */
static void receive_all(const uint8_t *data, size_t size)
{
    static const struct oro_packet_wait stop = {.wait = never};
    struct oro_packet received = {.file = -1};
    int ends[2];
    fuzz_require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    fuzz_require(send(ends[0], data, size, 0) == (ssize_t)size);
    fuzz_require(oro_packet_receive(ends[1], &received, &stop) == ORO_PACKET_STOPPED);
    shutdown(ends[0], SHUT_WR);
    while (oro_packet_receive(ends[1], &received, NULL) == ORO_PACKET_DONE) {
        fuzz_require(received.file < 0);
        while (!oro_packet_is_whole(&received) && !received.failed) {
            struct oro_error err = {0};
            oro_take_error(&received, &err);
            oro_take_real(&received);
        }
    }
    oro_packet_free(&received);
    close(ends[0]);
    close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct oro_guard_limits limits = {.memory = (size_t)16 << 20, .steps = INT64_MAX};
    struct fuzz_bytes bytes = {data, size};
    struct oro_packet message = {.file = -1}, answer = {.file = -1}, again = {.file = -1};
    struct oro_guard *guard = oro_guard_create(&limits, NULL, NULL);
    fuzz_require(guard);
    put_values(&bytes, &message);
    if (carry(guard, &message, &answer) && carry(guard, &answer, &again)) {
        fuzz_require(oro_packet_is_whole(&answer));
        fuzz_require(answer.bytes.length == again.bytes.length);
    }
    send_over(&message);
    if (size > 0 && size <= SENT_MAX)
        receive_all(data, size);
    struct oro_error err = {0};
    message.at = 0;
    message.failed = false;
    oro_take_error(&message, &err);
    fuzz_require(memchr(err.text, 0, sizeof err.text));
    oro_packet_begin(&again, 1);
    oro_put_error(&again, &err);
    struct oro_error same = {0};
    oro_take_error(&again, &same);
    fuzz_require(oro_packet_is_whole(&again) && same.code == err.code && same.line == err.line);
    oro_packet_free(&message);
    oro_packet_free(&answer);
    oro_packet_free(&again);
    oro_guard_destroy(guard);
    return 0;
}
