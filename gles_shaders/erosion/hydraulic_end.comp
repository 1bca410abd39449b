// What a state of hydraulic erosion looks like in metres and seconds.
#define READS_PIPES
#include "lib/number.glsl"
#include "lib/pipes.glsl"

pipes_type pipes_into(ivec2 p)
{
    vec2 straight = vec2(flux_from(p - ivec2(1, 0)).x, flux_from(p - ivec2(0, 1)).y);
#if PIPES == 4
    return vec4(straight, stored_pipes(p - ivec2(1, 1)).z, stored_pipes(p - ivec2(-1, 1)).w);
#else
    return straight;
#endif
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p), ground = elevation_steps(terrain[i]);
    ivec4 cell = cells[i];
    // By Froude's law a second of the parameters is sqrt(reference_cell) seconds where the reference cell is that long.
    vec2 flow = through(flux_from(p), pipes_into(p));
    float speed = pass.speed * sqrt(params.reference_cell);
    water_out[i] = metres(cell.y);
    sediment_out[i] = metres(cell.z);
    deposited_out[i] = metres(cell.x - bed[i]);
    eroded_out[i] = metres(ground - bed[i]);
    hardness_out[i] = 1.0 - intBitsToFloat(cell.w);
    // Water gets no farther than a cell in a step; where it has just run off, little is left to divide by.
    vec2 velocity = flow * (speed / max(max(float(cell.y), even_length(flow)), 1.0));
    velocity_out[i] = velocity;
    speed_out[i] = even_length(velocity);
    flux_out[i] = flow * (speed * grid.cell / pass.metre);
}
