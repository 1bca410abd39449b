/* Reads the descriptor that a script's table stands for: what it says about itself, its inputs and
 * outputs. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "base/text.h"
#include "graph/type/literal.h"
#include "lua/script/script_private.h"

/* ---- Types ---- */

static const enum oro_type input_types[] = {
    ORO_FIELD,  ORO_VECTOR, ORO_IMAGE, ORO_UPLIFT, ORO_NETWORK, ORO_FLOAT,   ORO_INT,      ORO_BOOL,
    ORO_CHOICE, ORO_TEXT,   ORO_FILE,  ORO_COLOUR, ORO_POINT,   ORO_PROFILE, ORO_GRADIENT,
};
enum { INPUT_TYPES = sizeof input_types / sizeof input_types[0], OUTPUT_TYPES = 5 };

static bool find_type(struct oro_script_reader *reader, const char *name, size_t count, enum oro_type *type)
{
    const char *names[INPUT_TYPES + 2];
    for (size_t i = 0; i < count; i++) {
        names[i] = oro_type_name(input_types[i]);
        if (strcmp(names[i], name) == 0) {
            *type = input_types[i];
            return true;
        }
    }
    if (count == INPUT_TYPES) {
        names[count++] = "seed";
        names[count++] = "mask";
    }
    const char *nearest = oro_suggest(name, names, count);
    if (nearest)
        return oro_script_refuse(reader, "there is no type '%.60s'; did you mean '%s'?", name, nearest);
    char list[256] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    return oro_script_refuse(reader, "there is no type '%.60s' here (%s)", name, list);
}

/* Refuses types that the form of the script cannot use. */
static bool need_usable(struct oro_script_reader *reader, enum oro_type type)
{
    const struct oro_script_form *form = reader->script->form;
    bool plain = type == ORO_UPLIFT || type == ORO_NETWORK || type == ORO_FILE;
    if (!form->expand && plain)
        return oro_script_refuse(reader, "only a script with 'graph' can have %s '%s'",
                                 strchr("aeiou", oro_type_name(type)[0]) ? "an" : "a", oro_type_name(type));
    if (form->kernels && type == ORO_TEXT)
        return oro_script_refuse(reader, "a kernel cannot read a 'text'; take a 'choice'");
    return true;
}

/* ---- One input ---- */

static const char *const input_keys[] = {"name",      "type",     "default",     "min",      "max",
                                         "soft_min",  "soft_max", "unit",        "label",    "group",
                                         "doc",       "choices",  "map",         "optional", "handle",
                                         "handle_at", "when",     "handle_when", NULL};

static bool take_unit(struct oro_script_reader *reader, int table, enum oro_unit *unit)
{
    const char *name = NULL;
    if (!oro_entry_text(reader, table, "unit", &name))
        return false;
    return !name || oro_unit_parse(name, unit) ||
           oro_script_refuse(reader, "there is no unit '%.60s' (m, m2, deg, %%, cells, 1/m, m/yr, yr, s)",
                             name);
}

static bool take_choices(struct oro_script_reader *reader, int table, struct oro_input *input)
{
    lua_State *lua = reader->lua;
    if (!oro_entry_table(reader, table, "choices"))
        return false;
    bool given = lua_istable(lua, -1);
    size_t count = given ? (size_t)lua_rawlen(lua, -1) : 0;
    bool wanted = input->type == ORO_CHOICE, ok = given == wanted && (!wanted || (count > 0 && count <= 64));
    const char **words =
        ok && wanted ? oro_arena_alloc(reader->script->arena, count + 1, sizeof *words) : NULL;
    if (!ok)
        oro_script_refuse(reader,
                          wanted ? "a choice needs 'choices', 1 to 64 words" : "only a choice has 'choices'");
    else if (wanted && !words)
        ok = oro_script_no_memory(reader);
    for (size_t i = 0; ok && words && i < count; i++) {
        lua_rawgeti(lua, -1, (lua_Integer)i + 1);
        words[i] = oro_entry_keep(reader, "a choice");
        ok = words[i] && (oro_is_identifier(words[i]) ||
                          oro_script_refuse(reader, "'%.60s' is no word for a choice", words[i]));
        lua_pop(lua, 1);
    }
    input->choices = words;
    lua_pop(lua, 1);
    return ok;
}

static bool take_range(struct oro_script_reader *reader, int table, struct oro_input *input)
{
    const double most = input->type == ORO_INT ? INT_MAX : 1e9;
    double low = -most, high = most;
    if (!oro_entry_number(reader, table, "min", &low) || !oro_entry_number(reader, table, "max", &high) ||
        !oro_entry_number(reader, table, "soft_min", &input->soft_min) ||
        !oro_entry_number(reader, table, "soft_max", &input->soft_max))
        return false;
    bool ranged = low > -most || high < most;
    bool number = input->type == ORO_FLOAT || input->type == ORO_INT;
    if (!number && (ranged || input->soft_min != 0 || input->soft_max != 0))
        return oro_script_refuse(reader, "only numbers have a range");
    if (low >= high || input->soft_min > input->soft_max)
        return oro_script_refuse(reader, "its range is empty");
    if (ranged) {
        input->min = low;
        input->max = high;
    }
    return true;
}

/* The literal at stack index -1, written as in documents and kept in the arena. NULL: refused. */
static const char *default_text(struct oro_script_reader *reader, const struct oro_input *input)
{
    lua_State *lua = reader->lua;
    char number[ORO_NUMBER_SIZE];
    const char *text = NULL;
    bool is_number = input->type == ORO_FLOAT || input->type == ORO_INT;
    if (is_number && lua_type(lua, -1) == LUA_TNUMBER)
        text = oro_format_number(lua_tonumber(lua, -1), number);
    else if (input->type == ORO_BOOL && lua_isboolean(lua, -1))
        text = lua_toboolean(lua, -1) ? "true" : "false";
    else if (is_number || input->type == ORO_BOOL)
        oro_script_refuse(reader, "'default' must be %s, not a %s", is_number ? "a number" : "true or false",
                          luaL_typename(lua, -1));
    else if (lua_type(lua, -1) != LUA_TSTRING)
        oro_script_refuse(reader, "'default' must be a text, as documents write a %s, not a %s",
                          oro_type_name(input->type), luaL_typename(lua, -1));
    else
        return oro_entry_keep(reader, "'default'");
    const char *kept = text ? oro_arena_text(reader->script->arena, text) : NULL;
    if (text && !kept)
        oro_script_no_memory(reader);
    return kept;
}

/* The default of an input for which the script gives none; NULL: the script must give one. */
static const char *usual_default(const struct oro_input *input)
{
    switch (input->type) {
    case ORO_FLOAT:
    case ORO_INT:
        return input->min > 0 || input->max < 0 ? NULL : "0";
    case ORO_BOOL:
        return "false";
    case ORO_CHOICE:
        return input->choices[0];
    case ORO_TEXT:
    case ORO_FILE:
        return "";
    default:
        return NULL;
    }
}

static bool take_default(struct oro_script_reader *reader, int table, struct oro_input *input)
{
    lua_State *lua = reader->lua;
    struct oro_error why = {0};
    lua_pushstring(lua, "default");
    bool given = lua_rawget(lua, table) != LUA_TNIL, literal = oro_input_has_literal(input);
    const char *text = NULL;
    if (given && literal)
        text = default_text(reader, input);
    lua_pop(lua, 1);
    if (given && !literal)
        return oro_script_refuse(reader, "what must be linked has no 'default'");
    if (given && !text)
        return false;
    if (!given && literal && input->type != ORO_NETWORK) {
        text = usual_default(input);
        if (!text)
            return oro_script_refuse(reader, "it needs a 'default'");
    }
    return !text || oro_literal_make_default(input, text, &why) ||
           oro_script_refuse(reader, "'default': %s", why.text);
}

/* The types "seed" and "mask", which mean the same in all nodes. */
static bool take_standard(struct oro_script_reader *reader, int table, const char *type,
                          struct oro_input *input, bool *is_standard)
{
    static const struct oro_input mask = {.type = ORO_FLOAT,
                                          .map = true,
                                          .role = ORO_ROLE_MASK,
                                          .value = 1,
                                          .max = 1,
                                          .group = "Mask",
                                          .doc = "Strength of the effect: 0 none, 1 full"};
    static const struct oro_input seed = {
        .type = ORO_INT,
        .max = 2147483647,
        .soft_max = 1000,
        .role = ORO_ROLE_SEED,
        .doc = "Another number gives another variant; mixed with the document's seed"};
    static const char *const keys[] = {"name", "type", "doc", "label", "group", NULL};
    bool is_mask = strcmp(type, "mask") == 0;
    *is_standard = is_mask || strcmp(type, "seed") == 0;
    if (!*is_standard)
        return true;
    const char *name = input->name;
    *input = is_mask ? mask : seed;
    input->name = name;
    if (is_mask && strcmp(name, "mask") != 0)
        return oro_script_refuse(reader, "an input of type 'mask' is called mask; others are maps: type = "
                                         "\"float\", map = true");
    return oro_entry_known(reader, table, keys, false);
}

static bool take_texts(struct oro_script_reader *reader, int table, struct oro_input *input)
{
    return oro_entry_text(reader, table, "doc", &input->doc) &&
           oro_entry_text(reader, table, "label", &input->label) &&
           oro_entry_text(reader, table, "group", &input->group);
}

static bool take_flags(struct oro_script_reader *reader, int table, struct oro_input *input)
{
    if (!oro_entry_bool(reader, table, "map", &input->map) ||
        !oro_entry_bool(reader, table, "optional", &input->optional))
        return false;
    if (input->map && input->type != ORO_FLOAT)
        return oro_script_refuse(reader, "only a float can be a map");
    if (input->optional && oro_input_has_default(input) && input->type != ORO_NETWORK)
        return oro_script_refuse(reader, "what has a default is optional anyway");
    return true;
}

/* The inputs that a handle names are checked once all inputs are read. */
static bool take_handle(struct oro_script_reader *reader, int table, struct oro_input *input)
{
    const char *word = NULL;
    size_t count;
    const char *const *words = oro_handle_names(&count);
    if (!oro_entry_text(reader, table, "handle", &word) ||
        !oro_entry_text(reader, table, "handle_at", &input->handle_at) ||
        !oro_entry_text(reader, table, "handle_when", &input->handle_when) ||
        !oro_entry_text(reader, table, "when", &input->when))
        return false;
    if (!word || oro_handle_parse(word, &input->handle))
        return true;
    char meant[ORO_NEAR_SIZE];
    const char *nearest = oro_suggest(word, words, count);
    return oro_script_refuse(reader, "there is no handle '%.60s'%s", word, oro_did_you_mean(nearest, meant));
}

/* The table lies at the absolute index `table`; `input` has its name. */
static bool take_input(struct oro_script_reader *reader, int table, struct oro_input *input)
{
    const char *type = NULL;
    bool standard = false;
    if (!oro_entry_known(reader, table, input_keys, false) || !oro_entry_text(reader, table, "type", &type))
        return false;
    if (!type)
        return oro_script_refuse(reader, "it needs a 'type'");
    if (!take_standard(reader, table, type, input, &standard))
        return false;
    if (standard)
        return take_texts(reader, table, input);
    return find_type(reader, type, INPUT_TYPES, &input->type) && need_usable(reader, input->type) &&
           take_texts(reader, table, input) && take_unit(reader, table, &input->unit) &&
           take_choices(reader, table, input) && take_range(reader, table, input) &&
           take_default(reader, table, input) && take_flags(reader, table, input) &&
           take_handle(reader, table, input);
}

/* ---- Lists ---- */

/* Pushes entry `index` of the list at -1 and reads its name. False: nothing was pushed. */
static bool begin_entry(struct oro_script_reader *reader, size_t index, const char **name)
{
    lua_State *lua = reader->lua;
    *name = NULL;
    if (lua_rawgeti(lua, -1, (lua_Integer)index + 1) != LUA_TTABLE) {
        lua_pop(lua, 1);
        oro_script_refuse(reader, "entry %zu of '%ss' is no table: { name = ... }", index + 1, reader->what);
        return false;
    }
    bool ok = oro_entry_text(reader, lua_gettop(lua), "name", name);
    if (ok && !*name) {
        oro_script_refuse(reader, "entry %zu of '%ss' needs a 'name'", index + 1, reader->what);
        ok = false;
    }
    reader->name = *name;
    if (ok && oro_entry_name(reader, *name) && oro_script_check_word(reader, *name))
        return true;
    lua_pop(lua, 1);
    return false;
}

/* Pushes the list `key` and returns its length. False: it is no list or too long; nothing was pushed. */
static bool begin_list(struct oro_script_reader *reader, const char *key, size_t most, size_t *count)
{
    static const char *const none[] = {NULL};
    lua_State *lua = reader->lua;
    reader->name = NULL;
    *count = 0;
    if (!oro_entry_table(reader, 1, key))
        return false;
    if (lua_isnil(lua, -1))
        return true;
    *count = (size_t)lua_rawlen(lua, -1);
    bool ok = *count <= most || oro_script_refuse(reader, "'%s' has more than %zu entries", key, most);
    ok = ok && (*count > 0 || (lua_pushnil(lua), !lua_next(lua, -2)) ||
                (lua_pop(lua, 2), oro_script_refuse(reader, "'%s' is a list: { { name = ... }, ... }", key)));
    ok = ok && oro_entry_known(reader, lua_gettop(lua), none, true);
    if (!ok)
        lua_pop(lua, 1);
    return ok;
}

static bool is_again(const struct oro_input *inputs, const char *name)
{
    for (; inputs->name; inputs++)
        if (strcmp(inputs->name, name) == 0)
            return true;
    return false;
}

static bool check_handles(struct oro_script_reader *reader, const struct oro_input *inputs)
{
    for (const struct oro_input *input = inputs; input->name; input++) {
        struct oro_error why = {0};
        reader->name = input->name;
        if (!oro_handle_check(inputs, input, &why))
            return oro_script_refuse(reader, "%s", why.text);
    }
    return true;
}

static bool read_inputs(struct oro_script_reader *reader)
{
    struct oro_node_type *type = &reader->script->type;
    size_t count;
    struct oro_input *inputs =
        oro_arena_alloc(reader->script->arena, ORO_SCRIPT_INPUTS_MAX + 1, sizeof *inputs);
    if (!inputs)
        return oro_script_no_memory(reader);
    reader->what = "input";
    if (!begin_list(reader, "inputs", ORO_SCRIPT_INPUTS_MAX, &count))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const char *name;
        ok = begin_entry(reader, i, &name);
        if (!ok)
            break;
        if (is_again(inputs, name)) {
            oro_script_refuse(reader, "it is declared twice");
            ok = false;
        }
        inputs[i].name = ok ? name : NULL;
        ok = ok && take_input(reader, lua_gettop(reader->lua), &inputs[i]);
        if (ok)
            oro_params_place(&inputs[i], &type->params_size);
        lua_pop(reader->lua, 1);
    }
    lua_pop(reader->lua, 1);
    ok = ok && check_handles(reader, inputs);
    oro_roles_by_name(inputs, NULL);
    reader->inputs = inputs;
    type->inputs = inputs;
    return ok;
}

static bool take_output(struct oro_script_reader *reader, int table, struct oro_output *output)
{
    static const char *const keys[] = {"name", "type", "unit", "doc", "like", NULL};
    const char *type = "field";
    if (!oro_entry_known(reader, table, keys, false) || !oro_entry_text(reader, table, "type", &type) ||
        !find_type(reader, type, OUTPUT_TYPES, &output->type) || !need_usable(reader, output->type) ||
        !take_unit(reader, table, &output->unit) || !oro_entry_text(reader, table, "doc", &output->doc) ||
        !oro_entry_text(reader, table, "like", &output->like))
        return false;
    const struct oro_input *like = output->like ? oro_type_input(&reader->script->type, output->like) : NULL;
    if (output->like && (!like || !oro_is_raster(like->type)))
        return oro_script_refuse(reader, "'like' must name an input that is a raster");
    return true;
}

static bool read_outputs(struct oro_script_reader *reader)
{
    size_t count;
    struct oro_output *outputs =
        oro_arena_alloc(reader->script->arena, ORO_SCRIPT_OUTPUTS_MAX + 1, sizeof *outputs);
    if (!outputs)
        return oro_script_no_memory(reader);
    reader->script->type.outputs = outputs;
    reader->what = "output";
    if (!begin_list(reader, "outputs", ORO_SCRIPT_OUTPUTS_MAX, &count))
        return false;
    bool ok = count > 0 || oro_script_refuse(reader, "it needs 'outputs', at least one");
    for (size_t i = 0; ok && i < count; i++) {
        const char *name;
        ok = begin_entry(reader, i, &name);
        if (!ok)
            break;
        ok = !oro_type_output(&reader->script->type, name) ||
             oro_script_refuse(reader, "it is declared twice");
        outputs[i].name = name;
        ok = ok && take_output(reader, lua_gettop(reader->lua), &outputs[i]);
        lua_pop(reader->lua, 1);
    }
    oro_roles_by_name(NULL, outputs);
    lua_pop(reader->lua, 1);
    return ok;
}

/* ---- Older versions ---- */

static bool read_migrations(struct oro_script_reader *reader)
{
    static const char *const keys[] = {"from", "old", "new", NULL};
    lua_State *lua = reader->lua;
    size_t count;
    reader->what = "migration";
    if (!begin_list(reader, "migrations", ORO_SCRIPT_INPUTS_MAX, &count))
        return false;
    struct oro_node_migration *steps =
        oro_arena_alloc(reader->script->arena, ORO_SCRIPT_INPUTS_MAX + 1, sizeof *steps);
    bool ok = steps || oro_script_no_memory(reader);
    for (size_t i = 0; ok && steps && i < count; i++) {
        bool table = lua_rawgeti(lua, -1, (lua_Integer)i + 1) == LUA_TTABLE;
        int at = lua_gettop(lua);
        ok = table && oro_entry_known(reader, at, keys, false) &&
             oro_entry_int(reader, at, "from", &steps[i].from) &&
             oro_entry_text(reader, at, "old", &steps[i].old_name) &&
             oro_entry_text(reader, at, "new", &steps[i].new_name);
        if (!table || (ok && (steps[i].from < 1 || !steps[i].old_name)))
            ok = oro_script_refuse(reader,
                                   "a migration is { from = VERSION, old = NAME, new = NAME }; without "
                                   "'new', the input is gone");
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    reader->script->type.migrations = steps;
    return ok;
}

/* ---- The whole ---- */

static bool take_id(struct oro_script_reader *reader, const char *wanted)
{
    struct oro_node_type *type = &reader->script->type;
    if (!oro_entry_text(reader, 1, "id", &type->id))
        return false;
    if (!type->id && !wanted)
        type->id = ORO_INLINE_TYPE;
    if (!type->id)
        return oro_script_refuse(reader, "it needs an 'id', the name of the file: id = \"%s\"", wanted);
    if (!oro_is_identifier(type->id) || strlen(type->id) > ORO_SCRIPT_NAME_MAX)
        return oro_script_refuse(reader, "the id '%.60s' is no name of letters, digits, '_' and '-'",
                                 type->id);
    if (wanted && strcmp(wanted, type->id) != 0)
        return oro_script_refuse(reader, "its id is '%s', so its file must be called %s.lua", type->id,
                                 type->id);
    return true;
}

bool oro_script_check_keys(struct oro_script_reader *reader)
{
    static const char *const first[] = {"id",    "version", "category", "doc",
                                        "words", "paper",   "inputs",   "outputs"},
                             *const last[] = {"buffers", "passes", "migrations"};
    enum { FIRST = sizeof first / sizeof first[0], LAST = sizeof last / sizeof last[0] };
    const char *keys[FIRST + ORO_SCRIPT_FORMS_MAX + LAST + 1];
    size_t count = FIRST;
    memcpy(keys, first, sizeof first);
    for (const struct oro_script_form *form = reader->script->forms; form->key; form++)
        keys[count++] = form->key;
    memcpy(keys + count, last, sizeof last);
    keys[count + LAST] = NULL;
    return oro_entry_known(reader, 1, keys, false);
}

bool oro_script_read_descriptor(struct oro_script_reader *reader)
{
    struct oro_script *script = reader->script;
    struct oro_node_type *type = &script->type;
    const char *wanted = type->id;
    type->id = NULL;
    type->version = 1;
    type->category = "script";
    type->doc = "";
    if (!take_id(reader, wanted) || !oro_entry_int(reader, 1, "version", &type->version) ||
        !oro_entry_text(reader, 1, "category", &type->category) ||
        !oro_entry_text(reader, 1, "doc", &type->doc) || !oro_entry_text(reader, 1, "words", &type->words) ||
        !oro_entry_text(reader, 1, "paper", &type->paper))
        return false;
    if (type->version < 1)
        return oro_script_refuse(reader, "'version' must be at least 1");
    return read_inputs(reader) && read_outputs(reader) && read_migrations(reader);
}
