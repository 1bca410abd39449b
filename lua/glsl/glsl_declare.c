/* Finds what a kernel declares, and checks how it uses names and brackets. */
#include <string.h>

#include "lua/glsl/glsl_private.h"

static bool is_type_at(const struct oro_glsl *g, int i)
{
    return oro_glsl_is_kind(g, i, ORO_GLSL_NAME) && oro_glsl_is_type(oro_glsl_word_of(&g->tokens[i]));
}

static bool is_plain_name(const struct oro_glsl *g, int i)
{
    struct oro_glsl_word word =
        i >= 0 && i < g->count ? oro_glsl_word_of(&g->tokens[i]) : (struct oro_glsl_word){"", 0};
    return oro_glsl_is_kind(g, i, ORO_GLSL_NAME) && !oro_glsl_is_type(word) && !oro_glsl_is_statement(word) &&
           !oro_glsl_is_qualifier(word);
}

/* ---- Variables ---- */

/* Adds a variable, once only. In GLSL each name is declared once, but where types follow each other with
 * nothing between them, the same names would be found after each of them. */
static bool add_variable(struct oro_glsl *g, int i, bool global_const)
{
    bool array = oro_glsl_is(g, i + 1, "[");
    if (g->variable_count == g->count)
        return oro_glsl_refuse(g, g->tokens[i].line, "there is a declaration without ';' at its end");
    if (array)
        g->tokens[i + 1].declares = true;
    g->variables[g->variable_count++] = (struct oro_glsl_variable){
        .name = oro_glsl_word_of(&g->tokens[i]), .token = i, .array = array, .global_const = global_const};
    return true;
}

/* The token after the declarator at `i`: a ',', or what ends the declaration. */
static int after_declarator(const struct oro_glsl *g, int i)
{
    while (i < g->count && !oro_glsl_is(g, i, ",") && !oro_glsl_is(g, i, ";") && !oro_glsl_is(g, i, ")") &&
           !oro_glsl_is(g, i, "}"))
        i = g->tokens[i].pair > i ? g->tokens[i].pair + 1 : i + 1;
    return i;
}

/* Adds the names after the type at `type`. Parameters have a type each, and so are found one by one. */
static bool add_variables(struct oro_glsl *g, int type, int depth)
{
    bool global_const = depth == 0 && oro_glsl_is(g, type, "int") && oro_glsl_is(g, type - 1, "const");
    int i = type + 1;
    bool ok = add_variable(g, i, global_const);
    for (i = after_declarator(g, i); ok && oro_glsl_is(g, i, ",") && is_plain_name(g, i + 1);
         i = after_declarator(g, i + 1))
        ok = add_variable(g, i + 1, global_const);
    return ok;
}

const struct oro_glsl_variable *oro_glsl_find_variable(const struct oro_glsl *g, struct oro_glsl_word name)
{
    for (int i = 0; i < g->variable_count; i++)
        if (oro_glsl_same(g->variables[i].name, name))
            return &g->variables[i];
    return NULL;
}

/* ---- Functions ---- */

int oro_glsl_arguments(const struct oro_glsl *g, int open)
{
    int count = 1, close = g->tokens[open].pair;
    if (close == open + 1 || (close == open + 2 && oro_glsl_is(g, open + 1, "void")))
        return 0;
    for (int i = open + 1; i < close; i++) {
        count += oro_glsl_is(g, i, ",");
        if (g->tokens[i].pair > i)
            i = g->tokens[i].pair;
    }
    return count;
}

static bool add_function(struct oro_glsl *g, int name, int depth)
{
    int open = name + 1, close = g->tokens[open].pair, line = g->tokens[name].line;
    if (depth)
        return oro_glsl_refuse(g, line, "functions are declared outside of others");
    if (g->function_count == ORO_GLSL_FUNCTIONS_MAX)
        return oro_glsl_refuse(g, line, "there are more than %d functions", ORO_GLSL_FUNCTIONS_MAX);
    struct oro_glsl_function *function = &g->functions[g->function_count++];
    *function = (struct oro_glsl_function){.name = oro_glsl_word_of(&g->tokens[name]),
                                           .token = name,
                                           .line = line,
                                           .arguments = oro_glsl_arguments(g, open),
                                           .body = oro_glsl_is(g, close + 1, "{") ? close + 1 : -1};
    for (int i = open; i < close; i++)
        function->writes |= oro_glsl_is(g, i, "out") || oro_glsl_is(g, i, "inout");
    function->writes |= oro_glsl_known_writes(function->name);
    return true;
}

/* The depth of open brackets at a token, not counting parentheses of parameters and loop headers. */
static int step_depth(const struct oro_glsl *g, int i, int depth)
{
    return depth + oro_glsl_is(g, i, "{") - oro_glsl_is(g, i, "}");
}

bool oro_glsl_declare(struct oro_glsl *g)
{
    int depth = 0;
    g->variables = oro_arena_alloc(g->arena, (size_t)g->count + 1, sizeof *g->variables);
    if (!g->variables)
        return oro_glsl_no_memory(g);
    for (int i = 0; i < g->count; i++) {
        depth = step_depth(g, i, depth);
        if (!is_type_at(g, i) || !oro_glsl_is_kind(g, i + 1, ORO_GLSL_NAME))
            continue;
        if (!is_plain_name(g, i + 1))
            return oro_glsl_refuse(g, g->tokens[i].line, "a name is expected after '%.*s'",
                                   g->tokens[i].length, g->tokens[i].at);
        bool function = oro_glsl_is(g, i + 2, "(");
        if (function ? !add_function(g, i + 1, depth) : !add_variables(g, i, depth))
            return false;
    }
    /* There must be a `void cell(ivec2 p)`. */
    for (int i = 0; i < g->function_count; i++) {
        int name = g->functions[i].token, close = g->tokens[name + 1].pair;
        if (oro_glsl_equals(g->functions[i].name, "cell") && g->functions[i].body >= 0 &&
            g->functions[i].arguments == 1 && oro_glsl_is(g, name - 1, "void") &&
            oro_glsl_is(g, close - 2, "ivec2"))
            return true;
    }
    return oro_glsl_refuse(g, 1, "there is no 'void cell(ivec2 p)', which is run for every cell");
}

/* ---- Constants ---- */

static bool was_dropped(const struct oro_glsl *g, struct oro_glsl_word name)
{
    for (int i = 0; i < g->dropped_count; i++)
        if (oro_glsl_same(g->dropped[i], name))
            return true;
    return false;
}

/* The value of a macro that is one number and is defined unconditionally; -1: it is not. */
static long macro_constant(const struct oro_glsl *g, const struct oro_glsl_macro *macro, int token)
{
    for (int i = 0; i < g->macro_count; i++)
        if (&g->macros[i] != macro && oro_glsl_same(g->macros[i].name, macro->name))
            return -1;
    bool good = macro->certain && macro->count == 1 && macro->place <= token && !was_dropped(g, macro->name);
    return good ? g->macro_tokens[macro->first].whole : -1;
}

/* The value of a `const int N = 8;` outside of functions if no other variable is called N. */
static long variable_constant(const struct oro_glsl *g, struct oro_glsl_word name)
{
    const struct oro_glsl_variable *variable = oro_glsl_find_variable(g, name);
    for (int i = 0; variable && i < g->variable_count; i++)
        if (&g->variables[i] != variable && oro_glsl_same(g->variables[i].name, name))
            return -1;
    if (!variable || !variable->global_const || !oro_glsl_is(g, variable->token + 1, "="))
        return -1;
    int end = variable->token + 3;
    return oro_glsl_is(g, end, ";") || oro_glsl_is(g, end, ",") ? g->tokens[end - 1].whole : -1;
}

long oro_glsl_constant(const struct oro_glsl *g, int token)
{
    if (oro_glsl_is_kind(g, token, ORO_GLSL_NUMBER))
        return g->tokens[token].whole;
    if (!oro_glsl_is_kind(g, token, ORO_GLSL_NAME))
        return -1;
    struct oro_glsl_word name = oro_glsl_word_of(&g->tokens[token]);
    const struct oro_glsl_macro *macro = oro_glsl_find_macro(g, name);
    return macro ? macro_constant(g, macro, token) : variable_constant(g, name);
}

/* ---- Names ---- */

/* The arrays of rasters belong to the engine, unless the kernel has a variable of that name. */
static bool check_raster(struct oro_glsl *g, const struct oro_glsl_token *token)
{
    for (const char *const *hidden = g->hidden; hidden && *hidden; hidden++)
        if (oro_glsl_equals(oro_glsl_word_of(token), *hidden) &&
            !oro_glsl_find_variable(g, oro_glsl_word_of(token)))
            return oro_glsl_refuse(g, token->line, "'%s' is a raster: read a cell of it as %s_at(p)", *hidden,
                                   *hidden);
    return true;
}

bool oro_glsl_check_names(struct oro_glsl *g)
{
    for (int i = 0; i < g->count; i++) {
        const struct oro_glsl_token *token = &g->tokens[i];
        if (token->kind != ORO_GLSL_NAME)
            continue;
        if (!oro_glsl_check_name(g, token))
            return false;
        if (!oro_glsl_is(g, i - 1, ".") && !check_raster(g, token))
            return false;
    }
    return true;
}

/* ---- Brackets ---- */

/* Reads the size of an array from its declaration or constructor: `float a[9]`, `float[9](...)`,
 * `float[](...)`. */
static bool check_size(struct oro_glsl *g, int open, int *elements)
{
    struct oro_glsl_token *token = &g->tokens[open];
    int close = token->pair;
    bool constructor = is_type_at(g, open - 1);
    long size = close == open + 2 ? oro_glsl_constant(g, open + 1) : -1;
    if (constructor && !oro_glsl_is(g, close + 1, "("))
        return oro_glsl_refuse(g, token->line, "an array's size stands behind its name: float heights[9]");
    if (oro_glsl_is(g, close + 1, "["))
        return oro_glsl_refuse(g, token->line, "there are no arrays of arrays: use one with rows * columns");
    if (close == open + 1 && constructor)
        size = oro_glsl_arguments(g, close + 1);
    else if (close == open + 1 && oro_glsl_is(g, close + 1, "="))
        size = 0; /* its constructor is counted instead */
    if (size < 0)
        return oro_glsl_refuse(g, token->line,
                               "an array's size is a whole number, or a constant that is one");
    if (size > ORO_GLSL_ELEMENTS_MAX || (*elements += (int)size) > ORO_GLSL_ELEMENTS_MAX)
        return oro_glsl_refuse(g, token->line, "arrays have more than %d elements in all",
                               ORO_GLSL_ELEMENTS_MAX);
    return true;
}

static char *within(struct oro_glsl *g, const struct oro_glsl_token *name)
{
    return oro_arena_textf(g->arena, "), %.*s.length())", name->length, name->at);
}

static bool is_array(const struct oro_glsl *g, struct oro_glsl_word name)
{
    for (int i = 0; i < g->variable_count; i++)
        if (g->variables[i].array && oro_glsl_same(g->variables[i].name, name))
            return true;
    return false;
}

/* Wraps the index after an array's name, so that it stays within the array. */
static bool check_index(struct oro_glsl *g, int open)
{
    struct oro_glsl_token *token = &g->tokens[open], *name = &token[-1];
    int close = token->pair;
    if (close == open + 2 && g->tokens[open + 1].whole >= 0)
        return true;
    if (!is_plain_name(g, open - 1) || oro_glsl_is(g, open - 2, "."))
        return oro_glsl_refuse(g, token->line,
                               "in brackets behind anything but an array's name stands a whole number");
    if (!is_array(g, oro_glsl_word_of(name)))
        return oro_glsl_refuse(
            g, token->line,
            "'%.*s' is no array of the kernel's. Of a vector take %.*s.x, %.*s.y, ...; cells "
            "of a raster are read as NAME_at(p)",
            name->length, name->at, name->length, name->at, name->length, name->at);
    if (close == open + 1)
        return oro_glsl_refuse(g, token->line, "a number is expected in the brackets");
    token->after = "oro_within(int(";
    g->tokens[close].before = within(g, name);
    return g->tokens[close].before || oro_glsl_no_memory(g);
}

bool oro_glsl_check_brackets(struct oro_glsl *g)
{
    int elements = 0;
    for (int i = 0; i < g->count; i++)
        if (oro_glsl_is(g, i, "[") && (g->tokens[i].declares || is_type_at(g, i - 1))) {
            if (!check_size(g, i, &elements))
                return false;
        } else if (oro_glsl_is(g, i, "[") && !check_index(g, i)) {
            return false;
        }
    return true;
}

/* Whether all variables of that name are arrays. */
static bool is_surely_array(const struct oro_glsl *g, struct oro_glsl_word name)
{
    bool found = false;
    for (int i = 0; i < g->variable_count; i++)
        if (oro_glsl_same(g->variables[i].name, name)) {
            if (!g->variables[i].array)
                return false;
            found = true;
        }
    return found;
}

/* Whether the name at `i` is an argument of a call by itself. */
static bool is_argument(const struct oro_glsl *g, int i)
{
    int open = oro_glsl_bracket_around(g, i);
    return (open == i - 1 || oro_glsl_is(g, i - 1, ",")) &&
           (oro_glsl_is(g, i + 1, ",") || oro_glsl_is(g, i + 1, ")")) && oro_glsl_is(g, open, "(") &&
           is_plain_name(g, open - 1);
}

/* Some drivers compile for minutes and fill gigabytes where arrays are copied or compared as a whole. */
bool oro_glsl_check_arrays(struct oro_glsl *g)
{
    for (int i = 0; i < g->count; i++) {
        const struct oro_glsl_token *token = &g->tokens[i];
        if (!is_plain_name(g, i) || oro_glsl_is(g, i - 1, ".") || oro_glsl_is(g, i + 1, "[") ||
            oro_glsl_is(g, i + 1, ".") || oro_glsl_is(g, i + 1, "(") ||
            !is_surely_array(g, oro_glsl_word_of(token)) || is_argument(g, i))
            continue;
        return oro_glsl_refuse(g, token->line,
                               "the array '%.*s' is copied or compared as a whole, which some compilers take "
                               "minutes for: do so with its elements, in a loop",
                               token->length, token->at);
    }
    return true;
}
