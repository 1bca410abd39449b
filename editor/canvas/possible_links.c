/* Which links are possible. */
#include "editor/canvas/model.h"

#include <string.h>

void ed_model_reach(const struct ed_model *model, size_t item, bool before, unsigned char *marks)
{
    memset(marks, 0, model->count);
    marks[item] = 1;
    /* Sweeps until nothing changes. That is few sweeps, since graphs are shallow for their size, and this
     * runs once per drag. */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < model->wire_count; i++) {
            const struct ed_wire *wire = &model->wires[i];
            if (wire->from == ED_NO_INDEX)
                continue;
            size_t known = before ? wire->to : wire->from, next = before ? wire->from : wire->to;
            if (!marks[known] || marks[next])
                continue;
            marks[next] = 1;
            changed = true;
        }
    }
}

bool ed_sockets_fit(const struct ed_socket *from, const struct ed_socket *to)
{
    if (!from->output || !to->input)
        return false;
    return from->type == ORO_ANY || oro_input_accepts(to->input, from->type);
}
