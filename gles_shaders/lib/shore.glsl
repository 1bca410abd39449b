// What nodes/erosion/keep_level.c knows of a cell of the reference, from erosion/level_shore.comp: in x, 0 on land, and on
// level ground how much below it a bed is put that the land's slope goes on to, with a minus; in y, the height of the level
// ground near by that the cell lies at or above: no ground of its may be below it.
const float NOWHERE = -3e38; // no level ground is near

bool is_level(vec2 shore)
{
    return shore.x < 0.0;
}

bool is_near(vec2 shore)
{
    return shore.y > NOWHERE;
}
