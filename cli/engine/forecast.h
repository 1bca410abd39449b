/* Tells of long work before it is done; or, where no work before it says how long, as soon as that shows. */
#ifndef ORO_CLI_ENGINE_FORECAST_H
#define ORO_CLI_ENGINE_FORECAST_H

#include "cli/engine/graph.h"
#include "cli/engine/session.h"
#include "graph/eval/evaluator.h"

struct cli_forecast {
    struct oro_log log;
    const struct cli_session *session;
    /* What a preview takes is told as well, unless there is no graph: with how it was planned. */
    const struct cli_graph *graph;
    struct oro_plan_options options;
    bool told;
    const struct oro_step *step; /* that runs, since when */
    double since;
};

/* A duration as roughly as a forecast knows it: "40 s", "12 min", "2.5 h". Returns `out`. */
enum { CLI_ABOUT_SIZE = 32 };
const char *cli_about(double seconds, char out[CLI_ABOUT_SIZE]);

/* What the evaluator calls for all that is to run, and while it does. */
void cli_forecast_before(struct cli_forecast *forecast, const struct oro_plan *plan,
                         const struct oro_forecast *work);
void cli_forecast_while(struct cli_forecast *forecast, const struct oro_progress *progress);

#endif
