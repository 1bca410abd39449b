/*
 * Cells of a heightfield that are no ground: the sea, and where a file knows nothing. They are marked in
 * `sea`, which is made when the first is marked, and stays NULL where there are none.
 */
#ifndef ORO_FORMATS_NODATA_H
#define ORO_FORMATS_NODATA_H

#include "formats/heightfield.h"

/* Gives heights to cells that are NaN. Those that the border leads to, beyond a survey or beyond a coast,
 * become `sea`; holes within the ground, such as the voids of SRTM in steep valleys, are marked in `filled`.
 * Both get a smooth continuation of the ground around, so that nothing that resamples or differentiates the
 * terrain meets a cliff; sea beside ground is lower than it. Fails with ORO_E_MEMORY; with ORO_E_FILE where
 * no cell has a height. */
bool oro_heightfield_fill(struct oro_heightfield *field, struct oro_error *err);

/* Marks the cells up to `level` that are connected, by cells up to it or marked before, with the border or
 * with a cell marked before: the sea at that level, but no hollow inland. Heights stay. The level
 * is kept as `sea_level`. Fails with ORO_E_MEMORY. */
bool oro_heightfield_mark_sea(struct oro_heightfield *field, double level, struct oro_error *err);

/* Whether the marked cells are a sea at a level, inland, too: kept as `sea_level` and `sea_inland`, so that
 * whoever reads the file finds them. It is the level that is there, or else 0, or the height of the highest
 * cell. Fails with ORO_E_MEMORY. */
bool oro_heightfield_find_sea(struct oro_heightfield *field, struct oro_error *err);

/* Marks the cells where `mask`, as large as the field, is above 0.5. Fails with ORO_E_MEMORY. */
bool oro_heightfield_mark(struct oro_heightfield *field, const float *mask, struct oro_error *err);

#endif
