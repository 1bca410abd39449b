/* `orograph measure` of a raster that the memory has no room for, as a whole and with all that is kept of it.
 */
#ifndef ORO_CLI_COMMAND_MEASURE_TILES_H
#define ORO_CLI_COMMAND_MEASURE_TILES_H

#include "cli/report/measured.h"

/* Measures what needs no more than rows and tiles: the range, drainage, hypsometry, to the bits that the
 * whole gives. `*done` is false, and nothing was measured, where the whole has room, or where something was
 * asked for that takes the whole in any case. Fills `measured` as cli_measure_field does, and `place`, whose
 * crs the caller frees. */
bool cli_measure_tiles(const struct cli_measure_request *request, struct cli_measured *measured,
                       struct oro_place *place, bool *done, struct oro_error *err);

#endif
