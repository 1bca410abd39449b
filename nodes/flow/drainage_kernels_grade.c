/* Carved channels with a least gradient on the device (terrain/drainage/drain.h has the rule). */
#include "nodes/flow/drainage_kernels.h"
#include "nodes/lib/range.h"
#include "terrain/drainage/grade.h"

bool oro_drainage_tree_descend(struct oro_drainage_tree *tree, struct oro_buffer *limit,
                               struct oro_buffer *grade)
{
    for (int kernel = TREE_LEAVE; kernel <= TREE_ENTER; kernel += TREE_ENTER - TREE_LEAVE) {
        oro_bind(&tree->dispatches[kernel + TREE_GRADE], "limit", limit);
        oro_bind(&tree->dispatches[kernel + TREE_GRADE], "grades", grade);
    }
    return oro_drainage_tree_travel(tree, TREE_GRADE, NULL);
}

bool oro_drainage_tree_grade(struct oro_drainage_tree *tree, struct oro_buffer *lowest,
                             struct oro_buffer *const *scratch)
{
    /* Ways are not needed any more once there are limits. */
    struct oro_buffer *way = scratch[0], *limit = way, *root = scratch[1], *grade = root, *base = scratch[2],
                      *drop = scratch[3], *gentle = scratch[4];
    oro_drainage_tree_set(tree, TREE_DROP, "unit", (double)(tree->fall / (float)ORO_PATH_STRAIGHT));
    return oro_drainage_tree_travel(tree, TREE_PATH, (struct oro_buffer *const[]){way, root}) &&
           TREE_RUN(tree, TREE_DROP, {"root", root}, {"way", way}, {"lowest", lowest}, {"base", base},
                    {"drop", drop}) &&
           TREE_RUN(tree, TREE_GRADE_START, {"lowest", lowest}, {"base", base}, {"drop", drop},
                    {"limit", limit}, {"grade", grade}) &&
           oro_drainage_tree_descend(tree, limit, grade) &&
           TREE_RUN(tree, TREE_RISE, {"grade", grade}, {"drop", drop}) &&
           TREE_RUN(tree, TREE_LOWER, {"grade", grade}, {"limit", limit}, {"base", base}, {"drop", drop},
                    {"lowest", lowest}, {"gentle", gentle}) &&
           oro_drainage_tree_repeat(tree, TREE_FALL,
                                    (const struct oro_drainage_tree_slot[]){{"lowest", lowest}, {0}}) &&
           oro_sum_over(tree->eval, gentle, &tree->grid, &tree->gentle);
}
