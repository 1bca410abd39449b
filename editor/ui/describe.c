#include "editor/ui/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"

struct item {
    size_t name; /* where its name begins in `names` */
    int x, y, w, h;
    bool on;
};
/* The description of one frame. It is written as JSON only if it has changed. */
struct shown {
    struct item *items;
    size_t count, capacity;
    char *names; /* one after another, each with its 0 */
    size_t used, room;
};

/* There is one window. */
static struct {
    bool on, begun;
    char *path, *temporary; /* NULL: nothing is written */
    struct shown now, before;
    uint32_t *table; /* items by the hash of their names: index + 1; 0: free */
    size_t slots;    /* a power of two */
    json_t *states;
    struct oro_hash written;
    double at;
    long frame;
} describe;

bool ed_describe_open(const char *path)
{
    describe.on = true;
    if (!path)
        return true;
    size_t length = strlen(path);
    describe.path = oro_copy_text(path);
    describe.temporary = oro_alloc(length + 5, 1);
    if (!describe.path || !describe.temporary) {
        ed_describe_close();
        return false;
    }
    snprintf(describe.temporary, length + 5, "%s.new", path);
    return true;
}

static void free_shown(struct shown *shown)
{
    oro_free(shown->items);
    oro_free(shown->names);
    *shown = (struct shown){0};
}

void ed_describe_close(void)
{
    free_shown(&describe.now);
    free_shown(&describe.before);
    json_decref(describe.states);
    describe.states = NULL;
    oro_free(describe.table);
    describe.table = NULL;
    describe.slots = 0;
    describe.on = describe.begun = false;
    oro_free(describe.path);
    oro_free(describe.temporary);
    describe.path = describe.temporary = NULL;
}

bool ed_describing(void)
{
    return describe.on;
}

void ed_describe_begin(void)
{
    if (!describe.on)
        return;
    struct shown before = describe.before;
    describe.before = describe.now;
    describe.now = before;
    describe.now.count = describe.now.used = 0;
    if (describe.table)
        memset(describe.table, 0, describe.slots * sizeof *describe.table);
    json_decref(describe.states);
    describe.states = json_object();
    describe.begun = true;
    describe.frame++;
}

/* ---- Names */

static const char *name_of(const struct shown *shown, const struct item *item)
{
    return shown->names + item->name;
}

/* FNV-1a */
static size_t slot_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash & (describe.slots - 1);
}

/* The slot that has the name, or a free one for it. */
static uint32_t *find(const char *name)
{
    size_t slot = slot_of(name);
    while (describe.table[slot] &&
           strcmp(name_of(&describe.now, &describe.now.items[describe.table[slot] - 1]), name) != 0)
        slot = (slot + 1) & (describe.slots - 1);
    return &describe.table[slot];
}

/* Twice as many slots as items. */
static bool reserve_slots(size_t count)
{
    size_t slots = describe.slots ? describe.slots : 256;
    while (slots < count * 2)
        slots *= 2;
    if (slots == describe.slots)
        return true;
    uint32_t *table = oro_alloc(slots, sizeof *table);
    if (!table)
        return false;
    oro_free(describe.table);
    describe.table = table;
    describe.slots = slots;
    for (size_t i = 0; i < describe.now.count; i++)
        *find(name_of(&describe.now, &describe.now.items[i])) = (uint32_t)i + 1;
    return true;
}

static bool reserve(struct shown *shown, size_t length)
{
    void *items = shown->items, *names = shown->names;
    bool ok = oro_reserve(&items, &shown->capacity, shown->count + 1, sizeof *shown->items);
    shown->items = items;
    ok = ok && oro_reserve(&names, &shown->room, shown->used + length + 1, 1);
    shown->names = names;
    return ok && reserve_slots(shown->count + 1);
}

void ed_describe_item(const char *name, float x, float y, float width, float height, bool on)
{
    struct shown *now = &describe.now;
    char numbered[300];
    if (!describe.begun || !reserve(now, sizeof numbered))
        return;
    snprintf(numbered, sizeof numbered, "%.256s", name);
    for (int uses = 2; *find(numbered); uses++)
        snprintf(numbered, sizeof numbered, "%.256s#%d", name, uses);
    size_t length = strlen(numbered);
    memcpy(now->names + now->used, numbered, length + 1);
    now->items[now->count] = (struct item){now->used, (int)x, (int)y, (int)width, (int)height, on};
    now->used += length + 1;
    *find(numbered) = (uint32_t)++now->count;
}

void ed_describe_state(const char *key, const char *format, ...)
{
    char text[1024];
    va_list args;
    if (!describe.begun || !describe.path)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_object_set_new(describe.states, key, json_string(text));
}

bool ed_describe_find(const char *name, float *x, float *y, float *width, float *height)
{
    const struct shown *before = &describe.before;
    for (size_t i = 0; i < before->count; i++) {
        const struct item *item = &before->items[i];
        if (strcmp(name_of(before, item), name) != 0)
            continue;
        *x = (float)item->x;
        *y = (float)item->y;
        *width = (float)item->w;
        *height = (float)item->h;
        return true;
    }
    return false;
}

/* ---- Writing */

static void write_text(const char *text)
{
    FILE *file = fopen(describe.temporary, "w");
    if (!file)
        return;
    bool ok = fputs(text, file) >= 0;
    if (fclose(file) == 0 && ok)
        rename(describe.temporary, describe.path);
}

static json_t *items_json(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < describe.now.count; i++) {
        const struct item *item = &describe.now.items[i];
        json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:i, s:i, s:b}", "name",
                                              name_of(&describe.now, item), "x", item->x, "y", item->y, "w",
                                              item->w, "h", item->h, "on", (int)item->on));
    }
    return list;
}

static struct oro_hash digest(bool idle)
{
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return (struct oro_hash){0};
    char *states = json_dumps(describe.states, JSON_COMPACT);
    oro_hash_string(hasher, states ? states : "");
    free(states);
    oro_hash_int(hasher, idle);
    for (size_t i = 0; i < describe.now.count; i++) {
        const struct item *item = &describe.now.items[i];
        const int64_t place[] = {item->x, item->y, item->w, item->h, item->on};
        oro_hash_string(hasher, name_of(&describe.now, item));
        for (size_t k = 0; k < sizeof place / sizeof place[0]; k++)
            oro_hash_int(hasher, place[k]);
    }
    return oro_hasher_end(hasher);
}

bool ed_describe_end(bool idle)
{
    double now = oro_now();
    if (!describe.begun || !describe.path)
        return true;
    if (now - describe.at < 0.02)
        return false;
    struct oro_hash hash = digest(idle);
    if (oro_hash_equal(hash, describe.written))
        return true;
    json_t *all = json_pack("{s:b, s:O, s:o, s:I}", "idle", (int)idle, "state", describe.states, "items",
                            items_json(), "frame", (json_int_t)describe.frame);
    char *text = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
    if (text)
        write_text(text);
    free(text);
    json_decref(all);
    describe.written = hash;
    describe.at = now;
    return true;
}
