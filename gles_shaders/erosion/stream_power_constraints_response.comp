// What each elevation constraint needs to know to be met: how high the ground is there, and how much every controller
// raises it. There is an invocation for each constraint.
//
// In balance a river's slope is s = (u / k a^m)^(1/n), so the elevation of a cell is the sum of the slopes along its way
// down to an outlet, and an uplift that a controller adds raises it by the sum of run s / (n u) wherever the way crosses
// the controller's reach.
//
// `response` has, per constraint: the height; the uplift there, with what constraints add; how many controllers raise
// it; how high its way lies where it leaves the reach; the uplift there without constraints; then pairs of a controller's number and metres per metre a year.
#include "lib/outlets.glsl"
#include "lib/incision.glsl"
#include "lib/constraints.glsl"

const int HEIGHT = 0, LIFT = 1, COUNT = 2, EXIT = 3, UPLIFT = 4, PAIRS = 5, MOST = 32, RECORD = PAIRS + 2 * MOST;
const float LEAST = 0.05; // of the mean uplift: where less rises, the slope would change too much with the uplift
const float WITHIN = 0.7; // of the radius: beyond it, lowering the ground around does little

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

// Adds what happens between the cell and the next one on its way, `run` metres on.
void step_down(int record, ivec2 p, float run)
{
    float uplift = uplift_at(p) + correction[oro_index(p)], rising = max(uplift, LEAST * pass.reference);
    float slope = balanced_slope(strength(p, area[oro_index(p)]), mask_at(p) * rising);
    if (!(slope < slope_limit()))
        return;
    int block = block_of(p);
    for (uint k = reach[block]; k < reach[block + 1]; k++) {
        int i = int(reach[k]);
        float worth = worth_at(i, p);
        if (worth > 0.0 && counts(i))
            add(record, controller_of(i), run * slope / (params.n * rising) * worth);
    }
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
    bool left = false;
    int most = 8 * (grid.size.x + grid.size.y);
    for (int step = 0; step < most; step++) {
        if (!left)
            response[record + EXIT] = height[oro_index(p)];
        left = left || distance_from(i, p) > WITHIN;
        ivec2 to = below(p), d = abs(to - p);
        if (to == p || is_outlet(p) || !(mask_at(p) > 0.0))
            return;
        step_down(record, p, grid.cell * (d.x + d.y == 2 ? 1.41421356 : 1.0));
        p = to;
    }
}
