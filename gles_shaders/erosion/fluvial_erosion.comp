// Fluvial erosion (Schott 2024, eq. 2 and 5): in an iteration the water moves one cell on, and carves.
#define PHYSICAL_TIME (params.iterations == 0)
#include "lib/water.glsl"
#include "lib/stream_power.glsl"

// What slope and drainage carve in a cell, as the mean of the reference cells that it covers. Water gathers within the cell
// as well: on the way through it, half of its own rain is missing. Up to a channel head, water is a sheet, and a reference
// cell gets the share of its width (pass.sheet). What gathers beyond that runs in one reference cell of them (pass.channel
// is its share), and the others keep the sheet: pass.beside of them, less than 0 where cells are smaller, so that both laws
// meet at the head. On steeper ground channels begin with less.
float carving(power_law law, ivec2 p, float drop, float collected)
{
    if (!(pass.channel > 0.0)) // iterations are counted: all cells are alike
        return stream_power(law, drop, collected);
    float area = collected - pass.own * rain_at(p), sheet = area * pass.sheet;
    float head = min(pass.head * inversesqrt(max(drop / grid.cell, 1e-4)), law.largest);
    float carved = stream_power(law, drop, min(sheet, head));
    if (sheet > head)
        carved += pass.channel * (stream_power(law, drop, area - pass.beside * head) - carved);
    return carved;
}

// The height of a cell of the strip after an iteration in which `water` has come to it.
float carved_height(power_law law, int j, float water)
{
    ivec2 p = strip_cell(j);
    ground g = ground_at(j);
    float depth = pass.strength * erodibility_at(p) * params.reference_cell; // the paper's unit of length is a cell
    float drop = drop_downhill(j), due = depth * (1.0 - hardness_at(p)) * mask_at(p) * carving(law, p, drop, water);
    float carved = yielded(due, drop);
#if LIMITED
    float most = depth_at(p);
    if (most > 0.0)
        carved = min(carved, max(g.height - (base[oro_index(p)] - most), 0.0));
#endif
    // A tenth of the drop stays, and a cell that rounding would bring down to its receiver stays: no pit is made.
    float lowered = g.height - min(carved, 0.9 * (g.height - g.receiver));
    return lowered > g.receiver ? lowered : g.height;
}

#ifndef TIMES
void main()
{
    flow flows[STRIP];
    float collected[STRIP];
    collect_water(flows, collected);
    power_law law = make_power_law();
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (!oro_inside(p))
            return;
        int i = oro_index(p);
        height_out[i] = carved_height(law, j, collected[j]);
        area_out[i] = collected[j];
    }
}
#else
void main()
{
    flow flows[STRIP];
    float collected[STRIP], heights[STRIP];
    power_law law = make_power_law();
    load_state();
    for (int left = int(pass.times); left > 0; left--) {
        choose_strip(left);
        if (has_strip) {
            strip_flows(flows);
            put_water_shares(flows);
        }
        barrier();
        if (has_strip) {
            strip_collect(flows, collected);
            add_rain(collected);
            for (int j = 0; j < STRIP; j++)
                heights[j] = oro_inside(strip_cell(j)) ? carved_height(law, j, collected[j]) : 0.0;
        }
        if (left == 1)
            break;
        barrier();
        if (has_strip) {
            put_heights(heights);
            put_water(collected);
        }
        barrier();
        renew_outside();
    }
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (has_strip && is_written(p)) {
            height_out[oro_index(p)] = heights[j];
            area_out[oro_index(p)] = collected[j];
        }
    }
}
#endif
