/* Carved channels with a least gradient on the device (terrain/hydrology/drain.h has the rule), by pointer
 * doubling. */
#include "nodes/flow/drainage_tree_private.h"
#include "nodes/lib/range.h"
#include "terrain/hydrology/grade.h"

/* Runs rounds until no pointer is left that can go further. */
static bool repeat(struct oro_drainage_tree *tree, bool (*round)(struct oro_drainage_tree *, void *, int),
                   void *user)
{
    for (int rounds = 1;; rounds++) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        if (flag < 0 || !round(tree, user, flag) || !oro_eval_progress(tree->eval, 0, 1))
            return false;
        if (rounds < oro_drainage_tree_usual_rounds(tree))
            continue;
        if (!oro_drainage_tree_read_flags(tree))
            return false;
        if (!oro_drainage_tree_flag_up(tree, flag))
            return true;
    }
}

/* ---- The ways to the outlets ---- */

/* Buffers for before and after a round. */
struct ways {
    struct oro_buffer *pointer[2], *way[2];
};

static bool lengthen(struct oro_drainage_tree *tree, void *user, int flag)
{
    struct ways *w = user;
    oro_drainage_tree_set(tree, TREE_WAY, "flag", flag);
    bool ok = TREE_RUN(tree, TREE_WAY, {"pointer", w->pointer[0]}, {"pointer_out", w->pointer[1]},
                       {"way", w->way[0]}, {"way_out", w->way[1]});
    oro_drainage_tree_swap(&w->pointer[0], &w->pointer[1]);
    oro_drainage_tree_swap(&w->way[0], &w->way[1]);
    return ok;
}

static bool measure_ways(struct oro_drainage_tree *tree, struct ways *ways)
{
    return TREE_RUN(tree, TREE_WAY_START, {"pointer", ways->pointer[0]}, {"way", ways->way[0]}) &&
           repeat(tree, lengthen, ways);
}

/* ---- Grades ---- */

struct grades {
    struct oro_buffer *pointer[2], *limit[2], *grade[2];
};

static bool descend(struct oro_drainage_tree *tree, void *user, int flag)
{
    struct grades *g = user;
    oro_drainage_tree_set(tree, TREE_GRADE_ADVANCE, "flag", flag);
    bool ok = TREE_RUN(tree, TREE_GRADE_ADVANCE, {"pointer", g->pointer[0]}, {"pointer_out", g->pointer[1]},
                       {"limit", g->limit[0]}, {"limit_out", g->limit[1]}, {"grade", g->grade[0]},
                       {"grade_out", g->grade[1]}) &&
              TREE_RUN(tree, TREE_GRADE_MEET, {"pointer", g->pointer[0]}, {"limit", g->limit[0]},
                       {"grade", g->grade[0]}, {"grade_out", g->grade[1]});
    oro_drainage_tree_swap(&g->pointer[0], &g->pointer[1]);
    oro_drainage_tree_swap(&g->limit[0], &g->limit[1]);
    oro_drainage_tree_swap(&g->grade[0], &g->grade[1]);
    return ok;
}

bool oro_drainage_tree_grade(struct oro_drainage_tree *tree, const struct oro_drainage_tree_grading *g)
{
    struct oro_buffer *const *room = g->room;
    struct ways ways = {.pointer = {g->pointer, g->pointer_out}, .way = {room[0], room[1]}};
    if (!measure_ways(tree, &ways))
        return false;
    struct oro_buffer *drop = ways.way[1], *base = room[2];
    struct grades grades = {.pointer = {ways.pointer[1], ways.pointer[0]},
                            .limit = {room[3], room[4]},
                            .grade = {ways.way[0], g->spare}};
    oro_drainage_tree_set(tree, TREE_DROP, "unit", (double)(tree->fall / (float)ORO_WAY_STRAIGHT));
    return TREE_RUN(tree, TREE_DROP, {"pointer", ways.pointer[0]}, {"way", ways.way[0]},
                    {"lowest", g->lowest}, {"base", base}, {"drop", drop}) &&
           TREE_RUN(tree, TREE_GRADE_START, {"lowest", g->lowest}, {"base", base}, {"drop", drop},
                    {"pointer", grades.pointer[0]}, {"limit", grades.limit[0]}, {"grade", grades.grade[0]}) &&
           repeat(tree, descend, &grades) &&
           TREE_RUN(tree, TREE_RISE, {"grade", grades.grade[0]}, {"base", base}, {"drop", drop},
                    {"limit", grades.limit[0]}) &&
           TREE_RUN(tree, TREE_LOWER, {"grade", grades.grade[0]}, {"limit", grades.limit[0]}, {"base", base},
                    {"drop", drop}, {"lowest", g->lowest}, {"gentle", grades.limit[1]},
                    {"pointer", g->pointer}) &&
           oro_sum(tree->eval, grades.limit[1], oro_grid_cells(oro_eval_grid(tree->eval)), &tree->gentle);
}
