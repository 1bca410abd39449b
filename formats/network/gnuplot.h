/* Pictures drawn by the program gnuplot, which may not be installed. */
#ifndef ORO_FORMATS_NETWORK_GNUPLOT_H
#define ORO_FORMATS_NETWORK_GNUPLOT_H

#include <stdbool.h>

#include "base/error.h"

/* Whether gnuplot is there and runs, to be asked before the work. Fails with ORO_E_WRITE. */
bool oro_gnuplot_check(struct oro_error *err);

/* Writes the picture that a script draws to a PNG file. Scripts run as they are: text of the user's must not
 * be in them. Fails with ORO_E_WRITE. */
bool oro_gnuplot_draw(const char *path, const char *script, struct oro_error *err);

#endif
