// What a coarse cell holds of the fixed cells in its four finer ones. Where two of these are fixed, as on a line, it is
// fixed itself. A single point holds less: with every level it lies in a cell twice as wide, of whose mean it holds
// less and less. The resistance between a point and the ground around it, out to a distance r, is ln(r) / (2 pi) and a
// constant, so every level adds ln(2) / (2 pi) = 0.11; a little less keeps the coarse levels on the stiff side, where
// cycles are sure to converge. Along a line of cells nothing gets past a point.
const float FIXED = 1e30;
const float RESISTANCE = 0.09;

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float resistance = min(grid.size.x, grid.size.y) > 1 ? RESISTANCE : 1e-30;
    float ties = 0.0, pull = 0.0, fixed_count = 0.0, fixed_sum = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 q = 2 * p + ivec2(k & 1, k >> 1);
        if (any(greaterThanEqual(q, source.size)))
            continue;
        int i = oro_source_cell(q);
        float h = fine_hold[i];
        if (h > (pass.finest != 0.0 ? 0.5 : 0.5 * FIXED)) {
            fixed_count += 1.0;
            fixed_sum += fine_given[i];
        } else if (pass.finest == 0.0 && h > 0.0) {
            ties += h;
            pull += fine_given[i];
        }
    }
    int i = oro_index(p);
    if (fixed_count > 1.5 || (fixed_count > 0.5 && resistance < 1e-6)) {
        hold[i] = FIXED;
        given[i] = fixed_sum / fixed_count;
        return;
    }
    // A fixed cell ties as much as one that became a coarse cell on its own.
    float mean_of = ties + fixed_count / RESISTANCE;
    float value = mean_of > 0.0 ? (pull + fixed_sum / RESISTANCE) / mean_of : 0.0;
    float tie = fixed_count > 0.5 ? 1.0 / resistance : ties > 0.0 ? ties / (1.0 + resistance * ties) : 0.0;
    hold[i] = tie;
    given[i] = tie * value;
}
