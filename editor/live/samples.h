/*
 * Samples: small pictures of what graphs, presets and scripts make, for lists of them. A thread of its own,
 * with an engine on the processor, makes one after the other at a low resolution; the window's thread only
 * asks. What was made is kept as PNG files in the user's cache folder, named after a digest of the file that
 * they show.
 *
 * A file may be wrong in any way: its sample then says why. One that takes too long is given up. There are
 * none of scripts that may not run within the program, nor of what graphs make with them: nobody has asked
 * for these files to be run.
 *
 * Threads: all functions may be called from any, but for create and destroy.
 */
#ifndef ED_LIVE_SAMPLES_H
#define ED_LIVE_SAMPLES_H

#include "editor/live/live.h"

enum ed_sample_state {
    ED_SAMPLE_UNKNOWN, /* nobody has asked */
    ED_SAMPLE_WAITING,
    ED_SAMPLE_READY,  /* there is a picture */
    ED_SAMPLE_NONE,   /* nothing to be seen of it, or it took too long, or needs a script that is not run */
    ED_SAMPLE_BROKEN, /* it is no graph or script: `problem` says why */
};
struct ed_sample {
    enum ed_sample_state state;
    char problem[300];
    uint64_t serial; /* another number: another picture */
};

struct ed_samples;
/* The thread begins with the first question. `options`: wake, shader_dir and allow_any_path count; texts are
 * copied. NULL: memory is out. */
struct ed_samples *ed_samples_create(const struct ed_live_options *options, struct oro_error *err);
/* Waits for the sample that is being made, which is told to end. NULL is allowed. */
void ed_samples_destroy(struct ed_samples *samples);
/* While paused, none is begun: the machine is for what the user waits for. */
void ed_samples_pause(struct ed_samples *samples, bool pause);
/* What is known of a file, "*.lua" a script, else a graph; asks for it unless that was done. A file that has
 * changed since is looked at again. */
void ed_samples_get(struct ed_samples *samples, const char *path, struct ed_sample *sample);
/* Copies its picture. False: there is none. */
bool ed_samples_picture(struct ed_samples *samples, const char *path, struct ed_thumbnail *picture);
/* Whether some are still to be made. */
bool ed_samples_busy(struct ed_samples *samples);

#endif
