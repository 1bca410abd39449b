#include "terrain/processor/lib/multigrid.h"

struct oro_multigrid oro_multigrid_of(struct oro_run *run)
{
    return (struct oro_multigrid){.grid = run->grid,
                                  .source = run->source,
                                  .hold = oro_run_buffer(run, "hold"),
                                  .given = oro_run_buffer(run, "given"),
                                  .across = oro_run_number(run, "across"),
                                  .along = oro_run_number(run, "along"),
                                  .screening = oro_run_number(run, "screening"),
                                  .start = (int)oro_run_number(run, "start"),
                                  .finest = oro_run_number(run, "finest") > 0};
}
