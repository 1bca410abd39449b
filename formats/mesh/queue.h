/*
 * Inside formats/mesh/: triangles in a queue, the one that is furthest from the terrain first; of several as
 * far, the one with the least number. A binary heap that knows where each triangle is in it.
 */
#ifndef ORO_FORMATS_MESH_QUEUE_H
#define ORO_FORMATS_MESH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORO_MESH_NONE UINT32_MAX

struct oro_mesh_queue {
    double *distances; /* of each triangle in the queue */
    uint32_t *places;  /* of each triangle in `heap`; ORO_MESH_NONE: not in the queue */
    uint32_t *heap;
    size_t count, known; /* in the heap; triangles that have a place */
    size_t distance_capacity, place_capacity, heap_capacity;
};

/* Makes room for triangles 0..count-1. False: memory is out. */
bool oro_mesh_queue_reserve(struct oro_mesh_queue *queue, size_t count);
void oro_mesh_queue_free(struct oro_mesh_queue *queue);

/* Adds a triangle that is not in the queue. */
void oro_mesh_queue_add(struct oro_mesh_queue *queue, uint32_t triangle, double distance);
/* Removes a triangle if it is in the queue. */
void oro_mesh_queue_remove(struct oro_mesh_queue *queue, uint32_t triangle);
/* Takes the furthest triangle out, or returns ORO_MESH_NONE if none is further than `distance`. */
uint32_t oro_mesh_queue_take(struct oro_mesh_queue *queue, double distance);

static inline bool oro_mesh_queue_holds(const struct oro_mesh_queue *queue, uint32_t triangle)
{
    return queue->places[triangle] != ORO_MESH_NONE;
}

#endif
