#include "nodes/network/network_lines.h"

#include "terrain/network/network.h"

bool oro_give_no_network(struct oro_eval *eval, const char *why)
{
    struct oro_error err = {0};
    struct oro_network_builder none = {0};
    oro_note(oro_eval_log(eval), ORO_WARNING, "%s", why);
    return oro_eval_give_network(eval, "network", oro_network_finish(&none, &err), &err);
}
