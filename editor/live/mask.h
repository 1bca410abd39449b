/*
 * Painted masks. A painted layer is a file beside its document, read by an import node. That node's type says
 * metres, but a layer with values from 0 to 1 is a mask and is shown as one.
 *
 * Threads: any.
 */
#ifndef ED_LIVE_MASK_H
#define ED_LIVE_MASK_H

#include <stdbool.h>

/* Whether an input's text, or a path, names a painted layer: NAME.layers/LAYER.png. */
bool ed_is_layer_name(const char *file);
/* Whether a node of that type with these inputs gives a painted mask. NULL as `file`: it has none. */
bool ed_is_painted_mask(const char *type, const char *file, double low, double high);

#endif
