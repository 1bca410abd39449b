// One level of a multigrid solver (nodes/erosion/relax.h): sweeps of Gauss-Seidel over tiles in shared memory.
//
// A cell's equation is  sum over neighbours of weight * (e_neighbour - e) - (screening + hold) * e + given = 0,  with no
// neighbours beyond the border. Fixed cells keep their values. `hold` ties a coarse cell in which some fixed cells lie to
// the value that they have.
//
// A tile is read with HALO cells around it, in which sweeps go wrong from the outside in, by one cell with every half of a
// sweep: the tile itself comes out as if the whole raster had been swept at once. So the result does not depend on tiles.
// Cells of one colour of a chessboard depend on the other alone, and half a sweep is done by all invocations at once.
const int TILE = 32;
const int HALO = 4;
const int PATCH = TILE + 2 * HALO;
const int HALF = PATCH * PATCH / 2; // cells of one colour
const int THREADS = int(gl_WorkGroupSize.x) * int(gl_WorkGroupSize.y);
const int SLOTS = (HALF + THREADS - 1) / THREADS;

const float FIXED = 1e30; // as a hold: keeps its value
const int FROM_VALUES = 0, FROM_NOTHING = 1, FROM_GIVEN = 2;

shared float patch_e[PATCH * PATCH];

// What an invocation knows of its cells of one colour.
struct cells {
    float gain[SLOTS]; // 1 / (sum of weights + tied); 0 for cells that are not swept
    float tied[SLOTS]; // screening + hold
    float given[SLOTS];
};

ivec2 tile_corner()
{
    return oro_group() * TILE;
}

// Cell `slot` of the invocation, in the patch; beyond its end for the last few.
ivec2 patch_cell(int colour, int slot)
{
    int i = int(gl_LocalInvocationIndex) + slot * THREADS, row = i / (PATCH / 2);
    return ivec2(2 * (i - row * (PATCH / 2)) + ((row + colour) & 1), row);
}

bool in_patch(ivec2 at)
{
    return at.y < PATCH;
}

bool on_rim(ivec2 at)
{
    return at.x == 0 || at.y == 0 || at.x == PATCH - 1 || at.y == PATCH - 1;
}

bool in_tile(ivec2 at)
{
    return all(greaterThanEqual(at, ivec2(HALO))) && all(lessThan(at, ivec2(HALO + TILE)));
}

ivec2 place_of(ivec2 at)
{
    return tile_corner() + at - HALO;
}

int index_of(ivec2 at)
{
    return at.y * PATCH + at.x;
}

// In the finest level `hold` says 1 for fixed cells.
float hold_at_index(int i)
{
    return pass.finest != 0.0 ? (hold[i] > 0.5 ? FIXED : 0.0) : hold[i];
}

// Weights of the neighbours to the west, east, north, south.
vec4 weights(ivec2 p)
{
    ivec2 last = grid.size - 1;
    return vec4(p.x > 0 ? pass.across : 0.0, p.x < last.x ? pass.across : 0.0, p.y > 0 ? pass.along : 0.0,
                p.y < last.y ? pass.along : 0.0);
}

// The value that a cell starts from. The kernel defines it.
float first_value(ivec2 p, bool fixed_cell);

cells load_cells(int colour)
{
    cells c;
    for (int slot = 0; slot < SLOTS; slot++) {
        ivec2 at = patch_cell(colour, slot), p = place_of(at);
        c.gain[slot] = c.tied[slot] = c.given[slot] = 0.0;
        if (!in_patch(at))
            continue;
        float e = 0.0;
        if (oro_inside(p)) {
            int i = oro_index(p);
            float hold = hold_at_index(i);
            bool is_fixed = hold >= FIXED;
            e = first_value(p, is_fixed);
            c.tied[slot] = pass.screening + (is_fixed ? 0.0 : hold);
            float all_weights = dot(weights(p), vec4(1.0)) + c.tied[slot];
            c.gain[slot] = is_fixed || on_rim(at) || !(all_weights > 0.0) ? 0.0 : 1.0 / all_weights;
            c.given[slot] = pass.finest != 0.0 || is_fixed ? 0.0 : given[i];
        }
        patch_e[index_of(at)] = e;
    }
    return c;
}

// How far a cell's equation is from being met. Differences of neighbours lose nothing to rounding.
float residual(cells c, int slot, ivec2 at)
{
    int i = index_of(at);
    float e = patch_e[i];
    vec4 around = vec4(patch_e[i - 1], patch_e[i + 1], patch_e[i - PATCH], patch_e[i + PATCH]);
    return dot(weights(place_of(at)), around - e) - c.tied[slot] * e + c.given[slot];
}

// Half a sweep. All invocations of the group must come here.
void sweep(int colour, cells c)
{
    for (int slot = 0; slot < SLOTS; slot++) {
        ivec2 at = patch_cell(colour, slot);
        if (c.gain[slot] > 0.0)
            patch_e[index_of(at)] += c.gain[slot] * residual(c, slot, at);
    }
    barrier();
}
