#include "lua/field/guest.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "devices/guest/shared.h"
#include "devices/guest/worker.h"
#include "graph/type/registry.h"
#include "graph/type/value.h"

enum {
    COMPUTE = ORO_GUEST_OWN, /* to the guest: all that struct oro_script_work has */
    PROGRESS,                /* from it */
    DONE,
};

static const double grace = 1; /* seconds more than the script may take */
/* Bytes of the guest's own: a share of these, and rasters of the size of the outputs. */
static const size_t room = (size_t)1 << 30, rasters_room = 16;

/* ---- Shared memory: the rasters that are read, then the outputs ---- */

struct layout {
    size_t bytes, inputs[ORO_SCRIPT_INPUTS_MAX], outputs[ORO_SCRIPT_OUTPUTS_MAX]; /* where each begins */
};

static size_t output_bytes(const struct oro_script_work *work, const struct oro_node_type *type, int output)
{
    return oro_grid_cells(&work->grid) * (size_t)oro_type_channels(type->outputs[output].type) *
           sizeof(float);
}

static size_t raster_bytes(const struct oro_script_raster *raster)
{
    return raster->data ? oro_grid_cells(&raster->grid) * (size_t)raster->channels * sizeof(float) : 0;
}

static void lay_out(const struct oro_script_work *work, struct layout *layout)
{
    enum { ALIGN = 64 };
    const struct oro_node_type *type = &work->script->type;
    for (int i = 0; i < work->rasters.count; i++) {
        layout->inputs[i] = layout->bytes;
        layout->bytes += (raster_bytes(&work->rasters.items[i]) + ALIGN - 1) / ALIGN * ALIGN;
    }
    for (int i = 0; i < ORO_SCRIPT_OUTPUTS_MAX && type->outputs[i].name; i++) {
        layout->outputs[i] = layout->bytes;
        layout->bytes += (output_bytes(work, type, i) + ALIGN - 1) / ALIGN * ALIGN;
    }
}

static bool share(const struct oro_script_work *work, const struct layout *layout, struct oro_shared *shared,
                  struct oro_error *err)
{
    if (!oro_shared_make(shared, "rasters", layout->bytes))
        return oro_fail(err, ORO_E_MEMORY, "%s: no memory to share its rasters (%zu MiB): %s",
                        work->script->texts[0].name, layout->bytes >> 20, strerror(errno));
    for (int i = 0; i < work->rasters.count; i++) {
        const struct oro_script_raster *raster = &work->rasters.items[i];
        if (raster->data)
            memcpy(shared->memory + layout->inputs[i], raster->data, raster_bytes(raster));
    }
    return true;
}

/* ---- The work as a message ---- */

static bool is_pointer(enum oro_type type)
{
    return type == ORO_TEXT || type == ORO_FILE || type == ORO_NETWORK;
}

/* The struct as it is, then the texts that it points to. */
static void put_params(const struct oro_script_work *work, struct oro_packet *message)
{
    const struct oro_node_type *type = &work->script->type;
    oro_put_bytes(message, work->params, type->params_size);
    for (const struct oro_input *input = type->inputs; input->name; input++)
        if (is_pointer(input->type)) {
            const char *text;
            memcpy(&text, (const char *)work->params + input->offset, sizeof text);
            oro_put_text(message, text);
        }
}

static void *take_params(const struct oro_script *script, struct oro_packet *message)
{
    size_t length;
    const char *bytes = oro_take_bytes(message, &length);
    char *params = oro_arena_alloc(script->arena, script->type.params_size + 1, 1);
    if (!params || !bytes || length != script->type.params_size)
        return NULL;
    memcpy(params, bytes, length);
    for (const struct oro_input *input = script->type.inputs; input->name; input++)
        if (is_pointer(input->type)) {
            const char *text = oro_take_text(message);
            text = text ? oro_arena_text(script->arena, text) : NULL;
            memcpy(params + input->offset, &text, sizeof text);
        }
    return params;
}

static void put_work(const struct oro_script_work *work, const struct layout *layout, int file,
                     struct oro_packet *message)
{
    const struct oro_script_rasters *rasters = &work->rasters;
    oro_script_put(work->script, message);
    put_params(work, message);
    oro_put_bytes(message, &work->grid, sizeof work->grid);
    oro_put_int(message, (int64_t)work->seed);
    oro_put_bytes(message, rasters, sizeof *rasters);
    for (int i = 0; i < rasters->count; i++)
        oro_put_int(message, rasters->items[i].input - work->script->type.inputs);
    oro_put_bytes(message, layout, sizeof *layout);
    message->file = file;
}

static bool take_struct(struct oro_packet *message, void *to, size_t size)
{
    size_t length;
    const char *bytes = oro_take_bytes(message, &length);
    if (!bytes || length != size)
        return false;
    memcpy(to, bytes, size);
    return true;
}

/* The script is read; the message comes from the program, and so is right. */
static bool take_work(struct oro_script_work *work, struct oro_packet *message)
{
    struct layout layout;
    struct oro_shared shared; /* for as long as the guest lives */
    const struct oro_node_type *type = &work->script->type;
    work->params = take_params(work->script, message);
    if (!work->params || !take_struct(message, &work->grid, sizeof work->grid))
        return false;
    work->seed = (uint64_t)oro_take_int(message);
    if (!take_struct(message, &work->rasters, sizeof work->rasters))
        return false;
    int64_t inputs[ORO_SCRIPT_INPUTS_MAX];
    for (int i = 0; i < work->rasters.count; i++)
        inputs[i] = oro_take_int(message);
    if (!take_struct(message, &layout, sizeof layout) || !oro_packet_is_whole(message) ||
        !oro_shared_map(&shared, message->file, layout.bytes))
        return false;
    for (int i = 0; i < work->rasters.count; i++) {
        struct oro_script_raster *raster = &work->rasters.items[i];
        raster->input = &type->inputs[inputs[i]];
        if (raster->data)
            raster->data = (const float *)(const void *)(shared.memory + layout.inputs[i]);
    }
    for (int i = 0; i < ORO_SCRIPT_OUTPUTS_MAX && type->outputs[i].name; i++)
        work->outputs[i] = (float *)(void *)(shared.memory + layout.outputs[i]);
    return true;
}

/* ---- Here ---- */

/* No script gives anything but finite numbers. */
static bool copy_outputs(struct oro_script_work *work, const struct layout *layout, const char *memory)
{
    const struct oro_node_type *type = &work->script->type;
    for (int i = 0; i < ORO_SCRIPT_OUTPUTS_MAX && type->outputs[i].name; i++) {
        size_t bytes = output_bytes(work, type, i);
        memcpy(work->outputs[i], memory + layout->outputs[i], bytes);
        for (size_t cell = 0; cell < bytes / sizeof(float); cell++)
            if (!isfinite(work->outputs[i][cell]))
                return false;
    }
    return true;
}

/* Until the guest is done. */
static bool follow(struct oro_script_work *work, const struct layout *layout, const char *memory,
                   struct oro_guest *guest, struct oro_packet *message, struct oro_error *err)
{
    while (oro_guest_receive(guest, message, err)) {
        if (message->kind == DONE)
            return copy_outputs(work, layout, memory) || oro_guest_refuse(guest, err);
        int64_t done = oro_take_int(message), total = oro_take_int(message);
        if (message->kind != PROGRESS || !oro_packet_is_whole(message) || done < 0 || done > total ||
            total > INT32_MAX)
            return oro_guest_refuse(guest, err);
        if (!work->progress(work->user, (int)done, (int)total))
            return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    }
    return false;
}

bool oro_script_compute_in_guest(struct oro_script_work *work, struct oro_error *err)
{
    size_t raster = oro_grid_cells(&work->grid) * sizeof(float);
    const struct oro_guest_limits limits = {.name = work->script->texts[0].name,
                                            .seconds = oro_script_seconds(&work->grid) + grace,
                                            .memory = room + rasters_room * raster,
                                            .stopped = work->stopped,
                                            .user = work->user,
                                            .log = work->log};
    struct layout layout = {0};
    struct oro_shared shared = {.file = -1};
    struct oro_packet message = {.kind = COMPUTE, .file = -1};
    struct oro_guest *guest = NULL;
    lay_out(work, &layout);
    bool ok = share(work, &layout, &shared, err);
    if (ok) {
        put_work(work, &layout, shared.file, &message);
        guest = oro_guest_begin(ORO_GUEST_EVALUATE, &limits, err);
        ok = guest && oro_guest_send(guest, &message, err) &&
             follow(work, &layout, shared.memory, guest, &message, err);
    }
    oro_packet_free(&message);
    oro_guest_end(guest);
    oro_shared_free(&shared);
    return ok;
}

/* ---- In the guest ---- */

/* An evaluation may take long, but asks all the time whether to stop. One that does not is held up within a
 * function of Lua's own. */
static _Atomic uint64_t asked;

static bool never(void *user)
{
    (void)user;
    atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed);
    return false;
}

static void *watch(void *unused)
{
    uint64_t before = 0;
    for (double since = 0;; oro_sleep(0.1)) {
        uint64_t now = atomic_load(&asked);
        if (now != before)
            since = oro_process_work();
        else if (oro_process_work() - since > ORO_GUEST_CALL_SECONDS)
            raise(SIGUSR1); /* the guest says where it is, and ends */
        before = now;
    }
    return unused;
}

static bool give_progress(void *user, int done, int total)
{
    struct oro_packet message = {.kind = PROGRESS, .file = -1};
    oro_put_int(&message, done);
    oro_put_int(&message, total);
    oro_guest_give(*(int *)user, &message);
    oro_packet_free(&message);
    return true;
}

/* What the script prints while it is read was printed when the program read it. */
static bool compute(int socket, struct oro_packet *message, struct oro_script *script, struct oro_error *err)
{
    struct oro_script_work work = {.script = script,
                                   .log = oro_guest_log(socket),
                                   .stopped = never,
                                   .progress = give_progress,
                                   .user = &socket};
    if (!oro_script_read_again(script, err))
        return false;
    if (!script->form->compute || !take_work(&work, message))
        return oro_fail(err, ORO_E_EVALUATE, "%s: cannot be evaluated apart from the program",
                        script->texts[0].name);
    return script->form->compute(&work, err);
}

void oro_script_work_as_guest(int socket, const struct oro_script_form *forms)
{
    struct oro_error err = {0};
    struct oro_packet message = {.file = -1};
    oro_guest_take(socket, &message);
    struct oro_script *script = oro_script_take(&message, forms, NULL);
    pthread_t watcher;
    bool ok =
        script && pthread_create(&watcher, NULL, watch, NULL) == 0 && compute(socket, &message, script, &err);
    oro_packet_begin(&message, DONE);
    if (ok)
        oro_guest_give(socket, &message);
    else
        oro_guest_give_error(socket, &err);
}
