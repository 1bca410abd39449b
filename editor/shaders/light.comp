/*
 * How much each place of the ground sees of the sun (red) and of the sky (green), from the heights of the
 * horizon around it. Far away, means of many cells are enough: the steps grow with the distance.
 */
layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0, rgba8) writeonly uniform image2D light;
uniform int first;      /* row */
uniform vec2 per_texel; /* cells */
uniform float stretch;  /* of heights: cells per metre */
uniform vec2 towards;   /* the sun, on the map */
uniform float altitude, disc; /* of the sun, and half its width: radians */
uniform float highest;  /* metres */
uniform int with_sun, with_sky;

const int DIRECTIONS = 8;
const float SKY_GROWTH = 1.75, SUN_GROWTH = 1.055;

int level_of(float step_length)
{
    return clamp(int(log2(max(step_length, 1.0))), 0, mean_last);
}

bool outside(vec2 at)
{
    return any(lessThan(at, vec2(-0.5))) || any(greaterThan(at, vec2(size) - 0.5));
}

float sun_seen(vec2 at, float here)
{
    if (altitude <= -disc)
        return 0.0;
    float horizon = -10.0, distance = 0.75;
    float enough = tan(min(altitude + disc, 1.55)), above = (highest - here) * stretch;
    for (int i = 0; i < 400; i++) {
        vec2 place = at + towards * distance;
        /* Nothing farther off can be high enough to cover the sun. */
        if (outside(place) || horizon > enough || above < distance * max(tan(altitude - disc), -0.2))
            break;
        float growing = max(0.6, distance * (SUN_GROWTH - 1.0));
        float h = height_between(place, level_of(growing), HOLE);
        if (h > HOLE)
            horizon = max(horizon, (h - here) * stretch / distance);
        distance += growing;
    }
    return 1.0 - smoothstep(altitude - disc, altitude + disc, atan(horizon));
}

float sky_seen(vec2 at, float here)
{
    float seen = 0.0, reach = float(max(size.x, size.y)) / 6.0;
    for (int k = 0; k < DIRECTIONS; k++) {
        float angle = (float(k) + 0.5) * 6.28318531 / float(DIRECTIONS);
        vec2 along = vec2(cos(angle), sin(angle));
        float horizon = 0.0;
        for (float distance = 1.0; distance < reach; distance *= SKY_GROWTH) {
            vec2 place = at + along * distance;
            if (outside(place))
                break;
            float h = height_between(place, level_of(distance * 0.5), HOLE);
            if (h > HOLE)
                horizon = max(horizon, (h - here) * stretch / distance);
        }
        seen += 1.0 - horizon / sqrt(1.0 + horizon * horizon);
    }
    return seen / float(DIRECTIONS);
}

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, first);
    if (any(greaterThanEqual(texel, imageSize(light))))
        return;
    vec2 at = (vec2(texel) + 0.5) * per_texel - 0.5;
    float here = height_between(at, level_of(max(per_texel.x, per_texel.y) * 0.75), HOLE);
    vec2 seen = vec2(1.0);
    if (here > HOLE) {
        if (with_sun != 0)
            seen.x = sun_seen(at, here + 0.02 / stretch);
        if (with_sky != 0)
            seen.y = sky_seen(at, here);
    }
    imageStore(light, texel, vec4(seen, 0.0, 1.0));
}
