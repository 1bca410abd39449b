/* Finds loops that count from one number to another: they are left as they are, so that compilers unroll them
 * as in kernels that are part of the program. */
#include <string.h>

#include "lua/glsl/glsl_private.h"

/* Counters stay far from the greatest integer, where they would wrap around. */
enum { FARTHEST = 1 << 20 };

/* A counter: its start, its end, and its step. */
struct counter {
    struct oro_glsl_word name;
    long from, to, step;
    char compare[3];
};

static bool is_name(const struct oro_glsl *g, int i, struct oro_glsl_word name)
{
    return oro_glsl_is_kind(g, i, ORO_GLSL_NAME) && oro_glsl_same(oro_glsl_word_of(&g->tokens[i]), name);
}

/* Reads a whole number, with or without a sign, from the tokens `first` to before `end`. */
static bool take_number(const struct oro_glsl *g, int first, int end, long *number)
{
    bool negative = oro_glsl_is(g, first, "-");
    *number = oro_glsl_constant(g, first + negative);
    if (first + negative + 1 != end || *number < 0 || *number > FARTHEST)
        return false;
    *number = negative ? -*number : *number;
    return true;
}

/* `int i = 0` */
static bool take_start(const struct oro_glsl *g, const struct oro_glsl_loop *loop, struct counter *counter)
{
    int i = loop->open + 1;
    if (!oro_glsl_is(g, i, "int") || !oro_glsl_is_kind(g, i + 1, ORO_GLSL_NAME) ||
        !oro_glsl_is(g, i + 2, "="))
        return false;
    counter->name = oro_glsl_word_of(&g->tokens[i + 1]);
    return take_number(g, i + 3, loop->first, &counter->from);
}

/* `i < 8` */
static bool take_end(const struct oro_glsl *g, const struct oro_glsl_loop *loop, struct counter *counter)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    int i = loop->first + 1;
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++)
        if (oro_glsl_is(g, i + 1, signs[k]))
            memcpy(counter->compare, signs[k], strlen(signs[k]) + 1);
    return counter->compare[0] && is_name(g, i, counter->name) &&
           take_number(g, i + 2, loop->second, &counter->to);
}

/* `i++`, `--i`, `i += 2` */
static bool take_step(const struct oro_glsl *g, const struct oro_glsl_loop *loop, struct counter *counter)
{
    int i = loop->second + 1;
    bool before = !oro_glsl_is_kind(g, i, ORO_GLSL_NAME);
    int sign = before ? i : i + 1;
    if (!is_name(g, before ? i + 1 : i, counter->name))
        return false;
    if (loop->close == i + 2 && (oro_glsl_is(g, sign, "++") || oro_glsl_is(g, sign, "--"))) {
        counter->step = oro_glsl_is(g, sign, "++") ? 1 : -1;
        return true;
    }
    bool down = oro_glsl_is(g, sign, "-=");
    if (before || (!down && !oro_glsl_is(g, sign, "+=")) ||
        !take_number(g, sign + 1, loop->close, &counter->step))
        return false;
    counter->step = down ? -counter->step : counter->step;
    return true;
}

static bool goes_on(const struct counter *counter, long long at)
{
    bool equal = at == counter->to && counter->compare[1];
    return equal || (counter->compare[0] == '<' ? at < counter->to : at > counter->to);
}

int oro_glsl_bracket_around(const struct oro_glsl *g, int i)
{
    for (i--; i >= 0 && !(g->tokens[i].pair > i); i--)
        if (g->tokens[i].pair >= 0)
            i = g->tokens[i].pair;
    return i;
}

static bool call_writes(const struct oro_glsl *g, struct oro_glsl_word name)
{
    for (int i = 0; i < g->function_count; i++)
        if (g->functions[i].writes && oro_glsl_same(g->functions[i].name, name))
            return true;
    return oro_glsl_known_writes(name);
}

/* Whether the name at `i` may be written to or declared again. Parentheses around it make no difference. */
static bool is_written(const struct oro_glsl *g, int i)
{
    int first = i - 1, last = i + 1;
    while (oro_glsl_is(g, first, "(") && oro_glsl_is(g, last, ")") &&
           !oro_glsl_is_kind(g, first - 1, ORO_GLSL_NAME)) {
        first--;
        last++;
    }
    if (first < 0 || oro_glsl_assigns(&g->tokens[last]) || oro_glsl_is(g, first, "++") ||
        oro_glsl_is(g, first, "--"))
        return true;
    if (g->tokens[first].kind == ORO_GLSL_NAME && !oro_glsl_is(g, first, "return"))
        return true;
    int open = oro_glsl_bracket_around(g, i);
    while (open > 0 && oro_glsl_is(g, open, "(") && !oro_glsl_is_kind(g, open - 1, ORO_GLSL_NAME))
        open = oro_glsl_bracket_around(g, open);
    return open > 0 && oro_glsl_is(g, open, "(") && call_writes(g, oro_glsl_word_of(&g->tokens[open - 1]));
}

static bool stays(const struct oro_glsl *g, const struct oro_glsl_loop *loop, struct oro_glsl_word name)
{
    for (int i = 0; i < g->macro_token_count; i++)
        if (oro_glsl_same(oro_glsl_word_of(&g->macro_tokens[i]), name))
            return false;
    for (int i = loop->body; i < loop->end; i++)
        if (is_name(g, i, name) && !oro_glsl_is(g, i - 1, ".") && is_written(g, i))
            return false;
    return !oro_glsl_find_macro(g, name);
}

int oro_glsl_turns(const struct oro_glsl *g, const struct oro_glsl_loop *loop)
{
    struct counter counter = {0};
    if (!take_start(g, loop, &counter) || !take_end(g, loop, &counter) || !take_step(g, loop, &counter) ||
        !stays(g, loop, counter.name))
        return 0;
    int turns = 0;
    for (long long at = counter.from; turns <= ORO_GLSL_TURNS_MAX && goes_on(&counter, at);
         at += counter.step)
        turns++;
    return turns > ORO_GLSL_TURNS_MAX ? 0 : turns > 0 ? turns : 1;
}
