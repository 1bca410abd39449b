/* Values on their way between a script and its host. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "lua/batch/batch_private.h"

/* A double cannot hold every whole number beyond this. */
static const double WHOLE_MAX = 9007199254740992.0;

enum { OPTION_NAME = 32, OPTIONS_MAX = 16 };

/* ---- For hosts ---- */

const struct oro_batch_value *oro_batch_item(const struct oro_batch_value *table, const char *name)
{
    static const struct oro_batch_value nothing = {0};
    if (table->kind != ORO_BATCH_TABLE)
        return &nothing;
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].name && strcmp(table->items[i].name, name) == 0)
            return &table->items[i];
    return &nothing;
}

struct oro_batch_value oro_batch_text(const char *name, const char *text)
{
    return (struct oro_batch_value){.kind = text ? ORO_BATCH_TEXT : ORO_BATCH_NIL,
                                    .name = name,
                                    .text = text,
                                    .length = text ? strlen(text) : 0};
}

struct oro_batch_value oro_batch_number(const char *name, double number)
{
    return (struct oro_batch_value){.kind = ORO_BATCH_NUMBER, .name = name, .number = number};
}

struct oro_batch_value oro_batch_boolean(const char *name, bool boolean)
{
    return (struct oro_batch_value){.kind = ORO_BATCH_BOOLEAN, .name = name, .boolean = boolean};
}

struct oro_batch_value oro_batch_room(struct oro_arena *arena, enum oro_batch_kind kind, const char *name,
                                      size_t count)
{
    return (struct oro_batch_value){.kind = kind,
                                    .name = name,
                                    .items =
                                        oro_arena_alloc(arena, count + 1, sizeof(struct oro_batch_value)),
                                    .count = count};
}

/* ---- From Lua ---- */

static const char *phrase_of(char letter)
{
    switch (letter) {
    case 't':
    case 'b':
        return "a text";
    case 'n':
        return "a number";
    case 'i':
        return "a whole number";
    case 'f':
        return "true or false";
    case 'v':
        return "a number, true, false or a text";
    case 'o':
        return "a table of options";
    default:
        return "a table";
    }
}

/* Describes the value at a stack index in words. */
static const char *found_at(lua_State *lua, int index)
{
    if (lua_type(lua, index) == LUA_TNUMBER)
        return "this number";
    if (lua_type(lua, index) == LUA_TSTRING)
        return "this text";
    return lua_type(lua, index) == LUA_TNONE ? "nothing" : luaL_typename(lua, index);
}

static bool is_whole(double number)
{
    return number == floor(number) && fabs(number) <= WHOLE_MAX;
}

/* Whether a value is plain and of the kind that the letter says. */
static bool is_plain(const struct oro_batch_value *value, char letter)
{
    switch (value->kind) {
    case ORO_BATCH_NUMBER:
        return strchr("niv", letter) && isfinite(value->number) && (letter != 'i' || is_whole(value->number));
    case ORO_BATCH_BOOLEAN:
        return strchr("fv", letter);
    case ORO_BATCH_TEXT:
        return letter == 'b' || (strchr("tv", letter) && strlen(value->text) == value->length);
    default:
        return false;
    }
}

/* Reads one plain value of the kind that the letter says. False: it is of another kind. */
static bool take_plain(lua_State *lua, int index, char letter, struct oro_batch_value *value)
{
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        *value = oro_batch_number(value->name, lua_tonumber(lua, index));
        break;
    case LUA_TBOOLEAN:
        *value = oro_batch_boolean(value->name, lua_toboolean(lua, index));
        break;
    case LUA_TSTRING:
        value->kind = ORO_BATCH_TEXT;
        value->text = lua_tolstring(lua, index, &value->length);
        break;
    default:
        return false;
    }
    return is_plain(value, letter);
}

static int wrong_argument(lua_State *lua, const struct oro_batch_entry *entry, int number, int index,
                          char letter)
{
    const char *found = found_at(lua, index); /* must be read before the name is pushed there */
    oro_batch_push_name(lua, entry);
    return oro_batch_error(lua, "%s: argument %d must be %s, not %s", lua_tostring(lua, -1), number,
                           phrase_of(letter), found);
}

/* The letter of an option, from "seed i, low n"; 0: there is no such option. */
static char letter_of(const char *options, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = options; at && *at; at += strspn(at, ", ")) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, name, length) == 0)
            return at[word + 1];
        at += word + 2;
    }
    return 0;
}

/* The kind of value that an option or an input of that name takes; 0: there is no such option. */
static char letter_within(const struct oro_batch_entry *entry, char letter, const char *name)
{
    return letter == 'm' ? 'v' : letter_of(entry->options, name);
}

static int unknown_option(lua_State *lua, const struct oro_batch_entry *entry, const char *name)
{
    char words[OPTIONS_MAX][OPTION_NAME];
    const char *names[OPTIONS_MAX];
    size_t count = 0;
    for (const char *at = entry->options; at && *at && count < OPTIONS_MAX; at += strspn(at, ", ")) {
        size_t word = strcspn(at, " ");
        snprintf(words[count], OPTION_NAME, "%.*s", (int)word, at);
        names[count] = words[count];
        count++;
        at += word + 2;
    }
    char meant[ORO_NEAR_SIZE];
    const char *near = oro_suggest(name, names, count);
    oro_batch_push_name(lua, entry);
    return oro_batch_error(lua, "%s: there is no option '%s'%s", lua_tostring(lua, -1), name,
                           oro_did_you_mean(near, meant));
}

/* Reads the item whose value is at the top of the stack and whose name is below it. */
static void take_item(lua_State *lua, const struct oro_batch_entry *entry, char letter,
                      struct oro_batch_value *item)
{
    oro_batch_push_name(lua, entry);
    const char *function = lua_tostring(lua, -1);
    if (lua_type(lua, -3) != LUA_TSTRING)
        oro_batch_error(lua, "%s: the table's keys must be names, as in {seed = 3}", function);
    const char *name = lua_tostring(lua, -3);
    char wanted = letter_within(entry, letter, name);
    if (!wanted)
        unknown_option(lua, entry, name);
    item->name = name;
    if (!take_plain(lua, -2, wanted, item))
        oro_batch_error(lua, "%s: '%s' must be %s, not %s", function, item->name, phrase_of(wanted),
                        found_at(lua, -2));
    lua_pop(lua, 1);
}

static int compare_items(const void *left, const void *right)
{
    const struct oro_batch_value *a = left, *b = right;
    return strcmp(a->name, b->name);
}

/* Sorts items by name, so that the order in which Lua keeps the table has no influence. */
static void sort_items(struct oro_batch_value *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && compare_items(&items[k - 1], &items[k]) > 0; k--) {
            struct oro_batch_value kept = items[k];
            items[k] = items[k - 1];
            items[k - 1] = kept;
        }
}

static void take_table(lua_State *lua, int index, const struct oro_batch_entry *entry, char letter,
                       struct oro_batch_call *call, struct oro_batch_value *value)
{
    size_t count = 0;
    luaL_checkstack(lua, 8, NULL);
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1))
        count++;
    if (count > ORO_BATCH_ITEMS_MAX)
        oro_batch_error(lua, "a table of more than %d values is too large here", ORO_BATCH_ITEMS_MAX);
    *value = oro_batch_room(call->arena, ORO_BATCH_TABLE, NULL, count);
    if (!value->items) {
        oro_batch_error(lua, "no memory for a table");
        return;
    }
    struct oro_batch_value *item = value->items;
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1))
        take_item(lua, entry, letter, item++);
    sort_items(value->items, count);
}

void oro_batch_take(lua_State *lua, int first, struct oro_batch_call *call)
{
    const struct oro_batch_entry *entry = &oro_batch_functions[call->function];
    int count = 0;
    for (const char *at = entry->takes; *at; at++, count++) {
        bool optional = *at == '?';
        at += optional;
        int index = first + count;
        struct oro_batch_value *value = &call->arguments[count];
        if (optional && lua_isnoneornil(lua, index))
            continue;
        if ((*at == 'o' || *at == 'm') && lua_istable(lua, index))
            take_table(lua, index, entry, *at, call, value);
        else if (*at == 'o' || *at == 'm' || !take_plain(lua, index, *at, value))
            wrong_argument(lua, entry, count + 1, index, *at);
    }
    int given = lua_gettop(lua) - first + 1;
    if (given > count) {
        oro_batch_push_name(lua, entry);
        oro_batch_error(lua, "%s: takes %d argument%s, not %d", lua_tostring(lua, -1), count,
                        count == 1 ? "" : "s", given);
    }
}

/* ---- From messages ---- */

static bool fits(const struct oro_batch_entry *entry, char letter, const struct oro_batch_value *value)
{
    if (letter != 'o' && letter != 'm')
        return is_plain(value, letter);
    bool ok = value->kind == ORO_BATCH_TABLE && value->count <= ORO_BATCH_ITEMS_MAX;
    for (size_t i = 0; ok && i < value->count; i++) {
        const struct oro_batch_value *item = &value->items[i];
        char wanted = item->name ? letter_within(entry, letter, item->name) : 0;
        ok = wanted && is_plain(item, wanted);
    }
    return ok;
}

bool oro_batch_fits(const struct oro_batch_call *call)
{
    const struct oro_batch_entry *entry = &oro_batch_functions[call->function];
    const struct oro_batch_value *value = call->arguments;
    for (const char *at = entry->takes; *at; at++, value++) {
        bool optional = *at == '?';
        at += optional;
        if (!(optional && value->kind == ORO_BATCH_NIL) && !fits(entry, *at, value))
            return false;
    }
    for (; value < call->arguments + ORO_BATCH_ARGUMENTS_MAX; value++)
        if (value->kind != ORO_BATCH_NIL)
            return false;
    return true;
}

/* ---- To Lua ---- */

static void push_items(lua_State *lua, struct oro_batch *batch, const struct oro_batch_value *value)
{
    bool list = value->kind == ORO_BATCH_ITEMS;
    int count = (int)value->count;
    lua_createtable(lua, list ? count | 1 : 0,
                    list ? 0 : count); /* lua/sandbox/guard.h says why the size is odd */
    for (size_t i = 0; i < value->count; i++) {
        oro_batch_push(lua, batch, &value->items[i]);
        if (list)
            lua_rawseti(lua, -2, (lua_Integer)i + 1);
        else if (value->items[i].name)
            lua_setfield(lua, -2, value->items[i].name);
        else
            lua_pop(lua, 1);
    }
}

static int collect_object(lua_State *lua)
{
    struct oro_batch_object *object = lua_touserdata(lua, 1);
    struct oro_batch_value *value = &object->value;
    if (value->object) {
        object->batch->host->release(object->batch->host->user, value->kind, value->object);
        object->batch->graphs -= value->kind == ORO_BATCH_GRAPH;
    }
    object->batch->alive -= value->bytes;
    value->object = NULL;
    value->bytes = 0;
    return 0;
}

static int index_result(lua_State *lua)
{
    lua_pushvalue(lua, 2);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    lua_getiuservalue(lua, 1, 1);
    if (!lua_istable(lua, -1))
        return 0;
    lua_pushvalue(lua, 2);
    lua_rawget(lua, -2);
    return 1;
}

static int name_object(lua_State *lua)
{
    lua_pushvalue(lua, lua_upvalueindex(1));
    return 1;
}

static const struct {
    enum oro_batch_kind kind;
    const char *name, *type;
} types[] = {{ORO_BATCH_GRAPH, "graph", "orograph.graph"}, {ORO_BATCH_RESULT, "result", "orograph.result"}};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

static const char *type_of(enum oro_batch_kind kind)
{
    return types[kind == ORO_BATCH_RESULT].type;
}

/* The Lua object is complete before it takes over the object of the host, so nothing is lost when memory runs
 * out on the way: until then the value belongs to the call, which releases it if it is not taken over. */
static void push_object(lua_State *lua, struct oro_batch *batch, const struct oro_batch_value *value)
{
    struct oro_batch_object *object = lua_newuserdatauv(lua, sizeof *object, 1);
    *object = (struct oro_batch_object){.batch = batch, .value = {.kind = value->kind}};
    luaL_setmetatable(lua, type_of(value->kind));
    struct oro_batch_value fields = {.kind = ORO_BATCH_TABLE, .items = value->items, .count = value->count};
    push_items(lua, batch, &fields);
    lua_setiuservalue(lua, -2, 1);
    object->value = *value;
    object->value.items = NULL;
    object->value.count = 0;
    batch->alive += value->bytes;
    batch->graphs += value->kind == ORO_BATCH_GRAPH;
}

void oro_batch_push(lua_State *lua, struct oro_batch *batch, const struct oro_batch_value *value)
{
    luaL_checkstack(lua, 8, "a value is nested too deeply");
    switch (value->kind) {
    case ORO_BATCH_NIL:
        lua_pushnil(lua);
        break;
    case ORO_BATCH_BOOLEAN:
        lua_pushboolean(lua, value->boolean);
        break;
    case ORO_BATCH_NUMBER:
        if (is_whole(value->number))
            lua_pushinteger(lua, (lua_Integer)value->number);
        else
            lua_pushnumber(lua, value->number);
        break;
    case ORO_BATCH_TEXT:
        lua_pushlstring(lua, value->text, value->length);
        break;
    case ORO_BATCH_ITEMS:
    case ORO_BATCH_TABLE:
        push_items(lua, batch, value);
        break;
    case ORO_BATCH_GRAPH:
    case ORO_BATCH_RESULT:
        push_object(lua, batch, value);
        break;
    }
}

/* ---- The types ---- */

struct oro_batch_object *oro_batch_object_at(lua_State *lua, int index, enum oro_batch_kind kind)
{
    return luaL_testudata(lua, index, type_of(kind));
}

static void push_methods(lua_State *lua, struct oro_batch *batch, const char *name)
{
    lua_newtable(lua);
    for (int i = 0; i < ORO_BATCH_FUNCTIONS; i++) {
        if (strcmp(oro_batch_functions[i].object, name) != 0)
            continue;
        oro_batch_push_function(lua, batch, (enum oro_batch_function)i);
        lua_setfield(lua, -2, oro_batch_functions[i].name);
    }
}

/* Scripts must not get at the metatable: they could call __gc twice, or on something else. */
void oro_batch_open_objects(lua_State *lua, struct oro_batch *batch)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        luaL_newmetatable(lua, types[i].type);
        lua_pushcfunction(lua, collect_object);
        lua_setfield(lua, -2, "__gc");
        push_methods(lua, batch, types[i].name);
        lua_pushcclosure(lua, index_result, 1);
        lua_setfield(lua, -2, "__index");
        lua_pushstring(lua, types[i].name);
        lua_pushcclosure(lua, name_object, 1);
        lua_setfield(lua, -2, "__tostring");
        lua_pushstring(lua, types[i].name);
        lua_setfield(lua, -2, "__name");
        lua_pushboolean(lua, false);
        lua_setfield(lua, -2, "__metatable");
        lua_pop(lua, 1);
    }
}
