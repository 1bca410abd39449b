/* Moisture by the air, by height and by the way to the water. */

#include "lib/air.glsl"

const float STEEP = 0.1; /* the slope up which saturated air from the sea gives most of the rain there can be */

/* Strength of the rain shadow, 0 where NaN is linked: rain_shadow_at() may make either end of the range of it. */
float shadow(ivec2 p)
{
    return is_number(rain_shadow_unclamped(p)) ? rain_shadow_at(p) : 0.0;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 air = mean[oro_index(p)];
    float most = capacity(above_sea(terrain_at(p)));
    float humidity = air.x < most ? air.x / most : 1.0;
    float rain = 1.0 - exp(-air.y / STEEP);
    float of_air = mix(1.0, humidity, shadow(p)) * mix(1.0, most, params.height);
    float of_way = mix(1.0, exp(-way_at(p) / params.reach), pass.coast);
    float moisture = of_way * mix(of_air, rain, params.lift);
    set_moisture(p, mix(params.least, 1.0, moisture));
    set_humidity(p, humidity);
    set_rain(p, rain);
}
