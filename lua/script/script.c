#include "lua/script/script.h"

#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/line.h"
#include "graph/derived/trust.h"
#include "graph/type/registry.h"
#include "lua/script/script_private.h"

/* Part of cache keys; raised when the meaning of scripts changes although their text does not. */
enum { MEANING = 1 };

const struct oro_script *oro_script_of(const struct oro_node_type *type)
{
    return type->script;
}

void oro_script_destroy(struct oro_script *script)
{
    if (script)
        oro_arena_destroy(script->arena);
}

/* ---- Texts ---- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Keeps a copy with single line feeds, which is how Lua reads line ends anyway. */
static bool take_text(struct oro_script *script, struct oro_script_text *text, const char *from,
                      size_t length, int line)
{
    size_t at = 0;
    char *copy = oro_arena_alloc(script->arena, length + 1, 1);
    if (!copy)
        return false;
    for (size_t i = 0; i < length; i++)
        if (from[i] != '\r')
            copy[at++] = from[i];
        else if (i + 1 == length || from[i + 1] != '\n')
            copy[at++] = '\n';
    text->line = line > 1 ? line : 1;
    text->text = copy;
    text->length = at;
    return true;
}

static const char *no_module(const char *module, struct oro_error *err, const char *why)
{
    oro_fail(err, ORO_E_FILE, "module '%.100s' %s", module, why);
    return NULL;
}

/* The path of a module, kept in the arena. NULL: it lies outside of the script's folder. */
static const char *module_path(struct oro_script *script, const char *module, const char **name,
                               struct oro_error *err)
{
    char *file = oro_arena_textf(script->arena, "%s%s.lua", script->folder, module);
    if (!file)
        return no_module(module, err, "finds no memory");
    for (char *c = file + strlen(script->folder); c < file + strlen(file) - 4; c++)
        if (*c == '.')
            *c = '/';
    *name = file + strlen(script->folder);
    char *place = oro_path_true(file), *folder = oro_path_true(*script->folder ? script->folder : ".");
    size_t length = folder ? strlen(folder) : 0;
    bool inside = place && folder && strncmp(place, folder, length) == 0 &&
                  (place[length] == '/' || strcmp(folder, "/") == 0);
    oro_free(place);
    oro_free(folder);
    return inside ? file : no_module(module, err, "does not lie in the script's folder");
}

static const struct oro_script_text *read_module(struct oro_script *script, const char *module,
                                                 struct oro_error *err)
{
    const char *name = NULL, *path = module_path(script, module, &name, err);
    void *data = NULL;
    size_t size = 0;
    if (!path)
        return NULL;
    if (script->text_count > ORO_SCRIPT_MODULES_MAX) {
        oro_fail(err, ORO_E_LIMIT, "more than %d modules are required", ORO_SCRIPT_MODULES_MAX);
        return NULL;
    }
    if (!oro_file_read(path, ORO_SCRIPT_BYTES_MAX, &data, &size, err))
        return NULL;
    struct oro_script_text *text = &script->texts[script->text_count];
    *text =
        (struct oro_script_text){.module = oro_arena_text(script->arena, module), .name = name, .path = path};
    bool ok = text->module && take_text(script, text, data, size, 1);
    bool trusted = script->in_guest || (script->trust && oro_trust_allows(script->trust, path, data, size));
    oro_free(data);
    if (!trusted) {
        script->distrusted = true;
        no_module(module, err, "is not trusted");
        return NULL;
    }
    if (!ok) {
        no_module(module, err, "finds no memory");
        return NULL;
    }
    script->text_count++;
    return text;
}

/* Modules are read once, while the script is read; later runs get the same texts. */
static const char *find_module(void *user, const char *module, size_t *length, const char **name,
                               struct oro_error *err)
{
    struct oro_script *script = user;
    const struct oro_script_text *text = NULL;
    for (int i = 1; i < script->text_count && !text; i++)
        if (strcmp(script->texts[i].module, module) == 0)
            text = &script->texts[i];
    if (!text && !script->reading)
        return no_module(module, err, "was not required while the script was read; require it at the top");
    if (!text)
        text = read_module(script, module, err);
    if (!text)
        return NULL;
    *length = text->length;
    *name = text->name;
    return text->text;
}

/* ---- Running ---- */

bool oro_script_run(const struct oro_script *script, struct oro_guard *guard, uint64_t seed,
                    struct oro_error *err)
{
    lua_State *lua = oro_guard_state(guard);
    const struct oro_script_text *own = &script->texts[0];
    lua_pushcfunction(lua, oro_library_open);
    lua_pushlightuserdata(lua, (void *)&script->modules);
    if (!oro_guard_call(guard, 1, 0, err))
        return false;
    for (const struct oro_script_form *form = script->forms; form->key; form++) {
        if (!form->library)
            continue;
        lua_pushcfunction(lua, form->library);
        if (!oro_guard_call(guard, 0, 0, err))
            return false;
    }
    oro_library_seed(lua, seed);
    if (!oro_library_load(guard, own->text, own->length, own->name, own->line, err) ||
        !oro_guard_call(guard, 0, 1, err))
        return false;
    return lua_istable(lua, 1) ||
           oro_fail(err, ORO_E_DOCUMENT, "%s: it must return a table that describes a node, not a %s",
                    own->name, luaL_typename(lua, 1));
}

/* Arguments: the script's table, and the key of its function. Runs through the guard, because even this can
 * run out of memory. */
static int take_function(lua_State *lua)
{
    lua_pushstring(lua, lua_touserdata(lua, 2));
    lua_rawget(lua, 1);
    return 1;
}

static bool push_function(struct oro_guard *guard, const char *name, struct oro_error *err)
{
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, take_function);
    lua_pushvalue(lua, 1);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)name);
    return oro_guard_call(guard, 2, 1, err);
}

struct oro_guard *oro_script_open(const struct oro_script *script, const struct oro_guard_limits *limits,
                                  uint64_t seed, const struct oro_log *log, struct oro_error *err)
{
    const struct oro_guard_limits first = {limits->memory, ORO_SCRIPT_STEPS, ORO_SCRIPT_SECONDS};
    struct oro_guard *guard = oro_guard_create(&first, log, err);
    if (!guard)
        return NULL;
    oro_guard_stop_when(guard, script->stopped, script->user);
    lua_State *lua = oro_guard_state(guard);
    if (!oro_script_run(script, guard, seed, err) || !push_function(guard, script->form->key, err)) {
        oro_guard_destroy(guard);
        return NULL;
    }
    oro_library_seed(lua, seed);
    oro_guard_refill(guard, limits->steps, limits->seconds);
    return guard;
}

/* ---- Reading ---- */

static bool refuse_forms(struct oro_script_reader *reader, const char *and_has)
{
    char list[256] = "";
    for (const struct oro_script_form *form = reader->script->forms; form->key; form++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s'%s'",
                 form == reader->script->forms ? ""
                 : form[1].key                 ? ", "
                                               : " and ",
                 form->key);
    return oro_script_refuse(reader, "it needs one of %s%s", list, and_has);
}

static bool find_form(struct oro_script_reader *reader)
{
    lua_State *lua = reader->lua;
    int found = 0;
    for (const struct oro_script_form *form = reader->script->forms; form->key; form++) {
        lua_pushstring(lua, form->key);
        int type = lua_rawget(lua, 1);
        lua_pop(lua, 1);
        if (type == LUA_TNIL)
            continue;
        if (!form->kernels && type != LUA_TFUNCTION)
            return oro_script_refuse(reader, "'%s' must be a function, not a %s", form->key,
                                     lua_typename(lua, type));
        found++;
        reader->script->form = form;
    }
    return found == 1 || refuse_forms(reader, found > 1 ? ", and has several" : "");
}

static bool no_passes(struct oro_script_reader *reader)
{
    static const char *const keys[] = {"buffers", "passes"};
    for (int i = 0; i < 2; i++) {
        lua_pushstring(reader->lua, keys[i]);
        bool given = lua_rawget(reader->lua, 1) != LUA_TNIL;
        lua_pop(reader->lua, 1);
        if (given)
            return oro_script_refuse(reader, "'%s' belongs to 'kernel'", keys[i]);
    }
    return true;
}

/* Called through the guard, because memory may run out. Argument 2 is the reader; returns whether the table
 * was read. */
static int read_table(lua_State *lua)
{
    struct oro_script_reader *reader = lua_touserdata(lua, 2);
    lua_settop(lua, 1);
    luaL_checkstack(lua, 20, NULL);
    reader->lua = lua;
    bool ok = oro_script_check_keys(reader) && find_form(reader) && oro_script_read_descriptor(reader);
    reader->what = "script";
    reader->name = NULL;
    ok = ok && (reader->script->form->kernels ? oro_script_read_passes(reader) : no_passes(reader));
    lua_pushboolean(lua, ok);
    return 1;
}

static bool read_script(struct oro_script *script, struct oro_guard *guard, double seconds,
                        struct oro_error *err)
{
    struct oro_script_reader reader = {.script = script, .what = "script", .err = err};
    lua_State *lua = oro_guard_state(guard);
    if (!(script->in_guest ? oro_script_run_in_guest(script, guard, seconds, err)
                           : oro_script_run(script, guard, 0, err)))
        return false;
    lua_pushcfunction(lua, read_table);
    lua_insert(lua, 1);
    lua_pushlightuserdata(lua, &reader);
    return oro_guard_call(guard, 2, 1, err) && lua_toboolean(lua, -1);
}

static bool finish(struct oro_script *script)
{
    struct oro_node_type *type = &script->type;
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return false;
    oro_hash_int(hasher, MEANING);
    for (int i = 0; i < script->text_count; i++) {
        oro_hash_string(hasher, script->texts[i].module);
        oro_hash_bytes(hasher, script->texts[i].text, script->texts[i].length);
    }
    type->source = oro_hasher_end(hasher);
    type->script = script;
    type->eval = script->form->eval;
    type->expand = script->form->expand;
    return true;
}

static struct oro_script *create(const struct oro_script_form *forms, const struct oro_log *log)
{
    struct oro_arena *arena = oro_arena_create();
    struct oro_script *script = arena ? oro_arena_alloc(arena, 1, sizeof *script) : NULL;
    if (!script) {
        oro_arena_destroy(arena);
        return NULL;
    }
    script->arena = arena;
    script->forms = forms;
    script->log = log;
    script->modules = (struct oro_modules){.find = find_module, .user = script};
    script->folder = script->type.file = "";
    return script;
}

/* False: memory is out. */
static bool take_source(struct oro_script *script, const struct oro_script_source *source)
{
    const char *path = oro_arena_text(script->arena, source->path);
    char *folder = oro_arena_text(script->arena, source->path);
    script->stopped = source->stopped;
    script->user = source->user;
    script->in_guest = !source->trusted;
    script->trust = source->trust;
    script->type.id = source->id ? oro_arena_text(script->arena, source->id) : NULL;
    if (!path || !folder || (source->id && !script->type.id) ||
        !take_text(script, &script->texts[0], source->text, source->length, source->line))
        return false;
    folder[last_part(folder) - folder] = '\0';
    script->folder = folder;
    script->type.file = path;
    script->texts[0].path = path;
    script->texts[0].name = *path ? last_part(path) : "script";
    script->text_count = 1;
    return true;
}

/* Reads what the script returns; its texts are there. */
static bool read_all(struct oro_script *script, double seconds, struct oro_error *err)
{
    const struct oro_guard_limits limits = {ORO_SCRIPT_MEMORY, ORO_SCRIPT_STEPS, seconds};
    struct oro_guard *guard = oro_guard_create(&limits, script->log, err);
    if (guard)
        oro_guard_stop_when(guard, script->stopped, script->user);
    bool ok = guard && read_script(script, guard, seconds, err);
    script->reading = false;
    script->trust = NULL;
    oro_guard_destroy(guard);
    if (ok && script->form->prepare)
        ok = script->form->prepare(script, err);
    return ok && (finish(script) ||
                  oro_fail(err, ORO_E_MEMORY, "no memory for script '%s'", script->texts[0].path));
}

static bool read_once(struct oro_script *script, const struct oro_script_source *source,
                      struct oro_error *err)
{
    if (!take_source(script, source))
        return oro_fail(err, ORO_E_MEMORY, "no memory for script '%s'", source->path);
    script->reading = true;
    return read_all(script, source->seconds > 0 ? source->seconds : ORO_SCRIPT_SECONDS, err);
}

/* A script that is trusted, but requires a module that is not, is read once more, in a guest. */
struct oro_script *oro_script_read(const struct oro_script_source *source,
                                   const struct oro_script_form *forms, const struct oro_log *log,
                                   struct oro_error *err)
{
    struct oro_error why = {0};
    struct oro_script *script = create(forms, log);
    bool ok = script ? read_once(script, source, &why)
                     : oro_fail(&why, ORO_E_MEMORY, "no memory for script '%s'", source->path);
    if (script && script->distrusted && source->within) {
        oro_script_destroy(script);
        oro_fail(err, ORO_E_OMITTED, "%s", why.text);
        return NULL;
    }
    if (script && script->distrusted) {
        struct oro_script_source untrusted = *source;
        untrusted.trusted = false;
        oro_script_destroy(script);
        return oro_script_read(&untrusted, forms, log, err);
    }
    if (ok)
        return script;
    /* An error in a script is an error in the document that uses it. What it quotes may hold any bytes. */
    bool mistake = why.code == ORO_E_EVALUATE || why.code == ORO_E_KERNEL;
    char line[sizeof why.text];
    oro_fail(err, mistake ? ORO_E_DOCUMENT : why.code, "%s",
             oro_one_line(why.text, strlen(why.text), line, sizeof line));
    oro_script_destroy(script);
    return NULL;
}

/* ---- In another process ---- */

void oro_script_put(const struct oro_script *script, struct oro_packet *message)
{
    oro_put_int(message, script->text_count);
    for (int i = 0; i < script->text_count; i++) {
        const struct oro_script_text *text = &script->texts[i];
        oro_put_text(message, text->module);
        oro_put_text(message, text->name);
        oro_put_int(message, text->line);
        oro_put_bytes(message, text->text, text->length);
    }
}

static bool take_sent_text(struct oro_script *script, struct oro_packet *message)
{
    size_t length;
    struct oro_script_text *to = &script->texts[script->text_count++];
    const char *module = oro_take_text(message), *name = oro_take_text(message);
    int line = (int)oro_take_int(message);
    const char *text = oro_take_bytes(message, &length);
    *to = (struct oro_script_text){.module = module ? oro_arena_text(script->arena, module) : NULL,
                                   .name = oro_arena_text(script->arena, name ? name : ""),
                                   .path = ""};
    return !message->failed && to->name && take_text(script, to, text ? text : "", length, line);
}

struct oro_script *oro_script_take(struct oro_packet *message, const struct oro_script_form *forms,
                                   const struct oro_log *log)
{
    struct oro_script *script = create(forms, log);
    int64_t count = oro_take_int(message);
    bool ok = script && count >= 1 && count <= 1 + ORO_SCRIPT_MODULES_MAX;
    for (int64_t i = 0; ok && i < count; i++)
        ok = take_sent_text(script, message);
    if (ok)
        return script;
    oro_script_destroy(script);
    return NULL;
}

bool oro_script_read_again(struct oro_script *script, struct oro_error *err)
{
    return read_all(script, ORO_SCRIPT_SECONDS, err);
}
