/* Instructions: what each makes of the leaves of its operands. */
#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/processor/compiler/emit.h"

struct kc_value kc_value(struct kc_emit *k, uint32_t id)
{
    static struct kc_leaf nothing = {.type = 'i', .text = "0"};
    struct kc_value none = {.count = 1, .leaves = &nothing};
    if (id >= k->module->bound || (!k->values[id].leaves && !k->values[id].pointer)) {
        kc_refuse(k, "a value that is not known here");
        return none;
    }
    return k->values[id];
}

/* ---- Constants ---- */

static const char *float_text(const struct kc_module *m, uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x))
        return kc_textf(m, "as_float(0x%xu)", bits);
    const char *text = kc_textf(m, "%.9g", (double)x);
    text = strpbrk(text, ".e") ? text : kc_textf(m, "%s.0", text);
    return kc_textf(m, x < 0 || signbit(x) ? "(%sF)" : "%sF", text);
}

static const char *number_text(const struct kc_module *m, char type, uint32_t bits)
{
    if (type == 'f')
        return float_text(m, bits);
    if (type == 'u')
        return kc_textf(m, "%uu", bits);
    int number = (int)bits;
    if (number == INT32_MIN)
        return "(-2147483647 - 1)";
    return kc_textf(m, number < 0 ? "(%d)" : "%d", number);
}

void kc_constant(struct kc_emit *k, const uint32_t *at)
{
    const struct kc_module *m = k->module;
    uint32_t op = kc_op(at);
    const char *letters = kc_letters(m, at[1]);
    struct kc_value value = {.type = at[1], .count = (int)strlen(letters)};
    value.leaves = kc_new(m, (size_t)value.count, sizeof *value.leaves);
    for (int i = 0; i < value.count; i++)
        value.leaves[i] = kc_uniform(letters[i], op == SpvOpConstantTrue ? "1"
                                                 : letters[i] == 'f'     ? "0.0F"
                                                                         : "0");
    if (op == SpvOpConstant)
        value.leaves[0].text = number_text(m, letters[0], at[3]);
    for (int i = 3, leaf = 0; op == SpvOpConstantComposite && i < kc_length(at); i++)
        for (int j = 0; j < k->values[at[i]].count; j++)
            value.leaves[leaf++] = k->values[at[i]].leaves[j];
    k->values[at[2]] = value;
}

/* ---- Helpers ---- */

typedef struct kc_leaf binary(struct kc_emit *k, uint32_t op, char type, struct kc_leaf a, struct kc_leaf b);

static struct kc_leaf nth(const struct kc_value *value, int i)
{
    return value->leaves[value->count > 1 ? i : 0];
}

static void each(struct kc_emit *k, const uint32_t *at, binary *function, struct kc_value *out)
{
    struct kc_value a = kc_value(k, at[3]), b = kc_value(k, at[4]);
    const char *letters = kc_letters(k->module, at[1]);
    for (int i = 0; i < out->count; i++)
        out->leaves[i] = function(k, kc_op(at), letters[i], nth(&a, i), nth(&b, i));
}

static struct kc_leaf times(struct kc_emit *k, struct kc_leaf a, struct kc_leaf b)
{
    return kc_arithmetic(k, '*', a, b, 'f');
}

/* A sum of products of `count` numbers, at strides within both lists. */
static struct kc_leaf dot(struct kc_emit *k, const struct kc_leaf *a, int stride_a, const struct kc_leaf *b,
                          int count)
{
    struct kc_leaf sum = times(k, a[0], b[0]);
    for (int i = 1; i < count; i++)
        sum = kc_arithmetic(k, '+', sum, times(k, a[i * stride_a], b[i]), 'f');
    return sum;
}

static struct kc_leaf call(struct kc_emit *k, const char *function, char type, struct kc_leaf x)
{
    return kc_call(k, function, &x, 1, type);
}

/* ---- Numbers ---- */

static struct kc_leaf calculate(struct kc_emit *k, uint32_t op, char type, struct kc_leaf a, struct kc_leaf b)
{
    static const struct {
        uint32_t op;
        char sign;
    } signs[] = {{SpvOpFAdd, '+'},      {SpvOpFSub, '-'},      {SpvOpFMul, '*'}, {SpvOpFDiv, '/'},
                 {SpvOpIAdd, '+'},      {SpvOpISub, '-'},      {SpvOpIMul, '*'}, {SpvOpBitwiseAnd, '&'},
                 {SpvOpBitwiseOr, '|'}, {SpvOpBitwiseXor, '^'}};
    char sign = '+';
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        sign = signs[i].op == op ? signs[i].sign : sign;
    return kc_arithmetic(k, sign, type == 'f' ? a : kc_cast(k, a, type),
                         type == 'f' ? b : kc_cast(k, b, type), type);
}

static struct kc_leaf divide(struct kc_emit *k, uint32_t op, char type, struct kc_leaf a, struct kc_leaf b)
{
    bool is_unsigned = op == SpvOpUDiv || op == SpvOpUMod;
    char own = is_unsigned ? 'u' : 'i';
    struct kc_leaf both[2] = {kc_cast(k, a, own), kc_cast(k, b, own)};
    const char *function = op == SpvOpUDiv   ? "udiv"
                           : op == SpvOpUMod ? "umod"
                           : op == SpvOpSDiv ? "idiv"
                                             : "imod";
    return kc_cast(k, kc_call(k, function, both, 2, own), type);
}

static struct kc_leaf fmod_of(struct kc_emit *k, uint32_t op, char type, struct kc_leaf a, struct kc_leaf b)
{
    (void)op, (void)type;
    struct kc_leaf whole = call(k, "floor", 'f', kc_arithmetic(k, '/', a, b, 'f'));
    return kc_arithmetic(k, '-', a, times(k, b, whole), 'f');
}

static struct kc_leaf shift(struct kc_emit *k, uint32_t op, char type, struct kc_leaf a, struct kc_leaf b)
{
    char own = op == SpvOpShiftRightArithmetic ? 'i' : 'u';
    struct kc_leaf x = kc_cast(k, a, own), by = kc_cast(k, b, own);
    bool wide = x.wide || by.wide;
    const char *sign = op == SpvOpShiftLeftLogical ? "<<" : ">>";
    const char *text = kc_textf(k->module, "%s %s %s", kc_text(k, x, wide), sign, kc_text(k, by, by.wide));
    return kc_cast(k, kc_made(k, wide, kc_common(x, by), own, text), type);
}

static struct kc_leaf compare(struct kc_emit *k, uint32_t op, char type, struct kc_leaf a, struct kc_leaf b)
{
    static const struct {
        uint32_t op;
        const char *sign;
        char own;
    } signs[] = {{SpvOpFOrdEqual, "==", 'f'},
                 {SpvOpFOrdNotEqual, "!=", 'f'},
                 {SpvOpFUnordNotEqual, "!=", 'f'},
                 {SpvOpFOrdLessThan, "<", 'f'},
                 {SpvOpFOrdGreaterThan, ">", 'f'},
                 {SpvOpFOrdLessThanEqual, "<=", 'f'},
                 {SpvOpFOrdGreaterThanEqual, ">=", 'f'},
                 {SpvOpIEqual, "==", 'i'},
                 {SpvOpINotEqual, "!=", 'i'},
                 {SpvOpSLessThan, "<", 'i'},
                 {SpvOpSGreaterThan, ">", 'i'},
                 {SpvOpSLessThanEqual, "<=", 'i'},
                 {SpvOpSGreaterThanEqual, ">=", 'i'},
                 {SpvOpULessThan, "<", 'u'},
                 {SpvOpUGreaterThan, ">", 'u'},
                 {SpvOpULessThanEqual, "<=", 'u'},
                 {SpvOpUGreaterThanEqual, ">=", 'u'}};
    (void)type;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].op == op)
            return kc_compare(k, signs[i].sign, signs[i].own == 'f' ? a : kc_cast(k, a, signs[i].own),
                              signs[i].own == 'f' ? b : kc_cast(k, b, signs[i].own));
    kc_refuse(k, "a comparison");
    return a;
}

static struct kc_leaf logic(struct kc_emit *k, uint32_t op, char type, struct kc_leaf a, struct kc_leaf b)
{
    (void)type;
    char sign = op == SpvOpLogicalAnd        ? '&'
                : op == SpvOpLogicalOr       ? '|'
                : op == SpvOpLogicalNotEqual ? '^'
                                             : '=';
    return kc_logic(k, sign, a, b);
}

static struct kc_leaf negate(struct kc_emit *k, struct kc_leaf x)
{
    if (x.type != 'f')
        return kc_arithmetic(k, '-', kc_uniform(x.type, "0"), x, x.type);
    return kc_made(k, x.wide, x.span, 'f', kc_textf(k->module, "-%s", x.text));
}

static struct kc_leaf convert(struct kc_emit *k, uint32_t op, char type, struct kc_leaf x)
{
    const char *name = op == SpvOpConvertSToF   ? "int_to_float"
                       : op == SpvOpConvertUToF ? "uint_to_float"
                       : op == SpvOpConvertFToS ? "float_to_int"
                                                : "float_to_uint";
    return call(k, name, type,
                kc_cast(k, x,
                        op == SpvOpConvertSToF   ? 'i'
                        : op == SpvOpConvertUToF ? 'u'
                                                 : 'f'));
}

/* ---- Functions of GLSL (GLSL.std.450) ---- */

static const struct {
    enum GLSLstd450 number;
    const char *name;
    char type;
} functions[] = {
    {GLSLstd450Sqrt, "sqrt", 'f'},       {GLSLstd450InverseSqrt, "inversesqrt", 'f'},
    {GLSLstd450Sin, "sin", 'f'},         {GLSLstd450Cos, "cos", 'f'},
    {GLSLstd450Tan, "tan", 'f'},         {GLSLstd450Exp, "exp", 'f'},
    {GLSLstd450Exp2, "exp2", 'f'},       {GLSLstd450Log, "log", 'f'},
    {GLSLstd450Log2, "log2", 'f'},       {GLSLstd450Pow, "pow", 'f'},
    {GLSLstd450Atan, "atan", 'f'},       {GLSLstd450Atan2, "atan2", 'f'},
    {GLSLstd450Asin, "asin", 'f'},       {GLSLstd450Acos, "acos", 'f'},
    {GLSLstd450FAbs, "abs", 'f'},        {GLSLstd450SAbs, "iabs", 'i'},
    {GLSLstd450FSign, "sign", 'f'},      {GLSLstd450SSign, "isign", 'i'},
    {GLSLstd450Floor, "floor", 'f'},     {GLSLstd450Ceil, "ceil", 'f'},
    {GLSLstd450Fract, "fract", 'f'},     {GLSLstd450Round, "round", 'f'},
    {GLSLstd450RoundEven, "round", 'f'}, {GLSLstd450Trunc, "trunc", 'f'},
    {GLSLstd450FMin, "min", 'f'},        {GLSLstd450FMax, "max", 'f'},
    {GLSLstd450FClamp, "clamp", 'f'},    {GLSLstd450SMin, "imin", 'i'},
    {GLSLstd450SMax, "imax", 'i'},       {GLSLstd450SClamp, "iclamp", 'i'},
    {GLSLstd450UMin, "umin", 'u'},       {GLSLstd450UMax, "umax", 'u'},
    {GLSLstd450UClamp, "uclamp", 'u'},   {GLSLstd450FMix, "mix", 'f'},
    {GLSLstd450Step, "step", 'f'},       {GLSLstd450SmoothStep, "smoothstep", 'f'},
    {GLSLstd450FindILsb, "lsb", 'u'},    {GLSLstd450FindUMsb, "msb", 'u'},
};

static bool by_name(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    size_t i = 0, count = sizeof functions / sizeof *functions;
    while (i < count && functions[i].number != (enum GLSLstd450)at[4])
        i++;
    if (i == count)
        return false;
    const char *letters = kc_letters(k->module, at[1]);
    bool finds = at[4] == GLSLstd450FindILsb || at[4] == GLSLstd450FindUMsb;
    int arguments = kc_length(at) - 5;
    for (int j = 0; j < out->count; j++) {
        struct kc_leaf list[3];
        for (int a = 0; a < arguments && a < 3; a++) {
            struct kc_value value = kc_value(k, at[5 + a]);
            list[a] =
                functions[i].type == 'f' ? nth(&value, j) : kc_cast(k, nth(&value, j), functions[i].type);
        }
        out->leaves[j] = kc_cast(
            k, kc_call(k, functions[i].name, list, arguments, finds ? 'i' : functions[i].type), letters[j]);
    }
    return true;
}

static struct kc_leaf length_of(struct kc_emit *k, const struct kc_value *x)
{
    if (x->count == 1)
        return call(k, "abs", 'f', x->leaves[0]);
    return call(k, "sqrt", 'f', dot(k, x->leaves, 1, x->leaves, x->count));
}

static void call_glsl(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    if (by_name(k, at, out))
        return;
    struct kc_value a = kc_value(k, at[5]), b = kc_length(at) > 6 ? kc_value(k, at[6]) : a;
    const char *radians = at[4] == GLSLstd450Radians ? "0.01745329252F" : "57.2957795F";
    switch (at[4]) {
    case GLSLstd450Radians:
    case GLSLstd450Degrees:
        for (int i = 0; i < out->count; i++)
            out->leaves[i] = times(k, a.leaves[i], kc_uniform('f', radians));
        break;
    case GLSLstd450Distance: /* in leaves of its own: those of b are still b's */
        b.leaves = kc_new(k->module, (size_t)a.count, sizeof *b.leaves);
        for (int i = 0; i < a.count; i++)
            b.leaves[i] = kc_arithmetic(k, '-', a.leaves[i], kc_value(k, at[6]).leaves[i], 'f');
        out->leaves[0] = length_of(k, &b);
        break;
    case GLSLstd450Length:
        out->leaves[0] = length_of(k, &a);
        break;
    case GLSLstd450Normalize:
        b.leaves = kc_new(k->module, 1, sizeof *b.leaves);
        b.leaves[0] = length_of(k, &a);
        for (int i = 0; i < out->count; i++)
            out->leaves[i] = kc_arithmetic(k, '/', a.leaves[i], b.leaves[0], 'f');
        break;
    case GLSLstd450Cross:
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            out->leaves[i] = kc_arithmetic(k, '-', times(k, a.leaves[j], b.leaves[l]),
                                           times(k, a.leaves[l], b.leaves[j]), 'f');
        }
        break;
    default:
        kc_refuse(k, kc_textf(k->module, "function %u of GLSL", at[4]));
    }
}

/* ---- Composites ---- */

/* The first leaf of a part of a value, by indices that are numbers. */
static int place_of(const struct kc_module *m, uint32_t type_id, const uint32_t *indices, int count)
{
    int place = 0;
    for (int i = 0; i < count; i++) {
        const struct kc_type *type = kc_type(m, type_id);
        if (type->kind == KC_STRUCT) {
            for (uint32_t j = 0; j < indices[i]; j++)
                place += kc_type(m, type->members[j])->leaves;
            type_id = type->members[indices[i]];
        } else {
            place += (int)indices[i] * kc_type(m, type->element)->leaves;
            type_id = type->element;
        }
    }
    return place;
}

static void compose(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    const struct kc_module *m = k->module;
    int leaf = 0;
    struct kc_value a, b;
    switch (kc_op(at)) {
    case SpvOpCompositeConstruct:
        for (int i = 3; i < kc_length(at); i++) {
            a = kc_value(k, at[i]);
            for (int j = 0; j < a.count && leaf < out->count; j++)
                out->leaves[leaf++] = a.leaves[j];
        }
        break;
    case SpvOpCompositeExtract:
        a = kc_value(k, at[3]);
        memcpy(out->leaves, a.leaves + place_of(m, a.type, at + 4, kc_length(at) - 4),
               (size_t)out->count * sizeof *out->leaves);
        break;
    case SpvOpCompositeInsert:
        a = kc_value(k, at[4]);
        b = kc_value(k, at[3]);
        memcpy(out->leaves, a.leaves, (size_t)a.count * sizeof *out->leaves);
        memcpy(out->leaves + place_of(m, a.type, at + 5, kc_length(at) - 5), b.leaves,
               (size_t)b.count * sizeof *out->leaves);
        break;
    default: /* SpvOpVectorShuffle */
        a = kc_value(k, at[3]);
        b = kc_value(k, at[4]);
        for (int i = 0; i < out->count; i++) {
            uint32_t from = at[5 + i] == 0xffffffff ? 0 : at[5 + i];
            out->leaves[i] = from < (uint32_t)a.count ? a.leaves[from] : b.leaves[from - (uint32_t)a.count];
        }
    }
}

static void extract_by_index(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    struct kc_value vector = kc_value(k, at[3]);
    struct kc_leaf index = kc_int(k, kc_value(k, at[4]).leaves[0]), x = vector.leaves[vector.count - 1];
    for (int i = vector.count - 2; i >= 0; i--)
        x = kc_choose(k, kc_compare(k, "==", index, kc_literal_of(k, 'i', i)), vector.leaves[i], x);
    out->leaves[0] = x;
}

static void multiply(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    struct kc_value a = kc_value(k, at[3]), b = kc_value(k, at[4]);
    int columns = kc_type(k->module, a.type)->count, rows = columns ? a.count / columns : 1;
    switch (kc_op(at)) {
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        for (int i = 0; i < out->count; i++)
            out->leaves[i] = times(k, a.leaves[i], b.leaves[0]);
        break;
    case SpvOpDot:
        out->leaves[0] = dot(k, a.leaves, 1, b.leaves, a.count);
        break;
    case SpvOpMatrixTimesVector:
        for (int i = 0; i < rows; i++)
            out->leaves[i] = dot(k, a.leaves + i, rows, b.leaves, columns);
        break;
    case SpvOpVectorTimesMatrix:
        for (int i = 0; i < out->count; i++)
            out->leaves[i] = dot(k, a.leaves, 1, b.leaves + (ptrdiff_t)i * a.count, a.count);
        break;
    default: /* SpvOpMatrixTimesMatrix */
        for (int i = 0; i < out->count; i++)
            out->leaves[i] =
                dot(k, a.leaves + i % rows, rows, b.leaves + (ptrdiff_t)(i / rows) * columns, columns);
    }
}

/* ---- Whole numbers of two words ---- */

static void extend(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    struct kc_value a = kc_value(k, at[3]), b = kc_value(k, at[4]);
    uint32_t op = kc_op(at);
    for (int i = 0; i < a.count; i++) {
        struct kc_leaf both[2] = {a.leaves[i], b.leaves[i]};
        char sign = op == SpvOpUMulExtended ? '*' : op == SpvOpIAddCarry ? '+' : '-';
        struct kc_leaf low = kc_arithmetic(k, sign, both[0], both[1], 'u'), high;
        if (op == SpvOpUMulExtended)
            high = kc_call(k, "mulhi", both, 2, 'u');
        else
            high = kc_choose(k,
                             op == SpvOpIAddCarry ? kc_compare(k, "<", low, both[0])
                                                  : kc_compare(k, "<", both[0], both[1]),
                             kc_uniform('u', "1u"), kc_uniform('u', "0u"));
        out->leaves[i] = low;
        out->leaves[a.count + i] = high;
    }
}

/* ---- All instructions ---- */

static void call_atomic(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    static const struct {
        uint32_t op;
        const char *name;
    } names[] = {{SpvOpAtomicExchange, "atomic_exchange"},
                 {SpvOpAtomicIAdd, "atomic_add"},
                 {SpvOpAtomicSMin, "atomic_imin"},
                 {SpvOpAtomicUMin, "atomic_umin"},
                 {SpvOpAtomicSMax, "atomic_imax"},
                 {SpvOpAtomicUMax, "atomic_umax"},
                 {SpvOpAtomicAnd, "atomic_and"},
                 {SpvOpAtomicOr, "atomic_or"},
                 {SpvOpAtomicXor, "atomic_xor"}};
    struct kc_value pointer = kc_value(k, at[3]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].op == kc_op(at) && pointer.pointer) {
            out->leaves[0] = kc_atomic(k, names[i].name, pointer.pointer, kc_value(k, at[6]).leaves[0]);
            return;
        }
    kc_refuse(k, "an atomic operation");
}

static void call_function(struct kc_emit *k, const uint32_t *at)
{
    const struct kc_function *function = kc_function(k->module, at[3]);
    for (int i = 0; function && i < function->parameter_count; i++)
        k->values[function->parameters[i][2]] = kc_value(k, at[4 + i]);
    if (function)
        k->values[at[2]] = kc_inline(k, function, kc_textf(k->module, "%s/%u", k->path, at[2]));
}

static void unary(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    struct kc_value a = kc_value(k, at[3]);
    const char *letters = kc_letters(k->module, at[1]);
    uint32_t op = kc_op(at);
    if (op == SpvOpAny || op == SpvOpAll) {
        struct kc_leaf all = a.leaves[0];
        for (int i = 1; i < a.count; i++)
            all = kc_logic(k, op == SpvOpAny ? '|' : '&', all, a.leaves[i]);
        out->leaves[0] = all;
        return;
    }
    for (int i = 0; i < out->count; i++) {
        struct kc_leaf x = a.leaves[i];
        if (op == SpvOpLogicalNot)
            x = kc_not(k, x);
        else if (op == SpvOpFNegate || op == SpvOpSNegate)
            x = negate(k, x);
        else if (op == SpvOpNot)
            x = kc_made(k, x.wide, x.span, x.type, kc_textf(k->module, "~%s", kc_text(k, x, x.wide)));
        else if (op == SpvOpBitcast)
            x = kc_cast(k, x, letters[i]);
        else if (op == SpvOpIsNan || op == SpvOpIsInf)
            x = call(k, op == SpvOpIsNan ? "isnan" : "isinf", 'b', x);
        else if (op == SpvOpBitCount)
            x = kc_cast(k, call(k, "bitcount", 'i', kc_cast(k, x, 'u')), letters[i]);
        else if (op != SpvOpCopyObject && op != SpvOpCopyLogical)
            x = convert(k, op, letters[i], x);
        out->leaves[i] = x;
    }
}

static void choose(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    struct kc_value condition = kc_value(k, at[3]), a = kc_value(k, at[4]), b = kc_value(k, at[5]);
    for (int i = 0; i < out->count; i++)
        out->leaves[i] = kc_choose(k, nth(&condition, i), a.leaves[i], b.leaves[i]);
}

static binary *binary_of(uint32_t op)
{
    if ((op >= SpvOpIAdd && op <= SpvOpFDiv && op != SpvOpUDiv && op != SpvOpSDiv) ||
        (op >= SpvOpBitwiseOr && op <= SpvOpBitwiseAnd))
        return calculate;
    if (op == SpvOpUDiv || op == SpvOpSDiv || op == SpvOpUMod || op == SpvOpSRem || op == SpvOpSMod)
        return divide;
    if (op == SpvOpFMod)
        return fmod_of;
    if (op >= SpvOpShiftRightLogical && op <= SpvOpShiftLeftLogical)
        return shift;
    if (op >= SpvOpLogicalEqual && op <= SpvOpLogicalAnd)
        return logic;
    return op >= SpvOpIEqual && op <= SpvOpFUnordGreaterThanEqual ? compare : NULL;
}

static void make(struct kc_emit *k, const uint32_t *at, struct kc_value *out)
{
    uint32_t op = kc_op(at);
    if (binary_of(op))
        each(k, at, binary_of(op), out);
    else if (op == SpvOpExtInst)
        call_glsl(k, at, out);
    else if (op >= SpvOpVectorShuffle && op <= SpvOpCompositeInsert)
        compose(k, at, out);
    else if (op == SpvOpVectorExtractDynamic)
        extract_by_index(k, at, out);
    else if (op >= SpvOpVectorTimesScalar && op <= SpvOpDot && op != SpvOpOuterProduct)
        multiply(k, at, out);
    else if (op == SpvOpSelect)
        choose(k, at, out);
    else if (op == SpvOpUMulExtended || op == SpvOpIAddCarry || op == SpvOpISubBorrow)
        extend(k, at, out);
    else if (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor)
        call_atomic(k, at, out);
    else if ((op >= SpvOpConvertFToU && op <= SpvOpConvertUToF) || op == SpvOpBitcast || op == SpvOpSNegate ||
             op == SpvOpFNegate || op == SpvOpAny || op == SpvOpAll || op == SpvOpIsNan || op == SpvOpIsInf ||
             op == SpvOpLogicalNot || op == SpvOpNot || op == SpvOpBitCount || op == SpvOpCopyObject ||
             op == SpvOpCopyLogical)
        unary(k, at, out);
    else
        kc_refuse(k, kc_textf(k->module, "instruction %u", op));
}

void kc_instruction(struct kc_emit *k, const uint32_t *at)
{
    struct kc_value value;
    switch (kc_op(at)) {
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        return;
    case SpvOpVariable: /* declared at the function's start */
        if (kc_length(at) > 4) {
            value = kc_value(k, at[4]);
            kc_store(k, k->values[at[2]].pointer, &value);
        }
        return;
    case SpvOpStore:
        value = kc_value(k, at[2]);
        kc_store(k, kc_value(k, at[1]).pointer, &value);
        return;
    case SpvOpLoad:
        k->values[at[2]] = kc_load(k, kc_value(k, at[3]).pointer);
        return;
    case SpvOpPhi:
        if (k->phis[at[2]].pointer)
            k->values[at[2]] = kc_load(k, k->phis[at[2]].pointer);
        return;
    case SpvOpAccessChain:
        k->values[at[2]] = (struct kc_value){
            .type = at[1], .pointer = kc_chain(k, kc_value(k, at[3]).pointer, at + 4, kc_length(at) - 4)};
        return;
    case SpvOpFunctionCall:
        call_function(k, at);
        return;
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
        kc_refuse(k, "a barrier");
        return;
    default:
        value = (struct kc_value){.type = at[1], .count = kc_type(k->module, at[1])->leaves};
        value.leaves = kc_new(k->module, (size_t)value.count, sizeof *value.leaves);
        for (int i = 0; i < value.count; i++)
            value.leaves[i] = kc_uniform('i', "0");
        make(k, at, &value);
        k->values[at[2]] = value;
    }
}
