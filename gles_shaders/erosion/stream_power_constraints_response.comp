// What each elevation constraint needs to know to be met: how high the ground is there, and how much every controller
// raises it. There is an invocation for each constraint.
//
// In balance a river's slope is s = (u / k a^m)^(1/n), so the elevation of a cell is the sum of the slopes along its way
// down to an outlet, and an uplift that a controller adds raises it by the sum of run s / (n u) wherever the way crosses
// the controller's reach.
//
// `response` has, per constraint: the height; the uplift there, with what constraints add; how many controllers raise
// it; how high its way lies where it leaves the constraint's ground; the uplift there without constraints; both heights as they
// would be in balance on the present way; then pairs of a controller's number and metres per metre a year.
#include "lib/outlets.glsl"
#include "lib/routing.glsl"
#include "lib/incision.glsl"
#include "lib/constraints.glsl"

const int HEIGHT = 0, LIFT = 1, COUNT = 2, EXIT = 3, UPLIFT = 4, BALANCED = 5, BALANCED_EXIT = 6, PAIRS = 7, MOST = 32, RECORD = PAIRS + 2 * MOST;
const float LEAST = 0.05; // of the mean uplift: where less rises, the slope would change too much with the uplift
const float NEAR = 0.25;   // radii
const float LITTLE = 0.2; // of what a controller adds at its place: with less, lowering the ground does little

// Adds to what a controller does. Those too many are the furthest downstream, which matter least.
void add(int record, int controller, float raised)
{
    int count = int(response[record + COUNT]), k = 0;
    while (k < count && int(response[record + PAIRS + 2 * k]) != controller)
        k++;
    if (k == MOST)
        return;
    if (k == count) {
        response[record + PAIRS + 2 * k] = float(controller);
        response[record + PAIRS + 2 * k + 1] = 0.0;
        response[record + COUNT] = float(count + 1);
    }
    response[record + PAIRS + 2 * k + 1] += raised;
}

#if ROUTED
ivec2 below(ivec2 p)
{
    return place_of(next[oro_index(p)]);
}
#else
// The neighbour that the steepest slope leads to; the cell itself in a pit.
ivec2 below(ivec2 p)
{
    ivec2 best = p;
    float steepest = 0.0;
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1, q = p + d;
        if (k == 4 || !oro_inside(q))
            continue;
        float slope = (height[oro_index(p)] - height[oro_index(q)]) * (d.x * d.y != 0 ? 0.70710678 : 1.0);
        if (slope > steepest) {
            steepest = slope;
            best = q;
        }
    }
    return best;
}
#endif

// Adds what happens between the cell and the next one on its way, `run` metres on. Ground that sinks lies on its
// receiver, and only its own constraint tries to move it.
void step_down(int record, ivec2 p, float run, sharing all)
{
    float uplift = uplift_at(p) + correction[oro_index(p)], rising = max(uplift, LEAST * pass.reference);
    float slope = balanced_slope(strength(p, area[oro_index(p)]), mask_at(p) * rising);
    if (!(slope < slope_limit()))
        return;
    int block = block_of(p);
    for (uint k = reach[block], end = reach[block + 1]; k < end; k++) {
        int i = int(reach[k]);
        float worth = worth_at(i, p, all);
        if (worth > 0.0 && (uplift > 0.0 || controller_of(i) * RECORD == record))
            add(record, controller_of(i), run * slope / (params.n * rising) * worth);
    }
}

// How far the ground falls to the next cell in balance.
float fall(ivec2 p, float run)
{
    return run * min(balanced_slope(strength(p, area[oro_index(p)]), lift(p)), slope_limit());
}

// Whether the water has come to the very place of a constraint that lies higher than it is to be itself. It has to find
// another way: that place cannot be asked to stay low.
bool is_barred(int i, ivec2 p)
{
    int block = block_of(p);
    for (uint k = reach[block], end = reach[block + 1]; k < end; k++) {
        int other = int(reach[k]);
        if (!lowers_only(other) && distance_from(other, p) < NEAR && points[8 * other + 4] > points[8 * i + 4])
            return true;
    }
    return false;
}

void main()
{
    int i = oro_cell().x, record = i * RECORD;
    if (oro_cell().y > 0 || i >= int(pass.count))
        return;
    ivec2 p = ivec2(points[8 * i], points[8 * i + 1]);
    response[record + HEIGHT] = height[oro_index(p)];
    response[record + LIFT] = uplift_at(p) + correction[oro_index(p)];
    response[record + UPLIFT] = uplift_at(p);
    response[record + COUNT] = 0.0;
    bool left = false, barred = false;
    float fallen = 0.0, before_exit = 0.0;
    int most = 8 * (grid.size.x + grid.size.y);
    for (int step = 0; step < most; step++) {
        if (!left) {
            response[record + EXIT] = height[oro_index(p)];
            before_exit = fallen;
        }
        sharing all = sharing_at(p);
        left = left || worth_at(i, p, all) < LITTLE;
        ivec2 to = below(p), d = abs(to - p);
        if (to == p || is_outlet(p) || !(mask_at(p) > 0.0))
            break;
        float run = grid.cell * (d.x + d.y == 2 ? 1.41421356 : 1.0);
        barred = barred || is_barred(i, p);
        if (!barred)
            step_down(record, p, run, all);
        fallen += fall(p, run);
        p = to;
    }
    response[record + BALANCED] = height[oro_index(p)] + fallen;
    response[record + BALANCED_EXIT] = height[oro_index(p)] + fallen - before_exit;
}
