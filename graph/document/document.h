/*
 * The document: a graph as the user wrote it. Literals stay text, and unknown content and the order of things
 * are kept. It is changed through edits, which can be undone. It does not know node types, except where a
 * registry is passed.
 *
 * Ownership: the document owns everything in it; pointers into it are valid until the next edit. Threads: one
 * at a time.
 */
#ifndef ORO_GRAPH_DOCUMENT_DOCUMENT_H
#define ORO_GRAPH_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "graph/type/grid.h"
#include "graph/type/registry.h"

/* Limits of a document, in files and in memory. */
enum {
    ORO_DOCUMENT_VERSION = 1,
    ORO_DOCUMENT_BYTES_MAX = 64 * 1024 * 1024,
    ORO_DOCUMENT_NODES_MAX = 100000,
    ORO_DOCUMENT_DEPTH_MAX = 64,
    ORO_DOCUMENT_INPUTS_MAX = 256, /* entries of one node */
    ORO_DOCUMENT_PORTS_MAX = 1024, /* entries of the interface */
    ORO_DOCUMENT_VARIABLES_MAX = 1024,
    ORO_DOCUMENT_GROUPS_MAX = 1024,
    ORO_DOCUMENT_BUILDS_MAX = 256,
    ORO_DOCUMENT_ATTRIBUTES_MAX = 64,    /* of one element */
    ORO_DOCUMENT_NAMESPACES_MAX = 256,   /* declarations in one document */
    ORO_DOCUMENT_PARTS_MAX = 2000000,    /* elements, attributes, comments, ... in one document */
    ORO_DOCUMENT_TEXT_MAX = 1024 * 1024, /* bytes of one attribute or comment */
};

/* Types of nodes that are made from the document itself: a graph that is used as a node, and a script that
 * stands in the node. */
#define ORO_GRAPH_TYPE "graph"
#define ORO_INLINE_TYPE "lua"

/* An attribute that this version does not know, or a known one whose value makes no sense (such as x="1,5").
 * It is written back as it was. A known one is dropped by the edit that gives it a valid value. */
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

/* One input of a node: a literal (`value`), an expression over the variables (`expr`), or a link
 * (`from_node`, `from_output`); the others are NULL. All are NULL in an entry without content, which
 * oro_check reports. */
struct oro_doc_input {
    char *name; /* "" where the file has none */
    char *value;
    char *expr;
    char *from_node, *from_output;
    int line;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

struct oro_doc_node {
    char *id, *type; /* "" where the file has none */
    /* That it was written for: of the node type, or of the graph that `href` names. 0: none was written, and
     * the type was not found, else it would have the present one. */
    int version;
    char *href;   /* of a node of type "graph": the file, or "#name" for a group of the document; or NULL */
    char *script; /* of a node of type "lua": what defines its type; or NULL */
    int script_line;
    double x, y;    /* place in the editor */
    bool mute;      /* lets its input through: see graph/derived/mute.h */
    bool collapsed; /* drawn small in the editor; no effect on results */
    int line;
    struct oro_doc_input *inputs;
    size_t input_count;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

/* What an entry of the interface says about itself besides its name, in the order of writing. */
enum oro_port_text {
    ORO_PORT_LABEL,
    ORO_PORT_GROUP,
    ORO_PORT_DEFAULT, /* replaces the inner node's value */
    ORO_PORT_MIN,
    ORO_PORT_MAX,
    ORO_PORT_SOFT_MIN,
    ORO_PORT_SOFT_MAX,
    ORO_PORT_UNIT, /* as in oro_unit_name */
    ORO_PORT_WAS,  /* its names in older versions, separated by blanks */
    ORO_PORT_DOC,
    ORO_PORT_TEXTS,
};

/* One entry of the interface. Several inputs of one name are one input that leads to several places; the
 * first entry describes it. */
struct oro_doc_port {
    bool is_output;
    char *name;
    /* "to" of an input, "from" of an output; "" where the file has none. If an input leads to a variable,
     * `node` is "" and `socket` is the variable's name. */
    char *node, *socket;
    char *texts[ORO_PORT_TEXTS]; /* or NULL */
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

/* A named number, for expressions. */
struct oro_doc_variable {
    char *name;               /* "" where the file has none */
    char *value, *expr;       /* one of them; the other is NULL */
    char *unit, *label, *doc; /* or NULL */
    int line;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

/* A graph inside the document, for nodes with the href "#name". */
struct oro_doc_group {
    char *name; /* "" where the file has none */
    /* It has no groups of its own, and its path is that of the document. Unknown attributes of the group,
     * such as namespaces, are kept as those of the body's root. */
    struct oro_document *body;
    int line;
};

/* What a graph says about itself; NULL for what it does not say. */
struct oro_doc_about {
    char *title, *category, *doc;
    char *words; /* that searches find it by, as those of a node type (node.h) */
};

/* A profile of how the document is built (`render --build NAME`): what a user would give on every command
 * line. Texts are as the document has them; NULL: not said. */
struct oro_doc_build {
    char *name;       /* "" where the file has none */
    char *resolution; /* of the world, a number or "=expression"; NULL: the document's own */
    char *engine;     /* whom files are for, as the input of that role of nodes that write files */
    char *outputs;    /* with blanks between: of the interface, NODE.OUTPUT, or nodes that write files; NULL:
                         all nodes that write files, or else all of the interface */
    int line;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
};

/* Numbers of the world that may be expressions over the document's variables: "=relief * 4". */
enum oro_world_number {
    ORO_WORLD_EXTENT,
    ORO_WORLD_RESOLUTION,
    ORO_WORLD_ASPECT,
    ORO_WORLD_SEA,
    ORO_WORLD_NUMBERS
};
extern const char *const oro_world_number_names[]; /* as attributes are called; ends with NULL */

struct oro_world {
    double extent;  /* metres along x */
    int resolution; /* cells along x */
    double aspect;  /* height / width */
    int64_t seed;
    bool has_sea; /* `sea` is the level of its sea, in metres: where water has arrived */
    double sea;
    /* Without their "=", in the place of the numbers above, which are then the defaults; NULL: the number. */
    char *exprs[ORO_WORLD_NUMBERS];
    /* Where it lies on Earth: a projected coordinate system in metres (base/place.h), and the north-west
     * corner in it. NULL: nowhere in particular. */
    char *crs;
    double west, north;
    /* A node that reads a file: the world's extent, aspect and place are those of the file, where it tells
     * them, instead of the above. Or NULL. */
    char *from;
};
#define ORO_WORLD_DEFAULT                                                                                    \
    {                                                                                                        \
        .extent = 10000, .resolution = 256, .aspect = 1, .seed = 0                                           \
    }

struct oro_document; /* see the accessors */

struct oro_document *oro_document_create(void); /* empty, with the default world; NULL: memory is out */
void oro_document_destroy(struct oro_document *doc);

const char *oro_document_path(const struct oro_document *doc); /* "" before it has one */
bool oro_document_set_path(struct oro_document *doc, const char *path);
const char *oro_document_title(const struct oro_document *doc); /* "" */
struct oro_doc_about oro_document_about(const struct oro_document *doc);
int oro_document_interface_version(const struct oro_document *doc); /* 1 where it has none */
const struct oro_world *oro_document_world(const struct oro_document *doc);
/* Whether two worlds are equal in all that they say. */
bool oro_world_same(const struct oro_world *a, const struct oro_world *b);
/* Sets one number, and leaves its expression aside; a resolution is rounded to the nearest cell. */
void oro_world_set(struct oro_world *world, enum oro_world_number which, double value);
/* Whether some of it is only known once expressions are evaluated, or a file was asked. */
bool oro_world_follows(const struct oro_world *world);
/* Whether its numbers make sense; if not, says what is wrong. */
bool oro_world_valid(const struct oro_world *world, struct oro_error *err);
/* The base grid: extent / resolution gives the cell; rows are aspect * resolution, rounded, at least 1. Even
 * a world that oro_check refuses gives a grid within the limits. */
struct oro_grid oro_world_grid(const struct oro_world *world);
struct oro_grid oro_document_grid(const struct oro_document *doc); /* of the world as the document says it */

size_t oro_document_node_count(const struct oro_document *doc);
/* In document order. */
const struct oro_doc_node *oro_document_node(const struct oro_document *doc, size_t index);
const struct oro_doc_node *oro_document_find(const struct oro_document *doc, const char *id); /* NULL; O(1) */
size_t oro_document_find_index(const struct oro_document *doc, const char *id); /* SIZE_MAX: none; O(1) */
/* "; did you mean 'ID'?" with the node, or the group, whose name is nearest; "" where none is, or where there
 * are too many to look at. Returns `out`. */
const char *oro_document_near_node(const struct oro_document *doc, const char *id, char out[ORO_NEAR_SIZE]);
const char *oro_document_near_group(const struct oro_document *doc, const char *name,
                                    char out[ORO_NEAR_SIZE]);
const struct oro_doc_input *oro_doc_node_input(const struct oro_doc_node *node, const char *name); /* NULL */
size_t oro_document_port_count(const struct oro_document *doc);
const struct oro_doc_port *oro_document_port(const struct oro_document *doc, size_t index);
size_t oro_document_frame_count(const struct oro_document *doc);
const struct oro_doc_frame *oro_document_frame(const struct oro_document *doc, size_t index);
size_t oro_document_variable_count(const struct oro_document *doc);
const struct oro_doc_variable *oro_document_variable(const struct oro_document *doc, size_t index);
const struct oro_doc_variable *oro_document_find_variable(const struct oro_document *doc,
                                                          const char *name); /* NULL: none */
size_t oro_document_group_count(const struct oro_document *doc);
const struct oro_doc_group *oro_document_group(const struct oro_document *doc, size_t index);
const struct oro_doc_group *oro_document_find_group(const struct oro_document *doc,
                                                    const char *name); /* NULL: none */
size_t oro_document_build_count(const struct oro_document *doc);
const struct oro_doc_build *oro_document_build(const struct oro_document *doc, size_t index);
const struct oro_doc_build *oro_document_find_build(const struct oro_document *doc,
                                                    const char *name); /* NULL: none */
/* A copy without history. NULL: memory is out. */
struct oro_document *oro_document_clone(const struct oro_document *doc);

/* ---- Edits ---- Each is undone and redone as one step; edits between begin and end form one step, with
 * the name given to begin (pairs may be nested; the outermost counts). All return false with `err` filled
 * and the document unchanged if the edit makes no sense (no such node, an id that is taken or malformed, a
 * link that would close a cycle, text that XML cannot hold) or memory is out. An edit that changes nothing
 * succeeds and makes no step. Types of sockets are checked by oro_check, not here. The last ORO_UNDO_STEPS
 * steps are kept. */
enum { ORO_UNDO_STEPS = 500 };
bool oro_edit_begin(struct oro_document *doc, const char *name, struct oro_error *err);
bool oro_edit_end(struct oro_document *doc, struct oro_error *err);
/* Ends the innermost begin and undoes all edits since. */
bool oro_edit_cancel(struct oro_document *doc, struct oro_error *err);

bool oro_edit_add_node(struct oro_document *doc, const char *id, const char *type, int version, double x,
                       double y, struct oro_error *err);
/* Also removes the node's links. */
bool oro_edit_remove_node(struct oro_document *doc, const char *id, struct oro_error *err);
bool oro_edit_rename_node(struct oro_document *doc, const char *id, const char *new_id,
                          struct oro_error *err);
bool oro_edit_connect(struct oro_document *doc, const char *node, const char *input, const char *from_node,
                      const char *from_output, struct oro_error *err);
/* Sets a literal, replacing a link; NULL removes the input's entry, so that it takes its default. */
bool oro_edit_set(struct oro_document *doc, const char *node, const char *input, const char *value,
                  struct oro_error *err);
/* Sets an expression, replacing what was there. It is not evaluated here. */
bool oro_edit_set_expression(struct oro_document *doc, const char *node, const char *input, const char *expr,
                             struct oro_error *err);
/* Sets which graph a node of type "graph" is, and its version; 0: not known. */
bool oro_edit_href(struct oro_document *doc, const char *node, const char *href, int version,
                   struct oro_error *err);
/* Gives a node of type "lua" its script. */
bool oro_edit_script(struct oro_document *doc, const char *node, const char *script, struct oro_error *err);
bool oro_edit_move(struct oro_document *doc, const char *node, double x, double y, struct oro_error *err);
bool oro_edit_mute(struct oro_document *doc, const char *node, bool mute, struct oro_error *err);
bool oro_edit_collapse(struct oro_document *doc, const char *node, bool collapsed, struct oro_error *err);
/* Frames are addressed by index. `frame` is copied, without its `other`, `fragments` and `line`. */
bool oro_edit_add_frame(struct oro_document *doc, const struct oro_doc_frame *frame, struct oro_error *err);
bool oro_edit_frame(struct oro_document *doc, size_t index, const struct oro_doc_frame *frame,
                    struct oro_error *err);
bool oro_edit_remove_frame(struct oro_document *doc, size_t index, struct oro_error *err);
bool oro_edit_world(struct oro_document *doc, const struct oro_world *world, struct oro_error *err);
bool oro_edit_title(struct oro_document *doc, const char *title, struct oro_error *err);
/* All that a graph says about itself; what is NULL or "" is left out. */
bool oro_edit_about(struct oro_document *doc, const struct oro_doc_about *about, struct oro_error *err);
/* Variables, builds and groups are addressed by name; setting one that does not exist adds it. Arguments are
 * copied, without the `other`, `fragments` and `line` of a variable or build. Nodes that use a removed group
 * stay. */
bool oro_edit_variable(struct oro_document *doc, const struct oro_doc_variable *variable,
                       struct oro_error *err);
bool oro_edit_remove_variable(struct oro_document *doc, const char *name, struct oro_error *err);
bool oro_edit_build(struct oro_document *doc, const struct oro_doc_build *build, struct oro_error *err);
bool oro_edit_remove_build(struct oro_document *doc, const char *name, struct oro_error *err);
bool oro_edit_group(struct oro_document *doc, const char *name, const struct oro_document *body,
                    struct oro_error *err);
bool oro_edit_remove_group(struct oro_document *doc, const char *name, struct oro_error *err);
/* The name of an output must be free, and an input may not lead to the same place twice. Removing goes by
 * name and kind, and removes all entries that match. */
bool oro_edit_add_port(struct oro_document *doc, const struct oro_doc_port *port, struct oro_error *err);
/* Changes the entry at `index`, which keeps its place and its unknown content. */
bool oro_edit_port(struct oro_document *doc, size_t index, const struct oro_doc_port *port,
                   struct oro_error *err);
/* Removes one entry; the next function removes all of a name and kind. */
bool oro_edit_drop_port(struct oro_document *doc, size_t index, struct oro_error *err);
bool oro_edit_remove_port(struct oro_document *doc, bool is_output, const char *name, struct oro_error *err);

bool oro_document_can_undo(const struct oro_document *doc, const char **name);
bool oro_document_can_redo(const struct oro_document *doc, const char **name);
bool oro_document_undo(struct oro_document *doc, struct oro_error *err);
bool oro_document_redo(struct oro_document *doc, struct oro_error *err);
/* Joins the last two steps under the name of the first, for edits that continue, such as a slider's. The
 * state between them is lost. ORO_E_USAGE: there are no two steps, or something was undone since. */
bool oro_document_join(struct oro_document *doc, struct oro_error *err);
/* Exchanges all that is written of two documents. This is no step: histories stay, and fit again once the
 * same two documents are exchanged back. */
void oro_document_exchange(struct oro_document *doc, struct oro_document *other);
/* Rises with every edit, undo, redo and exchange: equal numbers mean an unchanged document. */
uint64_t oro_document_revision(const struct oro_document *doc);

/* What a node was when it was looked at. Equal marks of content mean that the node is the same in all that
 * the document says of it, its id included: in a copy of the document, too, and again after an undo. */
struct oro_node_mark {
    uint64_t content, id;
};
struct oro_node_mark oro_document_node_mark(const struct oro_document *doc, size_t index);
/* The like for variables, interface, groups and files that stand in for others, together. */
uint64_t oro_document_setting_mark(const struct oro_document *doc);

/* ---- Files that belong to documents ---- They may be renamed when the document is. Calls `see` for each
 * text of an input, or of a default in the interface: in the document, in its groups, and in everything that
 * undo and redo would bring back. */
void oro_document_each_text(const struct oro_document *doc, void (*see)(void *user, const char *text),
                            void *user);
/* Replaces every text that is `from[i]` by `to[i]`. This is no undoable step: the history's texts are
 * replaced, too. On failure nothing is changed. */
bool oro_document_replace_texts(struct oro_document *doc, const char *const *from, const char *const *to,
                                size_t count, struct oro_error *err);

/* ---- Files that stand in for others ---- While a document is edited, a file that it reads may have a
 * working copy elsewhere, which is read in place of the file: by plans of the document and of its copies.
 * What stands in is no part of what is written, and no step of undo, but raises the revision. */
/* `path` and `file` are absolute, `path` without links (oro_path_place). `file` NULL: nothing stands in for
 * it any longer. */
bool oro_document_stand_in(struct oro_document *doc, const char *path, const char *file,
                           struct oro_error *err);
/* The file to read for a path of any form; the path itself where nothing stands in for it. */
const char *oro_document_file_for(const struct oro_document *doc, const char *path);

/* ---- Problems ---- found by reading or checking; all are collected. */
struct oro_problem {
    char code[24]; /* stable: "unknown-type", "dangling-link", ... listed in docs/file-format.md */
    bool error;    /* otherwise a notice: a migration, or unknown content that is kept */
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
/* Whether the problem is a missing or broken graph, a broken script or a build that makes no sense: what does
 * not need it can still be evaluated. */
bool oro_problem_is_local(const struct oro_problem *problem);
/* How many errors keep the document from being evaluated at all. */
size_t oro_problems_fatal(const struct oro_problems *problems);
void oro_problem_add(struct oro_problems *problems, bool error, const char *code, int line, const char *node,
                     const char *format, ...) ORO_PRINTF(6, 7);
/* Orders them by line, and drops repetitions. */
void oro_problems_sort(struct oro_problems *problems);
void oro_problems_free(struct oro_problems *problems);
/* "file:line: error [code]: node 'x': text"; unknown parts are left out. Returns `out`. */
const char *oro_problem_line(const struct oro_problem *problem, const char *file, char *out, size_t size);

#endif
