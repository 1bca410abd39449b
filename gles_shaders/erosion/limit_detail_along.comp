// Smooths detail along the way down the smooth ground, by a binomial window of five cells, so that gullies are longer than
// they are wide.
const int WINDOW = 2;
const float WEIGHTS[WINDOW + 1] = float[](0.375, 0.25, 0.0625);
const float LEVEL = 0.005; // slopes below this have no direction

int index_near(ivec2 q)
{
    return oro_index(clamp(q, ivec2(0), grid.size - 1));
}

float smoothed_between(vec2 place)
{
    ivec2 q = ivec2(floor(place));
    vec2 part = place - vec2(q);
    return mix(mix(smoothed[index_near(q)], smoothed[index_near(q + ivec2(1, 0))], part.x),
               mix(smoothed[index_near(q + ivec2(0, 1))], smoothed[index_near(q + ivec2(1, 1))], part.x), part.y);
}

// As long as 1 where there is a slope.
vec2 way_down(ivec2 p)
{
    vec2 rise = vec2(smooth_ground[index_near(p + ivec2(1, 0))] - smooth_ground[index_near(p - ivec2(1, 0))],
                     smooth_ground[index_near(p + ivec2(0, 1))] - smooth_ground[index_near(p - ivec2(0, 1))]);
    return rise / max(length(rise), 2.0 * LEVEL * grid.cell);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 way = way_down(p);
    float sum = 0.0;
    for (int k = -WINDOW; k <= WINDOW; k++)
        sum += WEIGHTS[abs(k)] * smoothed_between(vec2(p) + float(k) * way);
    detail[oro_index(p)] = mix(smoothed[oro_index(p)], sum, params.along);
}
