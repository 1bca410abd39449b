// One iteration of hydraulic and thermal erosion by virtual pipes (Jako 2011, with the corrections that
// nodes/erosion/hydraulic_erosion.c lists), or several of them in one dispatch.
#define READS_PIPES
#include "lib/number.glsl"
#include "lib/pipes.glsl"
#include "lib/pipes_patch.glsl"
#include "lib/pipes_flow.glsl"
#include "lib/pipes_slides.glsl"
#include "lib/pipes_erosion.glsl"

struct place {
    ivec2 q; // in the grid
    int i;   // in the patch
    bool inside;
};

place place_of(ivec2 at)
{
    ivec2 q = patch_corner() + at;
    return place(q, patch_index(at), oro_inside(q));
}

// Puts a cell of the state into the patch, and gives it, with this step's rain.
ivec4 load(place p, bool inland)
{
    ivec4 cell = ivec4(0);
    if (inland || p.inside) {
        int index = oro_index(p.q);
        cell = cells[index];
        cell.y = wetted(p.q, cell.y);
        put_cell(p.i, cell.x, cell.y, ahead[index]);
    } else {
        put_outside(p.i, p.q);
    }
    put_pipes(p.i, inland ? pipes[oro_index(p.q)] : flux_from(p.q));
#if HAS_MASK == 1
    strength[p.i] = p.inside ? guarded(mask_at(p.q)) : 0.0;
#endif
    return cell;
}

void put_sliding(place p, ivec4 cell)
{
    vec2 sliding = p.inside ? ground_sliding(p.q, intBitsToFloat(cell.w)) : vec2(0.0);
    places[p.i] = floatBitsToInt(sliding.x);
    STABLE(p.i) = sliding.y;
}

void put_giving(place p, ivec4 cell)
{
    vec2 giving = p.inside ? water_giving(p.i, cell.y, cell.z) : vec2(gives_sea(surface_beyond(p.q)) ? 1.0 : 0.0, 0.0);
    places[p.i] = floatBitsToInt(giving.x);
    LOAD(p.i) = giving.y;
}

// What a cell, with this step's rain, comes to, of which so much slides away.
ivec4 stepped(place p, ivec4 cell, int slides, out pipes_type out_of, out int rise)
{
    out_of = pipes_type(0.0);
    rise = 0;
    if (params.flow) {
        pipes_type into = bounded_in(p.i);
        out_of = bounded_out(p.i);
        int before = cell.y;
        cell.yz += collected(p.i, out_of, into);
        rise = rise_ahead(out_of, into);
        if (params.erosion)
            exchange(cell, carrying_capacity(p.i, p.q, through(out_of, into), 0.5 * (float(before) + float(cell.y))), p.q);
    }
    cell.x -= slides;
    if (params.flow)
        dry(cell, p.q);
    return cell;
}

// Works out in the patch what flows and what slides from cell to cell. Returns how much slides away from the own cell.
int give_and_take(place own, ivec4 cell, place other, ivec4 other_cell, bool has_other, bool inland)
{
    bool other_gives = has_other && int(gl_LocalInvocationIndex) < FIRST_RING;
    int slides = 0;
    barrier();
    if (params.flow) {
        accelerate(own.i, inland);
        if (has_other)
            accelerate(other.i, inland);
    }
    barrier();
    if (params.thermal) {
        put_sliding(own, cell);
        if (other_gives)
            put_sliding(other, other_cell);
        barrier();
        slides = slid_away(own.i);
        barrier();
    }
    put_giving(own, cell);
    if (other_gives)
        put_giving(other, other_cell);
    barrier();
    return slides;
}

// Puts into the patch what the own cell has come to.
void renew(place p, bool stepped, ivec4 cell, pipes_type flux, int rise, bool inland)
{
    barrier();
    if (stepped) {
        put_cell(p.i, cell.x, cell.y, rise);
        put_pipes(p.i, flux);
    } else if (!p.inside) {
        put_outside(p.i, p.q);
    }
    if (!inland) {
        barrier();
        renew_border(p.i, p.q);
    }
}

void main()
{
    ivec2 at = own_place(), inwards = min(at, ivec2(SOUTH, PATCH_ROWS) - 1 - at) - MARGIN; // from the tile's edge
    place own = place_of(at), other = place_of(place_beyond(int(gl_LocalInvocationIndex)));
    bool inland = lies_inland(patch_corner()), has_other = int(gl_LocalInvocationIndex) < RINGS;
    bool written = own.inside && min(inwards.x, inwards.y) >= 0;
    int index = oro_index(own.q), rise;
    pipes_type out_of;
    ivec4 cell = load(own, inland), other_cell = ivec4(0);
    if (has_other)
        other_cell = load(other, inland);
    for (int left = ITERATIONS; left > 0; left--) {
        int slides = give_and_take(own, cell, other, other_cell, has_other, inland);
        bool matters = own.inside && min(inwards.x, inwards.y) + 2 * (left - 1) >= 0;
        if (matters)
            cell = stepped(own, cell, slides, out_of, rise);
        if (written && params.flow)
            book_borders(own.i, own.q);
        if (written && cell.x < bed[index])
            bed[index] = cell.x;
        if (left == 1)
            break;
        if (matters)
            cell.y = wetted(own.q, cell.y);
        renew(own, matters, cell, out_of, rise, inland);
        has_other = false;
    }
    if (written) {
        cells_out[index] = cell;
        pipes_out[index] = out_of;
        ahead_out[index] = rise;
    }
}
