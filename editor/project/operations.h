/*
 * What a user does to several nodes at once. Each is one step of the history, and fails as edits do, with the
 * document unchanged. Nodes are named by their ids in the shown graph.
 */
#ifndef ED_PROJECT_OPERATIONS_H
#define ED_PROJECT_OPERATIONS_H

#include "editor/project/project.h"

/* Ids, each once, in the order in which they were chosen. */
struct ed_names {
    char **items;
    size_t count, capacity;
};
bool ed_names_add(struct ed_names *names, const char *name); /* false: memory is out */
void ed_names_remove(struct ed_names *names, const char *name);
bool ed_names_have(const struct ed_names *names, const char *name);
void ed_names_clear(struct ed_names *names);
void ed_names_free(struct ed_names *names);

/* How large nodes are on the canvas, for layouts; and where a socket is, as a share of its node's height from
 * above (NULL: they are taken to be spread evenly). */
struct ed_sizes {
    void (*size)(void *user, const char *node, double *width, double *height);
    double (*socket)(void *user, const char *node, const char *socket, bool output);
    void *user;
};

/* A free id like `wanted`: "noise", "noise2", ... Characters that ids cannot have are replaced. The caller
 * frees. */
char *ed_free_id(const struct oro_document *doc, const char *wanted);
/* What an id can have of a text: runs of other characters become one '_'. */
enum { ED_ID_SIZE = 81 }; /* ids have at most 100 characters; a number may come behind */
void ed_clean_id(const char *wanted, char id[ED_ID_SIZE]);

/* An end of a link: an input or output of a node. */
struct ed_end {
    const char *node, *socket;
};
/* Adds a node of a type ("noise"; of a graph its href: "alpine_range.oro", "#rock"; "lua" for one with a
 * script of its own), at a place. `from`: an output that is linked to the first input that takes it,
 * a namesake first; `to`: an input that gets its first output that fits; both may be NULL, and where nothing
 * fits it is ORO_E_USAGE. `id` receives the new node's, and may be NULL. */
bool ed_add_node(struct ed_project *project, const char *type, const char *href, double x, double y,
                 const struct ed_end *from, const struct ed_end *to, char id[128], struct oro_error *err);
/* Whether an input is meant for outputs of this name, by its own: "uplift", "hardness". Of masks nobody
 * knows: the terrain may be meant. */
bool ed_is_namesake(const struct oro_input *input, const char *output);
/* Links, and replaces what was linked there. Refused with ORO_E_USAGE and a reason where the types do not
 * fit or a circle would come about. */
bool ed_link(struct ed_project *project, const struct ed_end *from, const struct ed_end *to,
             struct oro_error *err);
/* Whether ed_link would succeed; for lighting up sockets. */
bool ed_can_link(const struct ed_project *project, const struct ed_end *from, const struct ed_end *to);
bool ed_unlink(struct ed_project *project, const struct ed_end *inputs, size_t count, struct oro_error *err);
/* Puts a node on a link, between its ends, where it fits. */
bool ed_insert_on_link(struct ed_project *project, const char *node, const struct ed_end *input,
                       struct oro_error *err);
/* A reroute on a link. */
bool ed_add_reroute(struct ed_project *project, const struct ed_end *input, double x, double y, char id[128],
                    struct oro_error *err);

/* Removes nodes. Groups that they used stay. `heal`: what was linked to their first input is linked to what
 * they gave, where it fits. */
bool ed_delete(struct ed_project *project, const struct ed_names *nodes, bool heal, struct oro_error *err);
/* Mutes all, or where all are muted already none. Likewise collapses. */
bool ed_mute(struct ed_project *project, const struct ed_names *nodes, struct oro_error *err);
bool ed_collapse(struct ed_project *project, const struct ed_names *nodes, struct oro_error *err);
bool ed_move(struct ed_project *project, const struct ed_names *nodes, double dx, double dy,
             struct oro_error *err);
/* Renames a node; where it is used in the interface and links, too (oro_edit_rename_node). */
bool ed_rename(struct ed_project *project, const char *node, const char *id, struct oro_error *err);
/* Gives the group that a node is another name, in all graphs that use it, and a title where the name cannot
 * say it all. A node that was named after the group follows; `id` receives what it is called now. */
bool ed_rename_group(struct ed_project *project, const char *node, const char *title, char id[128],
                     struct oro_error *err);

/* Nodes with the links between them, and frames that hold nothing else, as an .oro document: what goes to the
 * clipboard. Groups that they use come along. The caller frees. NULL: `err`. */
char *ed_copy(const struct ed_project *project, const struct ed_names *nodes, struct oro_error *err);
/* Adds what such a text holds, with new ids, so that its middle is at a place; `links`: links from nodes that
 * were not copied are made again, where such nodes are. Text that is none is refused with ORO_E_DOCUMENT.
 * `added` (emptied before) receives the new ids. */
bool ed_paste(struct ed_project *project, const char *text, double x, double y, bool links,
              struct ed_names *added, struct oro_error *err);
/* A copy beside the original, linked to what the original is linked to. */
bool ed_duplicate(struct ed_project *project, const struct ed_names *nodes, double dx, double dy,
                  struct ed_names *added, struct oro_error *err);

enum ed_align {
    ED_ALIGN_LEFT,
    ED_ALIGN_RIGHT,
    ED_ALIGN_TOP,
    ED_ALIGN_BOTTOM,
    ED_ALIGN_MIDDLE_X,
    ED_ALIGN_MIDDLE_Y,
    ED_SPREAD_X,
    ED_SPREAD_Y
};
/* Aligned nodes that would lie on one another are moved along the line. */
bool ed_align(struct ed_project *project, const struct ed_names *nodes, enum ed_align how,
              const struct ed_sizes *sizes, struct oro_error *err);
/* Layered layout from left to right, links as short and as little crossing as a few sweeps get them; of the
 * nodes named, or where there are none, of all. The place of the whole stays. What a frame holds is laid out
 * within it, and the frame takes part as one box; frames that also hold others follow what they hold. */
bool ed_tidy(struct ed_project *project, const struct ed_names *nodes, const struct ed_sizes *sizes,
             struct oro_error *err);

/* A frame around nodes. */
bool ed_frame(struct ed_project *project, const struct ed_names *nodes, const char *title,
              const struct ed_sizes *sizes, struct oro_error *err);
/* oro_reuse_group, oro_reuse_flatten, placed in the middle of the nodes. `id` receives the group's node. */
bool ed_group(struct ed_project *project, const struct ed_names *nodes, const char *name, char id[128],
              struct oro_error *err);
/* Whether some node uses it, in the root or in a group. */
bool ed_group_is_used(const struct oro_document *root, const char *group);
bool ed_ungroup(struct ed_project *project, const char *node, struct ed_names *added, struct oro_error *err);

/* Puts an input of a node into the interface of the shown graph under a free name like its own, or takes it
 * out again: then what nodes that use the group had set of it goes, too. */
bool ed_expose(struct ed_project *project, const char *node, const char *input, bool expose,
               struct oro_error *err);
bool ed_is_exposed(const struct ed_project *project, const char *node, const char *input);
bool ed_is_output_exposed(const struct ed_project *project, const char *node, const char *output);
bool ed_expose_output(struct ed_project *project, const char *node, const char *output, bool expose,
                      struct oro_error *err);

#endif
