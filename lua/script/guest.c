#include "lua/script/guest.h"

#include <lauxlib.h>

#include "devices/guest/worker.h"
#include "lua/sandbox/values.h"
#include "lua/script/script_private.h"

enum {
    READ = ORO_GUEST_OWN, /* to the guest: a script */
    MODULE,               /* from it: the name of a module that the script requires */
    TEXT,                 /* to it: an error, or 0, a name and the text */
    TABLE,                /* from it: what the script returns */
};

/* Bytes of a guest's own memory, besides what a script's state may have. */
static const size_t room = (size_t)64 << 20;
static const double grace = 0.5; /* seconds */

/* ---- Here ---- */

static bool give_module(struct oro_guest *guest, const struct oro_script *script, struct oro_packet *message,
                        struct oro_error *err)
{
    struct oro_error why = {0};
    size_t length = 0;
    const char *name = NULL, *module = oro_take_text(message), *text = NULL;
    if (!module || !oro_packet_is_whole(message))
        return oro_guest_refuse(guest, err);
    text = script->modules.find(script->modules.user, module, &length, &name, &why);
    oro_packet_begin(message, TEXT);
    oro_put_int(message, text ? 0 : why.code);
    oro_put_text(message, text ? name : why.text);
    if (text)
        oro_put_bytes(message, text, length);
    return oro_guest_send(guest, message, err);
}

/* Runs through the guard, as memory may run out. Argument: the message. */
static int push_table(lua_State *lua)
{
    oro_push_value(lua, lua_touserdata(lua, 1), NULL);
    return 1;
}

static bool take_table(struct oro_guest *guest, struct oro_guard *guard, struct oro_packet *message,
                       struct oro_error *err)
{
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, push_table);
    lua_pushlightuserdata(lua, message);
    return oro_guard_call(guard, 1, 1, err) &&
           ((oro_packet_is_whole(message) && lua_istable(lua, 1)) || oro_guest_refuse(guest, err));
}

struct oro_guest_limits oro_script_guest_limits(const struct oro_script *script, double seconds)
{
    return (struct oro_guest_limits){.name = script->texts[0].name,
                                     .seconds = seconds + grace,
                                     .memory = ORO_SCRIPT_MEMORY + room,
                                     .stopped = script->stopped,
                                     .user = script->user,
                                     .log = script->log};
}

bool oro_script_run_in_guest(const struct oro_script *script, struct oro_guard *guard, double seconds,
                             struct oro_error *err)
{
    const struct oro_guest_limits limits = oro_script_guest_limits(script, seconds);
    struct oro_packet message = {.file = -1};
    struct oro_guest *guest = oro_guest_begin(ORO_GUEST_DESCRIBE, &limits, err);
    oro_packet_begin(&message, READ);
    oro_put_real(&message, seconds);
    oro_script_put(script, &message);
    bool ok = guest && oro_guest_send(guest, &message, err), read = false;
    while (ok && !read) {
        ok = oro_guest_receive(guest, &message, err);
        read = ok && message.kind == TABLE;
        if (read)
            ok = take_table(guest, guard, &message, err);
        else if (ok)
            ok = message.kind == MODULE ? give_module(guest, script, &message, err)
                                        : oro_guest_refuse(guest, err);
    }
    oro_packet_free(&message);
    oro_guest_end(guest);
    return ok;
}

/* ---- In the guest ---- */

struct reading {
    int socket;
    struct oro_packet message; /* the last one; texts of modules are copied out of it */
    struct oro_script *script;
};

static const char *ask_for_module(void *user, const char *module, size_t *length, const char **name,
                                  struct oro_error *err)
{
    struct reading *reading = user;
    struct oro_packet *message = &reading->message;
    oro_packet_begin(message, MODULE);
    oro_put_text(message, module);
    oro_guest_give(reading->socket, message);
    oro_guest_take(reading->socket, message);
    int64_t code = oro_take_int(message);
    const char *text = oro_take_text(message);
    if (code != 0 || !text) {
        oro_fail(err, (enum oro_code)code, "%s", text ? text : "");
        return NULL;
    }
    *name = oro_arena_text(reading->script->arena, text);
    text = oro_take_bytes(message, length);
    char *kept = oro_arena_alloc(reading->script->arena, *length + 1, 1);
    if (!*name || !kept) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a module");
        return NULL;
    }
    for (size_t i = 0; i < *length; i++)
        kept[i] = text[i];
    return kept;
}

/* Arguments: the table, and the message. */
static int put_table(lua_State *lua)
{
    oro_put_value(lua, 1, lua_touserdata(lua, 2), NULL);
    return 0;
}

static bool describe(struct reading *reading, double seconds, struct oro_error *err)
{
    const struct oro_guard_limits limits = {ORO_SCRIPT_MEMORY, ORO_SCRIPT_STEPS, seconds};
    struct oro_guard *guard = oro_guard_create(&limits, reading->script->log, err);
    if (!guard || !oro_script_run(reading->script, guard, 0, err))
        return false;
    lua_State *lua = oro_guard_state(guard);
    oro_packet_begin(&reading->message, TABLE);
    lua_pushcfunction(lua, put_table);
    lua_insert(lua, 1);
    lua_pushlightuserdata(lua, &reading->message);
    struct oro_error why;
    return oro_guard_call(guard, 2, 0, &why) ||
           oro_fail(err, why.code, "%s: %s", reading->script->texts[0].name, why.text);
}

void oro_script_describe(int socket, const struct oro_script_form *forms)
{
    struct oro_error err = {0};
    struct reading reading = {.socket = socket, .message = {.file = -1}};
    oro_guest_take(socket, &reading.message);
    double seconds = oro_take_real(&reading.message);
    reading.script = oro_script_take(&reading.message, forms, oro_guest_log(socket));
    if (!reading.script)
        return;
    reading.script->modules = (struct oro_modules){.find = ask_for_module, .user = &reading};
    if (describe(&reading, seconds, &err))
        oro_guest_give(socket, &reading.message);
    else
        oro_guest_give_error(socket, &err);
}
