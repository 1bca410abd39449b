/* Numbers watersheds and lakes on the device: pointers lead to the cell that names each, and those cells are
 * numbered in order. */
#include "base/memory.h"
#include "nodes/flow/drainage_kernels.h"

enum { POINTER, END, MARK, LENGTH, BLOCK = 256, ROW = 4096 };

/* Turns counts into the number that each block goes on from; returns their sum. */
static uint32_t accumulate(uint32_t *counts, size_t blocks)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < blocks; i++) {
        uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    return sum;
}

/* Replaces marks by numbers 1, 2, ... */
static bool number_marks(struct oro_drainage_tree *tree, uint32_t *count)
{
    const struct oro_grid *grid = &tree->grid;
    size_t blocks = (oro_grid_cells(grid) + BLOCK - 1) / BLOCK;
    struct oro_buffer *counts = oro_eval_buffer(tree->eval, blocks);
    const struct oro_drainage_tree_slot slots[] = {{"mark", tree->scratch[MARK]}, {"counts", counts}, {0}};
    uint32_t *host = oro_alloc(blocks, sizeof *host);
    for (int kernel = TREE_COUNT; kernel <= TREE_ASSIGN; kernel++) {
        tree->dispatches[kernel].grid =
            (struct oro_grid){.width = ROW, .height = (int)((blocks + ROW - 1) / ROW), .cell = 1};
        tree->dispatches[kernel].source = *grid;
    }
    bool ok = host && oro_drainage_tree_run(tree, TREE_COUNT, slots) &&
              oro_eval_download(tree->eval, counts, host, blocks * sizeof *host);
    *count = ok ? accumulate(host, blocks) : 0;
    ok = ok && oro_eval_upload(tree->eval, counts, host, blocks * sizeof *host) &&
         oro_drainage_tree_run(tree, TREE_ASSIGN, slots);
    if (!host)
        oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory to number %zu blocks", blocks);
    oro_free(host);
    return ok;
}

/* Finds the ends of the ways along the pointers, as those along receivers. */
static bool find_ends(struct oro_drainage_tree *tree)
{
    struct oro_buffer *next = tree->next, *const *s = tree->scratch;
    tree->next = s[POINTER];
    bool ok = oro_drainage_tree_travel(tree, TREE_PATH, (struct oro_buffer *const[]){s[LENGTH], s[END]});
    tree->next = next;
    return ok;
}

static bool number(struct oro_drainage_tree *tree, struct oro_buffer *level, struct oro_buffer *to,
                   uint32_t *count)
{
    struct oro_buffer *pointer = tree->scratch[POINTER], *end = tree->scratch[END],
                      *mark = tree->scratch[MARK];
    bool ok = level ? TREE_RUN(tree, TREE_SPILLS, {"pointer", pointer}, {"mark", mark}, {"level", level})
                    : TREE_RUN(tree, TREE_ROOTS, {"pointer", pointer}, {"mark", mark});
    oro_drainage_tree_set(tree, TREE_MARK, "lakes", level != NULL);
    oro_drainage_tree_set(tree, TREE_LABEL, "lakes", level != NULL);
    return ok && find_ends(tree) && TREE_RUN(tree, TREE_MARK, {"end", end}, {"mark", mark}) &&
           number_marks(tree, count) &&
           TREE_RUN(tree, TREE_LABEL, {"end", end}, {"mark", mark}, {"label", to});
}

bool oro_drainage_kernels_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                                 struct oro_drainage_tree_numbers *n)
{
    oro_drainage_tree_scratch(tree, LENGTH + 1);
    return number(tree, NULL, n->watersheds, &n->watershed_count) &&
           number(tree, level, n->lakes, &n->lake_count) &&
           TREE_RUN(tree, TREE_LABEL_SPILLS, {"mark", tree->scratch[MARK]}, {"label", n->spills}) &&
           TREE_RUN(tree, TREE_DIRECTIONS, {"direction", n->receivers});
}
