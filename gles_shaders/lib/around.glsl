// The mean height of the 8 neighbours; beyond the border the ground goes on level.
float mean_around(ivec2 p)
{
    float sum = 0.0;
    for (int k = 0; k < 9; k++) {
        ivec2 q = p + ivec2(k % 3, k / 3) - 1;
        if (k != 4)
            sum += height_at(clamp(q, ivec2(0), grid.size - 1));
    }
    return 0.125 * sum;
}
