/* Weight maps on the command line: masks with names, from outputs of a graph or from files. */
#ifndef ORO_CLI_OPTIONS_WEIGHTS_H
#define ORO_CLI_OPTIONS_WEIGHTS_H

#include "formats/format.h"

/* Starts zeroed. */
struct cli_weights {
    struct oro_weight_maps weights;
    const char *names[ORO_WEIGHTS_MOST];
    const float *masks[ORO_WEIGHTS_MOST];
    char *own_names[ORO_WEIGHTS_MOST];
    float *own_masks[ORO_WEIGHTS_MOST]; /* NULL where it is the caller's */
};

/* Adds a mask, which must live as long; `name` becomes one that files can have. */
bool cli_weights_add(struct cli_weights *weights, const char *name, const float *mask, struct oro_error *err);
/* Adds the masks of files, "rock.png,grass.png", called after them, resampled to that size. */
bool cli_weights_read(struct cli_weights *weights, const char *list, int width, int height,
                      const struct oro_log *log, struct oro_error *err);
/* Resamples all masks. */
bool cli_weights_resize(struct cli_weights *weights, int width, int height, int to_width, int to_height,
                        struct oro_error *err);
void cli_weights_free(struct cli_weights *weights);

#endif
