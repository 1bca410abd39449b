/* Carved channels with a least gradient on the device (terrain/hydrology/drain.h has the rule). */
#include "nodes/flow/drainage_tree_private.h"
#include "nodes/lib/range.h"
#include "terrain/hydrology/grade.h"

/* Runs a kernel that walks down ways until its flag stays down. */
static bool walk(struct oro_drainage_tree *tree, int kernel, const struct oro_drainage_tree_slot *slots)
{
    for (bool again = true; again;) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        oro_drainage_tree_set(tree, kernel, "flag", flag);
        if (flag < 0 || !oro_drainage_tree_run(tree, kernel, slots) || !oro_drainage_tree_read_flags(tree) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        again = oro_drainage_tree_flag_up(tree, flag);
    }
    return true;
}

bool oro_drainage_tree_grade(struct oro_drainage_tree *tree, struct oro_buffer *lowest,
                             struct oro_buffer *const *room)
{
    struct oro_buffer *way = room[0], *root = room[1], *base = room[2], *drop = room[3], *limit = room[4],
                      *grade = room[5], *gentle = room[6];
    oro_drainage_tree_set(tree, TREE_DROP, "unit", (double)(tree->fall / (float)ORO_WAY_STRAIGHT));
    return oro_drainage_tree_travel(tree, TREE_WAY, (struct oro_buffer *const[]){way, root}) &&
           TREE_RUN(tree, TREE_DROP, {"root", root}, {"way", way}, {"lowest", lowest}, {"base", base},
                    {"drop", drop}) &&
           TREE_RUN(tree, TREE_GRADE_START, {"lowest", lowest}, {"base", base}, {"drop", drop},
                    {"limit", limit}, {"grade", grade}) &&
           walk(tree, TREE_GRADE_WALK,
                (const struct oro_drainage_tree_slot[]){{"limit", limit}, {"grade", grade}, {0}}) &&
           TREE_RUN(tree, TREE_RISE, {"grade", grade}, {"drop", drop}) &&
           TREE_RUN(tree, TREE_LOWER, {"grade", grade}, {"limit", limit}, {"base", base}, {"drop", drop},
                    {"lowest", lowest}, {"gentle", gentle}) &&
           walk(tree, TREE_FALL, (const struct oro_drainage_tree_slot[]){{"lowest", lowest}, {0}}) &&
           oro_sum(tree->eval, gentle, oro_grid_cells(oro_eval_grid(tree->eval)), &tree->gentle);
}
