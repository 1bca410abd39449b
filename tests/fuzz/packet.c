/* Messages of a guest, which may say anything: the bytes choose values of Lua, well formed or not. They
 * arrive as values that can be sent again and are as large then, or the message has failed. */
#include <string.h>

#include "base/memory.h"
#include "guest/packet.h"
#include "lua/sandbox/guard.h"
#include "lua/sandbox/values.h"
#include "tests/fuzz/fuzz.h"

enum { KINDS = 12, VALUES_MAX = 4000 };

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
            oro_put_int(message, 1LL << fuzz_below(bytes, 63));
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

static const struct oro_value_objects objects = {.push = push_object};

/* Arguments: the message, and one for the answer. */
static int there_and_back(lua_State *lua)
{
    struct oro_packet *message = lua_touserdata(lua, 1), *answer = lua_touserdata(lua, 2);
    oro_push_value(lua, message, &objects);
    fuzz_require(lua_gettop(lua) == 3);
    oro_put_value(lua, 3, answer, NULL);
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
    struct oro_error err = {0};
    message.at = 0;
    message.failed = false;
    oro_take_error(&message, &err);
    fuzz_require(memchr(err.text, 0, sizeof err.text));
    oro_packet_free(&message);
    oro_packet_free(&answer);
    oro_packet_free(&again);
    oro_guard_destroy(guard);
    return 0;
}
