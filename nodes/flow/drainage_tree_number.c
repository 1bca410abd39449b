/* Numbers for watersheds and lakes, on the device: pointers to the cell that names each, and those cells
 * numbered in order. */
#include "base/memory.h"
#include "nodes/flow/drainage_tree_private.h"

enum { JUMP, MARK, BLOCK = 256, ROW = 4096 };

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
static bool number_marks(struct oro_tree *tree, uint32_t *count)
{
    const struct oro_grid *grid = oro_eval_grid(tree->eval);
    size_t blocks = (oro_grid_cells(grid) + BLOCK - 1) / BLOCK;
    struct oro_buffer *counts = oro_eval_buffer(tree->eval, blocks);
    struct oro_buffer *buffers[] = {tree->scratch[MARK], counts};
    uint32_t *host = oro_alloc(blocks, sizeof *host);
    for (int kernel = TREE_COUNT; kernel <= TREE_ASSIGN; kernel++) {
        tree->passes[kernel].grid =
            (struct oro_grid){.width = ROW, .height = (int)((blocks + ROW - 1) / ROW), .cell = 1};
        tree->passes[kernel].source = *grid;
    }
    bool ok = host && oro_tree_run(tree, TREE_COUNT, buffers, NULL) &&
              oro_eval_download(tree->eval, counts, host, blocks * sizeof *host);
    *count = ok ? accumulate(host, blocks) : 0;
    ok = ok && oro_eval_upload(tree->eval, counts, host, blocks * sizeof *host) &&
         oro_tree_run(tree, TREE_ASSIGN, buffers, NULL);
    if (!host)
        oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory to number %zu blocks", blocks);
    oro_free(host);
    return ok;
}

static bool number(struct oro_tree *tree, struct oro_buffer *level, struct oro_buffer *to, uint32_t *count)
{
    struct oro_buffer *const *s = tree->scratch;
    struct oro_buffer *roots[] = {tree->next, s[JUMP], s[MARK], tree->z, level};
    struct oro_buffer *mark[] = {s[JUMP], s[MARK]}, *label[] = {s[JUMP], s[MARK], to};
    float lakes[] = {level ? 1 : 0};
    return oro_tree_run(tree, level ? TREE_SPILLS : TREE_ROOTS, roots, NULL) &&
           oro_tree_jump(tree, s[JUMP]) && oro_tree_run(tree, TREE_MARK, mark, lakes) &&
           number_marks(tree, count) && oro_tree_run(tree, TREE_LABEL, label, lakes);
}

bool oro_tree_number(struct oro_tree *tree, struct oro_buffer *level, struct oro_tree_numbers *n)
{
    if (tree->on_processor)
        return oro_tree_host_number(tree, level, n);
    struct oro_buffer *directions[] = {tree->next, n->receivers},
                      *spills[] = {tree->scratch[MARK], n->spills};
    return number(tree, NULL, n->watersheds, &n->watershed_count) &&
           number(tree, level, n->lakes, &n->lake_count) &&
           oro_tree_run(tree, TREE_LABEL_SPILLS, spills, NULL) &&
           oro_tree_run(tree, TREE_DIRECTIONS, directions, NULL);
}
