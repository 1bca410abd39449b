// Weights of the four cells around a point; t in [0, 1) is its place between the second and the third.

// Interpolating cubic (Catmull and Rom 1974): passes through the samples.
vec4 catmull_rom(float t)
{
    float t2 = t * t, t3 = t2 * t;
    return 0.5 * vec4(-t3 + 2.0 * t2 - t, 3.0 * t3 - 5.0 * t2 + 2.0, -3.0 * t3 + 4.0 * t2 + t, t3 - t2);
}

// Uniform cubic B-spline: smoother (continuous curvature), does not pass through the samples.
vec4 b_spline(float t)
{
    float t2 = t * t, t3 = t2 * t, u = 1.0 - t;
    return vec4(u * u * u, 3.0 * t3 - 6.0 * t2 + 4.0, -3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0, t3) / 6.0;
}

// Its derivatives by t.
vec4 b_spline_slope(float t)
{
    float t2 = t * t, u = 1.0 - t;
    return 0.5 * vec4(-u * u, 3.0 * t2 - 4.0 * t, -3.0 * t2 + 2.0 * t + 1.0, t2);
}
