// What cells of a terrain are to nodes/mask/level_ground.c: core of level ground, tread of a staircase, or other ground; and the
// height of the level ground near a cell, which is put above the cell's own where none is near.
const float OTHER = 0.0, CORE = 1.0, TREAD = 2.0;

float nowhere_near(float h)
{
    return h + max(1.0, 1e-6 * abs(h));
}
