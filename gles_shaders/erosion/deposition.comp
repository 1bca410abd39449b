// One iteration of deposition (Schott 2024, 4.4, with a budget): sediment is created by stream power from what erosion
// took at the cell, moves one cell on with the water, and settles where there is more of it than the stream can carry.
// Sediment is kept as metres on its cell, and compared with stream power as metres on a reference cell.
#include "lib/water.glsl"
#include "lib/stream_power.glsl"

float suspended(ivec2 q)
{
    if (oro_inside(q))
        return sediment_in[oro_index(q)];
    return params.borders == BORDERS_WALLS ? sediment_in[oro_index(mirrored(q))] : 0.0;
}

cargo read_sediment()
{
    cargo load;
    for (int j = 0; j < STRIP; j++)
        load.own[j] = suspended(strip_cell(j));
    load.ring = has_ring_cell() ? suspended(ring_place()) : 0.0;
    return load;
}

// How much of `depth` (>= 0) can be added to a height without rounding: the ground gets exactly what the stream loses.
// That is a whole number of spacings between floats, 2^-23 of their power of two; spacing and inverse are made of its
// exponent.
float addable(float depth, float h)
{
    uint power = floatBitsToUint(max(max(abs(h), h + depth), 1e-20)) & 0x7f800000u;
    return floor(depth * uintBitsToFloat((277u << 23) - power)) * uintBitsToFloat(power - (23u << 23));
}

// `transported` is the sediment that has come to the cell or stayed there, `source` what can be taken up.
void settle(power_law law, ivec2 p, ground g, float water, float transported, float source)
{
    int i = oro_index(p);
    float reference = params.reference_cell * params.reference_cell;
    float on_reference = grid.cell * grid.cell / reference;
    bool pit = g.drop <= 0.0;

    float strength = stream_power(law, g.drop, water);
    float effect = mask_at(p);
    float created = min(params.creation * strength / on_reference, source) * effect;

    // Sediment settles in hollows and levels them: the ground comes half way to the mean of its neighbours, and stays below
    // the lowest that drains into the cell, so that water keeps its ways. In a pit all settles, until it runs over.
    float least = tan(radians(params.least_slope)) * grid.cell;
    float room = g.above < 1e38 ? g.above - g.height : 0.0;
    float hollow = 0.5 * max(min(g.mean - g.height, room - least), 0.0);
    float surplus = transported - strength / on_reference;
    float settled = pit ? min(transported, room + least)
                        : min(clamp(params.settling * surplus, 0.0, transported), hollow);
    settled = addable(settled * effect, g.height);

    height_out[i] = g.height + settled;
    area_out[i] = water;
    sediment_out[i] = created + transported - settled;
    source_left_out[i] = source - created;
}

void main()
{
    flow flows[STRIP];
    float collected[STRIP], came[STRIP], source[STRIP];
    cargo water = read_water(), sediment = read_sediment();
    for (int j = 0; j < STRIP; j++)
        source[j] = oro_inside(strip_cell(j)) ? source_left[oro_index(strip_cell(j))] : 0.0;
    load_heights();
    strip_flows(flows);
    float ring_sum = ring_out_sum();
    put_shares(flows, water, ring_sum);
    strip_collect(flows, collected);
    add_rain(collected);
    barrier();
    put_shares(flows, sediment, ring_sum);
    for (int j = 0; j < STRIP; j++)
        sediment.own[j] = stays(sediment.own[j], flows[j].out_sum) ? sediment.own[j] : 0.0;
    strip_collect(flows, came);
    power_law law = make_power_law();
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (oro_inside(p))
            settle(law, p, ground_at(j), collected[j], came[j] + sediment.own[j], source[j]);
    }
}
