#include <string.h>

#include "base/memory.h"
#include "lua/sandbox/guard_private.h"

enum {
    LARGE = 4096,          /* blocks of this many bytes or more cost steps */
    BYTES_PER_STEP = 64,   /* of a large block, which is usually filled, and whose pages are new */
    REFUSED_PER_STEP = 64, /* of all that the state holds: after a refusal, Lua collects garbage */
    DEEP = 20000,          /* nested calls */
    NODE = 24,             /* bytes of a key and its value in a hash, which has a power of two of them */
};

/* Whether the hash of a table grows beyond what can be filled in time: see guard.h. */
static bool has_too_many_keys(const struct oro_guard *guard, const void *memory, size_t kind, size_t size)
{
    if (!guard->keys_max || memory || kind != 0 || size % NODE || size / NODE <= guard->keys_max)
        return false;
    size_t nodes = size / NODE;
    return (nodes & (nodes - 1)) == 0;
}

static enum oro_guard_refusal why_not(const struct oro_guard *guard, const void *memory, size_t kind,
                                      size_t old_size, size_t new_size)
{
    if (new_size <= old_size)
        return ORO_GUARD_NO_REFUSAL;
    if (guard->used > guard->limits.memory || new_size - old_size > guard->limits.memory - guard->used)
        return ORO_GUARD_FULL;
    /* Lua's object begins with some bytes of its own */
    if (!memory && kind == LUA_TSTRING && new_size > ORO_GUARD_TEXT_MAX + 64)
        return ORO_GUARD_TEXT;
    return has_too_many_keys(guard, memory, kind, new_size) ? ORO_GUARD_KEYS : ORO_GUARD_NO_REFUSAL;
}

/* Endless recursion would fill the memory before it reaches Lua's own limit on calls. */
static bool is_deep(const struct oro_guard *guard)
{
    lua_Debug where;
    return guard->lua && lua_getstack(guard->lua, DEEP, &where);
}

/* Shrinking and freeing cannot fail: Lua relies on it. */
void *oro_guard_allocate(void *user, void *memory, size_t old_size, size_t new_size)
{
    struct oro_guard *guard = user;
    size_t old = memory ? old_size : 0; /* for a new block, Lua passes a kind of object instead */
    if (new_size == 0) {
        oro_free(memory);
        guard->used -= old;
        return NULL;
    }
    enum oro_guard_refusal refusal = why_not(guard, memory, old_size, old, new_size);
    if (new_size > old && new_size >= LARGE)
        oro_guard_take(guard, (double)new_size / BYTES_PER_STEP);
    void *moved = refusal ? NULL : oro_resize(memory, new_size, 1);
    if (!moved && new_size > old) {
        guard->refusal = refusal ? refusal : ORO_GUARD_SYSTEM;
        if (refusal == ORO_GUARD_FULL && is_deep(guard))
            guard->refusal = ORO_GUARD_DEPTH;
        oro_guard_take(guard, (double)guard->used / REFUSED_PER_STEP);
        oro_guard_note_place(guard);
        return NULL;
    }
    guard->used = guard->used - old + new_size;
    return moved ? moved : memory;
}
