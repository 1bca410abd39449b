#include "graph/document/variable.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/document/expression.h"

/* ---- Names ---- */

bool oro_is_variable_name(const char *name)
{
    static const char *const taken[] = {
        "and",   "break", "do",    "else",  "elseif", "end",        "false",  "for",    "function", "goto",
        "if",    "in",    "local", "nil",   "not",    "or",         "repeat", "return", "then",     "true",
        "until", "while", "math",  "world", "abs",    "acos",       "asin",   "atan",   "ceil",     "clamp",
        "cos",   "deg",   "exp",   "floor", "fmod",   "huge",       "log",    "max",    "min",      "mix",
        "pi",    "rad",   "round", "sign",  "sin",    "smoothstep", "sqrt",   "tan",
    };
    if (!oro_is_identifier(name) || strchr(name, '-') || strlen(name) > 100)
        return false;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return false;
    return true;
}

static size_t word_length(const char *s)
{
    size_t length = 0;
    while (oro_in_word(s[length]))
        length++;
    return length;
}

/* The length of what begins at `s` and is not an identifier: a text, a comment, a number, or one
 * character. */
static size_t other_length(const char *s)
{
    if (*s == '"' || *s == '\'') {
        size_t length = 1;
        while (s[length] && s[length] != *s)
            length += s[length] == '\\' && s[length + 1] ? 2 : 1;
        return length + (s[length] == *s);
    }
    if (s[0] == '-' && s[1] == '-')
        return strcspn(s, "\n");
    if (oro_is_digit(*s)) /* the letters in 1e5 and 0x1p4 are part of a number */
        return word_length(s);
    return 1;
}

char *oro_expression_rewrite(const char *expr,
                             const char *(*word)(void *user, const char *name, size_t length), void *user)
{
    struct oro_text out = {0};
    char before = ' '; /* the last character that is not a blank */
    oro_text_add(&out, "");
    while (*expr) {
        bool is_word = oro_starts_word(*expr);
        size_t length = is_word ? word_length(expr) : other_length(expr);
        const char *instead = is_word && before != '.' ? word(user, expr, length) : NULL;
        if (instead)
            oro_text_add(&out, instead);
        else
            oro_text_add_bytes(&out, expr, length);
        if (!strchr(" \t\r\n", expr[length - 1]))
            before = expr[length - 1];
        expr += length;
    }
    return oro_text_take(&out);
}

/* ---- Values ---- */

/* CHAIN_MAX: how many others a variable may refer to in a chain, each of which takes room on the stack of the
 * expressions' language. FAILURES_MAX: a document with more failing expressions is given up, because failing
 * may take long. */
enum { CHAIN_MAX = 32, FAILURES_MAX = 500 };

enum state { UNKNOWN, OPEN, KNOWN, FAILED };

struct variable {
    enum state state;
    double value;
    int height; /* length of the chain of references, itself included */
};

struct oro_variables {
    const struct oro_document *doc;
    const struct oro_registry *registry;
    struct oro_grid world; /* without cells while the world's own expressions are evaluated */
    int64_t seed;
    const struct oro_given *given;
    size_t given_count;
    struct variable *values;             /* in the document's order */
    struct oro_interpreter *interpreter; /* made when it is first needed */
    const char *chain[CHAIN_MAX];        /* the variables that are being evaluated */
    int depth;
    int height; /* the largest of those asked for since it was last cleared */
    int failures;
};

struct oro_variables *oro_variables_create(const struct oro_document *doc,
                                           const struct oro_registry *registry, const struct oro_grid *world,
                                           int64_t seed, const struct oro_given *given, size_t given_count,
                                           struct oro_error *err)
{
    struct oro_variables *variables = oro_alloc(1, sizeof *variables);
    if (variables) {
        *variables = (struct oro_variables){.doc = doc,
                                            .registry = registry,
                                            .world = world ? *world : (struct oro_grid){0},
                                            .seed = seed,
                                            .given = given,
                                            .given_count = given_count};
        variables->values = oro_alloc(oro_document_variable_count(doc) + 1, sizeof *variables->values);
    }
    if (variables && variables->values)
        return variables;
    oro_variables_destroy(variables);
    oro_fail(err, ORO_E_MEMORY, "no memory for the variables");
    return NULL;
}

struct oro_variables *oro_variables_of(const struct oro_document *doc, const struct oro_document *root,
                                       const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_world world;
    if (!oro_world_evaluate(root, registry, NULL, 0, &world, NULL))
        world = *oro_document_world(root); /* a mistake that is told where it was made */
    const struct oro_grid grid = oro_world_grid(&world);
    return oro_variables_create(doc, registry, &grid, world.seed, NULL, 0, err);
}

void oro_variables_destroy(struct oro_variables *variables)
{
    if (!variables)
        return;
    if (variables->interpreter)
        variables->registry->language->destroy(variables->interpreter);
    oro_free(variables->values);
    oro_free(variables);
}

/* What expressions can find out about the world: metres, cells, and the seed. */
static bool look_up_world(const struct oro_variables *variables, const char *name, double *value,
                          struct oro_error *err)
{
    const struct oro_grid *world = &variables->world;
    if (!world->width && strcmp(name, "seed") != 0)
        return oro_fail(err, ORO_E_DOCUMENT, "'world.%.60s' is not known yet: the world depends on it", name);
    const struct {
        const char *name;
        double value;
    } known[] = {
        {"extent", world->cell * world->width},
        {"width", world->cell * world->width},
        {"height", world->cell * world->height},
        {"cell", world->cell},
        {"resolution", world->width},
        {"seed", (double)variables->seed},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, name) == 0) {
            *value = known[i].value;
            return true;
        }
    }
    return oro_fail(err, ORO_E_DOCUMENT,
                    "'world.%.60s' is nothing: there are extent, width, height, cell, resolution and seed",
                    name);
}

static bool unknown_name(const struct oro_variables *variables, const char *name, struct oro_error *err)
{
    size_t count = oro_document_variable_count(variables->doc);
    const char **names = oro_alloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = oro_document_variable(variables->doc, i)->name;
    char meant[ORO_NEAR_SIZE];
    const char *near = names ? oro_suggest(name, names, count) : NULL;
    oro_free(names);
    return oro_fail(err, ORO_E_DOCUMENT, "'%.100s' is no variable%s", name, oro_did_you_mean(near, meant));
}

static bool depends_on_itself(const struct oro_variables *variables, const char *name, struct oro_error *err)
{
    struct oro_text path = {0};
    int first = 0;
    while (first < variables->depth && strcmp(variables->chain[first], name) != 0)
        first++;
    for (int i = first; i < variables->depth; i++)
        oro_text_addf(&path, "%.60s -> ", variables->chain[i]);
    oro_text_addf(&path, "%.60s", name);
    oro_fail(err, ORO_E_DOCUMENT, "variable '%.100s' depends on itself: %s", name,
             path.failed ? "" : path.data);
    oro_text_free(&path);
    return false;
}

static bool evaluate_variable(struct oro_variables *variables, size_t index, struct oro_error *err)
{
    const struct oro_doc_variable *variable = oro_document_variable(variables->doc, index);
    struct variable *place = &variables->values[index];
    if (variable->value) {
        if (!oro_parse_number(variable->value, &place->value))
            return oro_fail(err, ORO_E_DOCUMENT, "variable '%.100s' is no number", variable->name);
    } else if (variable->expr) {
        struct oro_error reason = {0};
        if (variables->depth >= CHAIN_MAX)
            return oro_fail(err, ORO_E_LIMIT, "variables refer to one another through more than %d",
                            CHAIN_MAX);
        int above = variables->height;
        variables->height = 0;
        variables->chain[variables->depth++] = variable->name;
        place->state = OPEN;
        bool ok = oro_variables_evaluate(variables, variable->expr, &place->value, &reason);
        place->state = FAILED;
        variables->depth--;
        place->height = variables->height + 1;
        variables->height = above;
        if (ok && place->height > CHAIN_MAX) /* regardless of which variable was asked for first */
            ok = oro_fail(&reason, ORO_E_LIMIT, "variables refer to one another through more than %d",
                          CHAIN_MAX);
        if (!ok)
            return oro_fail(err, reason.code, "%s", reason.text);
    } else {
        return oro_fail(err, ORO_E_DOCUMENT, "variable '%.100s' has no value", variable->name);
    }
    place->state = KNOWN;
    return true;
}

bool oro_variables_get(struct oro_variables *variables, const char *name, double *value,
                       struct oro_error *err)
{
    for (size_t i = 0; i < variables->given_count; i++) {
        if (strcmp(variables->given[i].name, name) == 0) {
            *value = variables->given[i].value;
            return true;
        }
    }
    size_t count = oro_document_variable_count(variables->doc), index = 0;
    while (index < count && strcmp(oro_document_variable(variables->doc, index)->name, name) != 0)
        index++;
    if (index == count)
        return unknown_name(variables, name, err);
    if (variables->values[index].state == OPEN)
        return depends_on_itself(variables, name, err);
    if (variables->values[index].state == FAILED)
        return oro_fail(err, ORO_E_DOCUMENT, "variable '%.100s' has no value: its expression fails", name);
    if (variables->values[index].state != KNOWN && !evaluate_variable(variables, index, err))
        return false;
    const struct variable *found = &variables->values[index];
    if (found->height > variables->height)
        variables->height = found->height;
    *value = found->value;
    return true;
}

static bool look_up(void *user, const char *name, double *value, struct oro_error *err)
{
    struct oro_variables *variables = user;
    return strncmp(name, "world.", 6) == 0 ? look_up_world(variables, name + 6, value, err)
                                           : oro_variables_get(variables, name, value, err);
}

bool oro_variables_evaluate(struct oro_variables *variables, const char *expr, double *value,
                            struct oro_error *err)
{
    const struct oro_language *language = variables->registry ? variables->registry->language : NULL;
    const struct oro_names names = {.look_up = look_up, .user = variables};
    if (!language)
        return oro_fail(err, ORO_E_DOCUMENT, "this program evaluates no expressions");
    if (variables->failures >= FAILURES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "not evaluated: %d expressions have failed", FAILURES_MAX);
    if (!variables->interpreter)
        variables->interpreter = language->create(err);
    bool ok = variables->interpreter && language->evaluate(variables->interpreter, expr, &names, value, err);
    variables->failures += !ok;
    return ok;
}

bool oro_variables_literal(struct oro_variables *variables, const char *expr, const struct oro_input *input,
                           char text[32], struct oro_error *err)
{
    double value;
    if (input->type != ORO_FLOAT && input->type != ORO_INT)
        return oro_fail(err, ORO_E_DOCUMENT, "takes no expression: it is no number");
    if (!oro_variables_evaluate(variables, expr, &value, err))
        return false;
    oro_format_number(input->type == ORO_INT ? floor(value + 0.5) : value, text);
    return true;
}
