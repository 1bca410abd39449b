// Adds the values of the next level, smoothly, to those of a level, and sweeps: twice, or often in the last
// level. HALO is enough for two; the last level lies within one tile. In TILES the change of every cell is
// written, else the figures of whole tiles of this kernel.
#include "lib/multigrid.glsl"

float coarse_at_place(ivec2 q)
{
    return coarse[oro_source_index(q)];
}

// Bilinear: a cell's centre lies a quarter from that of the coarse cell around it.
float coarse_value(ivec2 p)
{
    ivec2 q = p / 2, r = q + 2 * (p & 1) - 1;
    float near = mix(coarse_at_place(q), coarse_at_place(ivec2(r.x, q.y)), 0.25);
    float far = mix(coarse_at_place(ivec2(q.x, r.y)), coarse_at_place(r), 0.25);
    return mix(near, far, 0.25);
}

float first_value(ivec2 p, bool fixed_cell)
{
    int start = int(pass.start), i = oro_index(p);
    float e = start == FROM_VALUES ? swept[i] : 0.0;
    if (fixed_cell)
        return start == FROM_GIVEN ? given[i] : e;
    return pass.coarser != 0.0 ? e + coarse_value(p) : e;
}

// Writes the tile's cells of one colour. x: the most that one has changed, y: how many are fixed.
vec2 write_values(int colour)
{
    vec2 found = vec2(0.0);
    for (int slot = 0; slot < SLOTS; slot++) {
        ivec2 at = patch_cell(colour, slot), p = place_of(at);
        if (!in_patch(at) || !in_tile(at) || !oro_inside(p))
            continue;
        int i = oro_index(p);
        float e = patch_e[index_of(at)];
#if TILES
        change[i] = abs(e - values[i]);
#else
        if (pass.check != 0.0)
            found = vec2(max(found.x, abs(e - values[i])), found.y + (hold_at_index(i) >= FIXED ? 1.0 : 0.0));
#endif
        values[i] = e;
    }
    return found;
}

#if !TILES

// For the whole tile.
void write_check(vec2 found)
{
    int i = int(gl_LocalInvocationIndex);
    barrier();
    patch_e[i] = found.x;
    patch_e[THREADS + i] = found.y;
    barrier();
    for (int half_count = THREADS / 2; half_count > 0; half_count /= 2) {
        if (i < half_count) {
            patch_e[i] = max(patch_e[i], patch_e[i + half_count]);
            patch_e[THREADS + i] += patch_e[THREADS + i + half_count];
        }
        barrier();
    }
    int tile = oro_group().y * ((grid.size.x + TILE - 1) / TILE) + oro_group().x;
    if (i == 0) {
        partial[2 * tile] = patch_e[0];
        partial[2 * tile + 1] = patch_e[THREADS];
    }
}
#endif

void main()
{
    cells red = load_cells(0), black = load_cells(1);
    barrier();
    sweep(0, red);
    sweep(1, black);
    sweep(0, red); // not a loop: the compiler would keep its cells in slow memory
    sweep(1, black);
#if LAST
    for (int i = 0; i < 22; i++) {
        sweep(0, red);
        sweep(1, black);
    }
#endif
    vec2 found = write_values(0);
    vec2 more = write_values(1);
#if !TILES
    if (pass.check != 0.0)
        write_check(vec2(max(found.x, more.x), found.y + more.y));
#endif
}
