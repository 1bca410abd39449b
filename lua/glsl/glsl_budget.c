/* Goes through the statements, counts the turns of loops, and lets loops take from the budget. Counts all
 * branches of #if. */
#include <string.h>

#include "lua/glsl/glsl_private.h"

/* Software drivers silently end all loops of a cell once these have taken 65535 turns together. */
_Static_assert((int)ORO_GLSL_BUDGET + (int)ORO_GLSL_COUNTED_MAX < 65535, "the budget is spent before that");

struct walk {
    struct oro_glsl *g;
    int depth; /* of statements */
    int calls; /* within each other */
};

static bool measure_function(struct walk *w, struct oro_glsl_function *function);
static bool statement(struct walk *w, int *at, double *turns);

/* Checks turns as they are added: so numbers stay small, and the line reported is where they become too
 * many. */
static bool check_turns(struct walk *w, double turns, int line)
{
    return turns <= ORO_GLSL_COUNTED_MAX ||
           oro_glsl_refuse(w->g, line, "the counted loops up to here take more than %d turns in one cell",
                           ORO_GLSL_COUNTED_MAX);
}

/* ---- Expressions ---- */

/* The turns of the function with that name and number of parameters that takes most: which of them is called
 * depends on types. */
static bool own_call(struct walk *w, int name, double *most, bool *found)
{
    struct oro_glsl *g = w->g;
    struct oro_glsl_word word = oro_glsl_word_of(&g->tokens[name]);
    int count = oro_glsl_arguments(g, name + 1);
    *most = 0;
    *found = false;
    for (int i = 0; i < g->function_count; i++) {
        struct oro_glsl_function *function = &g->functions[i];
        if (!oro_glsl_same(function->name, word) || function->arguments != count)
            continue;
        if (function->state == ORO_GLSL_MEASURING)
            return oro_glsl_refuse(g, g->tokens[name].line,
                                   "'%.*s' calls itself, or another '%.*s' with as many parameters",
                                   word.length, word.at, word.length, word.at);
        if (!measure_function(w, function))
            return false;
        *most = function->turns > *most ? function->turns : *most;
        *found = true;
    }
    return true;
}

static bool call(struct walk *w, int name, double *turns)
{
    bool found;
    double most;
    struct oro_glsl_word word = oro_glsl_word_of(&w->g->tokens[name]);
    if (!own_call(w, name, &most, &found))
        return false;
    if (!found)
        most = oro_glsl_known_turns(word);
    *turns += most;
    return check_turns(w, *turns, w->g->tokens[name].line);
}

/* Takes the tokens from `first` to before `end`. */
static bool expression(struct walk *w, int first, int end, double *turns)
{
    struct oro_glsl *g = w->g;
    for (int i = first; i < end; i++) {
        const struct oro_glsl_token *token = &g->tokens[i];
        struct oro_glsl_word word = oro_glsl_word_of(token);
        bool jump = oro_glsl_equals(word, "return") || oro_glsl_equals(word, "break") ||
                    oro_glsl_equals(word, "continue");
        if (oro_glsl_is(g, i, "{") || oro_glsl_is(g, i, "}") || (oro_glsl_is_statement(word) && !jump))
            return oro_glsl_refuse(g, token->line, "'%.*s' has no place there", word.length, word.at);
        bool called =
            token->kind == ORO_GLSL_NAME && oro_glsl_is(g, i + 1, "(") && !oro_glsl_is(g, i - 1, ".");
        if (called && !jump && !call(w, i, turns))
            return false;
    }
    return true;
}

/* ---- Statements ---- */

/* The next ';' outside of brackets, from `at` on; -1: there is none before `end`. */
static int semicolon(const struct oro_glsl *g, int at, int end)
{
    for (; at < end; at++) {
        if (oro_glsl_is(g, at, ";"))
            return at;
        if (g->tokens[at].pair > at && !oro_glsl_is(g, at, "{"))
            at = g->tokens[at].pair;
    }
    return -1;
}

static bool plain_statement(struct walk *w, int *at, double *turns)
{
    struct oro_glsl *g = w->g;
    int first = *at, end = semicolon(g, first, g->count);
    if (end < 0)
        return oro_glsl_refuse(g, g->tokens[first].line, "';' is missing");
    *at = end + 1;
    return expression(w, first, end, turns);
}

static bool block(struct walk *w, int *at, double *turns)
{
    int end = w->g->tokens[*at].pair;
    for (++*at; *at < end;)
        if (!statement(w, at, turns))
            return false;
    *at = end + 1;
    return true;
}

/* A directive must not divide a statement. */
static bool check_whole(struct walk *w, int at)
{
    const struct oro_glsl_token *token = &w->g->tokens[at];
    return !token->fresh || oro_glsl_refuse(w->g, token->line,
                                            "a line with '#' stands between statements, not "
                                            "before '%.*s'",
                                            token->length, token->at);
}

/* Takes the word at `*at` and what stands in parentheses behind it. */
static bool header(struct walk *w, int *at, double *turns)
{
    struct oro_glsl *g = w->g;
    const struct oro_glsl_token *token = &g->tokens[*at];
    int open = *at + 1;
    if (!oro_glsl_is(g, open, "("))
        return oro_glsl_refuse(g, token->line, "'(' is expected after '%.*s'", token->length, token->at);
    *at = g->tokens[open].pair + 1;
    return expression(w, open, *at, turns);
}

/* Also of `switch`, which has no `else`. */
static bool if_statement(struct walk *w, int *at, double *turns)
{
    for (;;) {
        if (!header(w, at, turns) || !statement(w, at, turns))
            return false;
        if (!oro_glsl_is(w->g, *at, "else"))
            return true;
        if (!check_whole(w, *at))
            return false;
        ++*at;
        if (!oro_glsl_is(w->g, *at, "if"))
            return statement(w, at, turns);
    }
}

/* `case 1:`, `default:` */
static bool label(struct walk *w, int *at, double *turns)
{
    int first = *at, end = first + 1;
    while (end < w->g->count && !oro_glsl_is(w->g, end, ":") && !oro_glsl_is(w->g, end, ";"))
        end++;
    if (!oro_glsl_is(w->g, end, ":"))
        return oro_glsl_refuse(w->g, w->g->tokens[first].line, "':' is missing");
    *at = end + 1;
    return expression(w, first + 1, end, turns);
}

/* ---- Loops ---- */

static bool check_condition(struct walk *w, int first)
{
    struct oro_glsl_word word = oro_glsl_word_of(&w->g->tokens[first]);
    if (oro_glsl_is_qualifier(word) ||
        (oro_glsl_is_type(word) && oro_glsl_is_kind(w->g, first + 1, ORO_GLSL_NAME)))
        return oro_glsl_refuse(w->g, w->g->tokens[first].line,
                               "the condition of a loop declares no variable");
    return true;
}

/* Makes a loop take from the budget: joins its condition, between the tokens `first` and `last`, with that.
 * `turn`: the turns of the loops in it. Its own turns are not known, so they are counted once, and once more
 * for its end: the budget limits the rest. */
static bool guard(struct walk *w, double turn, int line, int first, int last, double *turns)
{
    struct oro_glsl *g = w->g;
    bool empty = last == first + 1;
    g->budget = true;
    g->tokens[first].after =
        oro_arena_textf(g->arena, "oro_step(%.0f, %d)%s", 1 + turn, line, empty ? "" : " && (");
    g->tokens[last].before = empty ? "" : ")";
    *turns += turn + 2;
    return g->tokens[first].after ? check_turns(w, *turns, line) : oro_glsl_no_memory(g);
}

static bool find_header(struct walk *w, int at, struct oro_glsl_loop *loop)
{
    struct oro_glsl *g = w->g;
    loop->open = at + 1;
    if (!oro_glsl_is(g, loop->open, "("))
        return oro_glsl_refuse(g, g->tokens[at].line, "'(' is expected after 'for'");
    loop->close = g->tokens[loop->open].pair;
    loop->first = semicolon(g, loop->open + 1, loop->close);
    loop->second = loop->first < 0 ? -1 : semicolon(g, loop->first + 1, loop->close);
    if (loop->second < 0 || semicolon(g, loop->second + 1, loop->close) >= 0)
        return oro_glsl_refuse(g, g->tokens[at].line, "a 'for' has two ';' in its parentheses");
    return check_condition(w, loop->first + 1);
}

static bool for_statement(struct walk *w, int *at, double *turns)
{
    struct oro_glsl *g = w->g;
    struct oro_glsl_loop loop = {0};
    double turn = 0;
    int line = g->tokens[*at].line;
    if (!find_header(w, *at, &loop) || !expression(w, loop.open, loop.first, turns) ||
        !expression(w, loop.first, loop.close, &turn))
        return false;
    loop.body = *at = loop.close + 1;
    if (!statement(w, at, &turn))
        return false;
    loop.end = *at;
    double counted = oro_glsl_turns(g, &loop) * (turn + 1);
    if (counted == 0 || counted >= ORO_GLSL_COUNTED_MAX)
        return guard(w, turn, line, loop.first, loop.second, turns);
    *turns += counted + 1;
    return check_turns(w, *turns, line);
}

static bool while_statement(struct walk *w, int *at, double *turns)
{
    struct oro_glsl *g = w->g;
    double turn = 0;
    int open = *at + 1, line = g->tokens[*at].line;
    if (!header(w, at, &turn) || !check_condition(w, open + 1))
        return false;
    int close = g->tokens[open].pair;
    if (close == open + 1)
        return oro_glsl_refuse(g, line, "'while' has no condition");
    return statement(w, at, &turn) && guard(w, turn, line, open, close, turns);
}

static bool do_statement(struct walk *w, int *at, double *turns)
{
    struct oro_glsl *g = w->g;
    double turn = 0;
    int line = g->tokens[(*at)++].line;
    if (!statement(w, at, &turn))
        return false;
    if (!oro_glsl_is(g, *at, "while"))
        return oro_glsl_refuse(g, line, "'while' is missing after 'do'");
    int open = *at + 1;
    if (!check_whole(w, *at) || !header(w, at, &turn) || !check_condition(w, open + 1))
        return false;
    int close = g->tokens[open].pair;
    if (close == open + 1 || !oro_glsl_is(g, *at, ";"))
        return oro_glsl_refuse(g, g->tokens[open].line, "'while (CONDITION);' is expected after 'do'");
    ++*at;
    return guard(w, turn, line, open, close, turns);
}

/* ---- All of it ---- */

static bool any_statement(struct walk *w, int *at, double *turns)
{
    static const struct {
        const char *word;
        bool (*take)(struct walk *w, int *at, double *turns);
    } kinds[] = {{"{", block},           {"if", if_statement},      {"switch", if_statement},
                 {"for", for_statement}, {"do", do_statement},      {"case", label},
                 {"default", label},     {"while", while_statement}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (oro_glsl_is(w->g, *at, kinds[i].word))
            return kinds[i].take(w, at, turns);
    return plain_statement(w, at, turns);
}

static bool statement(struct walk *w, int *at, double *turns)
{
    if (++w->depth > ORO_GLSL_DEPTH_MAX)
        return oro_glsl_refuse(w->g, w->g->tokens[*at].line, "statements are nested deeper than %d",
                               ORO_GLSL_DEPTH_MAX);
    bool ok = any_statement(w, at, turns);
    w->depth--;
    return ok;
}

static bool measure_function(struct walk *w, struct oro_glsl_function *function)
{
    struct oro_glsl *g = w->g;
    if (function->state == ORO_GLSL_MEASURED)
        return true;
    if (w->calls == ORO_GLSL_DEPTH_MAX)
        return oro_glsl_refuse(g, function->line, "functions call each other deeper than %d",
                               ORO_GLSL_DEPTH_MAX);
    struct walk inside = {g, 0, w->calls + 1};
    int at = function->body, open = function->token + 1;
    function->state = ORO_GLSL_MEASURING;
    if (!expression(&inside, open, g->tokens[open].pair + 1, &function->turns))
        return false;
    if (at >= 0 && !statement(&inside, &at, &function->turns))
        return false;
    function->state = ORO_GLSL_MEASURED;
    return true;
}

static struct oro_glsl_function *function_at(struct oro_glsl *g, int token)
{
    for (int i = 0; i < g->function_count; i++)
        if (g->functions[i].token == token)
            return &g->functions[i];
    return NULL;
}

/* Reads what stands outside of functions: a function, or a declaration. */
static bool outside(struct walk *w, int *at)
{
    struct oro_glsl *g = w->g;
    double turns = 0;
    int type = *at;
    if (oro_glsl_is(g, type, ";")) {
        ++*at;
        return true;
    }
    while (oro_glsl_is(g, type, "const") || oro_glsl_is(g, type, "highp") ||
           oro_glsl_is(g, type, "mediump") || oro_glsl_is(g, type, "lowp"))
        type++;
    if (!oro_glsl_is_kind(g, type, ORO_GLSL_NAME) || !oro_glsl_is_type(oro_glsl_word_of(&g->tokens[type])))
        return oro_glsl_refuse(g, g->tokens[*at].line,
                               "a function, a constant or a variable is expected, not '%.*s'",
                               g->tokens[*at].length, g->tokens[*at].at);
    struct oro_glsl_function *function = function_at(g, type + 1);
    if (!function)
        return plain_statement(w, at, &turns);
    int close = g->tokens[type + 2].pair;
    *at = function->body < 0 ? close + 2 : g->tokens[function->body].pair + 1;
    if (function->body < 0 && !oro_glsl_is(g, close + 1, ";"))
        return oro_glsl_refuse(g, g->tokens[close].line,
                               "'{' or ';' is expected after the parameters of a function");
    return measure_function(w, function);
}

bool oro_glsl_add_budget(struct oro_glsl *g)
{
    struct walk w = {.g = g};
    for (int at = 0; at < g->count;)
        if (!outside(&w, &at))
            return false;
    return true;
}
