/* Shared by the files of painted layers, layers*.c. Threads: the window's. */
#ifndef ED_TOOLS_LAYERS_PRIVATE_H
#define ED_TOOLS_LAYERS_PRIVATE_H

#include <pthread.h>

#include "base/file.h"
#include "editor/project/working.h"
#include "editor/tools/layers.h"

struct ed_open_layer {
    struct ed_layer layer;  /* its raster has no data while the layer is closed */
    struct oro_stamp stamp; /* of the document's file as it was read or written */
    uint64_t written;       /* serial that is on the disk: in the working copy, or in the file */
    uint64_t used;          /* time of last use: the higher, the later */
    bool failed;            /* the last write failed: the next try follows the next change */
    /* Each content has a number of its own, which undo and redo bring back: that of the raster, up to the
     * serial `settled` (a stroke is under way where it is behind), and that of the document's file. */
    uint64_t content, settled;
    uint64_t in_file; /* 0: there is no such file yet, or nobody has read it */
};

/* The thread's job: a copy of a layer, to be written to a working copy. */
struct ed_layer_job {
    char *path, *file;
    struct ed_canvas_raster raster;
    uint64_t serial;
    bool ok;
    struct oro_error err;
};

/* A layer's move to another file, as its document was saved under another name. */
struct ed_layer_move {
    char *from, *to;
};

struct ed_layers {
    int users;
    struct ed_project *project;
    struct ed_workings *working; /* of the project */
    struct ed_layer_move *moves;
    size_t move_count, move_capacity;
    struct ed_open_layer **items; /* each stays at its place until all are closed */
    size_t count, capacity;
    uint64_t uses;
    uint64_t contents; /* numbers given */
    pthread_t thread;
    pthread_mutex_t lock;
    bool writing; /* there is a thread to be joined */
    bool done;    /* it has ended; under the lock */
    struct ed_layer_job job;
    double last;
};

/* ---- layers.c ---- */
/* `place`: as oro_path_place gives it. NULL: there is none. */
struct ed_open_layer *ed_layers_find(const struct ed_layers *layers, const char *place);
/* Whether the raster is what the document's file has. */
bool ed_layer_is_clean(const struct ed_open_layer *open);
/* The raster has another content: one that it had before, or (0) a new one. */
void ed_layer_has(struct ed_layers *layers, struct ed_layer *layer, uint64_t content);
/* Where a layer of the document, which was at `path` before the move `since`, is now. */
const char *ed_layers_moved_path(const struct ed_layers *layers, const char *path, size_t since);
/* From now on the document has its layer in another file: earlier steps of the history apply there. `copied`:
 * that file has what was painted; else it is yet to be written. */
bool ed_layers_move(struct ed_layers *layers, const char *from, const char *to, bool copied,
                    struct oro_error *err);

/* ---- layers_write.c ---- */
/* Whether a thread is writing that layer. */
bool ed_layer_is_written(const struct ed_layers *layers, const struct ed_open_layer *open);
/* Waits for the thread, and removes what it wrote. */
void ed_layers_drop_job(struct ed_layers *layers);

#endif
