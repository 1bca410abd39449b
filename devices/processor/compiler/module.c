#include "devices/processor/compiler/module.h"

#include <spirv/unified1/spirv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVES_MAX = 4096 };

void *kc_new(const struct kc_module *module, size_t count, size_t size)
{
    void *memory = oro_arena_alloc(module->arena, count ? count : 1, size);
    if (!memory) {
        fputs("kernelc: no memory\n", stderr);
        exit(1);
    }
    return memory;
}

char *kc_textf(const struct kc_module *module, const char *format, ...)
{
    char small[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    char *text = kc_new(module, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

const struct kc_type *kc_type(const struct kc_module *module, uint32_t id)
{
    static const struct kc_type none = {.kind = KC_OTHER};
    return id < module->bound && module->ids[id].type ? module->ids[id].type : &none;
}

const struct kc_function *kc_function(const struct kc_module *module, uint32_t id)
{
    for (int i = 0; i < module->function_count; i++)
        if (module->functions[i].id == id)
            return &module->functions[i];
    return NULL;
}

struct kc_block *kc_block(const struct kc_function *function, uint32_t label)
{
    for (int i = 0; i < function->block_count; i++)
        if (function->blocks[i].label == label)
            return &function->blocks[i];
    return NULL;
}

const struct kc_block *kc_block_of(const struct kc_module *module, uint32_t label)
{
    const struct kc_block *block = NULL;
    for (int i = 0; i < module->function_count && !block; i++)
        block = kc_block(&module->functions[i], label);
    return block;
}

static void add_letters(const struct kc_module *module, uint32_t id, char **at)
{
    const struct kc_type *type = kc_type(module, id);
    if (type->kind == KC_SCALAR)
        *(*at)++ = type->scalar;
    else if (type->kind == KC_STRUCT)
        for (int i = 0; i < type->count; i++)
            add_letters(module, type->members[i], at);
    else
        for (int i = 0; i < type->count && type->leaves; i++)
            add_letters(module, type->element, at);
}

const char *kc_letters(const struct kc_module *module, uint32_t type)
{
    char *letters = kc_new(module, (size_t)kc_type(module, type)->leaves + 1, 1), *at = letters;
    if (kc_type(module, type)->leaves)
        add_letters(module, type, &at);
    return letters;
}

/* ---- Types ---- */

static int constant_of(const struct kc_module *module, uint32_t id)
{
    const uint32_t *at = module->ids[id].at;
    return at && kc_op(at) == SpvOpConstant ? (int)at[3] : 0;
}

static void read_struct(struct kc_module *module, const uint32_t *at, struct kc_type *type)
{
    type->kind = KC_STRUCT;
    type->count = kc_length(at) - 2;
    type->members = at + 2;
    type->offsets = type->offsets ? type->offsets : kc_new(module, (size_t)type->count, sizeof(int));
    for (int i = 0; i < type->count; i++)
        type->leaves += kc_type(module, at[2 + i])->leaves;
}

static void read_elements(struct kc_module *module, const uint32_t *at, enum kc_kind kind, int count,
                          struct kc_type *type)
{
    const struct kc_type *element = kc_type(module, at[2]);
    type->kind = kind;
    type->element = at[2];
    type->count = count;
    type->leaves = count * element->leaves;
    if (kind == KC_VECTOR)
        type->stride = 1;
    else if (kind == KC_MATRIX)
        type->stride = 4; /* std140 and std430 alike, but for columns of two, which no kernel has in memory */
}

/* A struct whose members' places were told before it has a type already. */
static void read_type(struct kc_module *module, const uint32_t *at)
{
    struct kc_id *id = &module->ids[at[1]];
    struct kc_type *type = id->type ? id->type : kc_new(module, 1, sizeof *type);
    id->type = type;
    type->kind = KC_SCALAR;
    type->leaves = 1;
    switch (kc_op(at)) {
    case SpvOpTypeBool:
        type->scalar = 'b';
        break;
    case SpvOpTypeFloat:
        type->scalar = 'f';
        break;
    case SpvOpTypeInt:
        type->scalar = at[3] ? 'i' : 'u';
        break;
    case SpvOpTypeVector:
        read_elements(module, at, KC_VECTOR, (int)at[3], type);
        break;
    case SpvOpTypeMatrix:
        read_elements(module, at, KC_MATRIX, (int)at[3], type);
        break;
    case SpvOpTypeArray:
        read_elements(module, at, KC_ARRAY, constant_of(module, at[3]), type);
        break;
    case SpvOpTypeRuntimeArray:
        read_elements(module, at, KC_ARRAY, 0, type);
        break;
    case SpvOpTypeStruct:
        type->leaves = 0;
        read_struct(module, at, type);
        break;
    case SpvOpTypePointer:
        *type = (struct kc_type){.kind = KC_POINTER, .element = at[3], .storage = at[2]};
        break;
    case SpvOpTypeVoid:
        *type = (struct kc_type){.kind = KC_VOID};
        break;
    default:
        *type = (struct kc_type){.kind = KC_OTHER};
    }
    if (type->leaves > LEAVES_MAX)
        module->problem = "a large array of a lane";
}

/* ---- What is said of ids ---- */

static void read_decoration(struct kc_module *module, const uint32_t *at)
{
    struct kc_id *id = &module->ids[at[1]];
    if (at[2] == SpvDecorationBinding)
        id->binding = (int)at[3];
    else if (at[2] == SpvDecorationBuiltIn)
        id->builtin = (int)at[3];
    else if (at[2] == SpvDecorationArrayStride) {
        id->type = id->type ? id->type : kc_new(module, 1, sizeof *id->type);
        id->type->stride = (int)at[3] / 4;
    }
}

enum { MEMBERS_MAX = 256 };

static void read_member(struct kc_module *module, const uint32_t *at)
{
    struct kc_id *id = &module->ids[at[1]];
    if (at[2] >= MEMBERS_MAX) {
        module->problem = "a struct of many members";
    } else if (kc_op(at) == SpvOpMemberName) {
        if (!id->member_names)
            id->member_names = kc_new(module, MEMBERS_MAX, sizeof *id->member_names);
        id->member_names[at[2]] = (const char *)(at + 3);
    } else if (at[3] == SpvDecorationOffset) {
        id->type = id->type ? id->type : kc_new(module, 1, sizeof *id->type);
        if (!id->type->offsets)
            id->type->offsets = kc_new(module, MEMBERS_MAX, sizeof(int));
        id->type->offsets[at[2]] = (int)at[4] / 4;
    }
}

/* ---- The whole ---- */

/* Where an instruction that makes something has its id: after its type, or first. 0: it makes nothing. */
static int place_of_result(uint32_t op)
{
    if ((op >= SpvOpTypeVoid && op <= SpvOpTypePipe) || op == SpvOpLabel || op == SpvOpExtInstImport ||
        op == SpvOpString)
        return 1;
    bool none = op < SpvOpUndef || op == SpvOpSource || op == SpvOpName || op == SpvOpMemberName ||
                op == SpvOpLine || op == SpvOpExtension || op == SpvOpMemoryModel || op == SpvOpEntryPoint ||
                op == SpvOpExecutionMode || op == SpvOpCapability || op == SpvOpFunctionEnd ||
                op == SpvOpStore || op == SpvOpDecorate || op == SpvOpMemberDecorate ||
                op == SpvOpControlBarrier || op == SpvOpMemoryBarrier || op == SpvOpAtomicStore ||
                (op >= SpvOpLoopMerge && op <= SpvOpUnreachable && op != SpvOpLabel) || op == SpvOpNoLine ||
                op == SpvOpSourceExtension || op == SpvOpModuleProcessed;
    return none ? 0 : 2;
}

static void read_outside(struct kc_module *module, const uint32_t *at)
{
    uint32_t op = kc_op(at);
    if (op == SpvOpName)
        module->ids[at[1]].name = (const char *)(at + 2);
    else if (op == SpvOpMemberName || op == SpvOpMemberDecorate)
        read_member(module, at);
    else if (op == SpvOpDecorate)
        read_decoration(module, at);
    else if (op == SpvOpEntryPoint)
        module->main = at[2];
    else if (op == SpvOpExecutionMode && at[2] == SpvExecutionModeLocalSize)
        memcpy(module->local_size, at + 3, sizeof module->local_size);
    else if (op >= SpvOpTypeVoid && op <= SpvOpTypePipe)
        read_type(module, at);
    else if (op == SpvOpVariable)
        module->globals[module->global_count++] = at;
}

/* Adds an instruction within a function to its last block; `code` is where pointers to instructions go. */
static const uint32_t **read_inside(struct kc_function *function, const uint32_t *at, const uint32_t **code)
{
    uint32_t op = kc_op(at);
    if (op == SpvOpFunctionParameter) {
        if (!function->parameter_count)
            function->parameters = code;
        function->parameter_count++;
    } else if (op == SpvOpLabel) {
        function->blocks[function->block_count++] = (struct kc_block){.label = at[1], .code = code};
        return code;
    } else if (op == SpvOpLine || op == SpvOpNoLine || !function->block_count) {
        return code;
    } else {
        function->blocks[function->block_count - 1].count++;
    }
    *code++ = at;
    return code;
}

bool kc_read(struct kc_module *module, const uint32_t *words, size_t count)
{
    if (count < 5 || words[0] != SpvMagicNumber || words[3] > count)
        return module->problem = "no SPIR-V", false;
    module->words = words;
    module->bound = words[3];
    module->ids = kc_new(module, module->bound, sizeof *module->ids);
    for (uint32_t i = 0; i < module->bound; i++)
        module->ids[i].binding = module->ids[i].builtin = -1;
    const uint32_t **code = kc_new(module, count, sizeof *code);
    module->globals = kc_new(module, count, sizeof *module->globals);
    struct kc_block *blocks = kc_new(module, count, sizeof *blocks);
    module->functions = kc_new(module, module->bound, sizeof *module->functions);
    struct kc_function *function = NULL;
    for (const uint32_t *at = words + 5; at < words + count; at += kc_length(at)) {
        if (!kc_length(at) || kc_length(at) > words + count - at)
            return module->problem = "an instruction beyond the end", false;
        int place = place_of_result(kc_op(at));
        if (place && (kc_length(at) <= place || at[place] >= module->bound))
            return module->problem = "an id beyond the bound", false;
        if (place)
            module->ids[at[place]].at = at;
        if (kc_op(at) == SpvOpFunction) {
            function = &module->functions[module->function_count++];
            *function = (struct kc_function){.id = at[2], .result = at[1], .blocks = blocks};
        } else if (kc_op(at) == SpvOpFunctionEnd) {
            blocks += function->block_count;
            function = NULL;
        } else if (function) {
            code = read_inside(function, at, code);
        } else {
            read_outside(module, at);
        }
    }
    return !module->problem;
}
