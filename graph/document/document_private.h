/*
 * The inside of a document, shared by document.c, item.c, undo.c, edit.c, check.c and the XML files.
 *
 * A document is a list of items, the children of its root element in their order. Items are replaced, never
 * changed in place: an edit clones what it touches, changes the clone and swaps it in, and the undo step
 * keeps the original. So undoing means swapping back, and an edit that fails half-way has changed nothing.
 */
#ifndef ORO_GRAPH_DOCUMENT_DOCUMENT_PRIVATE_H
#define ORO_GRAPH_DOCUMENT_DOCUMENT_PRIVATE_H

#include "base/text.h"
#include "graph/document/document.h"

enum oro_item_kind {
    ORO_ITEM_ABOUT,
    ORO_ITEM_WORLD,
    ORO_ITEM_VARIABLE,
    ORO_ITEM_INTERFACE,
    ORO_ITEM_GROUP,
    ORO_ITEM_NODE,
    ORO_ITEM_FRAME,
    ORO_ITEM_BUILD,
    ORO_ITEM_FRAGMENT
};

struct oro_item {
    enum oro_item_kind kind;
    uint64_t mark; /* of its content: copies of documents keep it, any change gives another */
    /* Kept up to date while the item is in the document. */
    size_t place;   /* index among all items */
    size_t ordinal; /* index among the items of its kind */
    uint64_t hash;  /* of a node's id */
    /* of about, world, interface and fragment; the other kinds have their own */
    int line;
    struct oro_doc_attributes other;
    struct oro_doc_fragments fragments;
    union {
        struct oro_doc_about about;
        struct oro_world world;
        struct oro_doc_variable variable;
        struct {
            struct oro_doc_port *items;
            size_t count;
            int version;
        } ports; /* interface */
        struct oro_doc_group group;
        struct oro_doc_node node;
        struct oro_doc_frame frame;
        struct oro_doc_build build;
        char *text; /* fragment */
    };
};

/* One swap: `before` NULL inserts, `after` NULL removes. The change owns the item that is not in the
 * document. */
struct oro_change {
    size_t place;
    struct oro_item *before, *after;
};
struct oro_undo_step {
    char *name;
    struct oro_change *changes;
    size_t count, capacity;
    size_t *begins; /* of an open step, for each begin: how many changes came before it */
    size_t begin_capacity;
};

struct oro_document {
    char *path;
    /* From here to `stand_ins` is what oro_document_exchange exchanges. */
    struct oro_doc_attributes other;     /* of the root element */
    struct oro_doc_fragments head, tail; /* before and behind the root element */
    struct oro_item **items;
    size_t item_count, capacity; /* `capacity` also applies to the lists below */
    /* Derived from the items. */
    struct oro_item **nodes, **frames, **variables, **groups, **builds;
    size_t node_count, frame_count, variable_count, group_count, build_count;
    struct oro_item *about, *world, *interface; /* or NULL */
    struct oro_item **table;                    /* nodes by id, the first of equal ones; linear probing */
    size_t table_size;                          /* a power of two, more than twice the capacity; or 0 */

    /* What the interface makes of it as a node (graph/derived/graph_type.c); made when it is asked for. */
    struct oro_derived {
        void *data;
        void (*destroy)(void *data);
    } * derived;

    struct oro_stand_in {
        char *path, *file;
    } * stand_ins;
    size_t stand_in_count, stand_in_capacity;

    struct oro_undo_step *steps[ORO_UNDO_STEPS]; /* oldest first; those from `done` on were undone */
    size_t step_count, done;
    struct oro_undo_step *open; /* between begin and end */
    int depth;                  /* of nested begins */
    uint64_t revision;
};

enum { ORO_ID_MAX = 100 }; /* longest node id, in characters */

/* ---- document.c ---- */
/* Makes room for `more` further items, so that inserting them cannot fail. */
bool oro_document_reserve(struct oro_document *doc, size_t more);
/* Updates everything derived after items were added, removed or given new ids. Room must have been made. */
void oro_document_rebuild(struct oro_document *doc);
/* Adds an item at the end. Room must have been made. */
void oro_document_append(struct oro_document *doc, struct oro_item *item);
/* Updates what is derived after `before` was replaced by `after`, which has the same id. */
void oro_document_replaced(struct oro_document *doc, const struct oro_item *before, struct oro_item *after);
struct oro_item *oro_document_item(const struct oro_document *doc, const char *id); /* NULL: no such node */

/* ---- stand_in.c ---- */
bool oro_stand_ins_copy(struct oro_document *to, const struct oro_document *from);
void oro_stand_ins_free(struct oro_document *doc);
/* Whether the same files stand in for the same; `a` NULL: a document without any. */
bool oro_stand_ins_equal(const struct oro_document *a, const struct oro_document *b);

/* ---- item.c ---- Functions return NULL or false when memory is out. */
struct oro_item *oro_item_create(enum oro_item_kind kind);
struct oro_item *oro_item_clone(const struct oro_item *item);
void oro_item_destroy(struct oro_item *item); /* NULL is allowed */
bool oro_item_set_world(struct oro_item *item, const struct oro_world *world);
/* To be called where an item that may have been copied is changed in place after all. */
void oro_item_changed(struct oro_item *item);
bool oro_attributes_add(struct oro_doc_attributes *list, const char *name, const char *value);
bool oro_attributes_have(const struct oro_doc_attributes *list, const char *name);
void oro_attributes_remove(struct oro_doc_attributes *list, const char *name);
/* Copies into a list that is empty, or whose entries need not be freed. */
bool oro_attributes_copy(struct oro_doc_attributes *to, const struct oro_doc_attributes *from);
void oro_attributes_free(struct oro_doc_attributes *list);
bool oro_fragments_add(struct oro_doc_fragments *list, const char *text, size_t at);
bool oro_fragments_copy(struct oro_doc_fragments *to, const struct oro_doc_fragments *from);
void oro_fragments_free(struct oro_doc_fragments *list);
/* A new, zeroed entry at the end. */
struct oro_doc_input *oro_item_add_input(struct oro_item *node);
struct oro_doc_port *oro_item_add_port(struct oro_item *interface);
/* Fragments after the entry move up. */
void oro_item_remove_input(struct oro_item *node, size_t index);
void oro_item_remove_port(struct oro_item *interface, size_t index);
/* Replaces a text; on failure the old one stays. NULL is allowed. */
bool oro_set_text(char **text, const char *value);

/* ---- undo.c ---- */
/* Carries out the changes as one step, or as a part of the open one, and takes them over. On failure neither
 * the document nor the changes have changed. */
bool oro_undo_commit(struct oro_document *doc, const char *name, const struct oro_change *changes,
                     size_t count, struct oro_error *err);
void oro_undo_free(struct oro_document *doc);

/* ---- edit.c, edit_document.c ---- Changes being prepared. If memory is out, `failed` is set, so that one
 * check at the end suffices. */
struct oro_edit {
    struct oro_document *doc;
    struct oro_change *changes;
    size_t count, capacity;
    bool failed;
};
/* `before` NULL inserts at `place`, `after` NULL removes. Takes over `after` if it succeeds. */
bool oro_edit_change(struct oro_edit *edit, size_t place, struct oro_item *before, struct oro_item *after);
/* A clone that will replace the item; NULL: failed. */
struct oro_item *oro_edit_clone(struct oro_edit *edit, struct oro_item *item);
/* A new item that will stand at `place`; NULL: failed. */
struct oro_item *oro_edit_insert(struct oro_edit *edit, size_t place, enum oro_item_kind kind);
/* Commits, or gives up if `ok` is false, which means that the preparation ran out of memory. */
bool oro_edit_finish(struct oro_edit *edit, bool ok, const char *name, struct oro_error *err);
/* Adds a node that was prepared as an item, and takes it over in any case. */
bool oro_edit_adopt(struct oro_document *doc, struct oro_item *item, struct oro_error *err);
bool oro_same_text(const char *a, const char *b); /* NULL equals only NULL */
bool oro_edit_refuse(struct oro_error *err, const char *node, const char *format, ...) ORO_PRINTF(3, 4);
struct oro_item *oro_edit_need_node(const struct oro_document *doc, const char *id, struct oro_error *err);
bool oro_edit_need_text(const char *text, struct oro_error *err); /* NULL is allowed */
/* Whether `name` is a valid name for `what`, such as "an input". */
bool oro_edit_need_name(const char *name, const char *what, struct oro_error *err);
bool oro_edit_need_finite(const double *numbers, size_t count, struct oro_error *err);

/* ---- characters.c ---- */
/* UTF-8 without characters that XML cannot hold, and not too long for the reader. */
bool oro_xml_allows(const char *text);
/* Adds the text, escaped for an attribute. */
void oro_xml_escape(struct oro_text *out, const char *text);

/* ---- check_form.c ---- */
/* The part of oro_check that needs no registry: ids, numbers, links without a target, the interface's form.
 */
void oro_check_form(const struct oro_document *doc, struct oro_problems *problems);

/* ---- cycle.c ---- */
void oro_check_cycles(const struct oro_document *doc, struct oro_problems *problems);

/* ---- problem.c ---- */
bool oro_problems_full(const struct oro_problems *problems);

#endif
