// Detail: what the ground lies above the smooth ground. Along each axis a part of it goes to the neighbours; then along the
// way down the smooth ground, a binomial window of five cells, so that gullies are longer than they are wide.
const int WINDOW = 2;
const float WEIGHTS[WINDOW + 1] = float[](0.375, 0.25, 0.0625);
const float LEVEL = 0.005; // slopes below this have no direction

int index_near(ivec2 q)
{
    return oro_index(clamp(q, ivec2(0), grid.size - 1));
}

float detail_at(ivec2 q)
{
    int i = index_near(q);
    return ground[i] - smooth_ground[i];
}

float smoothed_at(ivec2 p)
{
    float aside = 0.25 * params.smoothness;
    vec3 weights = vec3(aside, 1.0 - 2.0 * aside, aside);
    float sum = 0.0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            sum += weights[j] * weights[i] * detail_at(p + ivec2(i, j) - 1);
    return sum;
}

float smoothed_between(vec2 place)
{
    ivec2 q = ivec2(floor(place));
    vec2 part = place - vec2(q);
    return mix(mix(smoothed_at(q), smoothed_at(q + ivec2(1, 0)), part.x),
               mix(smoothed_at(q + ivec2(0, 1)), smoothed_at(q + ivec2(1, 1)), part.x), part.y);
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
    float sum = smoothed_at(p);
    if (params.along > 0.0) {
        vec2 way = way_down(p);
        float along = 0.0;
        for (int k = -WINDOW; k <= WINDOW; k++)
            along += WEIGHTS[abs(k)] * smoothed_between(vec2(p) + float(k) * way);
        sum = mix(sum, along, params.along);
    }
    detail[oro_index(p)] = sum;
}
