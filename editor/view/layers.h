/*
 * Painted layers: rasters in files beside a document, NAME.layers/LAYER.png for NAME.oro, 16 bits from a low
 * to a high value. Open layers are kept on the host and written by a thread, whole files at a time, so that
 * nobody waits for a disk.
 *
 * Steps of the history hold on to the layers: they are counted, and live until the last one lets go.
 *
 * Threads: the window's.
 */
#ifndef ED_VIEW_LAYERS_H
#define ED_VIEW_LAYERS_H

#include "base/error.h"
#include "editor/live/mask.h"
#include "editor/project/project.h"
#include "editor/view/brush.h"

struct ed_layers;
struct ed_layers *ed_layers_create(void); /* NULL: memory is out */
/* The last release writes what is still to be written. */
void ed_layers_release(struct ed_layers *layers);

struct ed_layer {
    char *path;
    struct ed_canvas_raster raster;
    uint64_t serial; /* rises with every change */
};
/* Reads the file, unless it is open and unchanged, or was deleted since. `extent`: metres along x. Valid
 * until the next trim or clear. */
struct ed_layer *ed_layers_open(struct ed_layers *layers, const char *path, double low, double high,
                                double extent, struct oro_error *err);
/* Writes a new file that has `value` everywhere; makes the folder. Waits for the disk. */
bool ed_layer_write_new(const char *path, const struct oro_grid *grid, double low, double high, double value,
                        struct oro_error *err);
/* Closes layers that are written, those used longest ago first, until all that are open hold no more than so
 * many bytes; `keep` (may be NULL) stays. */
void ed_layers_trim(struct ed_layers *layers, const struct ed_layer *keep, size_t bytes);
/* Closes all, written or not. Waits for the disk if one is being written. */
void ed_layers_clear(struct ed_layers *layers);
size_t ed_layers_bytes(const struct ed_layers *layers); /* of all that are open */
/* From now on the document has its layer in another file: earlier steps of the history apply there. */
bool ed_layers_moved(struct ed_layers *layers, const char *from, const char *to);
/* Tells that a layer was changed and must be written. */
void ed_layer_changed(struct ed_layers *layers, struct ed_layer *layer);

/* Makes a finished stroke a step of the history, unless it changed nothing. */
bool ed_layer_did(struct ed_layers *layers, struct ed_layer *layer, const struct ed_stroke *stroke,
                  double extent, struct ed_project *project, struct oro_error *err);

/* Call this once a frame: begins to write changed layers, but no sooner than `pause` seconds after the last
 * time. True: a file was written since the last call. `err` (code 0: none) tells what went wrong. */
bool ed_layers_tick(struct ed_layers *layers, double now, double pause, struct oro_error *err);
bool ed_layers_writing(const struct ed_layers *layers);
/* Copies a layer as it is here, written or not, with its sidecar. Waits for the disk. */
bool ed_layers_copy(struct ed_layers *layers, const char *from, const char *to, struct oro_error *err);
/* Whether a layer is open whose file is missing or differs from it. */
bool ed_layers_unwritten(const struct ed_layers *layers, const char *path);
/* Writes all that is to be written; waits for the disk. */
bool ed_layers_flush(struct ed_layers *layers, struct oro_error *err);

/* ed_project_save. Under another name the document gets layers of its own: those that it names are copied to
 * NAME.layers/ beside it without overwriting any file, and the document, its groups and its history name the
 * copies from then on. If one cannot be copied, nothing is saved and nothing changed. */
bool ed_layers_save(struct ed_layers *layers, struct ed_project *project, const char *path, bool over,
                    struct oro_error *err);

/* "docs/alps.oro", "mask" -> "alps.layers/mask.png", as a node's input names it. The caller frees. */
char *ed_layer_name(const char *document, const char *name);
/* The path of a layer's sidecar. The caller frees. */
char *ed_layer_sidecar(const char *path);

#endif
