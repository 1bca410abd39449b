// Stream power (Schott 2023, eq. 1), for kernels of the node stream_power. Where the mask is lower, everything is
// slower.

// How much 1 m/m of slope carves, in metres a year: k a^m, with a in m^2. The coefficient is that of 1 km^2.
float strength(ivec2 p, float area)
{
    return mask_at(p) * erodibility_at(p) * exp2(params.m * log2(max(area * 1e-6, 1e-30)));
}

// Metres a year. pow() is not defined at 0.
float incision(float strength, float slope)
{
    return slope > 0.0 ? strength * exp2(params.n * log2(slope)) : 0.0;
}

// The slope at which what is carved equals `rise`.
float balanced_slope(float strength, float rise)
{
    return rise > 0.0 ? exp2((log2(rise) - log2(max(strength, 1e-37))) / params.n) : 0.0;
}

// How fast the ground rises, with what constraints add. Without subsidence it never sinks.
float lift(ivec2 p)
{
#if CORRECTED
    float least = params.subsidence ? -1e30 : 0.0;
    return mask_at(p) * max(uplift_at(p) + correction[oro_index(p)], least);
#else
    return mask_at(p) * uplift_at(p);
#endif
}

// Creep on hillslopes: k_h lap(h) is pull * (mean of the 8 neighbours - h). The stencil with equal weights is second-order.
float pull(ivec2 p)
{
    return mask_at(p) * hillslope_at(p) * 8.0 / (3.0 * grid.cell * grid.cell);
}

float slope_limit()
{
    return tan(radians(params.slope_limit));
}
