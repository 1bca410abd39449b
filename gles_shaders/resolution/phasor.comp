/* A terrain with finer cells, and ravines upon it (Grenier 2023). `terrain`, the coefficients of a
 * B-spline, and `relief`, the amplitude, are on the coarse grid, as is the `original` terrain. */
#define GABOR_BLOCKS
#include "lib/noise.glsl"
#include "lib/phasor.glsl"
#include "lib/spline.glsl"

/* The surface through the terrain, with its gradient in metres per metre. `q`: the second cell of the block. */
vec3 ground_at(ivec2 q, spline b)
{
    float middle = terrain_at(q); /* relative to a cell: sums of large numbers lose precision */
    bool amid = q.x > 0 && q.y > 0 && q.x < source.size.x - 2 && q.y < source.size.y - 2;
    vec4 rows[4];
    for (int j = 0; j < 4; j++) {
        ivec2 first = q + ivec2(-1, j - 1);
        int k = oro_source_cell(first);
        if (amid)
            rows[j] = vec4(terrain[k], terrain[k + 1], terrain[k + 2], terrain[k + 3]) - middle;
        else
            for (int i = 0; i < 4; i++)
                rows[j][i] = terrain_turned(first + ivec2(i, 0)) - middle;
    }
    vec3 change = spline_sum(b, rows);
    return vec3(middle + change.x, change.yz / source.cell);
}

/* The amplitude between cells: 0 where all cells around are. Derivatives are per cell of the output. */
vec3 relief_around(ivec2 q, spline b)
{
    ivec4 columns = clamp(q.x + ivec4(-1, 0, 1, 2), 0, source.size.x - 1) - source.oro_first.x;
    vec4 rows[4];
    for (int j = 0; j < 4; j++) {
        ivec4 k = columns + (clamp(q.y + j - 1, 0, source.size.y - 1) - source.oro_first.y) * source.oro_width;
        rows[j] = vec4(relief[k.x], relief[k.y], relief[k.z], relief[k.w]);
    }
    return spline_sum(b, rows) * vec3(1.0, vec2(grid.cell / source.cell));
}

/* Fractal noise within -1..1, with derivatives per cell. Its lattice is the last of the table. */
vec3 crest_noise(ivec2 p)
{
    gabor_lattice lattice = gabor_lattice_at(int(pass.levels) * int(pass.each));
    ivec2 cell;
    vec2 at;
    gabor_place(lattice, p, vec2(0.0), cell, at);
    cell += lattice.corner;
    vec3 sum = vec3(0.0);
    float gain = 1.0, scale = 1.0;
    for (int i = 0; i < int(pass.octaves); i++) {
        uint seed = hash(lattice.seed + uint(i));
        vec3 value = gradient_noise_slope(cell, at + hash_point(seed), seed);
        sum += gain * vec3(value.x, scale / lattice.spacing * value.yz);
        gain *= 0.5;
        scale *= 2.0;
        cell *= 2;
        at *= 2.0;
    }
    return sum / (2.0 - exp2(float(1 - params.crest_octaves))); /* all gains, also of those left out */
}

void main()
{
    ivec2 p = oro_cell();
    if (gabor_skips(p))
        return;
    vec2 place = (vec2(p) + 0.5) * (vec2(source.size) / vec2(grid.size)) - 0.5, whole = floor(place);
    spline b = spline_at(place - whole);
    vec3 full = relief_around(ivec2(whole), b), amplitude = full, detail = vec3(0.0);
    for (int level = 0; level < int(pass.levels); level++) {
        phasor_look look = phasor_transfer(gabor_level_in_block(level, int(pass.each), p), 0.5);
        phasor_add(look, amplitude, detail);
        if (level == 0 && params.crest > 0.0 && pass.octaves > 0.0)
            detail += params.crest * phasor_times(full, phasor_times(look.crest, crest_noise(p)));
    }
#if GABOR_MIXED
    if (!oro_inside(p))
        return;
#endif
    vec3 ground = ground_at(ivec2(whole), b);
    if (grid.size == source.size)
        ground.x = original_at(p);
    int k = oro_index(p);
    height_out[k] = ground.x + detail.x;
    set_detail(p, detail.x);
    set_gradient(p, ground.yz + detail.yz / grid.cell);
    set_amplitude(p, full.x);
}
