#include "graph/eval/kernel_native.h"

#include <stdio.h>
#include <string.h>

#include "graph/eval/kernel_private.h"
#include "graph/type/registry.h"

/* What a kernel mentions, in its text or in what the dispatch defines. */
struct maker {
    const struct oro_node_type *type;
    const bool *linked;
    const struct oro_dispatch *dispatch;
    const struct oro_word_set *words;
    struct oro_word_set *defined;
    struct oro_native_form *form;
    struct oro_text *text;
    const struct oro_input *before, *by; /* of terrains that are blended; NULL: none is */
    bool grouped;                        /* the kernel works by groups of invocations */
};

enum { LINKED = 1, BOUND = 2 }; /* bits of an input's int in the block */

static bool has_word(const struct maker *maker, const char *word)
{
    return oro_words_have(maker->words, word) || (maker->defined && oro_words_have(maker->defined, word));
}

static bool mentions(const struct maker *maker, const char *before, const char *name, const char *behind)
{
    char word[256];
    int length = snprintf(word, sizeof word, "%s%s%s", before, name, behind);
    return length > 0 && (size_t)length < sizeof word && has_word(maker, word);
}

/* ---- What is mentioned ---- */

static void add_name(char *to, size_t size, const char *before, const char *name)
{
    size_t length = (size_t)snprintf(to, size, "%s", before);
    for (; *name && length + 1 < size; name++)
        to[length++] = (char)(*name == '-' ? '_' : *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
    to[length < size ? length : size - 1] = '\0';
}

static bool asks_for_link(const struct maker *maker, const struct oro_input *input)
{
    char word[256];
    add_name(word, sizeof word, "HAS_", input->name);
    return has_word(maker, word);
}

static bool is_raster(const struct oro_input *input)
{
    return input && (input->map || oro_is_raster(input->type));
}

/* NAME_at or NAME_unclamped. */
static bool is_read(const struct maker *maker, const char *name)
{
    return mentions(maker, "", name, "_at") || mentions(maker, "", name, "_unclamped") ||
           (maker->before && (strcmp(name, maker->before->name) == 0 || strcmp(name, maker->by->name) == 0));
}

static bool needs_literal(const struct maker *maker, const struct oro_input *input)
{
    const char *name = input->name;
    return mentions(maker, "params.", name, "") || (input->map && is_read(maker, name)) ||
           (input->type == ORO_PROFILE && mentions(maker, "profile_", name, "")) ||
           (input->type == ORO_GRADIENT &&
            (mentions(maker, "gradient_", name, "") || mentions(maker, "stop_", name, "")));
}

static bool is_set(const struct maker *maker, const struct oro_output *output)
{
    return mentions(maker, "set_", output->name, "") &&
           oro_kernel_find_slot(maker->dispatch, output->name, "_out") >= 0;
}

static bool needs_slot(const struct maker *maker, const struct oro_slot *slot)
{
    if (mentions(maker, "", slot->name, "") || (slot->access == ORO_READ && is_read(maker, slot->name)))
        return true;
    for (const struct oro_output *output = maker->type->outputs; output && output->name; output++) {
        size_t length = strlen(output->name);
        if (strncmp(slot->name, output->name, length) == 0 && strcmp(slot->name + length, "_out") == 0 &&
            is_set(maker, output))
            return true;
    }
    return false;
}

static void find_blending(struct maker *maker)
{
    const struct oro_node_type *type = maker->type;
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        if (is_set(maker, output) && oro_kernel_blends(type, output)) {
            maker->before = oro_kernel_blends(type, output);
            maker->by = oro_type_input_as(type, ORO_ROLE_MASK);
        }
}

/* Kernels in which invocations of a group know of each other. */
static bool works_by_groups(const struct maker *maker)
{
    static const char *const words[] = {
        "shared",         "barrier",  "gl_LocalInvocationID", "gl_LocalInvocationIndex", "gl_WorkGroupSize",
        "gl_WorkGroupID", "oro_group"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (has_word(maker, words[i]))
            return true;
    return false;
}

/* ---- Lists by name ---- */

static bool add_buffer(struct oro_native_form *form, struct oro_native_slot buffer)
{
    int at = form->buffer_count;
    if (at == ORO_NATIVE_BUFFERS_MAX)
        return false;
    for (form->buffer_count++; at > 0 && strcmp(form->buffers[at - 1].name, buffer.name) > 0; at--)
        form->buffers[at] = form->buffers[at - 1];
    form->buffers[at] = buffer;
    return true;
}

static bool list_buffers(const struct maker *maker)
{
    const struct oro_dispatch *dispatch = maker->dispatch;
    for (int i = 0; i < oro_kernel_slot_count(dispatch); i++) {
        const struct oro_input *input = oro_type_input(maker->type, dispatch->slots[i].name);
        if (needs_slot(maker, &dispatch->slots[i]) &&
            !add_buffer(maker->form, (struct oro_native_slot){dispatch->slots[i].name, i,
                                                              is_raster(input) ? input : NULL}))
            return false;
    }
    for (const struct oro_input *input = maker->type->inputs; input->name; input++)
        if (is_raster(input) && is_read(maker, input->name) &&
            oro_kernel_find_slot(dispatch, input->name, "") < 0 &&
            !add_buffer(maker->form, (struct oro_native_slot){input->name, -1, input}))
            return false;
    return true;
}

static void add_member(struct oro_native_member *list, size_t *count, const struct oro_input *input)
{
    size_t at = (*count)++;
    for (; at > 0 && strcmp(list[at - 1].input->name, input->name) > 0; at--)
        list[at] = list[at - 1];
    list[at].input = input;
}

static void list_constants(const struct maker *maker)
{
    const struct oro_constant *all = maker->dispatch->constants;
    struct oro_native_form *form = maker->form;
    for (int i = 0; i < ORO_CONSTANTS_MAX && all[i].name; i++) {
        if (!mentions(maker, "pass.", all[i].name, ""))
            continue;
        int at = form->constant_count++;
        for (; at > 0 && strcmp(all[form->constants[at - 1]].name, all[i].name) > 0; at--)
            form->constants[at] = form->constants[at - 1];
        form->constants[at] = i;
    }
}

/* Whether a raster is bound for certain: then nothing asks whether it is. */
static bool is_certain(const struct oro_native_slot *buffer)
{
    return !buffer->input || (buffer->slot >= 0 && !buffer->input->map && !buffer->input->optional);
}

/* Whether an #if asks for HAS_NAME, which has to be a number then. */
static bool asks_early(const struct maker *maker, const struct oro_input *input)
{
    char word[256];
    add_name(word, sizeof word, "#HAS_", input->name);
    return oro_words_have(maker->words, word);
}

static bool needs_link(const struct maker *maker, const struct oro_input *input)
{
    bool asked = asks_for_link(maker, input) && !asks_early(maker, input);
    for (int i = 0; i < maker->form->buffer_count && !asked; i++)
        asked = maker->form->buffers[i].input == input && !is_certain(&maker->form->buffers[i]);
    return asked;
}

/* ---- Text ---- */

static void add_choices(const struct maker *maker, const struct oro_input *input)
{
    for (int i = 0; input->type == ORO_CHOICE && input->choices[i]; i++) {
        char word[256];
        add_name(word, sizeof word, "", input->name);
        size_t length = strlen(word);
        add_name(word + length, sizeof word - length, "_", input->choices[i]);
        if (has_word(maker, word))
            oro_text_addf(maker->text, "#define %s %d\n", word, i);
    }
}

/* The members of a struct of the block, which begins at `*end`, and moves it behind them. */
static void begin_struct(struct oro_text *text, const char *name, size_t *end)
{
    *end = oro_kernel_align(*end, 16);
    oro_text_addf(text, "struct %s {\n", name);
}

static void add_literals(const struct maker *maker, size_t *end)
{
    struct oro_native_form *form = maker->form;
    if (!form->literal_count)
        return;
    begin_struct(maker->text, "oro_params_type", end);
    for (size_t i = 0; i < form->literal_count; i++) {
        struct oro_kernel_layout layout = oro_kernel_layout_of(form->literals[i].input);
        form->literals[i].offset = oro_kernel_align(*end, layout.align);
        *end = form->literals[i].offset + layout.size;
        oro_text_addf(maker->text, "    %s %s%s;\n", layout.glsl, form->literals[i].input->name,
                      layout.suffix);
    }
    oro_text_add(maker->text, "};\n");
}

static void add_links(const struct maker *maker, size_t *end)
{
    struct oro_native_form *form = maker->form;
    if (!form->link_count && !maker->before)
        return;
    begin_struct(maker->text, "oro_has_type", end);
    for (size_t i = 0; i < form->link_count; i++, *end += 4) {
        form->links[i].offset = *end;
        oro_text_addf(maker->text, "    int %s;\n", form->links[i].input->name);
    }
    if (maker->before) {
        form->blends = *end;
        *end += 4;
        oro_text_add(maker->text, "    int oro_blends;\n");
    }
    oro_text_add(maker->text, "};\n");
}

static void add_constants(const struct maker *maker, size_t *end)
{
    struct oro_native_form *form = maker->form;
    if (!form->constant_count)
        return;
    begin_struct(maker->text, "oro_pass_type", end);
    form->constants_offset = *end;
    for (int i = 0; i < form->constant_count; i++, *end += 4)
        oro_text_addf(maker->text, "    float %s;\n", maker->dispatch->constants[form->constants[i]].name);
    oro_text_add(maker->text, "};\n");
}

static void add_block(const struct maker *maker)
{
    struct oro_native_form *form = maker->form;
    size_t end = 2 * ORO_GRID_BYTES;
    oro_text_add(
        maker->text,
        "struct oro_grid_type { ivec2 size; vec2 origin; float cell; int oro_width; ivec2 oro_first; };\n");
    add_literals(maker, &end);
    add_links(maker, &end);
    add_constants(maker, &end);
    form->block_size = oro_kernel_align(end, 16);
    oro_text_addf(maker->text,
                  "layout(std140, set = 1, binding = 0) uniform oro_block {\n    oro_grid_type grid;\n"
                  "    oro_grid_type source;\n%s%s%s};\n",
                  form->literal_count ? "    oro_params_type params;\n" : "",
                  form->link_count || maker->before ? "    oro_has_type oro_has;\n" : "",
                  form->constant_count ? "    oro_pass_type pass;\n" : "");
}

/* Buffers hold whole rasters: there are no windows of them. */
static const char helpers[] =
    "ivec2 oro_cell() { return ivec2(gl_GlobalInvocationID.xy); }\n"
    "bool oro_inside(ivec2 p) { return uint(p.x) < uint(grid.size.x) && uint(p.y) < uint(grid.size.y); }\n"
    "int oro_index(ivec2 p) { return p.y * grid.size.x + p.x; }\n"
    "int oro_source_cell(ivec2 p) { return p.y * source.size.x + p.x; }\n"
    "int oro_source_index(ivec2 p) { return oro_source_cell(clamp(p, ivec2(0), source.size - 1)); }\n"
    "int oro_nearest_index(ivec2 p) { return oro_index(clamp(p, ivec2(0), grid.size - 1)); }\n"
    "vec2 oro_position(ivec2 p) { return grid.origin + (vec2(p) + 0.5) * grid.cell; }\n";

static void add_reader(const struct maker *maker, const struct oro_native_slot *buffer, const char *element,
                       bool clamped)
{
    const struct oro_input *input = buffer->input;
    const char *name = buffer->name;
    const char *index = input && maker->dispatch->inputs_on_grid ? "oro_nearest_index" : "oro_source_index";
    struct oro_text *text = maker->text;
    oro_text_addf(text, "%s %s_%s(ivec2 p) {\n", element, name, clamped ? "at" : "unclamped");
    oro_text_add(text, is_certain(buffer) ? "    " : "    if ((oro_has.");
    if (!is_certain(buffer))
        oro_text_addf(text, "%s & %d) != 0) ", name, BOUND);
    if (clamped && input && input->map && input->min < input->max)
        oro_text_addf(text, "return clamp(%s[%s(p)], %.9e, %.9e);\n", name, index, input->min, input->max);
    else
        oro_text_addf(text, "return %s[%s(p)];\n", name, index);
    if (!is_certain(buffer) && input->map)
        oro_text_addf(text, "    return params.%s;\n", name);
    else if (!is_certain(buffer))
        oro_text_addf(text, "    return %s(0.0);\n", element);
    oro_text_add(text, "}\n");
}

static void add_buffers(const struct maker *maker)
{
    for (int i = 0; i < maker->form->buffer_count; i++) {
        const struct oro_native_slot *buffer = &maker->form->buffers[i];
        const struct oro_slot *slot = buffer->slot >= 0 ? &maker->dispatch->slots[buffer->slot] : NULL;
        const char *element = slot            ? slot->type ? slot->type : "float"
                              : buffer->input ? oro_kernel_element(buffer->input->type)
                                              : "float";
        enum oro_access access = slot ? slot->access : ORO_READ;
        oro_text_addf(maker->text,
                      "layout(std430, binding = %d) restrict %sbuffer oro_buffer_%d { %s %s[]; };\n", i,
                      access == ORO_READ    ? "readonly "
                      : access == ORO_WRITE ? "writeonly "
                                            : "",
                      i, element, buffer->name);
        if (access == ORO_READ && is_read(maker, buffer->name))
            add_reader(maker, buffer, element, true);
        if (access == ORO_READ && mentions(maker, "", buffer->name, "_unclamped"))
            add_reader(maker, buffer, element, false);
    }
}

static void add_setters(const struct maker *maker)
{
    for (const struct oro_output *output = maker->type->outputs; output && output->name; output++) {
        if (!is_set(maker, output))
            continue;
        oro_text_addf(maker->text, "void set_%s(ivec2 p, %s v) {\n", output->name,
                      oro_kernel_element(output->type));
        if (oro_kernel_blends(maker->type, output))
            oro_text_addf(maker->text, "    if (oro_has.oro_blends != 0) v = mix(%s_at(p), v, %s_at(p));\n",
                          maker->before->name, maker->by->name);
        oro_text_addf(maker->text, "    %s_out[oro_index(p)] = v;\n}\n", output->name);
    }
}

static void add_presence(const struct maker *maker)
{
    for (const struct oro_input *input = maker->type->inputs; input->name; input++) {
        if (!is_raster(input) || !asks_for_link(maker, input))
            continue;
        oro_text_add(maker->text, "#define HAS_");
        oro_kernel_add_upper(maker->text, input->name);
        if (asks_early(maker, input))
            oro_text_addf(maker->text, " %d\n", maker->linked[input - maker->type->inputs]);
        else
            oro_text_addf(maker->text, " (oro_has.%s & %d)\n", input->name, LINKED);
    }
}

static void add_text(const struct maker *maker)
{
    const struct oro_dispatch *dispatch = maker->dispatch;
    bool own = maker->grouped && dispatch->group_columns;
    oro_text_addf(maker->text,
                  "#version 310 es\nprecision highp float;\nprecision highp int;\n"
                  "layout(local_size_x = %d, local_size_y = %d) in;\n",
                  own ? dispatch->group_columns : ORO_GROUP_SIDE,
                  own ? dispatch->group_rows : ORO_GROUP_SIDE);
    for (const struct oro_input *input = maker->type->inputs; input->name; input++)
        add_choices(maker, input);
    add_block(maker);
    add_presence(maker);
    oro_text_add(maker->text, helpers);
    if (maker->grouped)
        oro_text_add(maker->text, "ivec2 oro_group() { return ivec2(gl_WorkGroupID.xy); }\n");
    add_buffers(maker);
    for (size_t i = 0; i < maker->form->literal_count; i++) {
        const struct oro_input *input = maker->form->literals[i].input;
        if (input->type == ORO_PROFILE)
            oro_kernel_add_profile(input, maker->text);
        else if (input->type == ORO_GRADIENT)
            oro_kernel_add_gradient(input, maker->text);
    }
    add_setters(maker);
    if (dispatch->defines)
        oro_text_add(maker->text, dispatch->defines);
}

bool oro_kernel_native(const struct oro_node_type *type, const bool *linked,
                       const struct oro_dispatch *dispatch, const struct oro_word_set *words,
                       struct oro_arena *arena, struct oro_native_form *form, bool *fits,
                       struct oro_text *text)
{
    struct maker maker = {type, linked, dispatch, words, NULL, form, text, NULL, NULL, false};
    size_t count = oro_type_input_count(type) + 1;
    *form = (struct oro_native_form){.literals = oro_arena_alloc(arena, count, sizeof *form->literals),
                                     .links = oro_arena_alloc(arena, count, sizeof *form->links)};
    *fits = true;
    if (!form->literals || !form->links ||
        (dispatch->defines && !(maker.defined = oro_words_of(dispatch->defines))))
        return false;
    find_blending(&maker);
    maker.grouped = works_by_groups(&maker);
    *fits = list_buffers(&maker);
    for (const struct oro_input *input = type->inputs; *fits && input->name; input++) {
        if (oro_kernel_layout_of(input).size && needs_literal(&maker, input))
            add_member(form->literals, &form->literal_count, input);
        if (is_raster(input) && needs_link(&maker, input))
            add_member(form->links, &form->link_count, input);
    }
    list_constants(&maker);
    if (*fits)
        add_text(&maker);
    oro_words_free(maker.defined);
    return *fits && !text->failed;
}

/* ---- The block ---- */

static bool blends(const struct oro_node_type *type, const bool *linked, const void *params,
                   const struct oro_dispatch *dispatch)
{
    const struct oro_input *terrain = oro_type_input_as(type, ORO_ROLE_TERRAIN);
    const struct oro_input *mask = oro_type_input_as(type, ORO_ROLE_MASK);
    float number = 1;
    if (oro_kernel_layout_of(mask).size)
        memcpy(&number, (const char *)params + mask->offset, sizeof number);
    return linked[terrain - type->inputs] && oro_kernel_reads_map(dispatch, mask->name) &&
           (linked[mask - type->inputs] || number != 1 ||
            oro_kernel_find_slot(dispatch, mask->name, "") >= 0);
}

static int link_of(const struct oro_node_type *type, const bool *linked, const struct oro_dispatch *dispatch,
                   const struct oro_input *input)
{
    size_t index = (size_t)(input - type->inputs);
    bool bound = oro_kernel_find_slot(dispatch, input->name, "") >= 0 ||
                 oro_kernel_binds_map(type, linked, dispatch, index);
    return (linked[index] ? LINKED : 0) | (bound ? BOUND : 0);
}

void oro_kernel_native_block(const struct oro_node_type *type, const bool *linked, const void *params,
                             const struct oro_dispatch *dispatch, const struct oro_native_form *form,
                             unsigned char *block)
{
    oro_kernel_put_grid(block, &dispatch->grid);
    oro_kernel_put_grid(block + ORO_GRID_BYTES, &dispatch->source);
    for (size_t i = 0; i < form->literal_count; i++)
        oro_kernel_put_literal(block + form->literals[i].offset, form->literals[i].input, params);
    for (size_t i = 0; i < form->link_count; i++) {
        int link = link_of(type, linked, dispatch, form->links[i].input);
        memcpy(block + form->links[i].offset, &link, sizeof link);
    }
    int blending = form->blends && blends(type, linked, params, dispatch);
    if (form->blends)
        memcpy(block + form->blends, &blending, sizeof blending);
}
