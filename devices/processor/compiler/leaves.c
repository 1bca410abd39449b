/* Leaves: single numbers, uniform, wide or ramps, and conditions on them. */
#include <stdlib.h>
#include <string.h>

#include "devices/processor/compiler/emit.h"

static const char no_low[] = "INT32_MIN", no_high[] = "INT32_MAX";

struct kc_leaf kc_uniform(char type, const char *text)
{
    return (struct kc_leaf){.type = type, .text = text, .span = &kc_row};
}

struct kc_leaf kc_temporary(struct kc_emit *k, bool wide, char type, const char *text)
{
    const char *name = kc_number(k, "t");
    kc_line(k, "const %s %s = %s;", kc_c_type(wide, type), name, text);
    return (struct kc_leaf){.wide = wide, .type = type, .text = name};
}

const struct kc_table *kc_common(struct kc_leaf a, struct kc_leaf b)
{
    return a.span == b.span || b.span == &kc_row ? a.span : a.span == &kc_row ? b.span : NULL;
}

struct kc_leaf kc_number_of(struct kc_emit *k, const struct kc_table *span, char type, const char *text)
{
    if (!span || !k->fast)
        return kc_temporary(k, false, type, text);
    if (span != &kc_row)
        return kc_tabulate(k, span, type, text);
    const char *name = kc_number(k, "r");
    kc_row_line(k, kc_textf(k->module, "const %s %s = %s;", kc_c_type(false, type), name, text));
    return kc_uniform(type, name);
}

struct kc_leaf kc_made(struct kc_emit *k, bool wide, const struct kc_table *span, char type, const char *text)
{
    return wide ? kc_temporary(k, true, type, text) : kc_number_of(k, span, type, text);
}

const char *kc_wide(struct kc_emit *k, struct kc_leaf leaf)
{
    const struct kc_module *m = k->module;
    const char *type = kc_c_type(true, leaf.type);
    if (leaf.base)
        return kc_textf(m, "((%s)ramp(%s, %d, %s, %s))", type, kc_first(k, leaf), leaf.stride, leaf.low,
                        leaf.high);
    return leaf.wide ? leaf.text : kc_textf(m, "%s_(%s)", type, leaf.text);
}

const char *kc_text(struct kc_emit *k, struct kc_leaf leaf, bool wide)
{
    return wide ? kc_wide(k, leaf) : leaf.text;
}

struct kc_leaf kc_cast(struct kc_emit *k, struct kc_leaf leaf, char type)
{
    if (leaf.type == type)
        return leaf;
    struct kc_leaf cast = leaf;
    cast.type = type;
    if (leaf.base && type != 'f')
        return cast;
    cast.base = NULL;
    if (leaf.wide)
        cast.text = kc_textf(k->module, "((%s)%s)", kc_c_type(true, type), kc_wide(k, leaf));
    else if (type == 'f')
        return kc_number_of(k, leaf.span, 'f', kc_textf(k->module, "as_float((uint32_t)%s)", leaf.text));
    else if (leaf.type == 'f')
        cast.text = kc_textf(k->module, "((%s)as_bits(%s))", kc_c_type(false, type), leaf.text);
    else
        cast.text = kc_textf(k->module, "((%s)%s)", kc_c_type(false, type), leaf.text);
    return cast;
}

struct kc_leaf kc_int(struct kc_emit *k, struct kc_leaf leaf)
{
    return leaf.type == 'u' ? kc_cast(k, leaf, 'i') : leaf;
}

/* ---- Literals ---- */

static bool is_literal(const char *text, int *number)
{
    char *end;
    const char *digits = text + (text[0] == '(');
    long x = strtol(digits, &end, 10);
    *number = (int)x;
    return labs(x) <= KC_LITERAL_MAX && end > digits &&
           (!*end || strcmp(end, ")") == 0 || strcmp(end, "u") == 0);
}

bool kc_literal(struct kc_leaf leaf, int *number)
{
    return !leaf.wide && leaf.type != 'f' && is_literal(leaf.text, number);
}

struct kc_leaf kc_literal_of(struct kc_emit *k, char type, int number)
{
    return kc_uniform(type, kc_textf(k->module, number < 0 ? "(%d)" : "%d", number));
}

static bool are_literals(struct kc_leaf a, struct kc_leaf b, int *x, int *y)
{
    return kc_literal(a, x) && kc_literal(b, y);
}

/* ---- Ramps ---- */

static bool is_word(const char *text)
{
    int number;
    if (is_literal(text, &number))
        return true;
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

static const char *named(struct kc_emit *k, const struct kc_table *span, const char *text)
{
    return is_word(text) ? text : kc_number_of(k, span, 'i', text).text;
}

const char *kc_first(struct kc_emit *k, struct kc_leaf ramp)
{
    if (ramp.stride == 1)
        return kc_textf(k->module, "(x + (int)%s)", ramp.base);
    return ramp.stride ? kc_textf(k->module, "(%d * x + (int)%s)", ramp.stride, ramp.base)
                       : kc_textf(k->module, "(int)%s", ramp.base);
}

static bool is_bounded(struct kc_leaf ramp)
{
    return ramp.low != no_low || ramp.high != no_high;
}

int kc_kind(struct kc_leaf ramp)
{
    return KC_STRIDE * ramp.stride + (ramp.low == no_low ? 0 : KC_LOW) + (ramp.high == no_high ? 0 : KC_HIGH);
}

struct kc_leaf kc_ramp(struct kc_emit *k, const struct kc_table *span, char type, int stride,
                       const char *base, const char *low, const char *high)
{
    struct kc_leaf ramp = {.wide = stride, .span = span, .type = type, .stride = stride};
    ramp.base = named(k, span, base);
    ramp.low = strcmp(low, no_low) == 0 ? no_low : named(k, span, low);
    ramp.high = strcmp(high, no_high) == 0 ? no_high : named(k, span, high);
    if (stride)
        return ramp;
    const char *number = is_bounded(ramp)
                             ? kc_textf(k->module, "clamped(%s, %s, %s)", ramp.base, ramp.low, ramp.high)
                             : ramp.base;
    return kc_number_of(k, span, type, number);
}

bool kc_ramp_of(struct kc_leaf leaf, struct kc_leaf *ramp)
{
    *ramp = leaf;
    if (!leaf.wide)
        *ramp = (struct kc_leaf){
            .type = leaf.type, .span = leaf.span, .base = leaf.text, .low = no_low, .high = no_high};
    return ramp->base && (leaf.type == 'i' || leaf.type == 'u');
}

/* A bound that moves with the ramp; none stays none. */
static const char *moved(struct kc_emit *k, const char *bound, char sign, const char *by)
{
    return bound == no_low || bound == no_high ? bound
                                               : kc_textf(k->module, "(int)%s %c (int)%s", bound, sign, by);
}

/* A sum or a difference of which one side has bounds at most, that one with its sign. */
static bool add_ramps(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b, char type,
                      struct kc_leaf *result)
{
    int stride = sign == '+' ? a.stride + b.stride : a.stride - b.stride;
    int x, y;
    const char *base = kc_textf(k->module, "(int)%s %c (int)%s", a.base, sign, b.base);
    if (is_literal(a.base, &x) && is_literal(b.base, &y))
        base = kc_literal_of(k, 'i', sign == '+' ? x + y : x - y).text;
    bool swaps = is_bounded(b);
    if ((swaps && (is_bounded(a) || a.stride || sign == '-')) || (is_bounded(a) && b.stride) ||
        abs(stride) > KC_STRIDE_MAX)
        return false;
    struct kc_leaf bounded = swaps ? b : a, other = swaps ? a : b;
    *result = kc_ramp(k, kc_common(a, b), type, stride, base, moved(k, bounded.low, sign, other.base),
                      moved(k, bounded.high, sign, other.base));
    return true;
}

static bool scale_ramp(struct kc_emit *k, struct kc_leaf ramp, int by, char type, struct kc_leaf *result)
{
    if (by == 1)
        *result = kc_cast(k, ramp, type);
    else if (is_bounded(ramp) || by == 0 || abs(by) > KC_STRIDE_MAX || abs(ramp.stride * by) > KC_STRIDE_MAX)
        return false;
    else
        *result = kc_ramp(k, ramp.span, type, ramp.stride * by,
                          kc_textf(k->module, "(int)%s * %d", ramp.base, by), no_low, no_high);
    return true;
}

/* A ramp's sum, difference or product, where that is a ramp. */
static bool calculate_ramp(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b, char type,
                           struct kc_leaf *result)
{
    struct kc_leaf ra, rb;
    int number;
    if (type == 'f' || !kc_ramp_of(a, &ra) || !kc_ramp_of(b, &rb))
        return false;
    if (sign == '*' && kc_literal(b, &number))
        return scale_ramp(k, ra, number, type, result);
    if (sign == '*' && kc_literal(a, &number))
        return scale_ramp(k, rb, number, type, result);
    return (sign == '+' || sign == '-') && add_ramps(k, sign, ra, rb, type, result);
}

/* Whether a ramp is a cell's place, or one near it: what holds for it holds along most of a row. */
static bool is_near(struct kc_leaf ramp)
{
    enum { NEAR = 16 };
    int away;
    return ramp.span == &kc_row && (!is_literal(ramp.base, &away) || abs(away) <= NEAR);
}

static const char *bounded_by(struct kc_emit *k, const char *function, const char *bound, const char *by)
{
    return bound == no_low || bound == no_high
               ? by
               : kc_textf(k->module, "u_%s(%s, (int)%s)", function, bound, by);
}

/* imin, imax and iclamp of a ramp and of numbers that all lanes share. */
static bool bound_ramp(struct kc_emit *k, const char *function, const struct kc_leaf *x, int count,
                       struct kc_leaf *result)
{
    if (count < 2)
        return false;
    struct kc_leaf ramp = x[x[0].wide ? 0 : 1], by = x[x[0].wide ? 1 : 0];
    if (strcmp(function, "iclamp") == 0) {
        struct kc_leaf above;
        return x[0].base && !x[1].wide && !x[2].wide && bound_ramp(k, "imax", x, 2, &above) &&
               bound_ramp(k, "imin", (struct kc_leaf[]){above, x[2]}, 2, result);
    }
    bool is_max = strcmp(function, "imax") == 0;
    if (count != 2 || (!is_max && strcmp(function, "imin") != 0) || !ramp.base || by.wide)
        return false;
    if (by.span == &kc_row && is_near(ramp) &&
        !is_bounded(ramp)) { /* the fast form runs the stretch that the bound does not reach */
        kc_row_line(k, kc_textf(k->module, "if (%s) bound_for_row(&from, &to, %d, (int)%s, %s, (int)%s);",
                                k->when, ramp.stride, ramp.base, is_max ? "1" : "0", by.text));
        *result = kc_cast(k, ramp, 'i');
        return true;
    }
    const char *low = is_max ? bounded_by(k, function, ramp.low, by.text) : ramp.low;
    const char *high = is_max && ramp.high == no_high ? no_high : bounded_by(k, function, ramp.high, by.text);
    *result = kc_ramp(k, kc_common(ramp, by), 'i', ramp.stride, ramp.base, low, high);
    return true;
}

/* ---- Arithmetic ---- */

static bool is_zero(struct kc_leaf leaf)
{
    int number;
    return kc_literal(leaf, &number) && number == 0;
}

struct kc_leaf kc_arithmetic(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b, char type)
{
    if (sign == '+' && type != 'f' && is_zero(b))
        return kc_cast(k, a, type);
    if (sign == '+' && type != 'f' && is_zero(a))
        return kc_cast(k, b, type);
    int x, y;
    if (type == 'i' && strchr("+-*", sign) && are_literals(a, b, &x, &y))
        return kc_literal_of(k, type, sign == '+' ? x + y : sign == '-' ? x - y : x * y);
    bool wide = a.wide || b.wide;
    struct kc_leaf result;
    if (wide && calculate_ramp(k, sign, a, b, type, &result))
        return result;
    const char *text = kc_textf(k->module, "%s %c %s", kc_text(k, a, wide), sign, kc_text(k, b, wide));
    return kc_made(k, wide, kc_common(a, b), type, text);
}

struct kc_leaf kc_call(struct kc_emit *k, const char *function, const struct kc_leaf *arguments, int count,
                       char type)
{
    bool wide = false;
    struct kc_leaf all = arguments[0];
    for (int i = 0; i < count; i++) {
        wide = wide || arguments[i].wide;
        all.span = kc_common(all, arguments[i]);
    }
    struct kc_leaf result;
    if (wide && bound_ramp(k, function, arguments, count, &result))
        return result;
    const char *list = "";
    for (int i = 0; i < count; i++)
        list = kc_textf(k->module, "%s%s%s", list, i ? ", " : "", kc_text(k, arguments[i], wide));
    const char *text = kc_textf(k->module, "%c_%s(%s)", wide ? 'v' : 'u', function, list);
    return kc_made(k, wide, all.span, type, text);
}

/* ---- Conditions ---- */

/* Whether the fast form can still give up here. */
static bool may_give_up(const struct kc_emit *k)
{
    bool may = k->fast && !k->wrote;
    for (const struct kc_region *at = k->region; at; at = at->outer)
        may = may && !(at->loop && at->loop->writes);
    return may;
}

struct kc_leaf kc_decide(struct kc_emit *k, struct kc_leaf condition)
{
    if (!condition.wide || !condition.all || !may_give_up(k))
        return condition;
    k->gives_up = true;
    kc_line(k, "if (__builtin_expect(!(%s | %s), 0)) goto plain;", condition.all, condition.none);
    return (struct kc_leaf){.type = 'b', .text = condition.all};
}

/* Both have the same bounds, or none: there is no number that stands for none and could be moved. */
static struct kc_leaf choose_ramp(struct kc_emit *k, struct kc_leaf condition, struct kc_leaf a,
                                  struct kc_leaf b)
{
    const struct kc_module *m = k->module;
    const char *c = condition.text;
    a.span = kc_common(a, b);
    return kc_ramp(k, kc_common(condition, a), a.type, a.stride,
                   kc_textf(m, "%s ? (int)%s : (int)%s", c, a.base, b.base),
                   a.low == b.low ? a.low : kc_textf(m, "%s ? %s : %s", c, a.low, b.low),
                   a.high == b.high ? a.high : kc_textf(m, "%s ? %s : %s", c, a.high, b.high));
}

struct kc_leaf kc_choose(struct kc_emit *k, struct kc_leaf condition, struct kc_leaf a, struct kc_leaf b)
{
    condition = kc_decide(k, condition);
    int literal;
    if (kc_literal(condition, &literal))
        return literal ? a : b;
    bool wide = condition.wide || a.wide || b.wide;
    struct kc_leaf ra, rb;
    if (wide && !condition.wide && kc_ramp_of(a, &ra) && kc_ramp_of(b, &rb) && kc_kind(ra) == kc_kind(rb))
        return choose_ramp(k, condition, ra, rb);
    const char *ta = kc_text(k, a, wide), *tb = kc_text(k, b, wide);
    const char *text = condition.wide ? kc_textf(k->module, "sel%s(%s, %s, %s)", kc_c_type(true, a.type),
                                                 condition.text, ta, tb)
                                      : kc_textf(k->module, "%s ? %s : %s", condition.text, ta, tb);
    a.span = kc_common(a, b);
    return kc_made(k, wide, kc_common(condition, a), a.type, text);
}

/* The number in the first or the last lane, the lesser or the greater of both. */
static const char *end_of(struct kc_emit *k, struct kc_leaf ramp, bool greater)
{
    const char *end = (ramp.stride > 0) == greater && ramp.stride
                          ? kc_textf(k->module, "(%s + %d * (LANES - 1))", kc_first(k, ramp), ramp.stride)
                          : kc_first(k, ramp);
    return is_bounded(ramp) ? kc_textf(k->module, "clamped(%s, %s, %s)", end, ramp.low, ramp.high) : end;
}

/* A test of scalars under which a comparison holds for all lanes, by the ends of both sides. */
static const char *for_all(struct kc_emit *k, const char *sign, const char *const a[2],
                           const char *const b[2])
{
    const struct kc_module *m = k->module;
    if (sign[0] == '<')
        return kc_textf(m, "%s %s %s", a[1], sign, b[0]);
    if (sign[0] == '>')
        return kc_textf(m, "%s %s %s", a[0], sign, b[1]);
    if (sign[0] == '!')
        return kc_textf(m, "(%s > %s) | (%s < %s)", a[0], b[1], a[1], b[0]);
    return kc_textf(m, "(%s == %s) & (%s == %s)", a[0], b[1], a[1], b[0]);
}

static const char *opposite(const char *sign)
{
    static const char *const pairs[][2] = {{"<", ">="}, {">", "<="}, {"==", "!="}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            if (strcmp(sign, pairs[i][j]) == 0)
                return pairs[i][1 - j];
    return sign;
}

static const char *test(struct kc_emit *k, const char *text)
{
    return kc_temporary(k, false, 'b', text).text;
}

/* What is known of a comparison of ramps; one without signs only as a place from 0 on, within a size. */
static void compare_ramps(struct kc_emit *k, const char *sign, struct kc_leaf a, struct kc_leaf b,
                          struct kc_leaf *result)
{
    const struct kc_module *m = k->module;
    struct kc_leaf ra, rb;
    bool is_unsigned = a.type == 'u';
    if (!k->fast || !kc_ramp_of(a, &ra) || !kc_ramp_of(b, &rb) ||
        (is_unsigned && (strcmp(sign, "<") != 0 || rb.stride)))
        return;
    const char *ends_a[2] = {end_of(k, ra, false), end_of(k, ra, true)};
    const char *ends_b[2] = {end_of(k, rb, false), end_of(k, rb, true)};
    if (is_unsigned) {
        result->all =
            test(k, kc_textf(m, "(%s >= 0) & ((uint32_t)%s < (uint32_t)%s)", ends_a[0], ends_a[1], rb.base));
        result->none =
            test(k, kc_textf(m, "(%s >= 0) & ((uint32_t)%s >= (uint32_t)%s)", ends_a[0], ends_a[0], rb.base));
    } else {
        result->all = test(k, for_all(k, sign, ends_a, ends_b));
        result->none = test(k, for_all(k, opposite(sign), ends_a, ends_b));
    }
}

static bool holds(const char *sign, int a, int b)
{
    bool less = a < b, equal = a == b;
    return sign[0] == '<'   ? less || (equal && sign[1])
           : sign[0] == '>' ? !less && (!equal || sign[1])
                            : equal == (sign[0] == '=');
}

/*
 * A comparison of ramps that are known before the row is decided then: the fast form then runs the longer
 * stretch of the row in which all lanes agree.
 */
static bool decide_for_row(struct kc_emit *k, const char *sign, struct kc_leaf a, struct kc_leaf b,
                           struct kc_leaf *result)
{
    const struct kc_module *m = k->module;
    struct kc_leaf ra, rb;
    if (!k->fast || !kc_ramp_of(a, &ra) || !kc_ramp_of(b, &rb) || is_bounded(ra) || is_bounded(rb) ||
        !is_near(ra) || !is_near(rb) ||
        (a.type == 'u' && (strcmp(sign, "<") != 0 || rb.stride || ra.stride != 1)))
        return false;
    int stride = ra.stride - rb.stride;
    const char *difference = kc_textf(m, "(int)%s - (int)%s", ra.base, rb.base);
    if (stride == 0 && strcmp(ra.base, rb.base) == 0) {
        *result = kc_literal_of(k, 'b', holds(sign, 0, 0));
        return true;
    }
    if (stride == 0) {
        *result = kc_number_of(k, &kc_row, 'b', kc_textf(m, "%s %s 0", difference, sign));
        return true;
    }
    bool falls = sign[0] == '>', equal = sign[0] == '=' || sign[0] == '!';
    const char *name = kc_number(k, "r");
    kc_row_line(k, kc_textf(m, "int %s = 0;", name));
    const char *call = a.type == 'u' ? kc_textf(m, "place_for_row(&from, &to, %s, (int)%s)", ra.base, rb.base)
                       : equal
                           ? kc_textf(m, "%sequal_for_row(&from, &to, %d, %s)", sign[0] == '!' ? "!" : "",
                                      stride, difference)
                           : kc_textf(m, "less_for_row(&from, &to, %d, %s(%s) - %d)",
                                      falls ? -stride : stride, falls ? "-" : "", difference, sign[1] == '=');
    kc_row_line(k, kc_textf(m, "if (%s) %s = %s;", k->when, name, call));
    *result = kc_uniform('b', name);
    return true;
}

struct kc_leaf kc_compare(struct kc_emit *k, const char *sign, struct kc_leaf a, struct kc_leaf b)
{
    static const char *const words[][2] = {{"<", "lt"},  {"<=", "le"}, {">", "gt"},
                                           {">=", "ge"}, {"==", "eq"}, {"!=", "ne"}};
    const struct kc_module *m = k->module;
    int x, y;
    if (are_literals(a, b, &x, &y) && (a.type == 'i' || (x >= 0 && y >= 0)))
        return kc_literal_of(k, 'b', holds(sign, x, y));
    if (!a.wide && !b.wide)
        return kc_number_of(k, kc_common(a, b), 'b', kc_textf(m, "%s %s %s", a.text, sign, b.text));
    struct kc_leaf result;
    if (decide_for_row(k, sign, a, b, &result))
        return result;
    const char *word = "eq";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word = strcmp(sign, words[i][0]) == 0 ? words[i][1] : word;
    result = kc_temporary(
        k, true, 'b',
        kc_textf(m, "%s%s(%s, %s)", word, kc_c_type(true, a.type), kc_wide(k, a), kc_wide(k, b)));
    compare_ramps(k, sign, a, b, &result);
    return result;
}

/* A test under which all lanes, or none, say yes; NULL: there is none. */
static const char *scalar_test(struct kc_emit *k, struct kc_leaf x, bool all)
{
    if (!x.wide)
        return all ? x.text : kc_textf(k->module, "(!%s)", x.text);
    return all ? x.all : x.none;
}

struct kc_leaf kc_logic(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b)
{
    bool wide = a.wide || b.wide;
    const struct kc_module *m = k->module;
    int literal;
    if ((sign == '&' || sign == '|') && kc_literal(a, &literal))
        return (literal != 0) == (sign == '&') ? b : a;
    if ((sign == '&' || sign == '|') && kc_literal(b, &literal))
        return (literal != 0) == (sign == '&') ? a : b;
    const char *word = sign == '&' ? "and" : sign == '|' ? "or" : sign == '^' ? "xor" : "same";
    if (!wide)
        return kc_number_of(k, kc_common(a, b), 'b',
                            sign == '=' ? kc_textf(m, "!(%s ^ %s)", a.text, b.text)
                                        : kc_textf(m, "%s %c %s", a.text, sign, b.text));
    struct kc_leaf result =
        kc_temporary(k, true, 'b', kc_textf(m, "m_%s(%s, %s)", word, kc_wide(k, a), kc_wide(k, b)));
    const char *all_a = scalar_test(k, a, true), *none_a = scalar_test(k, a, false);
    const char *all_b = scalar_test(k, b, true), *none_b = scalar_test(k, b, false);
    if ((sign != '&' && sign != '|') || !all_a || !all_b)
        return result;
    result.all = test(k, kc_textf(m, "%s %c %s", all_a, sign, all_b));
    result.none = test(k, kc_textf(m, "%s %c %s", none_a, sign == '&' ? '|' : '&', none_b));
    return result;
}

struct kc_leaf kc_not(struct kc_emit *k, struct kc_leaf a)
{
    int literal;
    if (kc_literal(a, &literal))
        return kc_literal_of(k, 'b', !literal);
    if (!a.wide)
        return kc_number_of(k, a.span, 'b', kc_textf(k->module, "!%s", a.text));
    struct kc_leaf result = kc_temporary(k, true, 'b', kc_textf(k->module, "m_not(%s)", a.text));
    result.all = a.none;
    result.none = a.all;
    return result;
}
