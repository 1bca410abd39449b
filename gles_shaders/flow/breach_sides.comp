// One round over the cells one stride away, of those that give what was carved its sides: ground rises away from lower
// ground by `slope` at most, or by what the terrain itself rises where that is steeper. There, `fade` of every metre is left
// out, so that a cliff above a channel is not carried off up to its crest. As the terrain's own rises are allowed, ground
// that was not carved lowers nothing around it, and none is lowered further than what it borders on.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p), stride = int(pass.stride);
    float low = carved[i];
    for (int k = 0; k < 9 && sea_at(p) <= 0.5; k++) {
        ivec2 away = ivec2(k % 3, k / 3) - 1, q = p + stride * away;
        if (k == 4 || any(lessThan(q, ivec2(0))) || any(greaterThanEqual(q, grid.size)))
            continue;
        int j = oro_index(q);
        float way = float(stride) * grid.cell * length(vec2(away));
        low = min(low, carved[j] + max(pass.slope * way, terrain[i] - terrain[j] + pass.fade * way));
    }
    widened[i] = low;
}
