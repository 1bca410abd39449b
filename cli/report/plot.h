/* Pictures of measures, drawn by gnuplot, which may not be installed. */
#ifndef ORO_CLI_REPORT_PLOT_H
#define ORO_CLI_REPORT_PLOT_H

#include "terrain/hydrology/metrics.h"
#include "terrain/realism/realism.h"

/* Whether pictures can be drawn and written to PREFIX-*.png, to be asked before the work. Fails with
 * ORO_E_WRITE. */
bool cli_plot_check(const char *prefix, struct oro_error *err);

/* Writes PREFIX-hack.png, PREFIX-slope-area.png and PREFIX-hypsometry.png; a picture without points is left
 * out, with a warning. `metres`: the cell size is known. Fails with ORO_E_WRITE or ORO_E_MEMORY. */
bool cli_plot_metrics(const char *prefix, const struct oro_metrics *metrics, const struct oro_drop_law *drops,
                      bool metres, struct oro_error *err);

#endif
