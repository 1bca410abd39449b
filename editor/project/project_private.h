/* The inside of a project, shared by the files of editor/project/. */
#ifndef ED_PROJECT_PROJECT_PRIVATE_H
#define ED_PROJECT_PROJECT_PRIVATE_H

#include "base/file.h"
#include "base/hash.h"
#include "editor/project/history.h"
#include "editor/project/project.h"
#include "editor/project/working_private.h"
#include "graph/derived/assets.h"

struct ed_reach;

/* The document of a file that was opened in place. It lives as long as the project's document. */
struct ed_opened {
    char *place; /* oro_path_true */
    struct oro_document *doc;
    char *text; /* what oro_document_format makes of the file as it is on the disk */
    size_t text_size;
    struct oro_stamp stamp; /* of the file, when it was read or written */
    uint64_t settled;       /* revision of `doc` that the working copy has */
    bool fixed;             /* cannot be changed */
};
/* A part of the way to the shown graph. */
struct ed_entered {
    char *node, *href;      /* href: by which the node named the graph */
    struct ed_opened *file; /* NULL: a group */
};

/* The source that the document was read from. */
struct ed_source {
    /* The bytes as they were read, and what oro_document_format made of the document then: if it still makes
     * the same, those bytes are saved. NULL: the document was not read from a file. */
    void *bytes;
    size_t size;
    char *text;
    size_t text_size;
};

/* The file as this program knows it. */
struct ed_disk_state {
    bool known; /* the file was read or written by us; else there is nothing to compare with */
    struct oro_stamp stamp;
    struct oro_hash content;
};

struct ed_project {
    const struct oro_registry *registry;
    struct oro_document *root;
    struct oro_document *shown_root; /* what the shown graph is a part of: `root`, or an opened file */
    struct {
        struct ed_opened **items;
        size_t count, capacity;
        bool refused; /* an edit of a fixed one */
    } opened;
    char *path;
    uint64_t revision_base; /* ed_project_revision is this plus the root's own revision */
    struct ed_history history;
    uint64_t saved; /* state of the history that was saved; UINT64_MAX: none */
    struct ed_source source;
    struct ed_disk_state disk;
    struct ed_entered entered[ORO_GRAPH_DEPTH_MAX]; /* from the root inwards */
    size_t depth;                                   /* of `entered` */
    struct {
        bool open;
        struct oro_document *body; /* copy of the group that is edited; NULL: the root is edited */
        char *group;
        uint64_t root_revision, body_revision; /* at the beginning */
    } edit;
    struct ed_workings working;
    struct ed_reach *reach; /* what ed_can_link has found out (link.c) */
};

/* ---- project.c ---- */
/* After steps were undone, redone or added that changed the root otherwise than by edits. Groups that come
 * back have the document's old path. */
void ed_after_step(struct ed_project *project);

/* ---- shown_group.c ---- */
/* The group that a node uses; NULL: it uses none. */
const struct oro_doc_group *ed_group_of(const struct oro_document *root, const struct oro_doc_node *node);
/* The group that is shown; NULL: the root is. */
const struct oro_doc_group *ed_shown_group(const struct ed_project *project);
/* Leaves groups that no longer exist. */
void ed_entered_check(struct ed_project *project);
void ed_entered_clear(struct ed_project *project);

/* ---- opened.c ---- */
/* Opens the file that a node of the shown root uses, unless it is open already. NULL: `err` is filled. */
struct ed_opened *ed_opened_by(struct ed_project *project, const struct oro_doc_node *node,
                               struct oro_error *err);
/* The one whose document is shown; NULL: it is the root. */
struct ed_opened *ed_opened_shown(const struct ed_project *project);
/* The files on the disk have what their working copies had. */
void ed_opened_saved(struct ed_project *project);
void ed_opened_clear(struct ed_project *project);

/* ---- group_users.c ---- */
/* Whether a group contains itself, directly or through other groups. */
bool ed_group_holds_itself(const struct oro_document *root, const char *group);
/* Gives a group a copy of a new body. Nodes that use the group lose values and links of entries that only the
 * old body's interface had. */
bool ed_group_replace(struct oro_document *root, const char *name, const struct oro_document *body,
                      struct oro_error *err);

/* ---- files.c ---- */
void ed_source_free(struct ed_source *source);
/* Opens the text of a recovered copy as the changed document of `path` ("": untitled), with files looked for
 * from `base`. `disk`: the last known state of the file at `path`. */
bool ed_project_restore(struct ed_project *project, const char *copy, const char *path, const char *base,
                        const struct ed_disk_state *disk, struct oro_problems *problems,
                        struct oro_error *err);

/* ---- edit.c ---- Edits that need the groups of the root, too. Between ed_edit_begin and ed_edit_end. */
/* The shown graph with the groups of the root; if a group is shown, a copy. NULL: memory is out. */
struct oro_document *ed_whole_begin(struct ed_project *project, struct oro_error *err);
/* Takes the result over into the project if `ok`; destroys a copy. */
bool ed_whole_end(struct ed_project *project, struct oro_document *whole, bool ok, struct oro_error *err);

/* ---- link.c ---- */
void ed_reach_destroy(struct ed_reach *reach);

#endif
