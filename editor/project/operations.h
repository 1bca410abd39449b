/*
 * Operations of the user on one or several nodes. Each is one step of the history; if it fails, the document
 * is unchanged. Nodes are named by their ids in the shown graph.
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
/* Makes an id of a text: runs of characters that ids cannot have become one '_'. */
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
/* Whether an input is meant for outputs of this name because it has the same: "uplift", "hardness". "mask"
 * does not count: a user may mean the terrain. */
bool ed_is_namesake(const struct oro_input *input, const char *output);
/* Links an output to an input, in place of what was linked there. Refused with ORO_E_USAGE and a reason if
 * the types do not fit or the link would close a cycle. */
bool ed_link(struct ed_project *project, const struct ed_end *from, const struct ed_end *to,
             struct oro_error *err);
/* Whether ed_link would succeed, for lighting up sockets. */
bool ed_can_link(const struct ed_project *project, const struct ed_end *from, const struct ed_end *to);
bool ed_unlink(struct ed_project *project, const struct ed_end *inputs, size_t count, struct oro_error *err);
/* Puts a node on a link, between its ends, if it fits there. */
bool ed_insert_on_link(struct ed_project *project, const char *node, const struct ed_end *input,
                       struct oro_error *err);
/* Makes room for a node that was put on a link: it stands behind what it is linked to, and all that follows
 * it moves to the right as far as is needed. */
bool ed_make_room(struct ed_project *project, const char *node, const struct ed_sizes *sizes,
                  struct oro_error *err);
/* A reroute on a link. */
bool ed_add_reroute(struct ed_project *project, const struct ed_end *input, double x, double y, char id[128],
                    struct oro_error *err);

/* Removes nodes. Groups that they used stay. `heal`: what was linked to a node's first input is linked to the
 * inputs that its outputs led to, where it fits. */
bool ed_delete(struct ed_project *project, const struct ed_names *nodes, bool heal, struct oro_error *err);
/* Mutes all, or, if all are muted already, unmutes them. Collapsing works the same way. */
bool ed_mute(struct ed_project *project, const struct ed_names *nodes, struct oro_error *err);
bool ed_collapse(struct ed_project *project, const struct ed_names *nodes, struct oro_error *err);
bool ed_move(struct ed_project *project, const struct ed_names *nodes, double dx, double dy,
             struct oro_error *err);
/* Renames a node; where it is used in the interface and links, too (oro_edit_rename_node). */
bool ed_rename(struct ed_project *project, const char *node, const char *id, struct oro_error *err);
/* Renames the group that a node uses, in all graphs that use it, and gives it a title if the name cannot hold
 * the whole text. Nodes that were named after the group are renamed, too; `id` receives the node's new id. */
bool ed_rename_group(struct ed_project *project, const char *node, const char *title, char id[128],
                     struct oro_error *err);

/* The text for the clipboard: nodes with the links between them, and frames that hold no others, as an .oro
 * document. Groups that they use come along. The caller frees. NULL: `err`. */
char *ed_copy(const struct ed_project *project, const struct ed_names *nodes, struct oro_error *err);
/* Adds the nodes of such a text, with new ids and centred at a place; `links`: also restores links from nodes
 * that were not copied, if those exist. Other text is refused with ORO_E_DOCUMENT. `added` (emptied before)
 * receives the new ids. */
bool ed_paste(struct ed_project *project, const char *text, double x, double y, bool links,
              struct ed_names *added, struct oro_error *err);
/* Adds copies beside the originals, linked to what the originals are linked to. */
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
/* Aligned nodes that would overlap are moved along the line. */
bool ed_align(struct ed_project *project, const struct ed_names *nodes, enum ed_align how,
              const struct ed_sizes *sizes, struct oro_error *err);
/* Layered layout from left to right, of the nodes named, or of all if none are. A few sweeps keep links short
 * and crossings few. The whole stays where it is. What a frame holds is laid out within it, and the frame
 * takes part as one box; frames that also hold other nodes follow what they hold. */
bool ed_tidy(struct ed_project *project, const struct ed_names *nodes, const struct ed_sizes *sizes,
             struct oro_error *err);

/* A frame around nodes. */
bool ed_frame(struct ed_project *project, const struct ed_names *nodes, const char *title,
              const struct ed_sizes *sizes, struct oro_error *err);
/* oro_reuse_group, oro_reuse_flatten, placed in the middle of the nodes. `id` receives the group's node. */
bool ed_group(struct ed_project *project, const struct ed_names *nodes, const char *name, char id[128],
              struct oro_error *err);
/* Whether some node uses the group, in the root or in a group. */
bool ed_group_is_used(const struct oro_document *root, const char *group);
bool ed_ungroup(struct ed_project *project, const char *node, struct ed_names *added, struct oro_error *err);

/* The file that a node of the shown graph uses becomes a group of the root, for all nodes that use it
 * (oro_reuse_embed). */
bool ed_embed(struct ed_project *project, const char *node, struct oro_error *err);
/* A node gets a group of its own, a copy of the group or file that it used until now. */
bool ed_make_unique(struct ed_project *project, const char *node, struct oro_error *err);
/* All nodes that use the file `from` use the file `to` instead, both as documents name them. Fails as
 * oro_graph_find where that is no graph. */
bool ed_locate(struct ed_project *project, const char *from, const char *to, struct oro_error *err);

/* Puts an input of a node into the interface of the shown graph under a free name like its own, or takes it
 * out again. Taking it out also removes what nodes that use the group had set it to. */
bool ed_expose(struct ed_project *project, const char *node, const char *input, bool expose,
               struct oro_error *err);
bool ed_is_exposed(const struct ed_project *project, const char *node, const char *input);
bool ed_is_output_exposed(const struct ed_project *project, const char *node, const char *output);
bool ed_expose_output(struct ed_project *project, const char *node, const char *output, bool expose,
                      struct oro_error *err);

#endif
