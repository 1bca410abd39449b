/* The colour of the ground, by whatever the look says. */
ground_look ground_of(vec3 at, float height, vec3 normal, float footprint)
{
    vec2 part = (at.xy + 0.5) / vec2(size);
    ground_look look = ground_look(vec3(0.32, 0.295, 0.265), normal);
    if (material == NATURAL)
        look = natural(at, height, normal, footprint);
    else if (material == ELEVATION)
        look.albedo = 0.62 * to_linear(palette_colour(scale_at(height)));
    else if (material == SLOPE)
        look.albedo = 0.7 * to_linear(palette_colour(clamp(steepness(normal) / 60.0, 0.0, 1.0)));
    else if (material == IMAGE)
        look.albedo = image_colour(part);
    if (mask_colour.a > 0.0) {
        float m = clamp(texel_between(mask, mask_size, part).r, 0.0, 1.0);
        look.albedo = mix(look.albedo, to_linear(mask_colour.rgb) * (0.6 + dot(look.albedo, vec3(0.8))), m * mask_colour.a);
    }
    return look;
}
