// Elevation constraints of the node stream_power: where they reach. Cells are sorted into blocks, and every block has a
// list of the points that reach it. Points after the constraints' own are further places of a constraint along the
// river below it, where its controller may lower the ground but not raise it: by the same share of the uplift as at the
// constraint, whose uplift such a point has in place of an elevation.

const int BLOCK = 16, HEAD = 8, CONTROL = 9; // cells; words before the first controller's; of a controller

int block_of(ivec2 p)
{
    ivec2 blocks = (grid.size + BLOCK - 1) / BLOCK;
    return p.y / BLOCK * blocks.x + p.x / BLOCK;
}

// In radii of point i.
float distance_from(int i, ivec2 p)
{
    return length((vec2(p) + 0.5) * grid.cell - vec2(points[8 * i + 2], points[8 * i + 3])) / points[8 * i + 5];
}

// How much of what the controller adds comes to a cell: it fades smoothly to the radius.
float weight_at(int i, ivec2 p)
{
    return 1.0 - smoothstep(0.0, 1.0, distance_from(i, p));
}

bool lowers_only(int i)
{
    return points[8 * i + 7] < 0.0;
}

int controller_of(int i)
{
    return int(lowers_only(i) ? -1.0 - points[8 * i + 7] : points[8 * i + 7]);
}

// What an uplift that the controller adds is worth at a cell.
float worth_at(int i, ivec2 p)
{
    return weight_at(i, p) * (lowers_only(i) ? uplift_at(p) / points[8 * i + 4] : 1.0);
}

float added_by(int i)
{
    float added = uintBitsToFloat(control[HEAD + CONTROL * controller_of(i)]);
    return lowers_only(i) ? min(added, 0.0) : added;
}

// Whether a change of what the controller adds shows here.
bool counts(int i)
{
    return !lowers_only(i) || uintBitsToFloat(control[HEAD + CONTROL * controller_of(i)]) <= 0.0;
}
