/* Literals: the text of a value in a document, and its form in a params struct. */
#ifndef ORO_GRAPH_TYPE_LITERAL_H
#define ORO_GRAPH_TYPE_LITERAL_H

#include "base/text.h"
#include "graph/type/node.h"

/* The default literal of an input as canonical text; "" where it has none. The caller frees. */
char *oro_literal_default(const struct oro_input *input);

/* Checks `text` against the input's type and range and stores it into the params struct (if `params` is not
 * NULL). Text and file values are not copied: `text` must outlive the params. On failure `err` says what is
 * wrong with the value and what is allowed, e.g. "'1,5' is not a number (write 1.5)", "95 is above the
 * maximum of 90 deg", "'perln' is not one of perlin, simplex, value, worley; did you mean 'perlin'?" */
bool oro_literal_parse(const struct oro_input *input, const char *text, void *params, struct oro_error *err);
/* The same for the number of a float, int or bool input (anything but 0 is true). */
bool oro_literal_number(const struct oro_input *input, double value, void *params, struct oro_error *err);

/* The canonical text of a literal: numbers in their shortest form, colours in lower case, points, profiles,
 * gradients and networks with single blanks. A text that does not parse is returned unchanged. The caller
 * frees; NULL: memory is out. */
char *oro_literal_canonical(const struct oro_input *input, const char *text);
/* The text that a document stores when `text` is entered: its canonical form, or NULL for the default, which
 * documents leave out. The caller frees. Fails as oro_literal_parse, and with ORO_E_MEMORY. */
bool oro_literal_store(const struct oro_input *input, const char *text, char **stored, struct oro_error *err);
bool oro_literal_is_default(const struct oro_input *input, const char *text);

/* Says what is wrong with a text that oro_parse_number refused: "'1,5' is not a number (write 1.5)". Returns
 * `out`. */
const char *oro_not_a_number(const char *text, char *out, size_t size);

/* For types that are made while the program runs: makes a literal the default of an input, which must already
 * have its type, range and choices; `text` must outlive the input. Fails as oro_literal_parse. */
bool oro_literal_make_default(struct oro_input *input, const char *text, struct oro_error *err);
/* Gives an input its place in a params struct of `*size` bytes, which grows. */
void oro_params_place(struct oro_input *input, size_t *size);

/* Fills a params struct with every default. */
void oro_params_default(const struct oro_node_type *type, void *params);

#endif
