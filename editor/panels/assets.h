/*
 * What can be added to a document: node types, graphs of the library and beside the document, scripts, groups
 * of the document, and presets of all of these; and the examples. Palette, search and start screen share one
 * list.
 *
 * The disk is looked at when the document's path changes, or when asked; of a graph only the beginning of the
 * file is read until someone wants to know what it takes and gives. Scripts are not run for the list: what
 * they say about themselves is read in their text (graph/derived/script_about.h).
 *
 * Threads: that of the registry, the window's.
 */
#ifndef ED_PANELS_ASSETS_H
#define ED_PANELS_ASSETS_H

#include "base/memory.h"
#include "base/search.h"
#include "graph/document/document.h"

enum ed_asset_kind {
    ED_ASSET_TYPE,
    ED_ASSET_GRAPH, /* a file */
    ED_ASSET_SCRIPT,
    ED_ASSET_GROUP,
    ED_ASSET_USE,    /* of a type (struct oro_use) */
    ED_ASSET_PRESET, /* these two are ways to set what they are for */
};

struct ed_asset {
    enum ed_asset_kind kind;
    const char *key; /* tells it apart: "noise", "mesa.oro", "#rock", "noise:voronoi", "phasor/alpine" */
    const char *type, *href; /* of the node; href NULL: not a graph */
    const char *label, *category;
    const char *doc;           /* a sentence or several; "" */
    const char *words;         /* that it is found by, too (node.h); "" */
    const char *path;          /* its file; for a preset, the preset's; NULL: none */
    const char *shows;         /* the file whose picture shows it: its own, or an example's; NULL: none */
    const struct oro_use *use; /* NULL: none */
    bool own;                  /* its file is one of the user's library, and may be changed */
    bool broken;               /* its file cannot be used: doc says why */
    bool known;                /* the following is known: for graphs only after ed_assets_learn */
    unsigned takes;            /* 1 << enum oro_type of outputs that some input accepts */
    unsigned gives;            /* 1 << enum oro_type of its outputs */
    unsigned wanted, given; /* what its inputs are meant for, and its outputs give (graph/type/meaning.h) */
};

struct ed_example {
    const char *name;     /* "canyon" */
    const char *folder;   /* "examples", "lua", "library" */
    const char *category; /* "" */
    const char *title, *path;
    const char *doc; /* "" */
};

/* Start with a zeroed one. */
struct ed_assets {
    struct oro_arena *arena;
    struct ed_asset *items; /* by category and label, uses and presets after what they are for; groups at
                              the end */
    size_t count, capacity;
    size_t fixed; /* how many come from the disk or the program */
    struct ed_example *examples;
    size_t example_count, example_capacity;
    struct oro_arena *group_arena;
    char *path;
    uint64_t revision; /* revision of the document that the groups are from */
    uint64_t serial;   /* rises when the list changes */
    bool listed;
};

/* Brings the list up to date; cheap if nothing changed. `again`: looks at the disk anew. False: memory is
 * out, and some assets are missing. */
bool ed_assets_refresh(struct ed_assets *assets, const struct oro_registry *registry,
                       const struct oro_document *root, uint64_t revision, bool again);
void ed_assets_free(struct ed_assets *assets);
const struct ed_asset *ed_assets_find(const struct ed_assets *assets, const char *key); /* NULL */
/* Finds out what one more graph takes and gives: of a file by the types of `listed`, whose scripts are left
 * out (oro_scripts_omit), of a group of the document by those of `registry`. What leads to scripts that are
 * left out is offered everywhere. False: all were known already. */
bool ed_assets_learn(struct ed_assets *assets, const struct oro_registry *registry,
                     const struct oro_registry *listed, const struct oro_document *root);
/* Whether it is a way to set another one, a use or a preset. */
static inline bool ed_asset_is_variant(const struct ed_asset *asset)
{
    return asset->kind >= ED_ASSET_USE;
}
/* Finds assets by what is typed, best first, into `found`, which grows. `favour` says what else speaks for
 * one (base/search.h); below 0: it is left out. It may be NULL. False: memory is out. */
struct ed_assets_found {
    struct oro_match *items; /* indices of assets */
    size_t count, capacity;
};
bool ed_assets_search(const struct ed_assets *assets, const char *typed,
                      int (*favour)(const void *user, const struct ed_asset *asset), const void *user,
                      struct ed_assets_found *found);
/* The file in examples/nodes/ that shows a node type of a category; the caller frees. NULL: there is none. */
char *ed_example_of(const char *category, const char *type);

/* What the <about> of a document says, read without reading all of it: at most 64 KiB. `is_node`: it has
 * outputs, so that it can be one. False: there is no such document. */
struct ed_about {
    char title[200], category[64], doc[600], words[600];
    bool is_node;
};
bool ed_about_read(const char *path, struct ed_about *about);

#endif
