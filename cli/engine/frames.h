/* Films: the terrain while it is simulated, as numbered files. */
#ifndef ORO_CLI_ENGINE_FRAMES_H
#define ORO_CLI_ENGINE_FRAMES_H

#include "formats/heightfield.h"
#include "graph/eval/evaluator.h"

enum cli_frame_format {
    CLI_FRAME_RELIEF, /* .png: shaded by slope alone, so that nothing flickers as the range grows */
    CLI_FRAME_PFM,    /* heights in metres, with a sidecar */
};
extern const char *const cli_frame_formats[]; /* the words for --frame-format; ends with NULL */

enum { CLI_FRAMES_EVERY = 10, CLI_FRAMES_LIMIT = 1000, CLI_FRAMES_MOST = 99999 };

struct cli_frames {
    /* Set by the caller: */
    const char *folder; /* NULL: no film */
    enum cli_frame_format format;
    int limit;    /* frames; the rest is left out, with a warning */
    bool written; /* by another rank, which evaluates the same: no files */
    /* Private: */
    const struct oro_plan *plan;
    bool *filmed; /* one per step: whether it is filmed */
    int width, height;
    int count;
    bool full;
    char path[4096]; /* of the last frame */
    bool failed;
    struct oro_error err;
};

/* Chooses what is filmed: the simulations of terrain that the plan's first target comes from, following the
 * first link of every node. Makes the folder. Fails with ORO_E_USAGE where there are none, and with
 * ORO_E_WRITE also where the folder has frames already. Call cli_frames_end in any case. */
bool cli_frames_begin(struct cli_frames *frames, const struct oro_plan *plan, struct oro_error *err);
/* Writes a frame, at the size of the last simulation. Returns its path, which lives until the next call; NULL
 * where this moment is no frame, or with `failed` and `err` set. */
const char *cli_frames_take(struct cli_frames *frames, const struct oro_live *live);
/* Says on standard output what was written. */
void cli_frames_say(const struct cli_frames *frames);
void cli_frames_end(struct cli_frames *frames);

/* A picture of the ground, shaded by slope alone; `cell` must be known. */
bool cli_relief_write(const char *path, const struct oro_heightfield *field, struct oro_error *err);

#endif
