/* Leaves: single numbers, uniform or wide, and what is known of whole numbers in lanes. */
#include <string.h>

#include "devices/processor/compiler/emit.h"

struct kc_leaf kc_uniform(char type, const char *text)
{
    return (struct kc_leaf){.type = type, .text = text};
}

struct kc_leaf kc_temporary(struct kc_emit *k, bool wide, char type, const char *text)
{
    const char *name = kc_number(k, "t");
    kc_line(k, "const %s %s = %s;", kc_c_type(wide, type), name, text);
    return (struct kc_leaf){.wide = wide, .type = type, .text = name};
}

static bool is_word(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

static const char *named(struct kc_emit *k, const char *text)
{
    return is_word(text) ? text : kc_temporary(k, false, 'i', text).text;
}

struct kc_leaf kc_linear(struct kc_emit *k, struct kc_leaf leaf, int stride, const char *base, const char *so)
{
    if (!leaf.wide)
        return leaf;
    leaf.stride = stride;
    leaf.base = named(k, base);
    leaf.so = named(k, so);
    return leaf;
}

bool kc_linear_of(struct kc_leaf leaf, int *stride, const char **base, const char **so)
{
    *stride = leaf.wide ? leaf.stride : 0;
    *base = leaf.wide ? leaf.base : leaf.text;
    *so = leaf.wide ? leaf.so : "1";
    return *so && (leaf.type == 'i' || leaf.type == 'u');
}

const char *kc_wide(struct kc_emit *k, struct kc_leaf leaf)
{
    return leaf.wide ? leaf.text : kc_textf(k->module, "%s_(%s)", kc_c_type(true, leaf.type), leaf.text);
}

const char *kc_both(struct kc_emit *k, const char *a, const char *b)
{
    if (strcmp(a, "1") == 0 || strcmp(a, b) == 0)
        return b;
    return strcmp(b, "1") == 0 ? a : kc_textf(k->module, "%s && %s", a, b);
}

struct kc_leaf kc_cast(struct kc_emit *k, struct kc_leaf leaf, char type)
{
    if (leaf.type == type)
        return leaf;
    struct kc_leaf cast = leaf;
    cast.type = type;
    if (leaf.wide)
        cast.text = kc_textf(k->module, "((%s)%s)", kc_c_type(true, type), leaf.text);
    else if (type == 'f')
        return kc_temporary(k, false, 'f', kc_textf(k->module, "as_float((uint32_t)%s)", leaf.text));
    else if (leaf.type == 'f')
        cast.text = kc_textf(k->module, "((%s)as_bits(%s))", kc_c_type(false, type), leaf.text);
    else
        cast.text = kc_textf(k->module, "((%s)%s)", kc_c_type(false, type), leaf.text);
    if (leaf.type == 'f' || type == 'f')
        cast.so = NULL;
    return cast;
}

struct kc_leaf kc_int(struct kc_emit *k, struct kc_leaf leaf)
{
    return leaf.type == 'u' ? kc_cast(k, leaf, 'i') : leaf;
}

/* ---- Arithmetic ---- */

static bool is(struct kc_leaf leaf, const char *number)
{
    return !leaf.wide && (strcmp(leaf.text, number) == 0 ||
                          (leaf.type == 'u' && leaf.text[0] == number[0] && strcmp(leaf.text + 1, "u") == 0));
}

/* Of a sum, difference or product of linear numbers. */
static struct kc_leaf keep_linear(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b,
                                  struct kc_leaf result)
{
    int sa, sb;
    const char *base_a, *base_b, *so_a, *so_b;
    if (!kc_linear_of(a, &sa, &base_a, &so_a) || !kc_linear_of(b, &sb, &base_b, &so_b))
        return result;
    int stride = sign == '+' ? sa + sb : sign == '-' ? sa - sb : 0;
    if (sign == '*' && is(b, "1"))
        return kc_linear(k, result, sa, base_a, so_a);
    if (sign == '*' && (sa || sb))
        return result;
    if ((sign != '+' && sign != '-' && sign != '*') || stride < -1 || stride > 1)
        return result;
    return kc_linear(k, result, stride, kc_textf(k->module, "(int)%s %c (int)%s", base_a, sign, base_b),
                     kc_both(k, so_a, so_b));
}

struct kc_leaf kc_arithmetic(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b, char type)
{
    if (sign == '+' && type != 'f' && is(b, "0"))
        return kc_cast(k, a, type);
    if (sign == '+' && type != 'f' && is(a, "0"))
        return kc_cast(k, b, type);
    bool wide = a.wide || b.wide;
    struct kc_leaf result = kc_temporary(
        k, wide, type,
        kc_textf(k->module, "%s %c %s", wide ? kc_wide(k, a) : a.text, sign, wide ? kc_wide(k, b) : b.text));
    return wide && type != 'f' ? keep_linear(k, sign, a, b, result) : result;
}

/* Of a number between bounds that are the same for all lanes, where all lanes lie within them, or all beyond
 * one. */
static struct kc_leaf keep_bounds(struct kc_emit *k, const char *function, const struct kc_leaf *x, int count,
                                  struct kc_leaf result)
{
    int stride[3];
    const char *base[3], *so[3];
    bool is_min = strcmp(function, "imin") == 0, is_max = strcmp(function, "imax") == 0, all_alike = true;
    for (int i = 0; i < count; i++) {
        if (!kc_linear_of(x[i], &stride[i], &base[i], &so[i]))
            return result;
        all_alike = all_alike && stride[i] == 0;
    }
    int lane = stride[0] ? 0 : 1; /* which of the arguments changes from lane to lane */
    const struct kc_module *m = k->module;
    if (all_alike) {
        const char *base_of_all = count == 3
                                      ? kc_textf(m, "u_%s(%s, %s, %s)", function, base[0], base[1], base[2])
                                      : kc_textf(m, "u_%s(%s, %s)", function, base[0], base[1]);
        const char *so_of_all = kc_both(k, so[0], so[1]);
        return kc_linear(k, result, 0, base_of_all, count == 3 ? kc_both(k, so_of_all, so[2]) : so_of_all);
    }
    if (count == 3) {
        if (stride[0] != 1 || stride[1] || stride[2])
            return result;
        const char *within =
            kc_textf(m, "%s >= (int)%s && %s + LANES - 1 <= (int)%s", base[0], base[1], base[0], base[2]);
        return kc_linear(k, result, 1, base[0],
                         kc_both(k, kc_both(k, so[0], kc_both(k, so[1], so[2])), within));
    }
    int other = 1 - lane;
    if (stride[other])
        return result;
    const char *both = kc_both(k, so[0], so[1]);
    if (stride[lane] == 1) {
        const char *within = is_max ? kc_textf(m, "%s >= (int)%s", base[lane], base[other])
                                    : kc_textf(m, "%s + LANES - 1 <= (int)%s", base[lane], base[other]);
        return is_min || is_max ? kc_linear(k, result, 1, base[lane], kc_both(k, both, within)) : result;
    }
    /* Falling from lane to lane: the bound, where it is beyond all of them. */
    const char *beyond = is_max ? kc_textf(m, "%s >= (int)%s", base[other], base[lane])
                                : kc_textf(m, "%s <= (int)%s - (LANES - 1)", base[other], base[lane]);
    return is_min || is_max ? kc_linear(k, result, 0, base[other], kc_both(k, both, beyond)) : result;
}

struct kc_leaf kc_call(struct kc_emit *k, const char *function, const struct kc_leaf *arguments, int count,
                       char type)
{
    bool wide = false;
    for (int i = 0; i < count; i++)
        wide = wide || arguments[i].wide;
    const char *list = "";
    for (int i = 0; i < count; i++)
        list = kc_textf(k->module, "%s%s%s", list, i ? ", " : "",
                        wide ? kc_wide(k, arguments[i]) : arguments[i].text);
    struct kc_leaf result =
        kc_temporary(k, wide, type, kc_textf(k->module, "%c_%s(%s)", wide ? 'v' : 'u', function, list));
    bool bounds =
        strcmp(function, "imin") == 0 || strcmp(function, "imax") == 0 || strcmp(function, "iclamp") == 0;
    if (wide && bounds)
        return keep_bounds(k, function, arguments, count, result);
    int stride;
    const char *base, *so;
    bool alike =
        wide && strcmp(function, "isign") == 0 && kc_linear_of(arguments[0], &stride, &base, &so) && !stride;
    return alike ? kc_linear(k, result, 0, kc_textf(k->module, "u_isign(%s)", base), so) : result;
}

/* ---- Conditions ---- */

static const char *choice(struct kc_emit *k, const char *condition, const char *a, const char *b)
{
    return strcmp(a, b) == 0 ? a : kc_textf(k->module, "%s ? (int)%s : (int)%s", condition, a, b);
}

struct kc_leaf kc_choose(struct kc_emit *k, struct kc_leaf condition, struct kc_leaf a, struct kc_leaf b)
{
    bool wide = condition.wide || a.wide || b.wide;
    const char *ta = wide ? kc_wide(k, a) : a.text, *tb = wide ? kc_wide(k, b) : b.text;
    const char *text = condition.wide ? kc_textf(k->module, "sel%s(%s, %s, %s)", kc_c_type(true, a.type),
                                                 condition.text, ta, tb)
                                      : kc_textf(k->module, "%s ? %s : %s", condition.text, ta, tb);
    struct kc_leaf result = kc_temporary(k, wide, a.type, text);
    int sa, sb;
    const char *base_a, *base_b, *so_a, *so_b;
    bool linear_a = kc_linear_of(a, &sa, &base_a, &so_a), linear_b = kc_linear_of(b, &sb, &base_b, &so_b);
    if (!wide || !linear_a)
        return result;
    if (!condition.wide)
        return linear_b && sa == sb ? kc_linear(k, result, sa, choice(k, condition.text, base_a, base_b),
                                                choice(k, condition.text, so_a, so_b))
                                    : result;
    if (!condition.all)
        return result;
    if (linear_b && sa == sb)
        return kc_linear(
            k, result, sa, choice(k, condition.all, base_a, base_b),
            kc_textf(k->module, "(%s && %s) || (%s && %s)", condition.all, so_a, condition.none, so_b));
    return kc_linear(k, result, sa, base_a, kc_both(k, condition.all, so_a));
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

/* A test of scalars under which the comparison holds for all lanes. */
static const char *for_all(struct kc_emit *k, const char *sign, int sa, const char *a, int sb, const char *b)
{
    const struct kc_module *m = k->module;
    const char *last_a = sa ? kc_textf(m, "(int)%s + LANES - 1", a) : kc_textf(m, "(int)%s", a);
    const char *last_b = sb ? kc_textf(m, "(int)%s + LANES - 1", b) : kc_textf(m, "(int)%s", b);
    if (sign[0] == '<')
        return kc_textf(m, "%s %s (int)%s", last_a, sign, b);
    if (sign[0] == '>')
        return kc_textf(m, "(int)%s %s %s", a, sign, last_b);
    if (sign[0] == '!')
        return kc_textf(m, "((int)%s > %s || %s < (int)%s)", a, last_b, last_a, b);
    return kc_textf(m, "((int)%s == %s && %s == (int)%s)", a, last_b, last_a, b);
}

struct kc_leaf kc_compare(struct kc_emit *k, const char *sign, struct kc_leaf a, struct kc_leaf b)
{
    static const char *const words[][2] = {{"<", "lt"},  {"<=", "le"}, {">", "gt"},
                                           {">=", "ge"}, {"==", "eq"}, {"!=", "ne"}};
    const struct kc_module *m = k->module;
    if (!a.wide && !b.wide)
        return kc_temporary(k, false, 'b', kc_textf(m, "%s %s %s", a.text, sign, b.text));
    const char *word = "eq";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word = strcmp(sign, words[i][0]) == 0 ? words[i][1] : word;
    struct kc_leaf result = kc_temporary(
        k, true, 'b',
        kc_textf(m, "%s%s(%s, %s)", word, kc_c_type(true, a.type), kc_wide(k, a), kc_wide(k, b)));
    int sa, sb;
    const char *base_a, *base_b, *so_a, *so_b;
    bool linear =
        a.type != 'f' && kc_linear_of(a, &sa, &base_a, &so_a) && kc_linear_of(b, &sb, &base_b, &so_b);
    if (!linear || sa < 0 || sb < 0)
        return result;
    const char *so = kc_both(k, so_a, so_b);
    if (a.type == 'u') { /* a place from 0 on, within a size */
        if (strcmp(sign, "<") != 0 || sb)
            return result;
        so = kc_both(k, so, kc_textf(m, "(int)%s >= 0", base_a));
        const char *last = kc_textf(m, "(uint32_t)%s + %s", base_a, sa ? "LANES - 1" : "0");
        result.all =
            kc_temporary(k, false, 'b', kc_both(k, so, kc_textf(m, "%s < (uint32_t)%s", last, base_b))).text;
        result.none =
            kc_temporary(k, false, 'b',
                         kc_both(k, so, kc_textf(m, "(uint32_t)%s >= (uint32_t)%s", base_a, base_b)))
                .text;
        return result;
    }
    result.all = kc_temporary(k, false, 'b', kc_both(k, so, for_all(k, sign, sa, base_a, sb, base_b))).text;
    result.none =
        kc_temporary(k, false, 'b', kc_both(k, so, for_all(k, opposite(sign), sa, base_a, sb, base_b))).text;
    return result;
}

/* A test under which all lanes, or none, say yes; NULL: there is none. */
static const char *scalar_test(struct kc_emit *k, struct kc_leaf x, bool all)
{
    if (!x.wide)
        return all ? x.text : kc_textf(k->module, "!%s", x.text);
    return all ? x.all : x.none;
}

struct kc_leaf kc_logic(struct kc_emit *k, char sign, struct kc_leaf a, struct kc_leaf b)
{
    bool wide = a.wide || b.wide;
    const char *word = sign == '&' ? "and" : sign == '|' ? "or" : sign == '^' ? "xor" : "same";
    if (!wide)
        return kc_temporary(k, false, 'b',
                            sign == '=' ? kc_textf(k->module, "!(%s ^ %s)", a.text, b.text)
                                        : kc_textf(k->module, "%s %c %s", a.text, sign, b.text));
    struct kc_leaf result =
        kc_temporary(k, true, 'b', kc_textf(k->module, "m_%s(%s, %s)", word, kc_wide(k, a), kc_wide(k, b)));
    const char *all_a = scalar_test(k, a, true), *none_a = scalar_test(k, a, false);
    const char *all_b = scalar_test(k, b, true), *none_b = scalar_test(k, b, false);
    if ((sign != '&' && sign != '|') || !all_a || !all_b)
        return result;
    const char *both = sign == '&' ? all_a : none_a, *with = sign == '&' ? all_b : none_b;
    const char *one = sign == '&' ? none_a : all_a, *or_other = sign == '&' ? none_b : all_b;
    const char *of_both = kc_temporary(k, false, 'b', kc_textf(k->module, "%s & %s", both, with)).text;
    const char *of_one = kc_temporary(k, false, 'b', kc_textf(k->module, "%s | %s", one, or_other)).text;
    result.all = sign == '&' ? of_both : of_one;
    result.none = sign == '&' ? of_one : of_both;
    return result;
}

struct kc_leaf kc_not(struct kc_emit *k, struct kc_leaf a)
{
    struct kc_leaf result =
        kc_temporary(k, a.wide, 'b', kc_textf(k->module, a.wide ? "m_not(%s)" : "!%s", a.text));
    result.all = a.none;
    result.none = a.all;
    return result;
}
