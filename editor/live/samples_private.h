/* Shared by the files that make samples. */
#ifndef ED_LIVE_SAMPLES_PRIVATE_H
#define ED_LIVE_SAMPLES_PRIVATE_H

#include "base/hash.h"
#include "editor/live/engine.h"
#include "editor/live/samples.h"

/* ---- sample_document.c */

/* A document that shows what a file makes, and the output to look at: that of a graph's interface, or of the
 * last node with something to see. Inputs that must be linked get rough ground. Fails with ORO_E_DOCUMENT
 * where the file is wrong, with ORO_E_OMITTED for a script that is not run. The caller destroys it. */
struct ed_sample_target {
    char node[128], output[128];
};
struct oro_document *ed_sample_document(const char *path, const struct oro_registry *registry,
                                        struct ed_sample_target *target, struct oro_error *err);

/* ---- sample_file.c: pictures on the disk */

bool ed_sample_is_script(const char *path);
/* False: it cannot be read. */
bool ed_sample_digest(const char *path, struct oro_hash *digest, struct oro_error *err);
bool ed_sample_load(struct oro_hash digest, struct ed_thumbnail *picture);
void ed_sample_save(struct oro_hash digest, const struct ed_thumbnail *picture); /* as well as can be */

#endif
