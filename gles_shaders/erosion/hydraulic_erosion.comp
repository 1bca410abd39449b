// One iteration of hydraulic and thermal erosion by virtual pipes (Jako 2011, with the corrections that
// nodes/erosion/hydraulic_erosion.c lists). An invocation steps one cell of its group's tile.
#define READS_PIPES
#include "lib/number.glsl"
#include "lib/pipes.glsl"
#include "lib/pipes_patch.glsl"
#include "lib/pipes_flow.glsl"
#include "lib/pipes_slides.glsl"
#include "lib/pipes_erosion.glsl"

void give(int i, ivec2 q)
{
    if (oro_inside(q)) {
        ivec4 cell = cells[oro_index(q)];
        giving[i] = water_giving(i, wetted(q, cell.y), cell.z);
        sliding[i] = ground_sliding(i, q, intBitsToFloat(cell.w));
#if HAS_MASK == 1
        strength[i] = guarded(mask_at(q));
#endif
    } else {
        giving[i] = vec2(gives_sea(i) ? 1.0 : 0.0, 0.0);
        sliding[i] = vec2(0.0);
#if HAS_MASK == 1
        strength[i] = 0.0;
#endif
    }
}

void step_cell(ivec2 q, int i)
{
    int index = oro_index(q);
    ivec4 cell = cells[index];
    if (params.flow) {
        pipes_type out_of = bounded_out(i), into = bounded_in(i);
        int before = wetted(q, cell.y);
        cell.yz = ivec2(before, cell.z) + collected(i, q, out_of, into);
        pipes_out[index] = out_of;
        ahead_out[index] = rise_ahead(out_of, into);
        if (params.erosion)
            exchange(cell, carrying_capacity(i, q, through(out_of, into), 0.5 * (float(before) + float(cell.y))), q);
    } else {
        pipes_out[index] = pipes_type(0.0);
        ahead_out[index] = 0;
    }
    if (params.thermal)
        cell.x -= slid_away(i);
    if (params.flow)
        dry(cell, q);
    cells_out[index] = cell;
    if (cell.x < bed[index])
        bed[index] = cell.x;
}

void main()
{
    ivec2 corner = oro_group() * ivec2(COLUMNS, ROWS) - 2;
    int first = int(gl_LocalInvocationIndex);
    for (int i = first; i < PATCH; i += GROUP)
        load(i, corner + ivec2(i % SOUTH, i / SOUTH));
    barrier();
    if (params.flow && inland(corner))
        for (int i = first; i < PATCH; i += GROUP)
            accelerate(i, corner + ivec2(i % SOUTH, i / SOUTH));
    else if (params.flow)
        for (int i = first; i < PATCH; i += GROUP)
            accelerate_at_border(i, corner + ivec2(i % SOUTH, i / SOUTH));
    barrier();
    for (int i = first; i < (COLUMNS + 2) * (ROWS + 2); i += GROUP) {
        ivec2 at = ivec2(i % (COLUMNS + 2), i / (COLUMNS + 2)) + 1;
        give(at.y * SOUTH + at.x, corner + at);
    }
    barrier();
    ivec2 at = ivec2(gl_LocalInvocationID.xy) + 2;
    if (oro_inside(corner + at))
        step_cell(corner + at, at.y * SOUTH + at.x);
}
