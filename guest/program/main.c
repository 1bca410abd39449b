/* orograph-guest: what comes from strangers is done in here (guest/guest.h). Started by the programs, not by
 * users. */
#include <string.h>

#include "gpu/trial.h"
#include "guest/server.h"
#include "lua/batch/apart.h"
#include "lua/field/apart.h"
#include "lua/sandbox/running.h"
#include "lua/script/apart.h"
#include "lua/types/graph_apart.h"
#include "lua/types/node_types.h"

static void describe(int socket)
{
    oro_script_describe(socket, oro_script_forms);
}

static void evaluate(int socket)
{
    oro_script_work_apart(socket, oro_script_forms);
}

int main(int count, char **arguments)
{
    static oro_guest_worker *const workers[ORO_GUEST_WORKS] = {
        [ORO_GUEST_DESCRIBE] = describe,
        [ORO_GUEST_GRAPH] = oro_graph_work,
        [ORO_GUEST_EVALUATE] = evaluate,
        [ORO_GUEST_BATCH] = oro_batch_work,
    };
    if (count == 2 && strcmp(arguments[1], "kernels") == 0)
        return oro_gpu_serve_trials(ORO_GUEST_CONTROL);
    return oro_guest_serve(workers, oro_running_place);
}
