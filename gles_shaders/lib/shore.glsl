// What nodes/erosion/keep_level.c knows of a cell of the reference, from erosion/level_shore.comp. In x: 0 on land; on level
// ground, minus the depth of a bed below it, at which the slope of the land goes on. In y: the height of the level ground near
// by, below which none of the cell's ground may lie.
const float NOWHERE = -3e38; // no level ground is near

bool is_level(vec2 shore)
{
    return shore.x < 0.0;
}

bool is_near(vec2 shore)
{
    return shore.y > NOWHERE;
}
