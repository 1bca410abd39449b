/* What the drainage tree hands up from the outlets: flood levels, watersheds, lakes. */
#include "terrain/drainage/drainage_tree_private.h"
#include "terrain/drainage/steps.h"

/* ---- Watersheds ---- */

static void spread_watersheds(void *user, const struct oro_drainage_tree_part *part)
{
    uint32_t *watershed = user;
    for (size_t i = 0; i < part->count; i++)
        watershed[part->order[i]] = watershed[part->receiver[part->order[i]]];
}

uint32_t oro_watersheds(const struct oro_routing *routing, uint32_t *watershed)
{
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    struct oro_drainage_tree_work work = {.part = spread_watersheds, .user = watershed};
    uint32_t count = 0;
    for (size_t i = 0; i < cells; i++)
        if (routing->receiver[i] == i)
            watershed[i] = ++count;
    oro_drainage_tree_up(routing, NULL, &work, NULL);
    return count;
}

/* ---- Lakes: first, the cell that a wet cell's water spills over, plus 1; 0 where it is dry ---- */

struct spilling {
    const float *z, *level;
    uint32_t *lake;
};

static bool is_wet(const struct spilling *s, size_t cell)
{
    return oro_height(s->level[cell]) > oro_height(s->z[cell]);
}

static void find_spills(void *user, const struct oro_drainage_tree_part *part)
{
    const struct spilling *s = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        s->lake[cell] = !is_wet(s, cell) ? 0 : is_wet(s, next) ? s->lake[next] : next + 1;
    }
}

/* Marks in the cells that are spilled over tell them from wet ones. */
#define MARK 0x80000000u

uint32_t oro_lakes(const struct oro_ground *ground, const struct oro_routing *routing, const float *level,
                   uint32_t *lake)
{
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    struct spilling spilling = {.z = ground->z, .level = level, .lake = lake};
    struct oro_drainage_tree_work work = {.part = find_spills, .user = &spilling};
    oro_drainage_tree_up(routing, NULL, &work, NULL);
    uint32_t count = 0; /* lakes are numbered in the order of the cells that they spill over */
    for (size_t i = 0; i < cells; i++)
        if (lake[i] && !(lake[i] & MARK))
            lake[lake[i] - 1] = MARK;
    for (size_t i = 0; i < cells; i++)
        if (lake[i] & MARK)
            lake[i] = MARK | ++count;
    for (size_t i = 0; i < cells; i++)
        if (lake[i] && !(lake[i] & MARK))
            lake[i] = lake[lake[i] - 1] & ~MARK;
    for (size_t i = 0; i < cells; i++)
        if (lake[i] & MARK)
            lake[i] = 0;
    return count;
}
