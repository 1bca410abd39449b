/*
 * Memory of the host: for tiles, and for what is on its way. Where the inner device has such, kernels reach
 * it, and copies between it and the device are queued like all other work: nothing waits for them but the
 * host itself, before it reads or writes there. Elsewhere it is plain memory, and every copy is waited for.
 */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "devices/spread/internal.h"

/* ---- Spares: new memory costs more at its first touch than what is copied there. */

static struct pinned *make(struct spread *spread, size_t bytes, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct pinned *pinned = oro_alloc(1, sizeof *pinned);
    if (pinned && inner->ops->host_create)
        pinned->buffer = inner->ops->host_create(inner, bytes, &pinned->memory);
    if (pinned && !pinned->buffer)
        pinned->memory = oro_alloc(bytes, 1);
    if (pinned && pinned->memory) {
        pinned->bytes = bytes;
        return pinned;
    }
    oro_free(pinned);
    oro_fail(err, ORO_E_MEMORY, "no memory for a part of a raster, %.1f MiB", (double)bytes / (1 << 20));
    return NULL;
}

static void destroy(struct spread *spread, struct pinned *pinned)
{
    struct oro_device *inner = spread->inner;
    if (pinned->buffer)
        inner->ops->buffer_destroy(inner, pinned->buffer);
    else
        oro_free(pinned->memory);
    oro_free(pinned);
}

/* The one that was given back first: the device is most likely done with it. */
struct pinned *oro_pinned_take(struct spread *spread, size_t bytes, struct oro_error *err)
{
    struct pinned **found = NULL;
    for (struct pinned **at = &spread->spares; *at; at = &(*at)->next)
        if ((*at)->bytes == bytes)
            found = at;
    if (!found)
        return make(spread, bytes, err);
    struct pinned *pinned = *found;
    *found = pinned->next;
    spread->spare_count--;
    spread->spare_bytes -= bytes;
    return pinned;
}

/* Spares and tiles together keep to the budget; but for some, which serve what is on its way. */
void oro_spares_trim(struct spread *spread)
{
    enum { KEPT = 3 };
    while (spread->spare_count > KEPT &&
           spread->on_host.bytes + spread->spare_bytes > spread->options.host_bytes) {
        struct pinned **last = &spread->spares;
        while ((*last)->next)
            last = &(*last)->next;
        spread->spare_count--;
        spread->spare_bytes -= (*last)->bytes;
        destroy(spread, *last);
        *last = NULL;
    }
}

void oro_pinned_give(struct spread *spread, struct pinned *pinned)
{
    if (!pinned)
        return;
    pinned->next = spread->spares;
    spread->spares = pinned;
    spread->spare_count++;
    spread->spare_bytes += pinned->bytes;
    oro_spares_trim(spread);
}

void oro_spares_free(struct spread *spread)
{
    while (spread->spares) {
        struct pinned *pinned = spread->spares;
        spread->spares = pinned->next;
        destroy(spread, pinned);
    }
    spread->spare_bytes = spread->spare_count = 0;
}

/* ---- By the host ---- */

bool oro_pinned_settle(struct spread *spread, const struct pinned *pinned, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    if (pinned->queued <= spread->done)
        return true;
    double start = oro_now();
    bool ok = inner->ops->finish(inner, err);
    spread->done = spread->queued;
    spread->counts.wait_seconds += oro_now() - start;
    return ok;
}

struct rows {
    char *to;
    const char *from;
    size_t to_stride, from_stride, bytes;
};

static void copy_some(void *user, size_t first, size_t end)
{
    const struct rows *rows = user;
    for (size_t i = first; i < end; i++)
        memcpy(rows->to + i * rows->to_stride, rows->from + i * rows->from_stride, rows->bytes);
}

void oro_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, struct block size)
{
    enum { LEAST = 1 << 20 }; /* bytes that are worth a thread */
    struct rows rows = {to, from, to_stride * WORD, from_stride * WORD, (size_t)size.columns * WORD};
    if (rows.bytes)
        oro_parallel((size_t)size.rows, LEAST / rows.bytes + 1, copy_some, &rows);
}

/* ---- By the device ---- */

static size_t bytes_of(struct block block)
{
    return (size_t)block.columns * (size_t)block.rows * WORD;
}

static struct block packed(struct block block)
{
    return (struct block){0, (size_t)block.columns, block.columns, block.rows};
}

/* By way of the staging buffer, and of plain memory where rows have gaps. */
static bool upload(struct spread *spread, const struct pinned *pinned, struct block at, struct oro_buffer *to,
                   struct block there, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    const char *cells = (const char *)pinned->memory + at.first * WORD;
    struct oro_buffer *staging = oro_spread_staging(spread, bytes_of(at), err);
    if (!staging)
        return false;
    if (at.stride != (size_t)at.columns) {
        char *memory = oro_spread_transit(spread, bytes_of(at), err);
        if (!memory)
            return false;
        oro_copy_rows(memory, (size_t)at.columns, cells, at.stride, at);
        cells = memory;
    }
    return inner->ops->upload(inner, staging, cells, bytes_of(at), err) &&
           oro_spread_copy(spread, COPY, staging, packed(at), to, there, err);
}

bool oro_pinned_load(struct spread *spread, struct pinned *pinned, struct block at, struct oro_buffer *to,
                     struct block there, struct oro_error *err)
{
    spread->counts.from_host_bytes += bytes_of(at);
    if (!pinned->buffer)
        return upload(spread, pinned, at, to, there, err);
    pinned->queued = ++spread->queued;
    return oro_spread_copy(spread, LOAD, pinned->buffer, at, to, there, err);
}

bool oro_pinned_store(struct spread *spread, struct pinned *pinned, size_t first, struct oro_buffer *from,
                      struct block at, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    spread->counts.to_host_bytes += bytes_of(at);
    if (pinned->buffer) {
        pinned->queued = ++spread->queued;
        struct block there = {first, (size_t)at.columns, at.columns, at.rows};
        return oro_spread_copy(spread, STORE, from, at, pinned->buffer, there, err);
    }
    struct oro_buffer *staging = from;
    if (at.first || at.stride != (size_t)at.columns) {
        staging = oro_spread_staging(spread, bytes_of(at), err);
        if (!staging || !oro_spread_copy(spread, COPY, from, at, staging, packed(at), err))
            return false;
    }
    return inner->ops->download(inner, staging, (char *)pinned->memory + first * WORD, bytes_of(at), err);
}
