/* orograph-guest: what comes from strangers is done in here (devices/guest/guest.h). Started by the programs,
 * not by users. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "devices/gpu/trial.h"
#include "devices/guest/server.h"
#include "lua/batch/guest.h"
#include "lua/field/guest.h"
#include "lua/sandbox/running.h"
#include "lua/script/guest.h"
#include "lua/types/graph_guest.h"
#include "lua/types/node_types.h"

static void describe(int socket)
{
    oro_script_describe(socket, oro_script_forms);
}

static void evaluate(int socket)
{
    oro_script_work_as_guest(socket, oro_script_forms);
}

/* Nothing runs at the end: what a library registered for that may call on what the process has given up. */
int main(int count, char **arguments)
{
    static oro_guest_worker *const workers[ORO_GUEST_WORKS] = {
        [ORO_GUEST_DESCRIBE] = describe,
        [ORO_GUEST_GRAPH] = oro_graph_work,
        [ORO_GUEST_EVALUATE] = evaluate,
        [ORO_GUEST_BATCH] = oro_batch_work,
    };
    bool kernels = count == 2 && strcmp(arguments[1], "kernels") == 0;
    _exit(kernels ? oro_gpu_serve_trials(ORO_GUEST_CONTROL) : oro_guest_serve(workers, oro_running_place));
}
