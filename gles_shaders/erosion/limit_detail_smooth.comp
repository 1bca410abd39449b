// Detail: what the ground lies above the smooth ground. Along each axis a part of it goes to the neighbours.

float detail_at(ivec2 q)
{
    int i = oro_index(clamp(q, ivec2(0), grid.size - 1));
    return ground[i] - smooth_ground[i];
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float aside = 0.25 * params.smoothness;
    vec3 weights = vec3(aside, 1.0 - 2.0 * aside, aside);
    float sum = 0.0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            sum += weights[j] * weights[i] * detail_at(p + ivec2(i, j) - 1);
    detail[oro_index(p)] = sum;
}
