/* Scripts that build graphs in a guest (devices/guest/guest.h): the nodes are made here, by the same
 * functions as for scripts within the program, which the guest calls by messages. */
#ifndef ORO_LUA_TYPES_GRAPH_GUEST_H
#define ORO_LUA_TYPES_GRAPH_GUEST_H

/* The guest's side, an oro_guest_worker. */
void oro_graph_work(int socket);

#endif
