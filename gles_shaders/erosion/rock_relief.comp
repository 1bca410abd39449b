// Amplitude of the detail that a block should have, and the slope around it (docs/realism.md). In real elevation data the
// root mean square of what is narrower than two blocks is, nearly everywhere, a fixed share of the geometric mean of two
// things: the forms about four blocks wide, and the fall over a block.
const int REACH = 5;
const float DEVIATION = 2.0;
const float SHARE = 0.24;
const float LEAST_FORM = 0.2; // of the fall over a block: ground may be smooth because somebody drew it so

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 sum = vec2(0.0);
    float total = 0.0;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            if (!oro_inside(q))
                continue;
            float weight = exp(float(x * x + y * y) / (-2.0 * DEVIATION * DEVIATION));
            sum += weight * forms[oro_index(q)];
            total += weight;
        }
    float form = sqrt(sum.x / total), slope = sum.y / total, fall = slope * grid.cell;
    relief[oro_index(p)] = vec2(SHARE * sqrt(max(form, LEAST_FORM * fall) * fall), slope);
}
