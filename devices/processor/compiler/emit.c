#include "devices/processor/compiler/emit.h"

#include <spirv/unified1/spirv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/processor/compiler/scopes.h"

void kc_line(struct kc_emit *k, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char small[1024], *text = small;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length >= (int)sizeof small) {
        text = kc_new(k->module, (size_t)length + 1, 1);
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(arguments);
    for (int i = 0; i < k->indent; i++)
        oro_text_add(&k->body, "    ");
    oro_text_add_bytes(&k->body, text, (size_t)length);
    oro_text_add(&k->body, "\n");
}

void kc_row_line(struct kc_emit *k, const char *text)
{
    oro_text_addf(&k->row, "        %s\n", text);
}

const char *kc_number(struct kc_emit *k, const char *hint)
{
    return kc_textf(k->module, "%s%d", hint, ++k->numbers);
}

bool kc_refuse(struct kc_emit *k, const char *problem)
{
    if (!k->module->problem)
        k->module->problem = problem;
    return false;
}

struct kc_fact *kc_fact_of(struct kc_emit *k, const char *key, int leaves)
{
    unsigned slot = 5381;
    for (const char *c = key; *c; c++)
        slot = slot * 33 ^ (unsigned char)*c;
    struct kc_fact **at = &k->facts[slot % KC_FACT_SLOTS];
    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    if (!*at) {
        *at = kc_new(k->module, 1, sizeof **at);
        (*at)->key = key;
        (*at)->wide = kc_new(k->module, (size_t)leaves, sizeof(bool));
        (*at)->loaded = kc_new(k->module, (size_t)leaves, sizeof(bool));
        (*at)->ramp = kc_new(k->module, (size_t)leaves, 1);
    }
    return *at;
}

void kc_learn(struct kc_emit *k, bool *fact)
{
    k->changed = k->changed || !*fact;
    *fact = true;
}

const char *kc_c_type(bool wide, char type)
{
    if (wide)
        return type == 'f' ? "F" : type == 'i' ? "I" : type == 'u' ? "U" : "M";
    return type == 'f' ? "float" : type == 'u' ? "uint32_t" : "int";
}

/* ---- What lies outside of functions ---- */

static void open_globals(struct kc_emit *k)
{
    const struct kc_module *m = k->module;
    for (int i = 0; i < m->global_count; i++) {
        const uint32_t *at = m->globals[i];
        uint32_t id = at[2], type = kc_type(m, at[1])->element;
        struct kc_object *object = kc_new(m, 1, sizeof *object);
        const char **members = m->ids[type].member_names;
        *object = (struct kc_object){.type = type, .number = m->ids[id].binding};
        if (at[3] == SpvStorageClassInput) {
            object->place = KC_INPUT;
            object->number = m->ids[id].builtin;
        } else if (at[3] == SpvStorageClassPrivate) {
            object = kc_variable(k, "global", m->ids[id].name, id, type, 0);
        } else if (at[3] == SpvStorageClassStorageBuffer ||
                   (at[3] == SpvStorageClassUniform && kc_type(m, type)->count == 1 &&
                    kc_type(m, kc_type(m, type)->members[0])->count == 0 &&
                    kc_type(m, kc_type(m, type)->members[0])->kind == KC_ARRAY)) {
            object->place = KC_BUFFER;
            object->name = kc_textf(m, "%s_m", members && members[0] ? members[0] : "buffer");
        } else if (at[3] == SpvStorageClassUniform) {
            object->place = KC_BLOCK;
        } else {
            kc_refuse(k, "memory that a group shares");
        }
        k->values[id] = (struct kc_value){.type = at[1], .pointer = kc_whole(k, object)};
        if (at[3] == SpvStorageClassPrivate && kc_length(at) > 4)
            kc_store(k, k->values[id].pointer, &k->values[at[4]]);
    }
}

static void read_constants(struct kc_emit *k)
{
    for (uint32_t id = 0; id < k->module->bound; id++) {
        const uint32_t *at = k->module->ids[id].at;
        if (at &&
            ((kc_op(at) >= SpvOpConstantTrue && kc_op(at) <= SpvOpConstantNull) || kc_op(at) == SpvOpUndef))
            kc_constant(k, at);
    }
}

/* ---- The function ---- */

static void emit_once(struct kc_emit *k)
{
    const struct kc_module *m = k->module;
    k->changed = false;
    k->indent = 2;
    k->numbers = k->jumps = 0;
    k->on = NULL;
    k->wrote = k->gives_up = false;
    k->region = NULL;
    kc_enter(k, NULL);
    k->path = "main";
    k->frame_count = 0;
    k->body.length = k->row.length = k->head.length = 0;
    k->when = "1";
    memset(k->buffers, 0, KC_BINDINGS * sizeof *k->buffers);
    memset(k->block_words, 0, KC_BLOCK_WORDS * sizeof *k->block_words);
    memset(k->frames, 0, sizeof k->frames);
    k->frames[k->frame_count++] = (struct kc_frame){.kind = KC_FUNCTION};
    open_globals(k);
    k->frame_count = 0;
    kc_inline(k, kc_function(m, m->main), k->path);
}

/* Emits one of the forms until what is known of it settles. */
static bool emit_form(struct kc_emit *k, bool fast)
{
    enum { TIMES_MAX = 60 };
    k->fast = fast;
    k->tables = false;
    memset(k->facts, 0, sizeof k->facts);
    for (int i = 0; i < TIMES_MAX && !k->module->problem; i++) {
        emit_once(k);
        if (!k->changed && k->tables == fast)
            return !k->module->problem;
        k->tables = k->tables || (fast && !k->changed);
    }
    return kc_refuse(k, "what is wide does not settle");
}

static const char *or_nothing(const struct oro_text *text)
{
    return text->data ? text->data : "";
}

static void add_plain(const struct kc_emit *k, const char *name, struct oro_text *out)
{
    oro_text_addf(
        out,
        "static __attribute__((noinline)) void plain_%s(const unsigned char *block,\n"
        "    const struct oro_native_buffer *buffers, int x, int x1, int y)\n{\n"
        "    (void)block, (void)buffers;\n%s"
        "    for (; x < x1; x += LANES) {\n"
        "        const M inside = ltI(LANE_NUMBERS, I_(x1 - x));\n        (void)inside;\n%s    }\n}\n\n",
        name, or_nothing(&k->head), or_nothing(&k->body));
}

static void add_fast(const struct kc_emit *k, const char *name, struct oro_text *out)
{
    const char *plain = kc_textf(k->module, "plain_%s(block, buffers, x", name);
    oro_text_addf(
        out,
        "oro_native_code ORO_KIND(%s);\nvoid ORO_KIND(%s)(const unsigned char *block,\n"
        "    const struct oro_native_buffer *buffers, int x0, int x1, int y0, int y1)\n{\n"
        "    (void)block, (void)buffers;\n%s"
        "    for (int y = y0; y < y1; y++) {\n        int from = x0, to = x1 - LANES;\n%s"
        "        from = from <= to ? from : x1;\n        if (x0 < from)\n            %s0, from, y);\n"
        "        int x = from;\n        for (; x <= to; x += LANES) {\n%s",
        name, name, or_nothing(&k->head), or_nothing(&k->row), plain, or_nothing(&k->body));
    if (k->gives_up)
        oro_text_addf(out, "        continue;\n    plain:\n        %s, x + LANES, y);\n", plain);
    oro_text_addf(out, "        }\n        if (x < x1)\n            %s, x1, y);\n    }\n}\n\n", plain);
}

bool kc_translate(struct kc_module *module, const char *name, struct oro_text *out)
{
    struct kc_emit *k = kc_new(module, 1, sizeof *k);
    k->module = module;
    k->values = kc_new(module, module->bound, sizeof *k->values);
    k->phis = kc_new(module, module->bound, sizeof *k->phis);
    k->block_words = kc_new(module, KC_BLOCK_WORDS, sizeof *k->block_words);
    k->buffers = kc_new(module, KC_BINDINGS, sizeof *k->buffers);
    if (!kc_nest(module))
        return false;
    if (!kc_function(module, module->main))
        return kc_refuse(k, "no main function");
    read_constants(k);
    if (emit_form(k, false))
        add_plain(k, name, out);
    if (emit_form(k, true))
        add_fast(k, name, out);
    oro_text_free(&k->head);
    oro_text_free(&k->row);
    oro_text_free(&k->body);
    return !module->problem;
}
