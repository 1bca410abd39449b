/* Reads the kernels of a script, the rasters between them, and the order in which they run. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/text.h"
#include "graph/type/registry.h"
#include "lua/glsl/glsl.h"
#include "lua/script/script_private.h"

/* ---- Kernels ---- */

/* The line at which the text begins in the script's file; 0: it is not in the file as it is, because the
 * script put it together. */
static int line_of(const struct oro_script *script, const char *text)
{
    const char *own = script->texts[0].text, *at = *text ? strstr(own, text) : NULL;
    int line = at ? script->texts[0].line : 0;
    for (const char *c = own; at && c < at; c++)
        line += *c == '\n';
    return line;
}

/* Adds the kernel whose text is at stack index -1. */
static bool add_kernel(struct oro_script_reader *reader, const char *name)
{
    struct oro_script *script = reader->script;
    size_t length;
    reader->name = name;
    if (!oro_entry_name(reader, name))
        return false;
    if (script->kernel_count == ORO_SCRIPT_KERNELS_MAX)
        return oro_script_refuse(reader, "there are more than %d kernels", ORO_SCRIPT_KERNELS_MAX);
    if (lua_type(reader->lua, -1) != LUA_TSTRING)
        return oro_script_refuse(reader, "a kernel is a text: [[ void cell(ivec2 p) { ... } ]]");
    const char *text = lua_tolstring(reader->lua, -1, &length);
    if (length > ORO_GLSL_BYTES_MAX || strlen(text) != length)
        return oro_script_refuse(reader, "it is longer than %d bytes, or holds a zero byte",
                                 ORO_GLSL_BYTES_MAX);
    struct oro_script_kernel *kernel = &script->kernels[script->kernel_count++];
    *kernel = (struct oro_script_kernel){.name = oro_arena_text(script->arena, name),
                                         .text = oro_arena_text(script->arena, text),
                                         .line = line_of(script, text)};
    return (kernel->name && kernel->text) || oro_script_no_memory(reader);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct oro_script_kernel *)a)->name, ((const struct oro_script_kernel *)b)->name);
}

static bool read_kernels(struct oro_script_reader *reader)
{
    lua_State *lua = reader->lua;
    struct oro_script *script = reader->script;
    reader->what = "kernel";
    lua_pushstring(lua, "kernel");
    bool ok = true;
    if (lua_rawget(lua, 1) != LUA_TTABLE) {
        ok = add_kernel(reader, "kernel");
        lua_pop(lua, 1);
        return ok;
    }
    for (lua_pushnil(lua); ok && lua_next(lua, -2); lua_pop(lua, 1)) {
        ok = lua_type(lua, -2) == LUA_TSTRING ||
             oro_script_refuse(reader, "'kernel' is a text, or a table of named texts");
        ok = ok && add_kernel(reader, lua_tostring(lua, -2));
        if (!ok)
            lua_pop(lua, 1);
    }
    lua_settop(lua, 1);
    reader->name = NULL;
    if (ok && script->kernel_count == 0)
        return oro_script_refuse(reader, "'kernel' is empty");
    qsort(script->kernels, (size_t)script->kernel_count, sizeof *script->kernels, by_name);
    return ok;
}

bool oro_script_check_word(struct oro_script_reader *reader, const char *name)
{
    bool fine = !reader->script->form->kernels || !oro_glsl_is_reserved(name);
    return fine ||
           oro_script_refuse(reader, "in a kernel '%s' means something else; take another name", name);
}

/* ---- Rasters between passes ---- */

/* The name of the buffer's type is at stack index -1. */
static bool add_buffer(struct oro_script_reader *reader, const char *name, const char *type)
{
    static const enum oro_type types[] = {ORO_FIELD, ORO_VECTOR, ORO_IMAGE};
    struct oro_script *script = reader->script;
    reader->name = name;
    if (!oro_entry_name(reader, name) || !oro_script_check_word(reader, name))
        return false;
    if (script->buffer_count == ORO_SCRIPT_BUFFERS_MAX)
        return oro_script_refuse(reader, "there are more than %d buffers", ORO_SCRIPT_BUFFERS_MAX);
    bool known = oro_type_input(&script->type, name) || oro_type_output(&script->type, name);
    for (int i = 0; i < script->buffer_count; i++)
        known = known || strcmp(script->buffers[i].name, name) == 0;
    if (known)
        return oro_script_refuse(reader, "an input, an output or another buffer has that name");
    struct oro_script_buffer *buffer = &script->buffers[script->buffer_count++];
    buffer->name = oro_arena_text(script->arena, name);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(oro_type_name(types[i]), type) == 0) {
            buffer->type = types[i];
            return buffer->name || oro_script_no_memory(reader);
        }
    return oro_script_refuse(reader, "a buffer is a field, a vector or an image, not '%.60s'", type);
}

static int by_buffer_name(const void *a, const void *b)
{
    return strcmp(((const struct oro_script_buffer *)a)->name, ((const struct oro_script_buffer *)b)->name);
}

/* { "a", "b", flow = "vector" } */
static bool read_buffers(struct oro_script_reader *reader)
{
    lua_State *lua = reader->lua;
    bool ok = oro_entry_table(reader, 1, "buffers");
    reader->what = "buffer";
    if (!ok)
        return false;
    for (lua_pushnil(lua); ok && lua_istable(lua, 2) && lua_next(lua, 2); lua_pop(lua, 1)) {
        bool named = lua_type(lua, -2) == LUA_TSTRING;
        ok = lua_type(lua, -1) == LUA_TSTRING ||
             oro_script_refuse(reader, "buffers are { \"name\", name = \"vector\" }");
        ok = ok && (named ? add_buffer(reader, lua_tostring(lua, -2), lua_tostring(lua, -1))
                          : add_buffer(reader, lua_tostring(lua, -1), "field"));
        if (!ok)
            lua_pop(lua, 1);
    }
    lua_settop(lua, 1);
    reader->name = NULL;
    struct oro_script *script = reader->script;
    qsort(script->buffers, (size_t)script->buffer_count, sizeof *script->buffers, by_buffer_name);
    return ok;
}

/* ---- Passes ---- */

static struct oro_script_pass *add_pass(struct oro_script_reader *reader)
{
    struct oro_script *script = reader->script;
    if (script->pass_count < ORO_SCRIPT_PASSES_MAX)
        return &script->passes[script->pass_count++];
    oro_script_refuse(reader, "more than %d passes are listed; count with 'times'", ORO_SCRIPT_PASSES_MAX);
    return NULL;
}

/* The name of the kernel is at stack index -1. */
static bool add_run(struct oro_script_reader *reader)
{
    const struct oro_script *script = reader->script;
    const char *name = lua_tostring(reader->lua, -1), *names[ORO_SCRIPT_KERNELS_MAX];
    for (int i = 0; i < script->kernel_count; i++) {
        names[i] = script->kernels[i].name;
        if (strcmp(names[i], name) != 0)
            continue;
        struct oro_script_pass *pass = add_pass(reader);
        if (pass)
            *pass = (struct oro_script_pass){.kernel = i};
        return pass;
    }
    char meant[ORO_NEAR_SIZE];
    const char *nearest = oro_suggest(name, names, (size_t)script->kernel_count);
    return oro_script_refuse(reader, "'passes' names a kernel '%.60s', which is not there%s", name,
                             oro_did_you_mean(nearest, meant));
}

static bool take_times(struct oro_script_reader *reader, int table, struct oro_script_pass *group)
{
    lua_State *lua = reader->lua;
    group->times = 1;
    lua_pushstring(lua, "times");
    int type = lua_rawget(lua, table);
    bool ok = true;
    if (type == LUA_TSTRING) {
        group->input = oro_entry_keep(reader, "'times'");
        const struct oro_input *input =
            group->input ? oro_type_input(&reader->script->type, group->input) : NULL;
        ok = input && input->type == ORO_INT && input->role != ORO_ROLE_SEED;
        if (!ok)
            oro_script_refuse(reader, "'times' must be a number, or the name of an input of type int");
    }
    lua_pop(lua, 1);
    if (type == LUA_TSTRING)
        return ok;
    return oro_entry_int(reader, table, "times", &group->times) &&
           ((group->times >= 0 && group->times <= ORO_SCRIPT_RUNS_MAX) ||
            oro_script_refuse(reader, "'times' must be 0 to %d", ORO_SCRIPT_RUNS_MAX));
}

/* { times = 8, "flow", "erode" }, at stack index -1. */
static bool add_group(struct oro_script_reader *reader)
{
    static const char *const keys[] = {"times", NULL};
    lua_State *lua = reader->lua;
    int table = lua_gettop(lua);
    struct oro_script_pass *group = add_pass(reader);
    if (!group || !oro_entry_known(reader, table, keys, true))
        return false;
    *group = (struct oro_script_pass){.kernel = -1};
    if (!take_times(reader, table, group))
        return false;
    group->count = (int)lua_rawlen(lua, table);
    bool ok = group->count > 0 || oro_script_refuse(reader, "a group of passes is empty");
    for (int i = 0; ok && i < group->count; i++) {
        ok = lua_rawgeti(lua, table, i + 1) == LUA_TSTRING ||
             oro_script_refuse(reader, "a group of passes holds names of kernels, and no groups");
        ok = ok && add_run(reader);
        lua_pop(lua, 1);
    }
    return ok;
}

static bool read_list(struct oro_script_reader *reader)
{
    static const char *const none[] = {NULL};
    lua_State *lua = reader->lua;
    bool ok = oro_entry_known(reader, 2, none, true);
    for (int i = 1; ok && i <= (int)lua_rawlen(lua, 2); i++) {
        int type = lua_rawgeti(lua, 2, i);
        if (type == LUA_TSTRING)
            ok = add_run(reader);
        else if (type == LUA_TTABLE)
            ok = add_group(reader);
        else
            ok = oro_script_refuse(reader, "'passes' is a list of names of kernels, and of groups of them");
        lua_settop(lua, 2);
    }
    return ok;
}

bool oro_script_read_passes(struct oro_script_reader *reader)
{
    struct oro_script *script = reader->script;
    reader->name = NULL;
    if (!read_kernels(reader) || !read_buffers(reader))
        return false;
    reader->what = "pass";
    if (!oro_entry_table(reader, 1, "passes"))
        return false;
    bool given = lua_istable(reader->lua, 2), ok = true;
    if (given)
        ok = read_list(reader);
    else if (script->kernel_count == 1)
        script->passes[script->pass_count++] = (struct oro_script_pass){.kernel = 0};
    else
        ok = oro_script_refuse(reader, "several kernels need 'passes', the order in which they run");
    lua_settop(reader->lua, 1);
    if (ok && script->pass_count == 0)
        return oro_script_refuse(reader, "'passes' is empty");
    /* If exactly one group takes its count from an input, that input counts the iterations of the node. */
    int groups = 0;
    const char *input = NULL;
    for (int i = 0; i < script->pass_count; i++)
        if (script->passes[i].kernel < 0 && script->passes[i].input) {
            groups++;
            input = script->passes[i].input;
        }
    for (struct oro_input *own = reader->inputs; groups == 1 && own->name; own++)
        if (strcmp(own->name, input) == 0)
            own->role = ORO_ROLE_ITERATIONS;
    return ok;
}
