/* Variables, buffers and the uniform block: pointers, loads and stores. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "devices/processor/compiler/emit.h"

enum { VARIABLE_LEAVES_MAX = 600 };

/* ---- Variables ---- */

static const char *clean(struct kc_emit *k, const char *name)
{
    char *text = kc_textf(k->module, "%s", name && *name ? name : "t");
    for (char *c = text; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '_';
    return text[0] >= '0' && text[0] <= '9' ? kc_textf(k->module, "n%s", text) : text;
}

static const char *leaf_name(struct kc_emit *k, const struct kc_object *o, int leaf)
{
    int count = (int)strlen(o->letters);
    if (count == 1)
        return o->name;
    if (count <= 4 && kc_type(k->module, o->type)->kind == KC_VECTOR)
        return kc_textf(k->module, "%s_%c", o->name, "xyzw"[leaf]);
    return kc_textf(k->module, "%s_%d", o->name, leaf);
}

static const char *array_name(struct kc_emit *k, const struct kc_object *o, int leaf)
{
    return o->inner > 1 ? kc_textf(k->module, "%s_%d", o->name, leaf) : o->name;
}

static void declare_array(struct kc_emit *k, struct kc_object *o)
{
    const struct kc_type *type = kc_type(k->module, o->type);
    bool of_elements = type->kind == KC_ARRAY && !o->fact->flat;
    o->inner = of_elements ? kc_type(k->module, type->element)->leaves : 1;
    int count = (int)strlen(o->letters) / o->inner;
    for (const char *c = o->letters; *c && o->inner == 1; c++)
        if (*c != o->letters[0])
            kc_refuse(k, "an array of structs of several types, indexed within them");
    for (int i = 0; i < o->inner; i++)
        kc_line(k, "%s %s[%d] = {0};", kc_c_type(o->fact->wide[i], o->letters[i]), array_name(k, o, i),
                count);
}

/* Whether a leaf is a ramp whenever it is stored, of the same stride. */
static bool keeps_ramp(const struct kc_object *o, int leaf)
{
    return o->fact->ramp[leaf] != KC_NO_RAMP && o->fact->ramp[leaf] != KC_MIXED;
}

struct kc_object *kc_variable(struct kc_emit *k, const char *path, const char *name, uint32_t id,
                              uint32_t type, int home)
{
    const struct kc_module *m = k->module;
    struct kc_object *o = kc_new(m, 1, sizeof *o);
    *o = (struct kc_object){.place = KC_VARIABLE, .type = type, .letters = kc_letters(m, type), .home = home};
    int count = (int)strlen(o->letters);
    o->name = kc_number(k, kc_textf(m, "%s_", clean(k, name)));
    o->fact = kc_fact_of(k, kc_textf(m, "%s:%u", path, id), count);
    if (count > VARIABLE_LEAVES_MAX)
        kc_refuse(k, "a large array of a lane");
    if (o->fact->indexed) {
        declare_array(k, o);
        return o;
    }
    o->known = kc_new(m, (size_t)count, sizeof *o->known);
    for (int i = 0; i < count; i++) {
        bool wide = o->fact->wide[i];
        if (!o->fact->loaded[i])
            continue;
        const char *leaf = leaf_name(k, o, i);
        if (keeps_ramp(o, i)) {
            kc_line(k, "int %s_b = 0, %s_l = 0, %s_h = 0;", leaf, leaf, leaf);
            continue;
        }
        kc_line(k, "%s %s = %s;", kc_c_type(wide, o->letters[i]), leaf,
                !wide                  ? "0"
                : o->letters[i] == 'b' ? "M_(0)"
                                       : "{0}");
    }
    return o;
}

/* The array and the index that hold a leaf of an indexed variable. */
static int find_element(struct kc_emit *k, const struct kc_pointer *p, int leaf, struct kc_leaf *index)
{
    struct kc_object *o = p->object;
    *index = kc_literal_of(k, 'i', leaf / o->inner);
    for (int i = 0; i < p->count; i++) {
        if (p->indices[i].stride % o->inner) {
            kc_learn(k, &o->fact->flat);
            return 0;
        }
        struct kc_leaf at = kc_int(k, p->indices[i].at);
        int stride = p->indices[i].stride / o->inner;
        if (stride != 1)
            at = kc_arithmetic(k, '*', at, kc_literal_of(k, 'i', stride), 'i');
        *index = kc_arithmetic(k, '+', at, *index, 'i');
    }
    return leaf % o->inner;
}

static struct kc_leaf load_element(struct kc_emit *k, const struct kc_pointer *p, int leaf)
{
    const struct kc_object *o = p->object;
    struct kc_leaf index;
    int array = find_element(k, p, leaf, &index);
    char type = o->letters[leaf];
    bool wide = o->fact->wide[array];
    const char *name = array_name(k, o, array);
    if (!index.wide)
        return kc_temporary(k, wide, type, kc_textf(k->module, "%s[%s]", name, index.text));
    return kc_temporary(k, true, type,
                        kc_textf(k->module, "pick_%c%s(%s, %d, %s)", wide ? 'v' : 'u', kc_c_type(true, type),
                                 name, (int)strlen(o->letters) / o->inner, kc_wide(k, index)));
}

static const struct kc_region *opened(const struct kc_region *region)
{
    while (region && region->open)
        region = region->outer;
    return region;
}

/* Whether what was stored in a leaf last is what is there in a region: nothing else can have come between. */
static bool is_known(const struct kc_region *at, const struct kc_object *o, int leaf)
{
    const struct kc_region *from = opened(o->known[leaf].region);
    if (!o->known[leaf].region)
        return false;
    for (; at && at != from; at = at->outer)
        for (const struct kc_stored *stored = o->fact->stored; at->loop && stored; stored = stored->next)
            if (stored->loop == at->loop && stored->leaf == leaf)
                return false;
    return at;
}

/* `counts`: as a counter of the innermost loop. */
static void note_loops(struct kc_emit *k, struct kc_fact *fact, int leaf, bool counts)
{
    for (const struct kc_region *at = k->region; at; at = at->outer) {
        if (!at->loop)
            continue;
        struct kc_stored *stored = fact->stored;
        while (stored && (stored->loop != at->loop || stored->leaf != leaf))
            stored = stored->next;
        if (!stored) {
            stored = kc_new(k->module, 1, sizeof *stored);
            *stored = (struct kc_stored){.next = fact->stored, .loop = at->loop, .leaf = leaf};
            fact->stored = stored;
            k->changed = true;
        }
        if (!counts && k->tables)
            kc_learn(k, &stored->varies);
        counts = false;
    }
}

/* A variable that is a counter of the innermost loop that it is set in; without text: it is none. */
static struct kc_leaf load_counter(struct kc_emit *k, const struct kc_object *o, int leaf)
{
    const struct kc_region *at = k->region;
    const struct kc_stored *stored = NULL;
    for (; at && !stored; at = at->outer) {
        stored = at->loop ? o->fact->stored : NULL;
        while (stored && (stored->loop != at->loop || stored->leaf != leaf))
            stored = stored->next;
    }
    struct kc_leaf first = {0};
    if (!stored || stored->varies)
        return first;
    if (is_known(at, o, leaf))
        first = o->known[leaf].leaf;
    return kc_counter(k, o, leaf, stored->loop, first);
}

static struct kc_leaf load_ramp(struct kc_emit *k, char type, const char *name, int kind)
{
    const char *base = kc_temporary(k, false, 'i', kc_textf(k->module, "%s_b", name)).text;
    const char *low = "INT32_MIN", *high = "INT32_MAX";
    if (kind & KC_LOW)
        low = kc_temporary(k, false, 'i', kc_textf(k->module, "%s_l", name)).text;
    if (kind & KC_HIGH)
        high = kc_temporary(k, false, 'i', kc_textf(k->module, "%s_h", name)).text;
    return kc_ramp(k, NULL, type, (kind - (kind & (KC_LOW | KC_HIGH))) / KC_STRIDE, base, low, high);
}

static struct kc_leaf load_variable(struct kc_emit *k, const struct kc_pointer *p, int leaf)
{
    struct kc_object *o = p->object;
    if (p->count)
        kc_learn(k, &o->fact->indexed);
    if (o->fact->indexed) /* known since this emission: the next one declares it so */
        return o->inner ? load_element(k, p, leaf) : kc_uniform(o->letters[leaf], "0");
    if (is_known(k->region, o, leaf))
        return o->known[leaf].leaf;
    struct kc_leaf counter = load_counter(k, o, leaf);
    if (counter.text)
        return counter;
    kc_learn(k, &o->fact->loaded[leaf]);
    const char *name = leaf_name(k, o, leaf);
    if (!keeps_ramp(o, leaf))
        return kc_temporary(k, o->fact->wide[leaf], o->letters[leaf], name);
    return load_ramp(k, o->letters[leaf], name, o->fact->ramp[leaf]);
}

/* Whether lanes have parted since the variable's frame, so that those that are not here keep what they have.
 */
static bool must_blend(const struct kc_emit *k, const struct kc_object *o)
{
    bool parted = false;
    for (int i = o->home + 1; i < k->frame_count; i++)
        parted = parted || k->frames[i].parted;
    return parted && k->on;
}

static void store_element(struct kc_emit *k, const struct kc_pointer *p, int leaf, struct kc_leaf x)
{
    struct kc_object *o = p->object;
    struct kc_leaf index;
    int array = find_element(k, p, leaf, &index);
    bool blend = must_blend(k, o), *wide = &o->fact->wide[array];
    if (!*wide && (x.wide || blend || index.wide)) {
        kc_learn(k, wide);
        return;
    }
    const char *name = array_name(k, o, array), *type = kc_c_type(true, x.type);
    const char *text = kc_text(k, x, *wide);
    if (index.wide)
        kc_line(k, "put_%s(%s, %d, %s, %s, %s);", type, name, (int)strlen(o->letters) / o->inner,
                blend ? k->on : "M_(1)", kc_wide(k, index), text);
    else if (blend)
        kc_line(k, "%s[%s] = sel%s(%s, %s, %s[%s]);", name, index.text, type, k->on, text, name, index.text);
    else
        kc_line(k, "%s[%s] = %s;", name, index.text, text);
}

/* What all that is stored in a leaf has in common. */
static void note_ramp(struct kc_emit *k, const struct kc_object *o, int leaf, struct kc_leaf x, bool blend)
{
    signed char *ramp = &o->fact->ramp[leaf];
    int kind = x.base && !blend ? kc_kind(x) : KC_MIXED;
    if (*ramp == KC_MIXED || *ramp == kind || (*ramp == KC_NO_RAMP && !x.base))
        return;
    *ramp = (signed char)(*ramp == KC_NO_RAMP ? kind : KC_MIXED);
    k->changed = true;
}

static void store_variable(struct kc_emit *k, const struct kc_pointer *p, int leaf, struct kc_leaf x)
{
    struct kc_object *o = p->object;
    if (p->count)
        kc_learn(k, &o->fact->indexed);
    if (o->fact->indexed) {
        if (o->inner)
            store_element(k, p, leaf, x);
        return;
    }
    bool blend = must_blend(k, o);
    x = kc_decide(k, x);
    note_loops(k, o->fact, leaf, !blend && kc_count(k, o, leaf, x));
    o->known[leaf] = (struct kc_known){x, blend ? NULL : k->region};
    if (x.wide || blend)
        kc_learn(k, &o->fact->wide[leaf]);
    note_ramp(k, o, leaf, x, blend);
    if (!o->fact->loaded[leaf])
        return;
    const char *name = leaf_name(k, o, leaf);
    if (!o->fact->wide[leaf]) {
        kc_line(k, "%s = %s;", name, x.text);
        return;
    }
    if (keeps_ramp(o, leaf) && x.base)
        kc_line(k, "%s_b = (int)%s, %s_l = %s, %s_h = %s;", name, x.base, name, x.low, name, x.high);
    else if (blend)
        kc_line(k, "%s = sel%s(%s, %s, %s);", name, kc_c_type(true, x.type), k->on, kc_wide(k, x), name);
    else
        kc_line(k, "%s = %s;", name, kc_wide(k, x));
}

/* ---- Pointers ---- */

struct kc_pointer *kc_whole(struct kc_emit *k, struct kc_object *object)
{
    struct kc_pointer *p = kc_new(k->module, 1, sizeof *p);
    *p = (struct kc_pointer){.object = object, .type = object->type, .hint = ""};
    return p;
}

static int leaves_before(const struct kc_module *m, const struct kc_type *type, int member)
{
    int leaves = 0;
    for (int i = 0; i < member; i++)
        leaves += kc_type(m, type->members[i])->leaves;
    return leaves;
}

static void step_into_struct(struct kc_emit *k, struct kc_pointer *p, const struct kc_type *type, int member)
{
    const struct kc_module *m = k->module;
    const char **names = m->ids[p->type].member_names;
    bool memory = p->object->place != KC_VARIABLE;
    p->offset += memory ? type->offsets[member] : leaves_before(m, type, member);
    if (names && names[member])
        p->hint = kc_textf(m, "%s_%s", p->hint, names[member]);
    p->type = type->members[member];
}

struct kc_pointer *kc_chain(struct kc_emit *k, const struct kc_pointer *base, const uint32_t *indices,
                            int count)
{
    const struct kc_module *m = k->module;
    struct kc_pointer *p = kc_new(m, 1, sizeof *p);
    *p = *base;
    for (int i = 0; i < count; i++) {
        const struct kc_type *type = kc_type(m, p->type);
        struct kc_leaf at = kc_value(k, indices[i]).leaves[0];
        int number = 0;
        bool literal = kc_literal(at, &number) && number >= 0;
        if (type->kind == KC_STRUCT) {
            step_into_struct(k, p, type, number);
            continue;
        }
        bool memory = p->object->place != KC_VARIABLE;
        int stride = memory ? type->stride : kc_type(m, type->element)->leaves;
        p->type = type->element;
        if (literal) {
            if (type->count && number >= type->count) /* after a loop's last iteration, where nobody comes */
                number = type->count - 1;
            p->offset += number * stride;
            if (type->kind == KC_VECTOR)
                p->hint = kc_textf(m, "%s_%c", p->hint, "xyzw"[number & 3]);
        } else if (p->count == KC_INDICES_MAX) {
            kc_refuse(k, "an array of many dimensions");
        } else {
            p->indices[p->count++] = (struct kc_index){at, stride};
        }
    }
    return p;
}

/* ---- The uniform block and buffers ---- */

/* Places of a type's scalars in memory, in words. */
static void add_words(const struct kc_module *m, uint32_t id, int from, int **at)
{
    const struct kc_type *type = kc_type(m, id);
    if (type->kind == KC_SCALAR)
        *(*at)++ = from;
    for (int i = 0; i < type->count; i++)
        if (type->kind == KC_STRUCT)
            add_words(m, type->members[i], from + type->offsets[i], at);
        else
            add_words(m, type->element, from + i * type->stride, at);
}

/* The index of memory, besides the offset of a word; `strided`: neighbours are not next to each other. */
static bool find_index(struct kc_emit *k, const struct kc_pointer *p, struct kc_leaf *index, bool *strided)
{
    *strided = false;
    *index = kc_uniform('i', "0");
    for (int i = 0; i < p->count; i++) {
        struct kc_leaf at = kc_int(k, p->indices[i].at);
        if (p->indices[i].stride != 1) {
            at = kc_arithmetic(k, '*', at, kc_literal_of(k, 'i', p->indices[i].stride), 'i');
            *strided = true;
        }
        *index = kc_arithmetic(k, '+', *index, at, 'i');
    }
    return p->count > 0;
}

static struct kc_leaf with_offset(struct kc_emit *k, struct kc_leaf index, int word)
{
    return word ? kc_arithmetic(k, '+', index, kc_literal_of(k, 'i', word), 'i') : index;
}

static const char *buffer_of(struct kc_emit *k, const struct kc_object *o)
{
    if (o->number < 0 || o->number >= KC_BINDINGS) {
        kc_refuse(k, "a binding of a high number");
    } else if (!k->buffers[o->number]) {
        k->buffers[o->number] = true;
        oro_text_addf(&k->head,
                      "    float *restrict %s = buffers[%d].data;\n    const long %s_n = buffers[%d].words;\n"
                      "    (void)%s, (void)%s_n;\n",
                      o->name, o->number, o->name, o->number, o->name, o->name);
    }
    return o->name;
}

static struct kc_leaf load_constant(struct kc_emit *k, const struct kc_pointer *p, int word, char type)
{
    if (word < 0 || word >= KC_BLOCK_WORDS) {
        kc_refuse(k, "a large uniform block");
        return kc_uniform(type, "0");
    }
    if (!k->block_words[word]) {
        const char *name = kc_textf(k->module, "c%d%s", word, clean(k, p->hint));
        const char *c_type = kc_c_type(false, type == 'b' ? 'u' : type);
        k->block_words[word] = name;
        oro_text_addf(&k->head, "    const %s %s = ((const %s *)(const void *)block)[%d];\n", c_type, name,
                      c_type, word);
    }
    return kc_uniform(type, k->block_words[word]);
}

/* Whether the lanes' elements, of so many words, follow each other: the fast form then runs the stretch of
 * the row in which all of them are in the buffer. */
static bool is_row_of_grid(struct kc_emit *k, struct kc_leaf index, const char *count, int words)
{
    if (!index.base || kc_kind(index) != KC_STRIDE)
        return false;
    const char *narrow =
        kc_textf(k->module, "row_for_row(&from, &to, %s, %s / %d);", index.base, count, words);
    if (index.span != &kc_row)
        return kc_table_line(k, index.span, narrow);
    kc_row_line(k, kc_textf(k->module, "if (%s) %s", k->when, narrow));
    return true;
}

/* Words beside each other, where it is known before the row at which x they are. */
static struct kc_leaf load_known_row(struct kc_emit *k, struct kc_leaf index, const char *name,
                                     const char *count, const char *t, char type)
{
    const struct kc_module *m = k->module;
    const char *base = kc_textf(m, "(int)%s, %s", index.base, index.low);
    const char *first = kc_number_of(k, index.span, 'i', kc_textf(m, "row_first(%s)", base)).text;
    const char *places =
        kc_number_of(k, index.span, 'i', kc_textf(m, "row_count(%s, %s, %s)", base, index.high, count)).text;
    return kc_temporary(k, true, type,
                        kc_textf(m, "row_known%s(%s, %s, x, %s, %s, %s, %s)", t, name, count, base,
                                 index.high, first, places));
}

static struct kc_leaf load_word(struct kc_emit *k, const struct kc_pointer *p, struct kc_leaf index,
                                bool strided, char type)
{
    const struct kc_module *m = k->module;
    bool block = p->object->place == KC_BLOCK;
    const char *name = block ? "((const float *)(const void *)block)" : buffer_of(k, p->object);
    const char *count = block ? kc_textf(m, "%d", KC_BLOCK_WORDS) : kc_textf(m, "%s_n", name);
    const char *t = kc_c_type(true, type == 'b' ? 'u' : type);
    if (!index.wide)
        return kc_number_of(k, block ? index.span : NULL, type,
                            kc_textf(m, "word%s(%s, %s, %s)", t, name, count, index.text));
    if (is_row_of_grid(k, index, count, 1))
        return kc_temporary(k, true, type, kc_textf(m, "at%s(%s, %s)", t, name, kc_first(k, index)));
    if (index.base && index.stride == 1 && index.span)
        return load_known_row(k, index, name, count, t, type);
    if (index.base && index.stride == 1)
        return kc_temporary(k, true, type,
                            kc_textf(m, "row%s(%s, %s, %s, %s, %s)", t, name, count, kc_first(k, index),
                                     index.low, index.high));
    return kc_temporary(k, true, type,
                        kc_textf(m, "%s%s(%s, %s, %s)", strided || index.base ? "gather" : "load", t, name,
                                 count, kc_wide(k, index)));
}

/* An element that is a vector of two or four words, at an index in lanes: all of it at once. */
static bool is_vector_element(const struct kc_pointer *p, int count)
{
    return p->object->place == KC_BUFFER && p->count == 1 && p->indices[0].stride == count &&
           p->offset == 0 && (count == 2 || count == 4);
}

/* Where the elements of all lanes follow each other: a test, and the first; then those of any lanes. */
static const char *elements_of(struct kc_emit *k, const char *name, struct kc_leaf index, int words)
{
    if (is_row_of_grid(k, index, kc_textf(k->module, "%s_n", name), words))
        return kc_textf(k->module, "LONG_MAX, 1, %s, %s", kc_first(k, index), kc_wide(k, index));
    if (index.base && index.stride == 1)
        return kc_textf(k->module, "%s_n, is_row(%s, %s, %s), %s, %s", name, kc_first(k, index), index.low,
                        index.high, kc_first(k, index), kc_wide(k, index));
    return kc_textf(k->module, "%s_n, 0, 0, %s", name, kc_wide(k, index));
}

static void load_vector(struct kc_emit *k, const struct kc_pointer *p, int count, const char *letters,
                        struct kc_leaf *leaves)
{
    const struct kc_module *m = k->module;
    struct kc_leaf index = kc_int(k, p->indices[0].at);
    const char *name = buffer_of(k, p->object), *targets = "", *e = kc_number(k, "e");
    for (int i = 0; i < count; i++) {
        kc_line(k, "F %s_%d;", e, i);
        targets = kc_textf(m, "%s, &%s_%d", targets, e, i);
        const char *text = kc_textf(m, "%s_%d", e, i);
        leaves[i] = (struct kc_leaf){.wide = true, .type = 'f', .text = text};
    }
    kc_line(k, "load%d(%s, %s%s);", count, name, elements_of(k, name, index, count), targets);
    for (int i = 0; i < count; i++)
        leaves[i] = kc_cast(k, leaves[i], letters[i]);
}

static struct kc_leaf load_input(struct kc_emit *k, const struct kc_pointer *p, int leaf)
{
    int what = p->object->number;
    if (what != SpvBuiltInGlobalInvocationId || p->count)
        kc_refuse(k, "a place within a group");
    if (leaf == 0 && k->fast)
        return kc_ramp(k, &kc_row, 'u', 1, "0", "INT32_MIN", "INT32_MAX");
    if (leaf == 0) /* lanes beyond the end do what the last one does */
        return kc_temporary(k, true, 'u', "(U)v_imin(LANE_NUMBERS + I_(x), I_(x1 - 1))");
    return kc_uniform('u', leaf == 1 ? "((uint32_t)y)" : "0u");
}

struct kc_value kc_load(struct kc_emit *k, const struct kc_pointer *p)
{
    const struct kc_module *m = k->module;
    const char *letters = kc_letters(m, p->type);
    struct kc_value value = {.type = p->type, .count = (int)strlen(letters)};
    value.leaves = kc_new(m, (size_t)value.count, sizeof *value.leaves);
    enum kc_place place = p->object->place;
    if (place == KC_VARIABLE || place == KC_INPUT) {
        for (int i = 0; i < value.count; i++)
            value.leaves[i] =
                place == KC_INPUT ? load_input(k, p, p->offset + i) : load_variable(k, p, p->offset + i);
        return value;
    }
    if (is_vector_element(p, value.count) && p->indices[0].at.wide) {
        load_vector(k, p, value.count, letters, value.leaves);
        return value;
    }
    int *words = kc_new(m, (size_t)value.count, sizeof *words), *end = words;
    add_words(m, p->type, p->offset, &end);
    struct kc_leaf index;
    bool strided, dynamic = find_index(k, p, &index, &strided);
    for (int i = 0; i < value.count; i++) {
        if (place == KC_BLOCK && !dynamic)
            value.leaves[i] = load_constant(k, p, words[i], letters[i]);
        else
            value.leaves[i] = load_word(k, p, with_offset(k, index, words[i]), strided, letters[i]);
    }
    return value;
}

static void store_word(struct kc_emit *k, const struct kc_pointer *p, struct kc_leaf index, bool strided,
                       struct kc_leaf x)
{
    const char *name = buffer_of(k, p->object), *t = kc_c_type(true, x.type == 'b' ? 'u' : x.type);
    if (is_row_of_grid(k, index, kc_textf(k->module, "%s_n", name), 1))
        kc_line(k, "put_at%s(%s, %s, %s, %s, %s);", t, name, kc_first(k, index), k->on ? "0" : "1",
                kc_mask(k), kc_wide(k, x));
    else if (index.base && index.stride == 1)
        kc_line(k, "put_row%s(%s, %s_n, %s, %s, %s, %s, %s, %s);", t, name, name, kc_first(k, index),
                index.low, index.high, k->on ? "0" : "1", kc_mask(k), kc_wide(k, x));
    else
        kc_line(k, "%s%s(%s, %s_n, %s, %s, %s);", strided ? "scatter" : "store", t, name, name, kc_mask(k),
                kc_wide(k, index), kc_wide(k, x));
}

static void store_vector(struct kc_emit *k, const struct kc_pointer *p, const struct kc_value *value)
{
    struct kc_leaf index = kc_int(k, p->indices[0].at);
    const char *name = buffer_of(k, p->object), *list = "";
    for (int i = 0; i < value->count; i++)
        list = kc_textf(k->module, "%s, (F)%s", list, kc_wide(k, value->leaves[i]));
    kc_line(k, "store%d(%s, %s, %s, %s%s);", value->count, name, elements_of(k, name, index, value->count),
            k->on ? "0" : "1", kc_mask(k), list);
}

void kc_store(struct kc_emit *k, const struct kc_pointer *p, const struct kc_value *value)
{
    const struct kc_module *m = k->module;
    if (p->object->place == KC_VARIABLE) {
        for (int i = 0; i < value->count; i++)
            store_variable(k, p, p->offset + i, value->leaves[i]);
        return;
    }
    if (p->object->place != KC_BUFFER) {
        kc_refuse(k, "a store to what is no buffer");
        return;
    }
    kc_note_writing(k);
    if (is_vector_element(p, value->count)) {
        store_vector(k, p, value);
        return;
    }
    int *words = kc_new(m, (size_t)value->count, sizeof *words), *end = words;
    add_words(m, p->type, p->offset, &end);
    struct kc_leaf index;
    bool strided;
    find_index(k, p, &index, &strided);
    for (int i = 0; i < value->count; i++)
        store_word(k, p, with_offset(k, index, words[i]), strided, value->leaves[i]);
}

struct kc_leaf kc_atomic(struct kc_emit *k, const char *function, const struct kc_pointer *p,
                         struct kc_leaf operand)
{
    struct kc_leaf index;
    bool strided;
    if (p->object->place != KC_BUFFER) {
        kc_refuse(k, "an atomic operation on what is no buffer");
        return operand;
    }
    const char *name = buffer_of(k, p->object);
    find_index(k, p, &index, &strided);
    index = with_offset(k, index, p->offset);
    kc_note_writing(k);
    const char *mask = k->fast ? kc_mask(k) : kc_textf(k->module, "m_and(%s, inside)", kc_mask(k));
    return kc_temporary(k, true, operand.type,
                        kc_textf(k->module, "(%s)%s(%s, %s_n, %s, %s, (U)%s)", kc_c_type(true, operand.type),
                                 function, name, name, mask, kc_wide(k, index), kc_wide(k, operand)));
}
