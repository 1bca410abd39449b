/* Measures what statements cost, and adds the budget to loops. Counts all branches of #if. */
#include <string.h>

#include "lua/glsl/glsl_private.h"

/* What a turn of a loop costs by itself. Software drivers silently end all loops of a cell once these have
 * taken 65535 turns together. The cost of a turn is so high that the budget, with the counted loops on top,
 * is spent before that. */
enum { TURN = 300 };

/* What these operators add to the size, which stands for the work of compilers. */
enum { WHOLE_DIVISION = 128, WIDE_DIVISION = 256, MATRIX_PRODUCT = 64 };

struct walk {
    struct oro_glsl *g;
    int depth; /* of statements */
    int calls; /* within each other */
};

static bool measure_function(struct walk *w, struct oro_glsl_function *function);
static bool statement(struct walk *w, int *at, struct oro_glsl_cost *cost);

static double largest(double a, double b)
{
    return a > b ? a : b;
}

static void add(struct oro_glsl_cost *to, struct oro_glsl_cost more)
{
    to->work += more.work;
    to->size += more.size;
    to->room += more.room;
    to->steps += more.steps;
    to->loops += more.loops;
    to->indexed += more.indexed;
    to->deep = largest(to->deep, more.deep);
    to->turns = largest(to->turns, more.turns);
}

/* Checks costs as they are added, not at the end: so numbers stay small, and the line reported is where the
 * kernel becomes too much. */
static bool check_cost(struct walk *w, const struct oro_glsl_cost *cost, int line)
{
    if (cost->work > ORO_GLSL_WORK_MAX)
        return oro_glsl_refuse(w->g, line,
                               "the counted loops up to here do too much: more than %d words and signs "
                               "in one cell",
                               ORO_GLSL_WORK_MAX);
    if (cost->steps > ORO_GLSL_STEPS_MAX)
        return oro_glsl_refuse(w->g, line, "the counted loops up to here take more than %d turns in one cell",
                               ORO_GLSL_STEPS_MAX);
    if (cost->size > ORO_GLSL_SIZE_MAX)
        return oro_glsl_refuse(
            w->g, line,
            "with the functions that it calls, and with loops over arrays unrolled, this is longer "
            "than %d words and signs",
            ORO_GLSL_SIZE_MAX);
    if (cost->loops > ORO_GLSL_LOOPS_MAX || cost->deep > ORO_GLSL_DEEP_MAX)
        return oro_glsl_refuse(
            w->g, line,
            "with the functions that it calls this has more than %d loops, or more than %d within "
            "each other, that are not counted up to a number of at most %d",
            ORO_GLSL_LOOPS_MAX, ORO_GLSL_DEEP_MAX, ORO_GLSL_TURNS_MAX);
    if (cost->room > ORO_GLSL_ROOM_MAX)
        return oro_glsl_refuse(w->g, line,
                               "with the functions that it calls this has arrays of more than %d numbers",
                               ORO_GLSL_ROOM_MAX);
    return true;
}

/* ---- Expressions ---- */

static void take_largest(struct oro_glsl_cost *most, const struct oro_glsl_cost *cost)
{
    most->work = largest(most->work, cost->work);
    most->size = largest(most->size, cost->size);
    most->room = largest(most->room, cost->room);
    most->steps = largest(most->steps, cost->steps);
    most->loops = largest(most->loops, cost->loops);
    most->indexed = largest(most->indexed, cost->indexed);
    most->deep = largest(most->deep, cost->deep);
    most->turns = largest(most->turns, cost->turns);
}

/* The cost of the most expensive function with that name and number of parameters: which of them is called
 * depends on types. */
static bool own_call(struct walk *w, int name, struct oro_glsl_cost *cost, bool *found)
{
    struct oro_glsl *g = w->g;
    struct oro_glsl_word word = oro_glsl_word_of(&g->tokens[name]);
    int count = oro_glsl_arguments(g, name + 1);
    struct oro_glsl_cost most = {0};
    *found = false;
    for (int i = 0; i < g->function_count; i++) {
        struct oro_glsl_function *function = &g->functions[i];
        if (!oro_glsl_same(function->name, word) || function->arguments != count)
            continue;
        if (function->state == 1)
            return oro_glsl_refuse(g, g->tokens[name].line,
                                   "'%.*s' calls itself, or another '%.*s' with as many parameters",
                                   word.length, word.at, word.length, word.at);
        if (!measure_function(w, function))
            return false;
        take_largest(&most, &function->cost);
        *found = true;
    }
    add(cost, most);
    return true;
}

/* The engine's profile_NAME and gradient_NAME search the points, of which there are at most 32. */
static struct oro_glsl_cost engine_cost(struct oro_glsl_word name)
{
    bool searches =
        name.length > 8 && (strncmp(name.at, "profile_", 8) == 0 || strncmp(name.at, "gradient", 8) == 0);
    return (struct oro_glsl_cost){
        .work = searches ? 500 : 12, .size = searches ? 50 : 12, .steps = searches ? 33 : 0};
}

static bool call(struct walk *w, int name, struct oro_glsl_cost *cost)
{
    bool found;
    if (!own_call(w, name, cost, &found))
        return false;
    struct oro_glsl_word word = oro_glsl_word_of(&w->g->tokens[name]);
    const struct oro_glsl_known *known = oro_glsl_known(word);
    if (!found && known)
        add(cost, (struct oro_glsl_cost){.work = known->work, .size = known->size, .steps = known->steps});
    else if (!found && !oro_glsl_is_type(word))
        add(cost, engine_cost(word));
    return true;
}

static struct oro_glsl_cost macro_cost(const struct oro_glsl *g, struct oro_glsl_word name)
{
    struct oro_glsl_cost most = {0};
    for (int i = 0; i < g->macro_count; i++) {
        double sum = 0, size = 0, steps = 0;
        for (int k = 0; oro_glsl_same(g->macros[i].name, name) && k < g->macros[i].count; k++) {
            struct oro_glsl_word word = oro_glsl_word_of(&g->macro_tokens[g->macros[i].first + k]);
            const struct oro_glsl_known *known = oro_glsl_known(word);
            const char *sign = g->macro_tokens[g->macros[i].first + k].at;
            sum += 1 + (known ? known->work : 0);
            size += (known ? known->size : 0) + (*sign == '/' || *sign == '%' ? WIDE_DIVISION : 1);
            steps += known ? known->steps : 0;
        }
        most.work = largest(most.work, sum);
        most.size = largest(most.size, size);
        most.steps = largest(most.steps, steps);
    }
    return most;
}

/* A product of matrices is one token but much work. */
static bool is_product(const struct oro_glsl *g, int i)
{
    return oro_glsl_is(g, i, "*") || oro_glsl_is(g, i, "*=") || oro_glsl_is(g, i, "/") ||
           oro_glsl_is(g, i, "/=");
}

/* Whether a division is of whole numbers, as far as the text shows: processors have no vector instruction for
 * it, so compilers write each one out. */
static bool divides_whole(const struct oro_glsl *g, int i)
{
    if (g->tokens[i].kind != ORO_GLSL_SIGN || (*g->tokens[i].at != '/' && *g->tokens[i].at != '%'))
        return false;
    for (int k = i - 1; k <= i + 1; k += 2)
        if (oro_glsl_is_kind(g, k, ORO_GLSL_NUMBER) &&
            memchr(g->tokens[k].at, '.', (size_t)g->tokens[k].length))
            return false;
    return true;
}

static bool token_cost(struct walk *w, int i, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    double weight = g->matrices && is_product(g, i) ? 16 : 1,
           index = oro_glsl_is(g, i, "[") && g->tokens[i].after;
    double size = g->matrices && is_product(g, i) ? MATRIX_PRODUCT : 1;
    if (divides_whole(g, i))
        size = g->wide ? WIDE_DIVISION : WHOLE_DIVISION;
    add(cost,
        (struct oro_glsl_cost){.work = weight, .size = size, .room = g->tokens[i].room, .indexed = index});
    if (g->tokens[i].kind != ORO_GLSL_NAME || oro_glsl_is(g, i - 1, "."))
        return true;
    struct oro_glsl_word word = oro_glsl_word_of(&g->tokens[i]);
    bool jump = oro_glsl_equals(word, "return") || oro_glsl_equals(word, "break") ||
                oro_glsl_equals(word, "continue");
    if (oro_glsl_is_statement(word) && !jump)
        return oro_glsl_refuse(g, g->tokens[i].line, "'%.*s' has no place there", word.length, word.at);
    if (oro_glsl_is(g, i + 1, "(") && !oro_glsl_is_statement(word))
        return call(w, i, cost);
    if (g->macro_count)
        add(cost, macro_cost(g, word));
    return true;
}

/* Operators, for each of which compilers recurse once more. */
static bool is_operator(const struct oro_glsl *g, int i)
{
    static const char plain[] = ",;()[]{}.";
    if (g->tokens[i].kind != ORO_GLSL_SIGN)
        return false;
    for (const char *c = plain; *c; c++)
        if (g->tokens[i].length == 1 && *g->tokens[i].at == *c)
            return false;
    bool sign = oro_glsl_is_kind(g, i + 1, ORO_GLSL_NUMBER) &&
                (oro_glsl_is(g, i - 1, "(") || oro_glsl_is(g, i - 1, ","));
    return !sign;
}

/* Measures the tokens from `first` to before `end`. */
static bool expression(struct walk *w, int first, int end, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    int operators = 0;
    if (end - first > ORO_GLSL_STATEMENT_MAX)
        return oro_glsl_refuse(g, g->tokens[first].line, "a statement has more than %d words and signs",
                               ORO_GLSL_STATEMENT_MAX);
    for (int i = first; i < end; i++) {
        if (oro_glsl_is(g, i, "{") || oro_glsl_is(g, i, "}"))
            return oro_glsl_refuse(g, g->tokens[i].line, "'%c' has no place there", *g->tokens[i].at);
        operators += is_operator(g, i);
        if (operators > ORO_GLSL_OPERATORS_MAX)
            return oro_glsl_refuse(g, g->tokens[i].line, "a statement has more than %d operators",
                                   ORO_GLSL_OPERATORS_MAX);
        if (!token_cost(w, i, cost) || !check_cost(w, cost, g->tokens[i].line))
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

static bool plain_statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    int end = semicolon(g, *at, g->count);
    if (end < 0)
        return oro_glsl_refuse(g, g->tokens[*at].line, "';' is missing");
    if (!expression(w, *at, end + 1, cost))
        return false;
    *at = end + 1;
    return true;
}

static bool block(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    int end = w->g->tokens[*at].pair;
    for (++*at; *at < end;)
        if (!statement(w, at, cost))
            return false;
    *at = end + 1;
    return true;
}

/* Expects a `(` after a word. */
static bool header(struct walk *w, int word)
{
    const struct oro_glsl_token *token = &w->g->tokens[word];
    return oro_glsl_is(w->g, word + 1, "(") ||
           oro_glsl_refuse(w->g, token->line, "'(' is expected after '%.*s'", token->length, token->at);
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

static bool if_statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    for (int links = 0;; links++) {
        if (links == ORO_GLSL_ELSE_MAX)
            return oro_glsl_refuse(g, g->tokens[*at].line, "there are more than %d 'else if' in a row",
                                   ORO_GLSL_ELSE_MAX);
        int open = *at + 1;
        if (!header(w, *at) || !expression(w, open, g->tokens[open].pair + 1, cost))
            return false;
        *at = g->tokens[open].pair + 1;
        if (!statement(w, at, cost))
            return false;
        if (!oro_glsl_is(g, *at, "else"))
            return true;
        if (!check_whole(w, *at))
            return false;
        ++*at;
        if (!oro_glsl_is(g, *at, "if"))
            return statement(w, at, cost);
    }
}

static bool switch_statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    int open = *at + 1;
    if (!header(w, *at) || !expression(w, open, g->tokens[open].pair + 1, cost))
        return false;
    *at = g->tokens[open].pair + 1;
    if (!oro_glsl_is(g, *at, "{"))
        return oro_glsl_refuse(g, g->tokens[*at].line, "'{' is expected after 'switch (...)'");
    return block(w, at, cost);
}

/* `case 1:`, `default:` */
static bool label(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    int end = *at + 1;
    while (end < w->g->count && !oro_glsl_is(w->g, end, ":") && !oro_glsl_is(w->g, end, ";"))
        end++;
    if (!oro_glsl_is(w->g, end, ":"))
        return oro_glsl_refuse(w->g, w->g->tokens[*at].line, "':' is missing");
    bool ok = expression(w, *at + 1, end, cost);
    *at = end + 1;
    return ok;
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

/* Makes a loop take from the budget: joins its condition, the tokens `first` to `last`, with that. */
static bool guard(struct walk *w, const struct oro_glsl_cost *turn, int line, int first, int last)
{
    struct oro_glsl *g = w->g;
    bool empty = last == first + 1;
    g->budget = true;
    g->tokens[first].after = oro_arena_textf(
        g->arena, "oro_step(%.0f, %d)%s", turn->work + TURN * (1 + turn->steps), line, empty ? "" : " && (");
    g->tokens[last].before = empty ? "" : ")";
    return g->tokens[first].after || oro_glsl_no_memory(g);
}

/* A loop whose turns are not known is counted once: the budget limits the rest. */
static void add_loop(struct oro_glsl_cost *cost, struct oro_glsl_cost turn, int turns)
{
    if (turns) {
        turn.work *= turns;
        turn.size *= turn.indexed > 0 ? turns : 1;
        turn.turns = turns * largest(turn.turns, 1);
    }
    turn.steps = turns ? turns * (turn.steps + 1) + 1 : turn.steps + 2;
    turn.loops += !turns;
    turn.deep += !turns;
    add(cost, turn);
}

static bool find_header(struct walk *w, int at, struct oro_glsl_loop *loop)
{
    struct oro_glsl *g = w->g;
    if (!header(w, at))
        return false;
    loop->open = at + 1;
    loop->close = g->tokens[loop->open].pair;
    loop->first = semicolon(g, loop->open + 1, loop->close);
    loop->second = loop->first < 0 ? -1 : semicolon(g, loop->first + 1, loop->close);
    if (loop->second < 0 || semicolon(g, loop->second + 1, loop->close) >= 0)
        return oro_glsl_refuse(g, g->tokens[at].line, "a 'for' has two ';' in its parentheses");
    return check_condition(w, loop->first + 1);
}

static bool for_statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    struct oro_glsl_loop loop;
    struct oro_glsl_cost turn = {0};
    int line = g->tokens[*at].line;
    if (!find_header(w, *at, &loop) || !expression(w, loop.open, loop.first, cost) ||
        !expression(w, loop.first, loop.close, &turn))
        return false;
    loop.body = *at = loop.close + 1;
    if (!statement(w, at, &turn))
        return false;
    loop.end = *at;
    int turns = oro_glsl_turns(g, &loop);
    if (turns * largest(turn.turns, 1) > ORO_GLSL_NESTED_MAX)
        turns = 0;
    if (!turns && !guard(w, &turn, line, loop.first, loop.second))
        return false;
    add_loop(cost, turn, turns);
    return check_cost(w, cost, line);
}

static bool while_statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    struct oro_glsl_cost turn = {0};
    int open = *at + 1, line = g->tokens[*at].line;
    if (!header(w, *at) || !check_condition(w, open + 1) || !expression(w, open, g->tokens[open].pair, &turn))
        return false;
    if (g->tokens[open].pair == open + 1)
        return oro_glsl_refuse(g, line, "'while' has no condition");
    *at = g->tokens[open].pair + 1;
    if (!statement(w, at, &turn) || !guard(w, &turn, line, open, g->tokens[open].pair))
        return false;
    add_loop(cost, turn, 0);
    return check_cost(w, cost, line);
}

static bool do_statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    struct oro_glsl *g = w->g;
    struct oro_glsl_cost turn = {0};
    int line = g->tokens[(*at)++].line;
    if (!statement(w, at, &turn))
        return false;
    if (!oro_glsl_is(g, *at, "while"))
        return oro_glsl_refuse(g, line, "'while' is missing after 'do'");
    int open = *at + 1, close = header(w, *at) ? g->tokens[open].pair : -1;
    if (close < 0 || !check_whole(w, *at) || !check_condition(w, open + 1) ||
        !expression(w, open, close, &turn))
        return false;
    if (close == open + 1 || !oro_glsl_is(g, close + 1, ";"))
        return oro_glsl_refuse(g, g->tokens[open].line, "'while (CONDITION);' is expected after 'do'");
    *at = close + 2;
    if (!guard(w, &turn, line, open, close))
        return false;
    add_loop(cost, turn, 0);
    return check_cost(w, cost, line);
}

/* ---- All of it ---- */

static bool any_statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    static const struct {
        const char *word;
        bool (*take)(struct walk *w, int *at, struct oro_glsl_cost *cost);
    } kinds[] = {{"{", block},           {"if", if_statement},
                 {"for", for_statement}, {"while", while_statement},
                 {"do", do_statement},   {"switch", switch_statement},
                 {"case", label},        {"default", label}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (oro_glsl_is(w->g, *at, kinds[i].word))
            return kinds[i].take(w, at, cost);
    return plain_statement(w, at, cost);
}

static bool statement(struct walk *w, int *at, struct oro_glsl_cost *cost)
{
    if (++w->depth > ORO_GLSL_DEPTH_MAX)
        return oro_glsl_refuse(w->g, w->g->tokens[*at].line, "statements are nested deeper than %d",
                               ORO_GLSL_DEPTH_MAX);
    bool ok = any_statement(w, at, cost);
    w->depth--;
    return ok;
}

static bool measure_function(struct walk *w, struct oro_glsl_function *function)
{
    struct oro_glsl *g = w->g;
    if (function->state == 2)
        return true;
    if (w->calls == ORO_GLSL_DEPTH_MAX)
        return oro_glsl_refuse(g, function->line, "functions call each other deeper than %d",
                               ORO_GLSL_DEPTH_MAX);
    struct walk inside = {g, 0, w->calls + 1};
    int at = function->body, open = function->token + 1;
    function->state = 1;
    if (!expression(&inside, open, g->tokens[open].pair + 1, &function->cost))
        return false;
    if (at >= 0 && !statement(&inside, &at, &function->cost))
        return false;
    function->state = 2;
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
    struct oro_glsl_cost cost = {0};
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
        return plain_statement(w, at, &cost);
    int close = g->tokens[type + 2].pair;
    *at = function->body < 0 ? close + 2 : g->tokens[function->body].pair + 1;
    if (function->body < 0 && !oro_glsl_is(g, close + 1, ";"))
        return oro_glsl_refuse(g, g->tokens[close].line,
                               "'{' or ';' is expected after the parameters of a function");
    return measure_function(w, function);
}

bool oro_glsl_measure(struct oro_glsl *g)
{
    struct walk w = {.g = g};
    for (int at = 0; at < g->count;)
        if (!outside(&w, &at))
            return false;
    return true;
}
