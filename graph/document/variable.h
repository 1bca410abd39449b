/*
 * The variables of a document, and the expressions over them (docs/file-format.md, "Variables and
 * expressions").
 */
#ifndef ORO_GRAPH_DOCUMENT_VARIABLE_H
#define ORO_GRAPH_DOCUMENT_VARIABLE_H

#include "graph/document/document.h"

/* An identifier without '-' that is not a word of the expressions' language. */
bool oro_is_variable_name(const char *name);

/* Calls `word` for every identifier of an expression that can name a variable, which excludes those after a
 * dot and in texts and comments. The text that it returns replaces the identifier; NULL leaves it. The caller
 * frees the result with oro_free; NULL: memory is out. */
char *oro_expression_rewrite(const char *expr,
                             const char *(*word)(void *user, const char *name, size_t length), void *user);

/* A value that was given for an input of the interface. */
struct oro_given {
    const char *name; /* of the variable */
    double value;
};

/* Evaluates the expressions of one document. Values are computed when they are first asked for, and kept. */
struct oro_variables;

/* `doc`, `registry` and `given` must outlive it. Values that are given replace the document's. `world` is
 * that of the evaluation: in a graph that is used as a node, the user's world; NULL: not known yet. NULL:
 * memory is out (err is filled). */
struct oro_variables *oro_variables_create(const struct oro_document *doc,
                                           const struct oro_registry *registry, const struct oro_grid *world,
                                           int64_t seed, const struct oro_given *given, size_t given_count,
                                           struct oro_error *err);
/* The document's world, with the values of its expressions; texts are the document's. What is given replaces
 * values of variables. Fails with ORO_E_DOCUMENT where an expression fails or the world makes no sense. */
bool oro_world_evaluate(const struct oro_document *doc, const struct oro_registry *registry,
                        const struct oro_given *given, size_t given_count, struct oro_world *world,
                        struct oro_error *err);
/* The variables of `doc` on its own: in the world of `root`, which is `doc` or holds it as a group, with
 * nothing given. */
struct oro_variables *oro_variables_of(const struct oro_document *doc, const struct oro_document *root,
                                       const struct oro_registry *registry, struct oro_error *err);
void oro_variables_destroy(struct oro_variables *variables); /* NULL is allowed */

/* A variable's value. ORO_E_DOCUMENT: there is none of that name, it depends on itself (the text shows the
 * cycle), or its expression fails. */
bool oro_variables_get(struct oro_variables *variables, const char *name, double *value,
                       struct oro_error *err);
bool oro_variables_evaluate(struct oro_variables *variables, const char *expr, double *value,
                            struct oro_error *err);
/* Writes the expression's value to `text` as a literal for this input (float, or int: rounded to the nearest
 * whole number). False: `err` says what is wrong. */
bool oro_variables_literal(struct oro_variables *variables, const char *expr, const struct oro_input *input,
                           char text[32], struct oro_error *err);

#endif
