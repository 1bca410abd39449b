// What cells of a terrain are to nodes/erosion/keep_level.c: core of level ground, tread of a staircase, or other ground; and
// the height that stands where no level ground is near.
const float OTHER = 0.0, CORE = 1.0, TREAD = 2.0;
const float NOWHERE = -3e38;
