/*
 * Painted layers: rasters in files beside a document, NAME.layers/LAYER.png for NAME.oro, 16 bits from a low
 * to a high value. Open layers are kept on the host. What is painted goes to working copies of the files
 * (project/working.h), which a thread writes, whole files at a time, so that nobody waits for a disk.
 *
 * Steps of the history hold on to the layers: they are counted, and live until the last one lets go.
 *
 * Threads: the window's.
 */
#ifndef ED_TOOLS_LAYERS_H
#define ED_TOOLS_LAYERS_H

#include "base/error.h"
#include "editor/live/mask.h"
#include "editor/project/project.h"
#include "editor/tools/brush.h"

struct ed_layers;
/* `project` must outlive its steps. NULL: memory is out. */
struct ed_layers *ed_layers_create(struct ed_project *project);
void ed_layers_release(struct ed_layers *layers);

struct ed_layer {
    char *path; /* of the document's file (oro_path_place) */
    struct ed_canvas_raster raster;
    uint64_t serial; /* rises with every change */
};
/* Reads the file, or its working copy, unless it is open and unchanged, or was deleted since. `extent`:
 * metres along x. Valid until the next clear, with its raster until the next trim. */
struct ed_layer *ed_layers_open(struct ed_layers *layers, const char *path, double low, double high,
                                double extent, struct oro_error *err);
/* Makes a layer that has `value` everywhere, and which has no file before the document is saved. Waits for
 * the disk. */
bool ed_layers_add(struct ed_layers *layers, const char *path, const struct oro_grid *grid, double low,
                   double high, double value, struct oro_error *err);
/* Closes layers that are written, those used longest ago first, until all that are open hold no more than so
 * many bytes; `keep` (may be NULL) stays. */
void ed_layers_trim(struct ed_layers *layers, const struct ed_layer *keep, size_t bytes);
/* Closes all, written or not: the document is no longer open. Waits for the disk if one is being written. */
void ed_layers_clear(struct ed_layers *layers);
size_t ed_layers_bytes(const struct ed_layers *layers); /* of all that are open */
/* Tells that a stroke has changed a layer, which must be written. */
void ed_layer_changed(struct ed_layers *layers, struct ed_layer *layer);
/* Tells that the stroke has been taken back. */
void ed_layer_restored(struct ed_layers *layers, struct ed_layer *layer);

/* Makes a finished stroke a step of the history, unless it changed nothing. */
bool ed_layer_did(struct ed_layers *layers, struct ed_layer *layer, const struct ed_stroke *stroke,
                  double extent, struct oro_error *err);

/* Call this once a frame: begins to write working copies of changed layers, but no sooner than `pause`
 * seconds after the last time. True: there is something new to read since the last call. `err` (code 0: none)
 * tells what went wrong. */
bool ed_layers_tick(struct ed_layers *layers, double now, double pause, struct oro_error *err);
bool ed_layers_writing(const struct ed_layers *layers);
/* Whether the path is that of a layer that differs from its file, or has none yet. */
bool ed_layers_differ(const struct ed_layers *layers, const char *path);
/* Writes all working copies that are to be written; waits for the disk. */
bool ed_layers_flush(struct ed_layers *layers, struct oro_error *err);

/* ed_project_save, which writes what was painted on the document's layers. Under another name the document
 * gets layers of its own: those that it names are copied, as painted, to NAME.layers/ beside it without
 * overwriting any file, and the document, its groups and its history name the copies from then on; the files
 * that they were copied from stay as they were. If one cannot be copied, nothing is saved and nothing
 * changed. */
bool ed_layers_save(struct ed_layers *layers, const char *path, bool over, struct oro_error *err);

/* "docs/alps.oro", "mask" -> "alps.layers/mask.png", as a node's input names it. The caller frees. */
char *ed_layer_name(const char *document, const char *name);
/* The path of a layer's sidecar. The caller frees. */
char *ed_layer_sidecar(const char *path);

#endif
