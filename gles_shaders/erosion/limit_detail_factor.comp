// What detail is multiplied with, block by block: from its strength around the block, a Gaussian window of 1.5 blocks.
const int REACH = 4;
const float DEVIATION = 1.5;

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float sum = 0.0, total = 0.0;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            if (!oro_inside(q))
                continue;
            float weight = exp(float(x * x + y * y) / (-2.0 * DEVIATION * DEVIATION));
            sum += weight * energy[oro_index(q)];
            total += weight;
        }
    float found = sqrt(sum / total), wanted = amplitude_at(p * int(pass.side) + int(pass.side) / 2);
    factors[oro_index(p)] = clamp(wanted / max(found, 1e-6), params.least, params.most);
}
