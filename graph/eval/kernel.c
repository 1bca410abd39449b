#include "graph/eval/kernel.h"

#include <string.h>

#include "base/memory.h"
#include "graph/eval/kernel_private.h"
#include "graph/type/registry.h"

struct oro_kernel_layout oro_kernel_layout_of(const struct oro_input *input)
{
    switch (input->type) {
    case ORO_FLOAT:
        return (struct oro_kernel_layout){4, 4, "float", ""};
    case ORO_INT:
        return (struct oro_kernel_layout){4, 4, input->role == ORO_ROLE_SEED ? "uint" : "int", ""};
    case ORO_CHOICE:
        return (struct oro_kernel_layout){4, 4, "int", ""};
    case ORO_BOOL:
        return (struct oro_kernel_layout){4, 4, "bool", ""};
    case ORO_COLOUR:
        return (struct oro_kernel_layout){16, 16, "vec4", ""};
    case ORO_POINT:
        return (struct oro_kernel_layout){8, 8, "vec2", ""};
    case ORO_PROFILE: /* (x, y, count, 0) per point */
        return (struct oro_kernel_layout){16, 16 * ORO_PROFILE_MAX, "vec4", "[32]"};
    case ORO_GRADIENT: /* (position, count, 0, 0), then the colour, per stop */
        return (struct oro_kernel_layout){16, 32 * ORO_GRADIENT_MAX, "vec4", "[64]"};
    default:
        return (struct oro_kernel_layout){0};
    }
}

size_t oro_kernel_align(size_t offset, size_t align)
{
    return (offset + align - 1) / align * align;
}

const char *oro_kernel_element(enum oro_type type)
{
    return type == ORO_IMAGE ? "vec4" : type == ORO_VECTOR ? "vec2" : "float";
}

void oro_kernel_add_upper(struct oro_text *text, const char *word)
{
    for (; *word; word++) {
        /* toupper would follow the locale: 'i' has another capital in Turkish. */
        char letter = *word == '-' ? '_' : *word;
        if (letter >= 'a' && letter <= 'z')
            letter = (char)(letter - 'a' + 'A');
        oro_text_add_bytes(text, &letter, 1);
    }
}

/* In std140 as device.h says. `oro_width` and `oro_first` are those of the window that buffers hold. */
static const char head[] =
    "struct oro_grid_type { ivec2 size; vec2 origin; float cell; int oro_width; ivec2 oro_first; };\n";

static const char helpers[] =
    "uniform ivec2 oro_first_group;\n"
    "ivec2 oro_group() { return ivec2(gl_WorkGroupID.xy) + oro_first_group; }\n"
    "ivec2 oro_cell() { return oro_group() * ivec2(gl_WorkGroupSize.xy) + ivec2(gl_LocalInvocationID.xy); }\n"
    "bool oro_inside(ivec2 p) { return uint(p.x) < uint(grid.size.x) && uint(p.y) < uint(grid.size.y); }\n"
    "int oro_index(ivec2 p) { p -= grid.oro_first; return p.y * grid.oro_width + p.x; }\n"
    "int oro_source_index(ivec2 p) { p = clamp(p, ivec2(0), source.size - 1) - source.oro_first; "
    "return p.y * source.oro_width + p.x; }\n"
    "int oro_nearest_index(ivec2 p) { return oro_index(clamp(p, ivec2(0), grid.size - 1)); }\n"
    "int oro_source_cell(ivec2 p) { p -= source.oro_first; return p.y * source.oro_width + p.x; }\n"
    "vec2 oro_position(ivec2 p) { return grid.origin + (vec2(p) + 0.5) * grid.cell; }\n";

static void add_params(const struct oro_node_type *type, struct oro_text *text)
{
    oro_text_add(text, "struct oro_params_type {\n");
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        struct oro_kernel_layout layout = oro_kernel_layout_of(input);
        if (layout.size)
            oro_text_addf(text, "    %s %s%s;\n", layout.glsl, input->name, layout.suffix);
    }
    oro_text_add(text, "    int oro_unused;\n};\n");
    for (const struct oro_input *input = type->inputs; input->name; input++)
        for (int i = 0; input->type == ORO_CHOICE && input->choices[i]; i++) {
            oro_text_add(text, "#define ");
            oro_kernel_add_upper(text, input->name);
            oro_text_add(text, "_");
            oro_kernel_add_upper(text, input->choices[i]);
            oro_text_addf(text, " %d\n", i);
        }
}

static void add_block(const struct oro_dispatch *dispatch, struct oro_text *text)
{
    if (dispatch->constants[0].name) {
        oro_text_add(text, "struct oro_pass_type {\n");
        for (int i = 0; i < ORO_CONSTANTS_MAX && dispatch->constants[i].name; i++)
            oro_text_addf(text, "    float %s;\n", dispatch->constants[i].name);
        oro_text_add(text, "};\n");
    }
    oro_text_addf(text,
                  "layout(std140, binding = 0) uniform oro_block {\n    oro_grid_type grid;\n"
                  "    oro_grid_type source;\n    oro_params_type params;\n%s};\n",
                  dispatch->constants[0].name ? "    oro_pass_type pass;\n" : "");
}

/* The values of a map are clamped to its input's range, just as literals have to keep to it. */
static void add_reader(const struct oro_input *input, bool on_grid, const char *name, const char *element,
                       struct oro_text *text)
{
    const char *index = input && on_grid ? "oro_nearest_index" : "oro_source_index";
    if (input && input->map)
        oro_text_addf(text, "float %s_unclamped(ivec2 p) { return %s[%s(p)]; }\n", name, name, index);
    if (input && input->map && input->min < input->max)
        oro_text_addf(text, "float %s_at(ivec2 p) { return clamp(%s[%s(p)], %.9e, %.9e); }\n", name, name,
                      index, input->min, input->max);
    else
        oro_text_addf(text, "%s %s_at(ivec2 p) { return %s[%s(p)]; }\n", element, name, name, index);
}

static void add_buffer(const struct oro_node_type *type, const struct oro_dispatch *dispatch, int number,
                       const struct oro_slot *slot, struct oro_text *text)
{
    const char *element = slot->type ? slot->type : "float";
    const char *access = slot->access == ORO_READ    ? "readonly "
                         : slot->access == ORO_WRITE ? "writeonly "
                                                     : "";
    oro_text_addf(text, "layout(std430, binding = %d) restrict %sbuffer oro_buffer_%d { %s %s[]; };\n",
                  number, access, number, element, slot->name);
    if (slot->access == ORO_READ)
        add_reader(oro_type_input(type, slot->name), dispatch->inputs_on_grid, slot->name, element, text);
}

int oro_kernel_slot_count(const struct oro_dispatch *dispatch)
{
    int count = 0;
    while (count < ORO_BUFFERS_MAX && dispatch->slots[count].name)
        count++;
    return count;
}

int oro_kernel_find_slot(const struct oro_dispatch *dispatch, const char *name, const char *suffix)
{
    size_t length = strlen(name);
    for (int i = 0; i < oro_kernel_slot_count(dispatch); i++)
        if (strncmp(dispatch->slots[i].name, name, length) == 0 &&
            strcmp(dispatch->slots[i].name + length, suffix) == 0)
            return i;
    return -1;
}

void oro_bind(struct oro_dispatch *dispatch, const char *name, struct oro_buffer *buffer)
{
    int index = oro_kernel_find_slot(dispatch, name, "");
    if (index >= 0)
        dispatch->slots[index].buffer = buffer;
    else
        dispatch->unknown = name;
}

void oro_set(struct oro_dispatch *dispatch, const char *name, double value)
{
    for (int i = 0; i < ORO_CONSTANTS_MAX && dispatch->constants[i].name; i++)
        if (strcmp(dispatch->constants[i].name, name) == 0) {
            dispatch->constants[i].value = (float)value;
            return;
        }
    dispatch->unknown = name;
}

void oro_add_constant(struct oro_dispatch *dispatch, const char *name, double value)
{
    int count = 0;
    while (count < ORO_CONSTANTS_MAX && dispatch->constants[count].name)
        count++;
    if (count < ORO_CONSTANTS_MAX)
        dispatch->constants[count] = (struct oro_constant){name, (float)value};
    else
        dispatch->unknown = name;
}

void oro_add_slot(struct oro_dispatch *dispatch, struct oro_slot slot)
{
    int count = oro_kernel_slot_count(dispatch);
    if (count < ORO_BUFFERS_MAX)
        dispatch->slots[count] = slot;
    else
        dispatch->unknown = slot.name;
}

bool oro_kernel_reads_map(const struct oro_dispatch *dispatch, const char *name)
{
    if (!dispatch->maps)
        return true;
    for (const char *const *map = dispatch->maps; *map; map++)
        if (strcmp(*map, name) == 0)
            return true;
    return false;
}

bool oro_kernel_binds_map(const struct oro_node_type *type, const bool *linked,
                          const struct oro_dispatch *dispatch, size_t index)
{
    const struct oro_input *input = &type->inputs[index];
    return input->map && linked[index] && oro_kernel_reads_map(dispatch, input->name) &&
           oro_kernel_find_slot(dispatch, input->name, "") < 0;
}

static void add_inputs(const struct oro_node_type *type, const bool *linked,
                       const struct oro_dispatch *dispatch, int number, struct oro_text *text)
{
    for (size_t i = 0; type->inputs[i].name; i++) {
        const struct oro_input *input = &type->inputs[i];
        if (!input->map && !oro_is_raster(input->type))
            continue;
        oro_text_add(text, "#define HAS_");
        oro_kernel_add_upper(text, input->name);
        oro_text_addf(text, " %d\n", linked[i]);
        if (oro_kernel_binds_map(type, linked, dispatch, i))
            add_buffer(type, dispatch, number++, &(struct oro_slot){.name = input->name}, text);
        else if (input->map && !linked[i] && oro_kernel_find_slot(dispatch, input->name, "") < 0)
            oro_text_addf(text,
                          "float %s_at(ivec2 p) { return params.%s; }\n"
                          "float %s_unclamped(ivec2 p) { return params.%s; }\n",
                          input->name, input->name, input->name, input->name);
        else if (!linked[i] && oro_kernel_find_slot(dispatch, input->name, "") < 0)
            oro_text_addf(text, "%s %s_at(ivec2 p) { return %s(0.0); }\n", oro_kernel_element(input->type),
                          input->name, oro_kernel_element(input->type));
    }
}

void oro_kernel_add_profile(const struct oro_input *input, struct oro_text *text)
{
    const char *name = input->name;
    oro_text_addf(text,
                  "float profile_%s(float x) {\n"
                  "    int n = int(params.%s[0].z);\n"
                  "    if (x <= params.%s[0].x) return params.%s[0].y;\n"
                  "    for (int i = 1; i < n; i++) {\n"
                  "        vec2 a = params.%s[i - 1].xy, b = params.%s[i].xy;\n"
                  "        if (x < b.x) return mix(a.y, b.y, (x - a.x) / (b.x - a.x));\n"
                  "    }\n"
                  "    return params.%s[n - 1].y;\n}\n",
                  name, name, name, name, name, name, name);
}

/* Functions for where x lies in a gradient, counted in stops, and for the colour there. */
void oro_kernel_add_gradient(const struct oro_input *input, struct oro_text *text)
{
    const char *name = input->name;
    oro_text_addf(text,
                  "float gradient_%s(float x) {\n"
                  "    int n = int(params.%s[0].y);\n"
                  "    if (x <= params.%s[0].x) return 0.0;\n"
                  "    for (int i = 1; i < n; i++) {\n"
                  "        float a = params.%s[2 * i - 2].x, b = params.%s[2 * i].x;\n"
                  "        if (x < b) return float(i - 1) + min((x - a) / (b - a), 0.999999);\n"
                  "    }\n"
                  "    return float(n - 1);\n}\n"
                  "vec4 stop_%s(int i) { return params.%s[2 * clamp(i, 0, int(params.%s[0].y) - 1) "
                  "+ 1]; }\n",
                  name, name, name, name, name, name, name, name);
}

const struct oro_input *oro_kernel_blends(const struct oro_node_type *type, const struct oro_output *output)
{
    const struct oro_input *terrain = oro_type_input_as(type, ORO_ROLE_TERRAIN);
    bool blends = output->role == ORO_ROLE_TERRAIN && terrain && oro_type_input_as(type, ORO_ROLE_MASK);
    return blends ? terrain : NULL;
}

static const struct oro_input *blended_with(const struct oro_node_type *type, const bool *linked,
                                            const struct oro_output *output)
{
    const struct oro_input *terrain = oro_kernel_blends(type, output);
    return terrain && linked[terrain - type->inputs] ? terrain : NULL;
}

const struct oro_input *oro_kernel_blended_with(const struct oro_node_type *type, const bool *linked,
                                                const struct oro_dispatch *dispatch,
                                                const struct oro_output *output)
{
    const struct oro_input *terrain = blended_with(type, linked, output);
    bool sets = terrain && oro_kernel_find_slot(dispatch, output->name, "_out") >= 0 &&
                oro_kernel_reads_map(dispatch, oro_type_input_as(type, ORO_ROLE_MASK)->name);
    return sets ? terrain : NULL;
}

static void add_setters(const struct oro_node_type *type, const bool *linked,
                        const struct oro_dispatch *dispatch, struct oro_text *text)
{
    for (const struct oro_output *output = type->outputs; output && output->name; output++) {
        const struct oro_input *terrain = blended_with(type, linked, output);
        const struct oro_input *mask = oro_type_input_as(type, ORO_ROLE_MASK);
        if (oro_kernel_find_slot(dispatch, output->name, "_out") < 0 ||
            (terrain && !oro_kernel_reads_map(dispatch, mask->name)))
            continue;
        oro_text_addf(text, "void set_%s(ivec2 p, %s v) { %s_out[oro_index(p)] = ", output->name,
                      oro_kernel_element(output->type), output->name);
        if (terrain)
            oro_text_addf(text, "mix(%s_at(p), v, %s_at(p)); }\n", terrain->name, mask->name);
        else
            oro_text_add(text, "v; }\n");
    }
}

void oro_kernel_preamble(const struct oro_node_type *type, const bool *linked,
                         const struct oro_dispatch *dispatch, struct oro_text *text)
{
    oro_text_add(text, "#version 310 es\nprecision highp float;\nprecision highp int;\n");
    oro_text_addf(text, "layout(local_size_x = %d, local_size_y = %d) in;\n",
                  dispatch->group_columns ? dispatch->group_columns : ORO_GROUP_SIDE,
                  dispatch->group_rows ? dispatch->group_rows : ORO_GROUP_SIDE);
    oro_text_add(text, head);
    add_params(type, text);
    add_block(dispatch, text);
    oro_text_add(text, helpers);
    int count = oro_kernel_slot_count(dispatch);
    for (int i = 0; i < count; i++)
        add_buffer(type, dispatch, i, &dispatch->slots[i], text);
    add_inputs(type, linked, dispatch, count, text);
    for (const struct oro_input *input = type->inputs; input->name; input++)
        if (input->type == ORO_PROFILE)
            oro_kernel_add_profile(input, text);
        else if (input->type == ORO_GRADIENT)
            oro_kernel_add_gradient(input, text);
    add_setters(type, linked, dispatch, text);
    if (dispatch->defines)
        oro_text_add(text, dispatch->defines);
}

bool oro_kernel_default_slots(const struct oro_node_type *type, const bool *linked, struct oro_arena *arena,
                              struct oro_dispatch *dispatch)
{
    for (size_t i = 0; type->inputs[i].name; i++) {
        const struct oro_input *input = &type->inputs[i];
        if (linked[i] && input->role != ORO_ROLE_SIZE && !input->own_size &&
            oro_kernel_find_slot(dispatch, input->name, "") < 0)
            oro_add_slot(dispatch,
                         (struct oro_slot){input->name, NULL, ORO_READ, oro_kernel_element(input->type)});
    }
    for (const struct oro_output *output = type->outputs; output && output->name; output++) {
        if (oro_kernel_find_slot(dispatch, output->name, "_out") >= 0)
            continue;
        const char *name = oro_arena_textf(arena, "%s_out", output->name);
        if (!name)
            return false;
        oro_add_slot(dispatch, (struct oro_slot){name, NULL, ORO_WRITE, oro_kernel_element(output->type)});
    }
    return !dispatch->unknown;
}

void oro_kernel_put_grid(unsigned char *at, const struct oro_grid *grid)
{
    int size[2] = {grid->width, grid->height}, whole[3] = {grid->width, 0, 0};
    float numbers[3] = {(float)grid->x, (float)grid->y, (float)grid->cell};
    memcpy(at, size, sizeof size);
    memcpy(at + 8, numbers, sizeof numbers);
    memcpy(at + ORO_GRID_WINDOW, whole, sizeof whole);
}

void oro_kernel_put_literal(unsigned char *at, const struct oro_input *input, const void *params)
{
    const unsigned char *from = (const unsigned char *)params + input->offset;
    if (input->type == ORO_BOOL) {
        int value = *(const bool *)from;
        memcpy(at, &value, sizeof value);
    } else if (input->type == ORO_PROFILE) {
        struct oro_profile profile;
        memcpy(&profile, from, sizeof profile);
        for (int i = 0; i < profile.count; i++) {
            float point[4] = {profile.x[i], profile.y[i], (float)profile.count, 0};
            memcpy(at + 16 * i, point, sizeof point);
        }
    } else if (input->type == ORO_GRADIENT) {
        struct oro_gradient gradient;
        memcpy(&gradient, from, sizeof gradient);
        for (int i = 0; i < gradient.count; i++) {
            float place[4] = {gradient.position[i], (float)gradient.count, 0, 0};
            memcpy(at + 32 * i, place, sizeof place);
            memcpy(at + 32 * i + 16, gradient.colour[i], sizeof gradient.colour[i]);
        }
    } else {
        memcpy(at, from, oro_kernel_layout_of(input).size);
    }
}

unsigned char *oro_kernel_constants(const struct oro_node_type *type, const void *params,
                                    const struct oro_dispatch *dispatch, size_t *size, size_t *own_offset)
{
    size_t offset = 2 * ORO_GRID_BYTES, end = offset;
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        struct oro_kernel_layout layout = oro_kernel_layout_of(input);
        if (layout.size)
            end = oro_kernel_align(end, layout.align) + layout.size;
    }
    *own_offset = oro_kernel_align(oro_kernel_align(end, 4) + 4, 16);
    *size = *own_offset + 4 * ORO_CONSTANTS_MAX;
    unsigned char *block = oro_alloc(*size, 1);
    if (!block)
        return NULL;
    oro_kernel_put_grid(block, &dispatch->grid);
    oro_kernel_put_grid(block + ORO_GRID_BYTES, &dispatch->source);
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        struct oro_kernel_layout layout = oro_kernel_layout_of(input);
        if (!layout.size)
            continue;
        offset = oro_kernel_align(offset, layout.align);
        oro_kernel_put_literal(block + offset, input, params);
        offset += layout.size;
    }
    return block;
}
