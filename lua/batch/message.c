#include "lua/batch/message.h"

#include <limits.h>
#include <string.h>

#include "lua/batch/batch_private.h"

/* How many tables may lie within each other, and how many items each may have. */
struct nesting {
    int depth;
    size_t items;
};

/* Arguments are plain, or tables of what is plain. */
static const struct nesting of_arguments = {1, ORO_BATCH_ITEMS_MAX}, of_results = {32, SIZE_MAX};

/* ---- Values ---- */

static void put_items(struct oro_packet *message, const struct oro_batch_value *value);

/* An object as a plain value is nil. */
static void put_value(struct oro_packet *message, const struct oro_batch_value *value)
{
    bool object = value->kind == ORO_BATCH_GRAPH || value->kind == ORO_BATCH_RESULT;
    oro_put_int(message, object ? ORO_BATCH_NIL : value->kind);
    oro_put_text(message, value->name);
    switch (value->kind) {
    case ORO_BATCH_BOOLEAN:
        oro_put_int(message, value->boolean);
        break;
    case ORO_BATCH_NUMBER:
        oro_put_real(message, value->number);
        break;
    case ORO_BATCH_TEXT:
        oro_put_bytes(message, value->text, value->length);
        break;
    case ORO_BATCH_ITEMS:
    case ORO_BATCH_TABLE:
        put_items(message, value);
        break;
    case ORO_BATCH_NIL:
    case ORO_BATCH_GRAPH:
    case ORO_BATCH_RESULT:
        break;
    }
}

static void put_items(struct oro_packet *message, const struct oro_batch_value *value)
{
    oro_put_int(message, (int64_t)value->count);
    for (size_t i = 0; i < value->count; i++)
        put_value(message, &value->items[i]);
}

static bool take_items(struct oro_packet *message, struct oro_arena *arena, struct nesting most,
                       struct oro_batch_value *value);

static bool take_value(struct oro_packet *message, struct oro_arena *arena, struct nesting most,
                       struct oro_batch_value *value)
{
    int64_t kind = oro_take_int(message);
    *value = (struct oro_batch_value){.name = oro_take_text(message)};
    switch (kind) {
    case ORO_BATCH_NIL:
        break;
    case ORO_BATCH_BOOLEAN:
        value->boolean = oro_take_int(message) != 0;
        break;
    case ORO_BATCH_NUMBER:
        value->number = oro_take_real(message);
        break;
    case ORO_BATCH_TEXT:
        value->text = oro_take_bytes(message, &value->length);
        if (!value->text)
            return false;
        break;
    case ORO_BATCH_ITEMS:
    case ORO_BATCH_TABLE:
        value->kind = (enum oro_batch_kind)kind;
        return most.depth > 0 && take_items(message, arena, most, value);
    default:
        return false;
    }
    value->kind = (enum oro_batch_kind)kind;
    return !message->failed;
}

/* Room is made for no more items than the message can have. */
static bool take_items(struct oro_packet *message, struct oro_arena *arena, struct nesting most,
                       struct oro_batch_value *value)
{
    int64_t count = oro_take_int(message);
    size_t there = (message->bytes.length - message->at) / (2 * sizeof(int64_t));
    if (message->failed || count < 0 || (uint64_t)count > there || (uint64_t)count > most.items)
        return false;
    most.depth--;
    *value = oro_batch_room(arena, value->kind, value->name, (size_t)count);
    bool ok = value->items;
    for (size_t i = 0; ok && i < value->count; i++)
        ok = take_value(message, arena, most, &value->items[i]);
    return ok;
}

/* ---- Calls ---- */

void oro_batch_put_call(struct oro_packet *message, const struct oro_batch_call *call, int64_t self)
{
    oro_put_int(message, call->function);
    oro_put_int(message, self);
    oro_put_int(message, call->common);
    for (int i = 0; i < ORO_BATCH_ARGUMENTS_MAX; i++)
        put_value(message, &call->arguments[i]);
}

bool oro_batch_take_call(struct oro_packet *message, struct oro_batch_call *call, int64_t *self)
{
    int64_t function = oro_take_int(message);
    *self = oro_take_int(message);
    call->common = oro_take_int(message) != 0;
    bool ok = function >= 0 && function < ORO_BATCH_FUNCTIONS && function != ORO_BATCH_EACH &&
              function != ORO_BATCH_TASK && function != ORO_BATCH_AT;
    for (int i = 0; ok && i < ORO_BATCH_ARGUMENTS_MAX; i++)
        ok = take_value(message, call->arena, of_arguments, &call->arguments[i]);
    if (!ok || !oro_packet_is_whole(message))
        return false;
    call->function = (enum oro_batch_function)function;
    return oro_batch_fits(call);
}

void oro_batch_put_result(struct oro_packet *message, const struct oro_batch_value *value, int64_t number)
{
    oro_put_int(message, number);
    if (number < 0) {
        put_value(message, value);
        return;
    }
    oro_put_int(message, value->kind);
    oro_put_int(message, (int64_t)value->bytes);
    oro_put_int(message, value->width);
    oro_put_int(message, value->height);
    oro_put_int(message, value->data ? value->channels : 0);
    put_items(message, value);
}

bool oro_batch_take_result(struct oro_packet *message, struct oro_arena *arena, struct oro_batch_value *value,
                           int64_t *number)
{
    *number = oro_take_int(message);
    if (*number < 0)
        return take_value(message, arena, of_results, value) && oro_packet_is_whole(message);
    int64_t kind = oro_take_int(message);
    size_t bytes = (size_t)oro_take_int(message);
    int64_t width = oro_take_int(message), height = oro_take_int(message), channels = oro_take_int(message);
    bool ok = (kind == ORO_BATCH_GRAPH || kind == ORO_BATCH_RESULT) && width >= 0 && width < INT_MAX &&
              height >= 0 && height < INT_MAX && channels >= 0 && channels < INT_MAX;
    *value = (struct oro_batch_value){.kind = ORO_BATCH_TABLE};
    if (!ok || !take_items(message, arena, of_results, value) || !oro_packet_is_whole(message))
        return false;
    value->kind = (enum oro_batch_kind)kind;
    value->bytes = bytes;
    value->width = (int)width;
    value->height = (int)height;
    value->channels = (int)channels;
    return true;
}
