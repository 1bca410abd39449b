// One implicit step (Braun and Willett 2013), before it is solved along the tree: for every cell the a and b of
// h' = a + b h'(receiver). Nonlinear erosion is replaced by its tangent at the present slope, or at the slope in balance where
// that is steeper: what carves faster than the slope lets it is followed step by step, what has to rise arrives at once. For
// n < 1 the tangent would fall short of 0, and the chord from 0 takes its place. Creep takes the neighbours as they were.
//
// `pass.per_step` is 1 / dt; the tangent is then that at the present slope, or young ground would rise too fast. Where
// it is 0, steps have no common length: each cell's is such that a cell on a divide, whose drainage area is its own,
// goes all but 1/20 of its way to balance, and one whose soil creeps a quarter of its way, since its neighbours move as well.
// The end is the same: where nothing changes, no step's length matters.
#include "lib/routing.glsl"
#include "lib/incision.glsl"
#include "lib/around.glsl"

const float EAGERNESS = 20.0;
// A cell that has slid stands at the steepest slope up to rounding. Only beyond this share of it does it slide, or a
// cell that rounding keeps a little too steep would never come to its balance on a gentler slope.
const float TOO_STEEP = 1.001;
const float LEAST_SLOPE = 1e-4; // of ground that sinks

// The cell stays as it is.
void hold(int i)
{
    a[i] = height[i];
    b[i] = 0.0;
    rate[i] = 0.0;
}

// The cell slides until it stands on its receiver at the steepest slope that holds.
void slide(int i, float slope, float run, float rise)
{
    a[i] = slope_limit() * run;
    b[i] = 1.0;
    rate[i] = rise * min(abs(slope / slope_limit() - 1.0), 1.0);
}

// The cell has sunk to its receiver; lower it would be a pit.
void rest(int i, float slope, float run, float off)
{
    a[i] = LEAST_SLOPE * run;
    b[i] = 1.0;
    rate[i] = off * min(abs(slope / LEAST_SLOPE - 1.0), 1.0);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    uint to = next[i];
    if (to == cell_number(p) || !(mask_at(p) > 0.0)) {
        hold(i);
        return;
    }
    ivec2 d = abs(place_of(to) - p);
    float h = height[i], run = grid.cell * (d.x + d.y == 2 ? 1.41421356 : 1.0);
    float slope = max(h - height[to], 0.0) / run, pulled = 0.0, mean = h;
    if (hillslope_at(p) > 0.0) {
        creep soil = creep_around(p, area[i]);
        pulled = soil.pull;
        mean = soil.mean;
    }
    float rise = lift(p), k = strength(p, area[i]), balanced = balanced_slope(k, rise);
    if (slope > TOO_STEEP * slope_limit() || (pass.per_step == 0.0 && balanced > slope_limit())) {
        slide(i, slope, run, max(rise, 0.0));
        return;
    }
    // Soil that comes is carved as well; but it comes from neighbours as they were, and is not to be trusted far.
    float most = 2.0 * max(slope, balanced);
    float wanted = balanced_slope(k, max(rise + pulled * (mean - h), 0.0));
    float steep = pass.per_step > 0.0 ? slope : max(slope, min(wanted, most));
    float carved = incision(k, steep);
    float order = max(params.n, 1.0), follow = steep > 0.0 ? order * carved / (steep * run) : 0.0;
    float of_divide = strength(p, grid.cell * grid.cell * rain_at(p)) / max(k, 1e-37);
    float per_step = pass.per_step > 0.0 ? pass.per_step : max(max(follow * of_divide / EAGERNESS, 3.0 * pulled), 1e-30);
    float all = per_step + follow + pulled;
    float off = abs(rise + pulled * (mean - h) - incision(k, slope));
    rate[i] = off;
    float start = (per_step * h + rise + pulled * mean + (order - 1.0) * carved) / all;
    a[i] = start;
    b[i] = follow / all;
    if (rise < 0.0 && start + follow / all * height[to] < height[to] + LEAST_SLOPE * run)
        rest(i, slope, run, off);
    if (all > 1e-29 || rise < 0.0)
        return;
    hold(i); // nothing raises, lowers or pulls it
    if (!(slope > 0.0)) { // a depression is filled
        a[i] = 0.0;
        b[i] = 1.0;
    }
}
