/* The three forms of the node reference, all made from the descriptors. Types are sorted by category, then
 * id. */
#ifndef ORO_CLI_REPORT_NODES_H
#define ORO_CLI_REPORT_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/type/registry.h"

enum cli_nodes_format { CLI_NODES_TEXT, CLI_NODES_MARKDOWN, CLI_NODES_JSON };
extern const char *const cli_nodes_formats[]; /* their words; ends with NULL */
/* Print all types, which this sorts, or one, to standard output (nodes.c). False: memory is out, or the
 * output cannot be written. */
bool cli_nodes_print(int format, const struct oro_node_type **types, size_t count);
bool cli_nodes_print_page(int format, const struct oro_node_type *type);

/* What a list says of a script, or of a graph with scripts, that is not read: id, category, doc, words and
 * file of `like`, in the arena. Its version is 0. NULL: memory is out. */
const struct oro_node_type *cli_nodes_unread(struct oro_arena *arena, const struct oro_node_type *like);
static inline bool cli_is_unread(const struct oro_node_type *type)
{
    return type->version == 0;
}

/* Each adds its form to `to`. */
void cli_nodes_list(struct oro_text *to, const struct oro_node_type *const *types, size_t count);
void cli_nodes_page(struct oro_text *to, const struct oro_node_type *type);
void cli_nodes_markdown(struct oro_text *to, const struct oro_node_type *const *types, size_t count);
void cli_nodes_markdown_page(struct oro_text *to, const struct oro_node_type *type);
/* These print to standard output. False: memory is out, or the output cannot be written. */
bool cli_nodes_json(const struct oro_node_type *const *types, size_t count);
json_t *cli_use_values(const struct oro_use *use); /* what it sets: an object of texts */
bool cli_nodes_json_page(const struct oro_node_type *type);

/* ---- Parts that the forms share (nodes_words.c) ---- */

/* "field", "float or field", "uplift or field", "choice". */
void cli_input_type(struct oro_text *to, const struct oro_input *input);
/* The default as it is written in a document; nothing where there is none. */
void cli_input_default(struct oro_text *to, const struct oro_input *input);
/* Adds a line for the other words of a type, if it has any, and one for each of its uses; `mark` is put
 * around values. */
void cli_type_words(struct oro_text *to, const struct oro_node_type *type, const char *mark);
/* "0..90", "at least 0", or the words of a choice with `between` between them; nothing where all is allowed.
 */
void cli_input_range(struct oro_text *to, const struct oro_input *input, const char *between);
/* Whether the node can work on rasters in tiles: "yes, cell by cell"; or "tiles", "whole", "host", "parts".
 */
void cli_spread(struct oro_text *to, const struct oro_node_type *type);
const char *cli_spread_word(const struct oro_node_type *type);
/* Length of the first sentence of a descriptor's text. */
size_t cli_summary_length(const char *doc);

#endif
