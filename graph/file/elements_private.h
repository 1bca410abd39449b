/*
 * A document as plain elements with attributes, as it would be written: what comparing and merging work on.
 * They need not know what an attribute means, so that what is added to the format is compared and merged,
 * too.
 */
#ifndef ORO_GRAPH_FILE_ELEMENTS_PRIVATE_H
#define ORO_GRAPH_FILE_ELEMENTS_PRIVATE_H

#include "base/memory.h"
#include "base/text.h"
#include "graph/document/document.h"

/* `slot` tells attributes apart: its name, but one for all that say what an input or a variable is (value,
 * expr, from), of which it has one. */
struct oro_attribute {
    const char *name, *slot, *text;
};
#define ORO_SLOT_CONTENT "="

struct oro_element {
    const char *tag; /* "node"; "" for a fragment (a comment, unknown content), whose text is its attribute */
    const char *name; /* what a user calls it: a node's id, a variable's name, ... or "" */
    const char *key;  /* unique among its siblings, with the tag in it */
    bool loose;       /* of an input: its type is not known, so that 1 and 1.0 may be the same */
    bool added;       /* merging: only our side has it */
    unsigned mark;    /* merging: the last walk that came by */
    int line;         /* in what was written last */
    size_t place;     /* among its siblings */
    struct oro_element *parent, *next; /* next: for lists being made */
    struct oro_element *twin;          /* renaming and merging: what it is in the other version */
    struct oro_attribute *attributes;
    size_t attribute_count;
    struct oro_element **children, **sorted; /* in order; by key */
    size_t child_count;
};

/* ---- xml_elements.c ---- */
/* The document as it would be written; the root holds "orograph" and the fragments around it. `arena` owns
 * all. NULL: memory is out, or the document passes a limit. */
struct oro_element *oro_elements_read(const struct oro_document *doc, const struct oro_registry *registry,
                                      struct oro_arena *arena, struct oro_error *err);

/* ---- elements.c ---- Functions that return pointers give NULL when memory is out, but for those that look
 * something up. */
bool oro_element_is(const struct oro_element *element, const char *tag);
struct oro_element *oro_element_child(const struct oro_element *element, const char *key);
const struct oro_attribute *oro_element_slot(const struct oro_element *element, const char *slot);
/* The text of an attribute, or NULL. */
const char *oro_element_text(const struct oro_element *element, const char *name);
/* NULL is an attribute that is not there. */
bool oro_attribute_same(const struct oro_element *element, const struct oro_attribute *a,
                        const struct oro_attribute *b);
/* Places in the editor, and what is drawn small there: no part of what a graph is. */
bool oro_attribute_is_place(const struct oro_element *element, const char *name);
/* Whether both say the same, whatever the order of what they hold, and its places in the editor. */
bool oro_element_same_attributes(const struct oro_element *a, const struct oro_element *b);
bool oro_element_same(const struct oro_element *a, const struct oro_element *b);
/* Makes the keys of the children unique, sets `place`, and makes `sorted`. */
bool oro_element_index(struct oro_element *element, struct oro_arena *arena);
/* Room for this many attributes and children, which it does not have yet. */
struct oro_element *oro_element_create(const struct oro_element *like, size_t attributes, size_t children,
                                       struct oro_arena *arena);
/* Writes XML; sets every element's line. */
void oro_element_write(struct oro_text *out, struct oro_element *root);
/* Text up to the dot: the node that a link leads to. 0: there is none. */
size_t oro_link_node_length(const char *link);

/* What is always there, if with nothing but defaults: about, world, interface, the inputs of a node. */
bool oro_element_always_there(const struct oro_element *holder, const struct oro_element *element);
/* What holds elements that are known by themselves: the document, a group, the interface. */
bool oro_element_is_list(const struct oro_element *element);

/* ---- describe.c ---- What users read; texts are in the arena. */
struct oro_words {
    const struct oro_registry *registry;
    struct oro_arena *arena;
    bool failed; /* memory is out; texts may be NULL then */
};
/* Takes over the text. */
const char *oro_keep_words(struct oro_words *words, struct oro_text *text);
/* As it is where it is one plain word, else in quotation marks, so that a value is never taken for a link. */
void oro_add_quoted(struct oro_text *out, const char *text);
/* The text of a slot, or what holds where it is not there. `parent`: the node that an input belongs to, or
 * NULL. */
const char *oro_describe_slot(struct oro_words *words, const struct oro_element *element,
                              const struct oro_element *parent, const char *slot);
/* All of it in one line: "noise, size 500, terrain from dem.terrain". */
const char *oro_describe_element(struct oro_words *words, const struct oro_element *element);
/* What a slot is called as a part of `owner`, which is the element or the node whose input that is. */
const char *oro_part_name(struct oro_words *words, const struct oro_element *owner,
                          const struct oro_element *element, const char *slot);
const char *oro_element_word(const struct oro_element *element); /* "node", "comment", "content" */

/* ---- rename.c ---- */
struct oro_renaming {
    const char *group; /* the key of the group that holds the node, or "" */
    const char *from, *to;
};
struct oro_renamings {
    struct oro_renaming *items;
    size_t count;
};
/* Finds the nodes that have another id in `after`, with the same content. The roots are those of two
 * documents. */
bool oro_find_renamings(const struct oro_element *before, const struct oro_element *after,
                        struct oro_arena *arena, struct oro_renamings *found);
/* Takes out what cannot be done in this document: the new id is taken. */
void oro_keep_possible(struct oro_renamings *renamings, const struct oro_element *root);
/* Gives nodes and the links to them the new ids. */
bool oro_rename_all(struct oro_element *root, struct oro_renamings *renamings, struct oro_arena *arena);

#endif
