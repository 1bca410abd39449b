// What cells of a terrain are to nodes/mask/level_ground.c: core of level ground, tread of a staircase, or other ground.
const float OTHER = 0.0, CORE = 1.0, TREAD = 2.0;
