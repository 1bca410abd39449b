/* Chains of pastes for tests. */
#ifndef ORO_TESTS_UPLIFT_COPIES_H
#define ORO_TESTS_UPLIFT_COPIES_H

#include "tests/uplift/trees.h"

enum { STEPS = 64, PLACES = 3 };

static const float outline[6][4] = {{2000, 2000, 4000, 2500}, {4000, 2500, 4500, 4500},
                                    {4500, 4500, 3300, 3600}, {3300, 3600, 2500, 5000},
                                    {2500, 5000, 1500, 4000}, {1500, 4000, 2000, 2000}};
static const float mask[12] = {0, 0.5f, 1, 0.25f, 0.125f, 1, 1, 0, 1, 0.75f, 0.25f, 0};

/* A chain of pastes over a tree. */
struct chain {
    const struct oro_uplift *base;
    struct oro_paste steps[STEPS];
    struct oro_paste_place places[STEPS][PLACES];
    int count;
    size_t lookups; /* of the definition */
};

static inline struct oro_paste *add_step(struct chain *c, double x, double y, double radius)
{
    struct oro_paste *p = &c->steps[c->count];
    *p = (struct oro_paste){
        .from = {x, y}, .radius = {radius, radius}, .feather = 0.4, .places = c->places[c->count]};
    c->count++;
    return p;
}

static inline void add_place(struct chain *c, double x, double y, double angle, double scale_x,
                             double scale_y)
{
    struct oro_paste *p = &c->steps[c->count - 1];
    c->places[c->count - 1][p->place_count++] = (struct oro_paste_place){{x, y}, angle, {scale_x, scale_y}};
}

/* The tree that a chain makes. */
static inline struct oro_uplift *pasted(const struct chain *c)
{
    struct oro_uplift *tree = MAKE(scale, c->base, 1);
    for (int i = 0; i < c->count; i++) {
        struct oro_uplift *next = MAKE(paste, tree, &c->steps[i]);
        oro_free(tree);
        tree = next;
    }
    return tree;
}

/* Every kind of region and method, turned, mirrored, and mostly over what was pasted before. */
static inline void random_chain(struct chain *c, uint32_t *sequence, int count)
{
    for (int i = 0; i < count; i++) {
        struct oro_paste *p = add_step(c, chance_of(sequence, 2000, 8000), chance_of(sequence, 2000, 8000),
                                       chance_of(sequence, 500, 2500));
        p->region = (enum oro_region)(chance(sequence) * 3);
        p->method = (enum oro_paste_method)(chance(sequence) * 3);
        p->radius[1] *= chance_of(sequence, 0.5, 1.5);
        p->feather = chance(sequence) < 0.2 ? 0 : chance(sequence);
        p->cut = chance(sequence) < 0.3;
        p->edges = outline;
        p->edge_count = 6;
        p->mask = mask;
        p->mask_width = 4;
        p->mask_height = 3;
        p->mask_cell = 800;
        p->mask_corner[0] = chance_of(sequence, 0, 6000);
        p->mask_corner[1] = chance_of(sequence, 0, 6000);
        for (int k = (int)(chance(sequence) * (PLACES + 1)); k > 0; k--)
            add_place(
                c, chance_of(sequence, 0, 10000), chance_of(sequence, 0, 10000), chance_of(sequence, -4, 4),
                chance_of(sequence, 0.4, 2) * (chance(sequence) < 0.5 ? -1 : 1), chance_of(sequence, 0.4, 2));
    }
}

/* A row of discs, each a copy of the one before. */
static inline void row_of(struct chain *c, int count, double step)
{
    for (int i = 0; i < count; i++) {
        add_step(c, 100 + i * step, 500, 100);
        add_place(c, 100 + (i + 1) * step, 500, 0.1, 1, i % 2 ? 1 : -1);
    }
}

#endif
