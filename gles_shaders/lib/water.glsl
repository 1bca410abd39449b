// One step of drainage (Schott 2024, eq. 2): every cell collects what its higher neighbours give. Needs the slots
// `height` and `area`, and the map `rain`.
#include "lib/flow.glsl"

float drained(ivec2 q)
{
#if READS_AHEAD
    float value = area[oro_index(stand_in(q))];
    return oro_inside(q) || params.borders == BORDERS_WALLS ? value : 0.0;
#else
    if (oro_inside(q))
        return area[oro_index(q)];
    return params.borders == BORDERS_WALLS ? area[oro_index(mirrored(q))] : 0.0;
#endif
}

void add_rain(inout float collected[STRIP])
{
    for (int j = 0; j < STRIP; j++)
        collected[j] += grid.cell * grid.cell * rain_at(strip_cell(j));
}

#if MANY_ITERATIONS
#include "lib/iterations_water.glsl"
#else
cargo read_water()
{
    cargo water;
#if !READS_AHEAD
    if (inner_tile()) {
        for (int j = 0; j < STRIP; j++)
            water.own[j] = area[oro_index(strip_cell(j))];
        water.ring = has_ring_cell() ? area[oro_index(ring_place())] : 0.0;
        return water;
    }
#endif
    for (int j = 0; j < STRIP; j++)
        water.own[j] = drained(strip_cell(j));
    water.ring = has_ring_cell() ? drained(ring_place()) : 0.0;
    return water;
}

// Routes the water of the invocation's strip: its flows, and its cells' new areas in m^2. All invocations of the group
// must come here.
void collect_water(out flow flows[STRIP], out float collected[STRIP])
{
    cargo water = read_water();
    load_heights();
    strip_flows(flows);
    put_shares(flows, water, ring_out_sum());
    strip_collect(flows, collected);
    add_rain(collected);
}
#endif
