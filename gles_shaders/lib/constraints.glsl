// Elevation constraints of the node stream_power: where they reach. Cells are sorted into blocks, and every block has a
// list of the points that reach it. Points after the constraints' own are further places of a constraint along the
// river below it, where its controller may lower the ground but not raise it: by the same share of the uplift as at the
// constraint, whose uplift such a point has in place of an elevation.

const int BLOCK = 16, HEAD = 8, CONTROL = 11; // cells; words before the first controller's; of a controller

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

// How far a cell is from point i: 0 there, rising smoothly to 1 at the radius.
float remoteness_at(int i, ivec2 p)
{
    return smoothstep(0.0, 1.0, distance_from(i, p));
}

bool lowers_only(int i)
{
    return points[8 * i + 7] < 0.0;
}

int controller_of(int i)
{
    return int(lowers_only(i) ? -1.0 - points[8 * i + 7] : points[8 * i + 7]);
}

float added_by(int i)
{
    float added = uintBitsToFloat(control[HEAD + CONTROL * controller_of(i)]);
    return lowers_only(i) ? min(added, 0.0) : added;
}

// A place along a river counts as much as it lowers the ground.
float strength_of(int i)
{
    return lowers_only(i) ? min(-added_by(i) / points[8 * i + 4], 1.0) : 1.0;
}

// Where constraints reach over each other they share the ground: each has its own place to itself, and what is between
// goes by how near they are. Otherwise neighbours whose elevations differ would have to outdo each other: raised at one
// and lowered at the other, both by far more than shows.
float preference_at(int i, ivec2 p)
{
    float remoteness = remoteness_at(i, p);
    return strength_of(i) * (1.0 - remoteness) / max(remoteness, 1e-6);
}

// What the constraints that reach a cell have together.
struct sharing {
    float preferences, weight;
};

sharing sharing_at(ivec2 p)
{
    sharing all = sharing(0.0, 0.0);
    int block = block_of(p);
    for (uint k = reach[block], end = reach[block + 1]; k < end; k++) {
        all.preferences += preference_at(int(reach[k]), p);
        all.weight += strength_of(int(reach[k])) * (1.0 - remoteness_at(int(reach[k]), p));
    }
    return all;
}

// What an uplift that the controller adds is worth at a cell.
float worth_at(int i, ivec2 p, sharing all)
{
    float share = all.preferences > 0.0 ? preference_at(i, p) / all.preferences * min(all.weight, 1.0) : 0.0;
    return share * (lowers_only(i) ? uplift_at(p) / points[8 * i + 4] : 1.0);
}
