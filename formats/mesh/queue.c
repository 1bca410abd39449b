#include "formats/mesh/queue.h"

#include "base/memory.h"

bool oro_mesh_queue_reserve(struct oro_mesh_queue *queue, size_t count)
{
    void *distances = queue->distances, *places = queue->places, *heap = queue->heap;
    bool ok = oro_reserve(&distances, &queue->distance_capacity, count, sizeof *queue->distances) &&
              oro_reserve(&places, &queue->place_capacity, count, sizeof *queue->places) &&
              oro_reserve(&heap, &queue->heap_capacity, count, sizeof *queue->heap);
    queue->distances = distances;
    queue->places = places;
    queue->heap = heap;
    while (ok && queue->known < count)
        queue->places[queue->known++] = ORO_MESH_NONE;
    return ok;
}

void oro_mesh_queue_free(struct oro_mesh_queue *queue)
{
    oro_free(queue->distances);
    oro_free(queue->places);
    oro_free(queue->heap);
    *queue = (struct oro_mesh_queue){0};
}

static bool comes_before(const struct oro_mesh_queue *queue, uint32_t a, uint32_t b)
{
    double first = queue->distances[a], second = queue->distances[b];
    return first > second || (first == second && a < b);
}

static void put(struct oro_mesh_queue *queue, size_t place, uint32_t triangle)
{
    queue->heap[place] = triangle;
    queue->places[triangle] = (uint32_t)place;
}

static void rise(struct oro_mesh_queue *queue, size_t place, uint32_t triangle)
{
    for (; place > 0 && comes_before(queue, triangle, queue->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(queue, place, queue->heap[(place - 1) / 2]);
    put(queue, place, triangle);
}

static void sink(struct oro_mesh_queue *queue, size_t place, uint32_t triangle)
{
    for (size_t child; (child = 2 * place + 1) < queue->count; place = child) {
        if (child + 1 < queue->count && comes_before(queue, queue->heap[child + 1], queue->heap[child]))
            child++;
        if (!comes_before(queue, queue->heap[child], triangle))
            break;
        put(queue, place, queue->heap[child]);
    }
    put(queue, place, triangle);
}

void oro_mesh_queue_add(struct oro_mesh_queue *queue, uint32_t triangle, double distance)
{
    queue->distances[triangle] = distance;
    rise(queue, queue->count++, triangle);
}

void oro_mesh_queue_remove(struct oro_mesh_queue *queue, uint32_t triangle)
{
    size_t place = queue->places[triangle];
    if (place == ORO_MESH_NONE)
        return;
    queue->places[triangle] = ORO_MESH_NONE;
    uint32_t last = queue->heap[--queue->count];
    if (last == triangle)
        return;
    if (comes_before(queue, last, triangle))
        rise(queue, place, last);
    else
        sink(queue, place, last);
}

uint32_t oro_mesh_queue_take(struct oro_mesh_queue *queue, double distance)
{
    if (queue->count == 0 || queue->distances[queue->heap[0]] <= distance)
        return ORO_MESH_NONE;
    uint32_t triangle = queue->heap[0];
    oro_mesh_queue_remove(queue, triangle);
    return triangle;
}
