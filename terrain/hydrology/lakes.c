/* Lakes, step by step. */
#include <string.h>

#include "base/memory.h"
#include "terrain/hydrology/lakes_private.h"

static bool make_room(struct oro_lake_making *m)
{
    m->open = oro_alloc(m->cells, sizeof *m->open);
    m->z = oro_alloc(m->cells, sizeof *m->z);
    m->id = oro_alloc(m->cells, sizeof *m->id);
    m->surface = oro_alloc(m->cells, sizeof *m->surface);
    m->roots = oro_alloc(m->cells, sizeof *m->roots);
    m->mark = oro_alloc(m->cells, sizeof *m->mark);
    m->sunk = oro_alloc(m->cells, sizeof *m->sunk);
    m->met = oro_alloc(m->cells, sizeof *m->met);
    m->highest = oro_alloc(m->cells, sizeof *m->highest);
    m->lowest = oro_alloc(m->cells, sizeof *m->lowest);
    return m->open && m->z && m->id && m->surface && m->roots && m->mark && m->sunk && m->met && m->highest &&
           m->lowest;
}

/* Makes all lakes, and makes them anew without those that have to be given up, until none has. */
static bool make(struct oro_lake_making *m, struct oro_error *err)
{
    /* Lakes lie not in outlets, not next to the sea, and not where the mask forbids it. */
    const float *sea = m->ground->sea;
    for (size_t i = 0; i < m->cells; i++) {
        size_t around[8];
        int count = sea ? oro_lake_neighbours(m, i, around) : 0;
        m->open[i] = !oro_ground_is_outlet(m->ground, i) && oro_lake_number_at(&m->options->mask, i) > 0;
        for (int k = 0; k < count; k++)
            if (sea[around[k]] > 0.5f)
                m->open[i] = 0;
    }
    if (!oro_lakes_find(m, err))
        return false;
    for (bool again = true; again;) {
        again = false;
        memcpy(m->z, m->ground->z, m->cells * sizeof *m->z);
        if (!oro_lakes_number(m, err))
            return false;
        if (m->lake_count && (!oro_lakes_grade(m, err) || !oro_lakes_drain(m, &again, err)))
            return false;
    }
    for (size_t i = 0; i < m->cells; i++)
        m->surface[i] = m->id[i] ? m->lakes[m->id[i] - 1].level : m->z[i];
    return m->lake_count == 0 || oro_lakes_dig(m, err);
}

static void tell_wishes(const struct oro_lake_making *m)
{
    for (size_t i = 0; i < m->wish_count; i++) {
        struct oro_lake_wish *wish = &m->wishes[i];
        wish->lake = wish->state == ORO_LAKE_MADE ? m->bodies[wish->body].number : 0;
        if (wish->state == ORO_LAKE_MADE && !wish->lake)
            wish->state = ORO_LAKE_NO_WAY_OUT;
    }
}

bool oro_lakes_make(const struct oro_ground *ground, const struct oro_lake_options *options,
                    struct oro_lake_wish *wishes, size_t wish_count, struct oro_lakes_made *made,
                    struct oro_error *err)
{
    struct oro_lake_making m = {
        .ground = ground, .options = options, .wishes = wishes, .wish_count = wish_count};
    *made = (struct oro_lakes_made){0};
    if (!oro_ground_check(ground, err))
        return false;
    m.cells = (size_t)ground->width * (size_t)ground->height;
    m.strips = oro_strips_of(ground->width, ground->height);
    m.offsets = oro_offsets_of(ground->width);
    bool room = make_room(&m), ok = room ? make(&m, err) : oro_no_memory(ground, err);
    if (room && ok) {
        tell_wishes(&m);
        *made = (struct oro_lakes_made){
            .count = m.lake_count, .lakes = m.lakes, .terrain = m.z, .level = m.surface, .id = m.id};
        for (size_t b = 0; b < m.body_count; b++)
            made->given_up += m.bodies[b].given_up && m.bodies[b].drawn;
        m.lakes = NULL;
        m.z = m.surface = NULL;
        m.id = NULL;
    }
    oro_free(m.bodies);
    oro_free(m.list);
    oro_free(m.open);
    oro_free(m.z);
    oro_free(m.id);
    oro_free(m.surface);
    oro_free(m.roots);
    oro_free(m.mark);
    oro_free(m.sunk);
    oro_free(m.met);
    oro_free(m.highest);
    oro_free(m.lowest);
    oro_free(m.lakes);
    return ok;
}

void oro_lakes_made_free(struct oro_lakes_made *made)
{
    oro_free(made->lakes);
    oro_free(made->terrain);
    oro_free(made->level);
    oro_free(made->id);
    *made = (struct oro_lakes_made){0};
}
