/*
 * The uplift chain: what is linked, over operators that pass uplifts on, to the `uplift` of a node that makes
 * a terrain of it (stream_power). New parts are put in at its end, in front of that node. Several edits: call
 * these within a gesture, and cancel it if one fails.
 */
#ifndef ED_PROJECT_UPLIFT_CHAIN_H
#define ED_PROJECT_UPLIFT_CHAIN_H

#include "editor/project/operations.h"

/* The node of the shown graph whose uplift shapes what is viewed: the nearest upstream of it, or one that it
 * leads to, or the last one there is. False: there is none. */
bool ed_uplift_maker(const struct ed_project *project, const char *viewed, char maker[128]);

struct ed_uplift_part {
    const char *type, *href; /* as for ed_add_node */
    const char *name;        /* the id that it gets, with a number if that is taken; NULL: by its type */
    const char *method;      /* of the `uplift_combine` that joins it to what is there; a part that takes an
                              * uplift itself is put between */
    double x, y;             /* where it goes, unless it is put between */
};
/* Adds a node, and joins its output to the chain of `maker`; "" : makes a `stream_power` behind it, whose id
 * is written there. */
bool ed_uplift_add(struct ed_project *project, const struct ed_uplift_part *part, char maker[128],
                   char id[128], struct oro_error *err);
/* Joins a node's output that is there already; `from` gives an uplift or a field in metres a year. */
bool ed_uplift_join(struct ed_project *project, const struct ed_end *from, const char *method,
                    const char *maker, struct oro_error *err);
/* Removes a node from the chain, with the `uplift_combine` that joined it. One that all of the chain hangs on
 * cannot be removed: false, and nothing is done. */
bool ed_uplift_remove(struct ed_project *project, const char *node, struct oro_error *err);

#endif
