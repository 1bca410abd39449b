/* What natural ground is made of: sand, grass, forest, scree, rock and snow. Detail finer than the cells is
 * noise in space, which is not stretched on steep ground; it fades where it would be smaller than a pixel. */
uniform float snow_more, green_more; /* -1..1 */
uniform int fine;                    /* 0: a fast picture */

struct ground_look {
    vec3 albedo, normal;
};

/* Jarzynski and Olano 2020: pcg3d, its first number. */
float hash3(ivec3 p)
{
    uvec3 v = uvec3(p) * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    return float(v.x >> 8u) * (2.0 / 16777216.0) - 1.0;
}

/* Noise between -1 and 1 and its gradient. */
vec4 solid(vec3 p)
{
    ivec3 i = ivec3(floor(p));
    vec3 f = fract(p), u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0), du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    float a = hash3(i), b = hash3(i + ivec3(1, 0, 0)), c = hash3(i + ivec3(0, 1, 0)), d = hash3(i + ivec3(1, 1, 0));
    float e = hash3(i + ivec3(0, 0, 1)), g = hash3(i + ivec3(1, 0, 1)), h = hash3(i + ivec3(0, 1, 1)),
          k = hash3(i + ivec3(1, 1, 1));
    float k1 = b - a, k2 = c - a, k3 = e - a, k4 = a - b - c + d, k5 = a - c - e + h, k6 = a - b - e + g;
    float k7 = -a + b + c - d + e - g - h + k;
    return vec4(a + k1 * u.x + k2 * u.y + k3 * u.z + k4 * u.x * u.y + k5 * u.y * u.z + k6 * u.z * u.x + k7 * u.x * u.y * u.z,
                du * vec3(k1 + k4 * u.y + k6 * u.z + k7 * u.y * u.z, k2 + k5 * u.z + k4 * u.x + k7 * u.z * u.x,
                          k3 + k6 * u.x + k5 * u.y + k7 * u.x * u.y));
}

struct detail {
    float coarse, all, crag; /* noise: of the longest waves, of all, with sharp ridges */
    vec3 slope, crag_slope;  /* their gradients, for waves as high as they are long */
};

/* Waves from a 128th of the ground down to the pixel. */
detail detail_at(vec3 at, float footprint)
{
    detail d = detail(0.0, 0.0, 0.0, vec3(0.0), vec3(0.0));
    float extent = float(max(size.x, size.y)), wave = extent / 96.0, part = 1.0;
    vec3 p = at / wave;
    int most = fine != 0 ? 9 : 2;
    for (int i = 0; i < most; i++) {
        float seen = clamp(wave / (footprint * 2.0) - 0.6, 0.0, 1.0);
        if (seen <= 0.0)
            break;
        vec4 n = solid(p);
        float ridge = 1.0 - 2.0 * abs(n.x);
        if (i < 2)
            d.coarse += 0.5 * n.x * seen;
        d.all += n.x * part * seen;
        d.crag += ridge * part * seen;
        d.slope += n.yzw * seen;
        d.crag_slope -= 2.0 * sign(n.x) * n.yzw * seen;
        /* Turned, so that the lattices do not lie upon each other. */
        p = mat3(0.0, 1.6, 1.2, -1.6, 0.72, -0.96, -1.2, -0.96, 1.28) * p + 19.1;
        wave *= 0.5;
        part *= 0.62;
    }
    return d;
}

vec3 tilted(vec3 normal, vec3 slope, float much)
{
    return normalize(normal - much * (slope - normal * dot(slope, normal)));
}

float steepness(vec3 normal)
{
    return degrees(acos(clamp(normal.z, 0.0, 1.0)));
}

/* Whether a place lies above (1) or below (-1) its surroundings, of a 1/share-th of the ground. */
float convexity(vec2 at, float height, float share)
{
    float cells = float(max(size.x, size.y)) / share;
    int level = clamp(int(log2(max(cells, 1.0)) + 0.5), min(1, mean_last), mean_last);
    float around = height_between(at, level, height);
    return clamp((height - around) * stretch_of_slopes / max(cells, 1.0) * 3.0, -1.0, 1.0);
}

ground_look natural(vec3 at, float height, vec3 normal, float footprint)
{
    float extent = float(max(size.x, size.y));
    vec2 map = at.xy / extent;
    float broad = noise(map * 9.0 + 3.0) * 0.6 + noise(map * 26.0 + 17.0) * 0.4 - 0.5;
    detail d = detail_at(at, footprint);
    float bulge = convexity(at.xy, height, 128.0), form = convexity(at.xy, height, 24.0);

    float relief = max(height_range.y - shore, 1e-6), up = (height - shore) / relief;
    /* Hills are green to their tops; their height above the shore tells. */
    float alpine_share = smoothstep(500.0, 1600.0, relief);
    float up_green = up * mix(0.45, 1.0, alpine_share);

    vec3 rugged = tilted(normal, d.crag_slope, 0.10), soft = tilted(normal, d.slope, 0.05);
    float slope = steepness(normal);
    float steep = mix(slope, steepness(rugged), 0.6) + broad * 8.0 + bulge * 9.0 + form * 4.0;

    /* Rock: beds that are bent a little, weathered where it stands out. */
    float bed = height * stretch_of_slopes / extent * 210.0 + broad * 5.0 + d.coarse * 1.6;
    float beds = noise(vec2(bed, 3.5)) * 0.6 + noise(vec2(bed * 3.1, 9.5)) * 0.4;
    vec3 rock = mix(vec3(0.105, 0.094, 0.084), vec3(0.235, 0.213, 0.188), clamp(0.42 + 0.5 * broad + 0.30 * d.crag + 0.25 * bulge, 0.0, 1.0));
    rock = mix(rock, vec3(0.21, 0.165, 0.125), 0.45 * smoothstep(0.45, 0.75, noise(map * 14.0 + 40.0)));
    rock *= 0.72 + 0.5 * beds;
    vec3 scree = mix(vec3(0.17, 0.155, 0.138), vec3(0.255, 0.232, 0.203), clamp(0.5 + 0.45 * d.all, 0.0, 1.0));

    /* Grass: lush where it is low and water gathers, dry on ridges and high up. */
    float dry = clamp(0.40 + 0.9 * broad + 0.30 * form + 0.25 * bulge + 0.7 * (up_green - 0.3) - 0.35 * green_more, 0.0, 1.0);
    vec3 grass = mix(vec3(0.060, 0.078, 0.030), vec3(0.160, 0.140, 0.072), dry) * (1.0 + 0.22 * d.all);
    vec3 tundra = mix(vec3(0.115, 0.105, 0.052), vec3(0.165, 0.145, 0.098), clamp(0.5 + 0.5 * d.all, 0.0, 1.0));
    vec3 c = mix(grass, tundra, smoothstep(0.40, 0.66, up_green + broad * 0.22 + form * 0.08 - 0.25 * green_more));

    /* Forest: below the tree line, in patches, not on crests. */
    float wood = smoothstep(0.46, 0.30, up_green + broad * 0.18 - 0.22 * green_more) * smoothstep(46.0, 34.0, steep);
    float patches = noise(map * 40.0 + 71.0) * 0.55 + noise(map * 105.0 + 5.0) * 0.30 + 0.15 * d.coarse - 0.30 * form - 0.12 * bulge;
    wood *= smoothstep(0.40, 0.50, patches + 0.28 * green_more) * smoothstep(0.0, 0.03, up + 0.01 * d.coarse);
    c = mix(c, mix(vec3(0.018, 0.028, 0.014), vec3(0.046, 0.056, 0.026), clamp(0.5 + 0.6 * d.all, 0.0, 1.0)), wood);

    /* Sand and wet ground at the water. */
    float low_ground = shore > height_range.x ? 1.0 : 0.0;
    float beach = (1.0 - smoothstep(0.006, 0.022, up + broad * 0.012 + d.coarse * 0.004)) * low_ground * (1.0 - smoothstep(14.0, 26.0, slope));
    c = mix(c, vec3(0.345, 0.290, 0.205) * (1.0 + 0.12 * d.all), beach);

    float stony = smoothstep(23.0, 30.0, steep + 6.0 * d.all) * smoothstep(0.16, 0.5, up_green + broad * 0.3 - 0.3 * green_more);
    c = mix(c, scree, stony * (1.0 - 0.5 * smoothstep(0.2, 0.8, bulge)));
    float bare = smoothstep(31.0, 39.0, steep + 3.0 * green_more * -1.0);
    c = mix(c, rock, bare);

    /* Snow: high up, and less on steep and wind-swept ground; it stays longer in gullies and facing north. */
    float line = mix(0.60, 0.54, smoothstep(1500.0, 3000.0, height_range.y)) - 0.55 * snow_more;
    float snow = smoothstep(-0.035, 0.035, up - line + broad * 0.20 + d.coarse * 0.05 + d.all * 0.03 - bulge * 0.10 - form * 0.06 - normal.y * 0.08);
    snow *= 1.0 - smoothstep(37.0, 47.0, mix(slope, steepness(rugged), 0.75) + bulge * 6.0 - 14.0 * max(up - line, 0.0));
    snow *= max(smoothstep(900.0, 1700.0, height_range.y), smoothstep(0.0, 0.4, snow_more));
    snow *= smoothstep(0.0, 0.012, up) + (1.0 - low_ground);
    snow = clamp(snow, 0.0, 1.0);
    c = mix(c, vec3(0.80, 0.835, 0.88) * (1.0 + 0.05 * d.all), snow);

    /* Crests are weathered and pale, hollows keep earth and damp. */
    c *= 1.0 + (0.20 * bulge + 0.10 * form) * (1.0 - 0.7 * snow);
    float wet = low_ground * (1.0 - smoothstep(0.0, 0.006, up + 0.002 * d.coarse));
    c *= 1.0 - 0.5 * wet;
    vec3 shaped = mix(tilted(normal, d.slope, 0.05), tilted(normal, d.crag_slope, 0.12), max(bare, 0.6 * stony));
    shaped = mix(shaped, tilted(normal, d.slope, 0.16), wood);
    shaped = mix(shaped, tilted(normal, d.slope, 0.02), max(snow, beach));
    return ground_look(c, shaped);
}
