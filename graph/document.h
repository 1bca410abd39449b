/*
 * The document: a graph as the user wrote it. Literals stay text, unknown content stays, order stays. It is
 * changed through edits, which can be undone. It does not know node types, except where a registry is passed.
 *
 * Ownership: the document owns all that hangs from it; pointers into it are valid until the next edit.
 * Threads: one at a time.
 */
#ifndef ORO_GRAPH_DOCUMENT_H
#define ORO_GRAPH_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "graph/grid.h"
#include "graph/registry.h"

/* An attribute that this version does not know, or a known one whose value makes no sense (such as x="1,5"):
 * written back as it was. A known one is dropped by the edit that gives it a value. */
struct oro_doc_attribute {
    char *name, *value;
};
struct oro_doc_attributes {
    struct oro_doc_attribute *items;
    size_t count;
};

/* Comments and unknown child elements, as XML text; written back at their place among the known children. */
struct oro_doc_fragment {
    char *text;
    size_t at; /* how many known children (inputs, ports) come before it */
};
struct oro_doc_fragments {
    struct oro_doc_fragment *items;
    size_t count;
};

/* One input of a node: a literal (`value`) or a link (`from_node`, `from_output`); the others are NULL. All
 * are NULL in an entry that has neither, which oro_check reports. */
struct oro_doc_input {
    char *name; /* "" where the file has none */
    char *value;
    char *from_node, *from_output;
    int line;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

struct oro_doc_node {
    char *id, *type; /* "" where the file has none */
    int version;     /* of the node type that wrote it */
    double x, y;     /* place in the editor */
    int line;
    struct oro_doc_input *inputs;
    size_t input_count;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

struct oro_doc_port { /* one entry of the interface */
    bool is_output;
    char *name;
    char *node, *socket; /* "to" of an input, "from" of an output; "" where the file has none */
    char *label;         /* or NULL */
    int line;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

struct oro_doc_frame {
    char *title;
    double x, y, width, height;
    int line;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

struct oro_world {
    double extent;  /* metres along x */
    int resolution; /* cells along x */
    double aspect;  /* height / width */
    int64_t seed;
};
#define ORO_WORLD_DEFAULT                                                                                    \
    {                                                                                                        \
        .extent = 10000, .resolution = 256, .aspect = 1, .seed = 0                                           \
    }

struct oro_document; /* see the accessors */

struct oro_document *oro_document_create(void); /* empty, default world; NULL: memory is out */
void oro_document_destroy(struct oro_document *doc);

const char *oro_document_path(const struct oro_document *doc); /* "" before it has one */
bool oro_document_set_path(struct oro_document *doc, const char *path);
const char *oro_document_title(const struct oro_document *doc);
const struct oro_world *oro_document_world(const struct oro_document *doc);
/* The base grid: extent / resolution gives the cell; rows are aspect * resolution, rounded, at least 1. A
 * world that oro_check refuses gives a grid within the limits all the same. */
struct oro_grid oro_document_grid(const struct oro_document *doc);

size_t oro_document_node_count(const struct oro_document *doc);
/* In document order. */
const struct oro_doc_node *oro_document_node(const struct oro_document *doc, size_t index);
const struct oro_doc_node *oro_document_find(const struct oro_document *doc, const char *id); /* NULL; O(1) */
size_t oro_document_find_index(const struct oro_document *doc, const char *id); /* SIZE_MAX: none; O(1) */
const struct oro_doc_input *oro_doc_node_input(const struct oro_doc_node *node, const char *name); /* NULL */
size_t oro_document_port_count(const struct oro_document *doc);
const struct oro_doc_port *oro_document_port(const struct oro_document *doc, size_t index);
size_t oro_document_frame_count(const struct oro_document *doc);
const struct oro_doc_frame *oro_document_frame(const struct oro_document *doc, size_t index);

/* ---- Edits ---- Each is undone and redone as one step; steps between begin and end are one, named as begin
 * says (pairs may be nested; the outermost counts). All return false with `err` filled and the document
 * unchanged when the edit makes no sense (no such node, id taken or malformed, the link would close a cycle,
 * text that XML cannot hold) or memory is out. An edit that changes nothing succeeds and is no step. Types of
 * sockets are checked by oro_check, not here. The last ORO_UNDO_STEPS steps are kept. */
enum { ORO_UNDO_STEPS = 500 };
bool oro_edit_begin(struct oro_document *doc, const char *name, struct oro_error *err);
bool oro_edit_end(struct oro_document *doc, struct oro_error *err);
/* Ends the outermost begin and takes back all that was edited since. */
bool oro_edit_cancel(struct oro_document *doc, struct oro_error *err);

bool oro_edit_add_node(struct oro_document *doc, const char *id, const char *type, int version, double x,
                       double y, struct oro_error *err);
/* Removes its links, too. */
bool oro_edit_remove_node(struct oro_document *doc, const char *id, struct oro_error *err);
bool oro_edit_rename_node(struct oro_document *doc, const char *id, const char *new_id,
                          struct oro_error *err);
bool oro_edit_connect(struct oro_document *doc, const char *node, const char *input, const char *from_node,
                      const char *from_output, struct oro_error *err);
/* Sets a literal, replacing a link; NULL removes the input's entry, so that it takes its default. */
bool oro_edit_set(struct oro_document *doc, const char *node, const char *input, const char *value,
                  struct oro_error *err);
bool oro_edit_move(struct oro_document *doc, const char *node, double x, double y, struct oro_error *err);
/* Frames go by index. `frame` is copied; adding or changing does not use its other, fragments and line. */
bool oro_edit_add_frame(struct oro_document *doc, const struct oro_doc_frame *frame, struct oro_error *err);
bool oro_edit_frame(struct oro_document *doc, size_t index, const struct oro_doc_frame *frame,
                    struct oro_error *err);
bool oro_edit_remove_frame(struct oro_document *doc, size_t index, struct oro_error *err);
bool oro_edit_world(struct oro_document *doc, const struct oro_world *world, struct oro_error *err);
bool oro_edit_title(struct oro_document *doc, const char *title, struct oro_error *err);
/* `port->name` must be free for its kind; removing goes by name and kind. */
bool oro_edit_add_port(struct oro_document *doc, const struct oro_doc_port *port, struct oro_error *err);
bool oro_edit_remove_port(struct oro_document *doc, bool is_output, const char *name, struct oro_error *err);

bool oro_document_can_undo(const struct oro_document *doc, const char **name);
bool oro_document_can_redo(const struct oro_document *doc, const char **name);
bool oro_document_undo(struct oro_document *doc, struct oro_error *err);
bool oro_document_redo(struct oro_document *doc, struct oro_error *err);
/* Rises with every edit, undo and redo: equal numbers mean an unchanged document. */
uint64_t oro_document_revision(const struct oro_document *doc);

/* ---- Problems ---- found by reading or checking; all are collected. */
struct oro_problem {
    char code[24]; /* stable: "unknown-type", "dangling-link", ... listed in docs/file-format.md */
    bool error;    /* else a notice: a migration, unknown content that is kept */
    int line;
    char node[128]; /* or "" */
    char text[512]; /* with a suggestion where there is one */
};
struct oro_problems {
    struct oro_problem *items;
    size_t count, capacity;
    size_t errors; /* also counts errors that could not be stored: not 0 means that something is wrong */
};
/* Stores at most ORO_PROBLEMS_MAX problems, the last of them with the code "too-many". */
enum { ORO_PROBLEMS_MAX = 10000 };
void oro_problem_add(struct oro_problems *problems, bool error, const char *code, int line, const char *node,
                     const char *format, ...) ORO_PRINTF(6, 7);
void oro_problems_free(struct oro_problems *problems);
/* "file:line: error [code]: node 'x': text"; unknown parts are left out. Returns `out`. */
const char *oro_problem_line(const struct oro_problem *problem, const char *file, char *out, size_t size);

/* Checks a document against the node types: unknown types and inputs, dangling links, wrong socket types,
 * values out of range, cycles, required inputs missing, interface entries that lead nowhere. Adds to
 * `problems`, which is then sorted by line and without repetitions (so that the same list may have gone
 * through oro_document_read before). A required input that an interface input leads to may stay unlinked:
 * that is a notice ("open-input"). */
void oro_check(const struct oro_document *doc, const struct oro_registry *registry,
               struct oro_problems *problems);

#endif
