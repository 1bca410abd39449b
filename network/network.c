#include "network/network.h"

size_t oro_network_bytes(const struct oro_network *network)
{
    return sizeof *network + network->vertex_count * sizeof(struct oro_vertex) +
           ((size_t)network->line_count + 1 + network->index_count) * sizeof(uint32_t);
}
