/* A gradient along a field, layers on it, light on all. */

/* The gradient's colour; at a stop exactly that of the stop. */
vec4 ground(float x)
{
    float place = gradient_colours(x), before = floor(place), t = place - before;
    if (params.interpolation == INTERPOLATION_STEPS)
        t = 0.0;
    if (params.interpolation == INTERPOLATION_SMOOTH)
        t *= t * (3.0 - 2.0 * t);
    return mix(stop_colours(int(before)), stop_colours(int(before) + 1), t);
}

/* Lays a colour, of which `weight` is seen, on what is there (Porter and Duff 1984: over). */
vec4 over(vec4 below, vec3 colour, float weight)
{
    float alpha = weight + below.a * (1.0 - weight);
    return vec4(mix(below.rgb, colour, alpha > 0.0 ? weight / alpha : 0.0), alpha);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float span = pass.high - pass.low;
    vec4 colour = ground(span == 0.0 ? 0.0 : (field_at(p) - pass.low) / span);
    vec4 layers[4] = vec4[](params.colour1, params.colour2, params.colour3, params.colour4);
    vec4 weights = vec4(layer1_at(p), layer2_at(p), layer3_at(p), layer4_at(p)), seen = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        float weight = weights[i] * layers[i].a;
        colour = over(colour, layers[i].rgb, weight);
        seen *= 1.0 - weight;
        seen[i] = weight;
    }
    vec3 light = vec3(light_at(p));
    if (HAS_SHADE != 0)
        light *= mix(vec3(1.0), shade_at(p).rgb, params.shading);
    set_image(p, vec4(clamp(colour.rgb * light, 0.0, 1.0), colour.a));
    set_splat(p, seen);
}
