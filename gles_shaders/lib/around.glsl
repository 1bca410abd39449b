// Creep between a cell and its 8 neighbours; beyond the border the ground goes on level. Needs lib/incision.glsl.
struct creep {
    float pull, mean; // dh/dt is pull * (mean - h)
};

creep creep_around(ivec2 p, float area)
{
    float h = height_at(p), sum = 0.0, drops = 0.0;
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1, q = clamp(p + d, ivec2(0), grid.size - 1);
        float drop = height_at(q) - h, fast = haste(drop, grid.cell * (d.x * d.y != 0 ? 1.41421356 : 1.0));
        sum += k != 4 ? fast : 0.0;
        drops += k != 4 ? fast * drop : 0.0;
    }
    return creep(pull(p) * 0.125 * sum * (drops > 0.0 ? soil_kept(p, area) : 1.0), h + drops / sum);
}
