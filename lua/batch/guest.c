#define _GNU_SOURCE /* for memfd_create */
#include "lua/batch/guest.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "base/clock.h"
#include "devices/guest/worker.h"
#include "lua/batch/batch_private.h"
#include "lua/batch/message.h"
#include "lua/sandbox/library.h"

/* Bytes of a guest's own memory, besides what the script's state may have: the script's text and messages. */
static const size_t room = (size_t)256 << 20;
/* How much longer a guest may take than the script within it, which notices by itself in most cases. */
static const double grace = 0.5;

/* ---- Here: what the script holds ---- */

enum { NONE = -1 };

struct held {
    struct oro_batch_value value; /* without items; no object: the place is free */
    int64_t next_free;
    bool shared; /* the guest has its cells */
};

struct side {
    const struct oro_batch_host *host;
    const struct oro_batch_options *options;
    struct oro_guest *guest;
    struct oro_packet message, answer;
    struct held *held;
    size_t count, capacity;
    int64_t first_free;
    size_t bytes, graphs; /* what is held */
    int modules;
};

/* Gives the object a number. False: memory is out, and it was released. */
static bool hold(struct side *side, const struct oro_batch_value *value, int64_t *number)
{
    void *held = side->held;
    *number = side->first_free;
    if (*number == NONE && !oro_reserve(&held, &side->capacity, side->count + 1, sizeof *side->held)) {
        side->host->release(side->host->user, value->kind, value->object);
        return false;
    }
    if (*number == NONE) {
        side->held = held;
        *number = (int64_t)side->count++;
    } else {
        side->first_free = side->held[*number].next_free;
    }
    side->held[*number] = (struct held){.value = *value};
    side->held[*number].value.items = NULL;
    side->bytes += value->bytes;
    side->graphs += value->kind == ORO_BATCH_GRAPH;
    return true;
}

/* NULL: the guest holds no such object. */
static struct held *find_held(const struct side *side, int64_t number)
{
    bool known = number >= 0 && (uint64_t)number < side->count && side->held[number].value.object;
    return known ? &side->held[number] : NULL;
}

static void let_go(struct side *side, struct held *held)
{
    side->host->release(side->host->user, held->value.kind, held->value.object);
    side->bytes -= held->value.bytes;
    side->graphs -= held->value.kind == ORO_BATCH_GRAPH;
    *held = (struct held){.next_free = side->first_free};
    side->first_free = held - side->held;
}

static void let_go_of_all(struct side *side)
{
    for (size_t i = 0; i < side->count; i++)
        if (side->held[i].value.object)
            let_go(side, &side->held[i]);
    oro_free(side->held);
}

/* ---- Here: what the guest asks for ---- */

static bool answer(struct side *side, bool ok, const struct oro_error *why, struct oro_error *err)
{
    if (!ok)
        oro_put_error(&side->answer, why);
    return oro_guest_send(side->guest, &side->answer, err);
}

static void begin_answer(struct side *side, uint32_t kind, bool ok)
{
    oro_packet_begin(&side->answer, kind);
    oro_put_int(&side->answer, ok);
}

/* The object that a method is called on. False: the guest holds none with that number. */
static bool find_self(const struct side *side, int64_t number, struct oro_batch_call *call)
{
    const char *object = oro_batch_functions[call->function].object;
    if (strcmp(object, "orograph") == 0)
        return number == NONE;
    const struct held *held = find_held(side, number);
    call->self = held ? held->value.object : NULL;
    return held && held->value.kind == (strcmp(object, "graph") == 0 ? ORO_BATCH_GRAPH : ORO_BATCH_RESULT);
}

static bool take_call(struct side *side, struct oro_batch_call *call)
{
    int64_t self;
    return call->arena && oro_batch_take_call(&side->message, call, &self) && find_self(side, self, call) &&
           oro_batch_may_make(side->options, call->function, side->bytes, side->graphs);
}

static bool call_host(struct side *side, struct oro_batch_call *call, struct oro_error *err)
{
    struct oro_error why = {0};
    int64_t number = NONE;
    double begun = oro_now();
    bool ok = side->host->call(side->host->user, call, &why);
    oro_guest_spend(side->guest, oro_now() - begun);
    if (ok && call->result.object && !hold(side, &call->result, &number))
        ok = oro_fail(&why, ORO_E_MEMORY, "no memory for what the script holds");
    begin_answer(side, ORO_BATCH_SAYS_RESULT, ok);
    if (ok)
        oro_batch_put_result(&side->answer, &call->result, number);
    return answer(side, ok, &why, err);
}

static bool serve_call(struct side *side, struct oro_error *err)
{
    struct oro_batch_call call = {.arena = oro_arena_create()};
    bool ok = take_call(side, &call) ? call_host(side, &call, err) : oro_guest_refuse(side->guest, err);
    oro_arena_destroy(call.arena);
    return ok;
}

static bool serve_release(struct side *side, struct oro_error *err)
{
    struct held *held = find_held(side, oro_take_int(&side->message));
    if (!held || !oro_packet_is_whole(&side->message))
        return oro_guest_refuse(side->guest, err);
    let_go(side, held);
    return true;
}

static bool serve_print(struct side *side, struct oro_error *err)
{
    size_t length;
    const char *line = oro_take_bytes(&side->message, &length);
    if (!line || !oro_packet_is_whole(&side->message))
        return oro_guest_refuse(side->guest, err);
    side->host->print(side->host->user, line, length);
    return true;
}

static bool serve_module(struct side *side, struct oro_error *err)
{
    struct oro_error why = {0};
    size_t length = 0;
    const char *module = oro_take_text(&side->message), *name = NULL;
    if (!module || !oro_packet_is_whole(&side->message) || !side->host->find_module ||
        !oro_library_is_module(module, strlen(module)) || side->modules++ >= ORO_LIBRARY_MODULES_MAX)
        return oro_guest_refuse(side->guest, err);
    const char *text = side->host->find_module(side->host->user, module, &length, &name, &why);
    begin_answer(side, ORO_BATCH_SAYS_TEXT, text);
    if (text) {
        oro_put_text(&side->answer, name);
        oro_put_bytes(&side->answer, text, length);
    }
    return answer(side, text, &why, err);
}

static size_t bytes_of_cells(const struct oro_batch_value *result)
{
    return (size_t)result->width * (size_t)result->height * (size_t)result->channels * sizeof *result->data;
}

static bool write_all(int file, const void *data, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t written = write(file, (const char *)data + done, length - done);
        if (written < 0 && errno != EINTR)
            return false;
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Returns a file in memory, or -1. */
static int share(const struct oro_batch_value *result, struct oro_error *why)
{
    size_t bytes = bytes_of_cells(result);
    int file = memfd_create("cells", MFD_CLOEXEC);
    if (file >= 0 && write_all(file, result->data, bytes))
        return file;
    oro_fail(why, ORO_E_MEMORY, "no memory to read cells (%zu MiB): %s", bytes >> 20, strerror(errno));
    if (file >= 0)
        close(file);
    return -1;
}

static bool serve_cells(struct side *side, struct oro_error *err)
{
    struct oro_error why = {0};
    struct held *held = find_held(side, oro_take_int(&side->message));
    if (!held || !held->value.data || held->shared || !oro_packet_is_whole(&side->message))
        return oro_guest_refuse(side->guest, err);
    int file = share(&held->value, &why);
    held->shared = file >= 0;
    begin_answer(side, ORO_BATCH_SAYS_CELLS, held->shared);
    side->answer.file = file;
    bool ok = answer(side, held->shared, &why, err);
    side->answer.file = -1;
    if (file < 0)
        return ok;
    close(file);
    held->value.bytes += bytes_of_cells(&held->value);
    side->bytes += bytes_of_cells(&held->value);
    return ok;
}

/* ---- Here: the run ---- */

/* Until the script ends. */
static bool serve_all(struct side *side, struct oro_error *err)
{
    bool ok = true;
    while (ok && oro_guest_receive(side->guest, &side->message, err)) {
        switch (side->message.kind) {
        case ORO_BATCH_SAYS_CALL:
            ok = serve_call(side, err);
            break;
        case ORO_BATCH_SAYS_RELEASE:
            ok = serve_release(side, err);
            break;
        case ORO_BATCH_SAYS_PRINT:
            ok = serve_print(side, err);
            break;
        case ORO_BATCH_SAYS_MODULE:
            ok = serve_module(side, err);
            break;
        case ORO_BATCH_SAYS_WANTED:
            ok = serve_cells(side, err);
            break;
        case ORO_BATCH_SAYS_DONE:
            return true;
        default:
            return oro_guest_refuse(side->guest, err);
        }
    }
    return false;
}

static void put_run(struct oro_packet *message, const struct side *side, const char *text, size_t length,
                    const char *name)
{
    const struct oro_batch_options *options = side->options;
    oro_put_int(message, side->host->find_module != NULL);
    oro_put_int(message, (int64_t)options->memory);
    oro_put_int(message, options->steps);
    oro_put_real(message, options->seconds);
    oro_put_text(message, options->version);
    oro_put_int(message, options->task);
    oro_put_int(message, options->tasks);
    oro_put_int(message, (int64_t)options->result_bytes);
    oro_put_int(message, options->argument_count);
    for (int i = 0; i < options->argument_count; i++)
        oro_put_text(message, options->arguments[i]);
    oro_put_text(message, name);
    oro_put_bytes(message, text, length);
}

bool oro_batch_run_in_guest(const char *text, size_t length, const char *name,
                            const struct oro_batch_host *host, const struct oro_batch_options *options,
                            struct oro_error *err)
{
    const struct oro_guest_limits limits = {.name = name,
                                            .seconds = options->seconds > 0 ? options->seconds + grace : 0,
                                            .memory = options->memory + room,
                                            .stopped = host->stopped,
                                            .user = host->user};
    struct side side = {.host = host,
                        .options = options,
                        .message = {.kind = ORO_BATCH_SAYS_RUN, .file = -1},
                        .answer = {.file = -1},
                        .first_free = NONE};
    put_run(&side.message, &side, text, length, name);
    side.guest = oro_guest_begin(ORO_GUEST_BATCH, &limits, err);
    bool ok = side.guest && oro_guest_send(side.guest, &side.message, err) && serve_all(&side, err);
    oro_guest_end(side.guest);
    let_go_of_all(&side);
    oro_packet_free(&side.message);
    oro_packet_free(&side.answer);
    return ok;
}

/* ---- In the guest ---- */

struct work {
    int socket;
    struct oro_packet message;
    struct oro_arena *arena; /* for what lives as long as the run */
    bool cancelled;
};

/* What the script holds stands for an object of the program's. */
struct stand_in {
    int64_t number;
    void *cells;
    size_t bytes;
};

/* Asks the program, and reads whether that worked. */
static bool ask(struct work *work, struct oro_error *err)
{
    struct oro_packet *message = &work->message;
    if (message->bytes.failed || message->bytes.length > ORO_PACKET_BYTES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "the arguments are too large");
    oro_guest_give(work->socket, message);
    oro_guest_take(work->socket, message);
    if (oro_take_int(message))
        return true;
    oro_take_error(message, err);
    work->cancelled = err->code == ORO_E_CANCELLED;
    return false;
}

static int64_t number_of(const void *object)
{
    return object ? ((const struct stand_in *)object)->number : NONE;
}

static bool call_program(void *user, struct oro_batch_call *call, struct oro_error *err)
{
    struct work *work = user;
    int64_t number;
    oro_packet_begin(&work->message, ORO_BATCH_SAYS_CALL);
    oro_batch_put_call(&work->message, call, number_of(call->self));
    if (!ask(work, err))
        return false;
    if (!oro_batch_take_result(&work->message, call->arena, &call->result, &number))
        return oro_fail(err, ORO_E_MEMORY, "no memory for a result");
    if (number == NONE)
        return true;
    struct stand_in *object = oro_alloc(1, sizeof *object);
    if (!object)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a result");
    object->number = number;
    call->result.object = object;
    return true;
}

/* May come between a call's answer and its use, so `work->message` stays as it is. */
static void release(void *user, enum oro_batch_kind kind, void *object)
{
    const struct work *work = user;
    struct stand_in *own = object;
    struct oro_packet message = {.kind = ORO_BATCH_SAYS_RELEASE, .file = -1};
    (void)kind;
    oro_put_int(&message, own->number);
    oro_guest_give(work->socket, &message);
    oro_packet_free(&message);
    if (own->cells)
        munmap(own->cells, own->bytes);
    oro_free(own);
}

static bool get_cells(void *user, struct oro_batch_value *result, struct oro_error *err)
{
    struct work *work = user;
    struct stand_in *object = result->object;
    oro_packet_begin(&work->message, ORO_BATCH_SAYS_WANTED);
    oro_put_int(&work->message, object->number);
    if (!ask(work, err))
        return false;
    object->bytes = bytes_of_cells(result);
    void *cells = mmap(NULL, object->bytes, PROT_READ, MAP_SHARED, work->message.file, 0);
    close(work->message.file);
    if (cells == MAP_FAILED)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read cells (%zu MiB)", object->bytes >> 20);
    object->cells = cells;
    result->data = cells;
    result->bytes += object->bytes;
    return true;
}

static void print(void *user, const char *line, size_t length)
{
    struct oro_packet message = {.kind = ORO_BATCH_SAYS_PRINT, .file = -1};
    oro_put_bytes(&message, line, length);
    oro_guest_give(((struct work *)user)->socket, &message);
    oro_packet_free(&message);
}

static bool is_cancelled(void *user)
{
    return ((struct work *)user)->cancelled;
}

static const char *ask_for_module(void *user, const char *module, size_t *length, const char **name,
                                  struct oro_error *err)
{
    struct work *work = user;
    oro_packet_begin(&work->message, ORO_BATCH_SAYS_MODULE);
    oro_put_text(&work->message, module);
    if (!ask(work, err))
        return NULL;
    const char *shown = oro_take_text(&work->message), *text = oro_take_bytes(&work->message, length);
    char *kept = oro_arena_alloc(work->arena, *length + 1, 1);
    *name = shown ? oro_arena_text(work->arena, shown) : NULL;
    if (!kept || !*name || !text) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a module");
        return NULL;
    }
    memcpy(kept, text, *length);
    return kept;
}

static char **take_arguments(struct oro_packet *message, struct oro_arena *arena, int count)
{
    char **arguments = oro_arena_alloc(arena, (size_t)count + 1, sizeof *arguments);
    for (int i = 0; arguments && i < count; i++) {
        const char *text = oro_take_text(message);
        arguments[i] = text ? oro_arena_text(arena, text) : NULL;
        if (!arguments[i])
            return NULL;
    }
    return arguments;
}

/* The message comes from the program, and so is right. */
static bool run(struct work *work, struct oro_packet *message, struct oro_error *err)
{
    const struct oro_batch_host host = {.call = call_program,
                                        .release = release,
                                        .cells = get_cells,
                                        .print = print,
                                        .stopped = is_cancelled,
                                        .find_module = oro_take_int(message) ? ask_for_module : NULL,
                                        .user = work};
    struct oro_batch_options options = {.memory = (size_t)oro_take_int(message)};
    options.steps = oro_take_int(message);
    options.seconds = oro_take_real(message);
    options.version = oro_take_text(message);
    options.task = (int)oro_take_int(message);
    options.tasks = (int)oro_take_int(message);
    options.result_bytes = (size_t)oro_take_int(message);
    options.argument_count = (int)oro_take_int(message);
    size_t length;
    options.arguments = take_arguments(message, work->arena, options.argument_count);
    const char *name = oro_take_text(message), *text = oro_take_bytes(message, &length);
    if (!options.arguments || !name || !text)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the script");
    return oro_batch_run(text, length, name, &host, &options, err);
}

void oro_batch_work(int socket)
{
    struct oro_error err = {0};
    struct oro_packet message = {.file = -1};
    struct work work = {.socket = socket, .message = {.file = -1}, .arena = oro_arena_create()};
    oro_guest_take(socket, &message);
    bool ok = (work.arena || oro_fail(&err, ORO_E_MEMORY, "no memory for the script")) &&
              run(&work, &message, &err);
    oro_packet_begin(&message, ORO_BATCH_SAYS_DONE);
    if (ok)
        oro_guest_give(socket, &message);
    else
        oro_guest_give_error(socket, &err);
}
