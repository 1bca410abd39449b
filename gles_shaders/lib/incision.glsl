// Stream power (Schott 2023, eq. 1), for kernels of the node stream_power. Where the mask is lower, everything is
// slower.

// What drains into a cell from others. Not as a difference: where a kernel has just added the cell's own, compilers may take
// it away again exactly, in some kernels and not in others, and the bits would depend on how many steps a dispatch does.
float inflow(ivec2 p, float area)
{
    return area * max(1.0 - grid.cell * grid.cell * rain_at(p) / max(area, 1e-30), 0.0);
}

// log2 of the area that carves, in km^2. Above a channel head it is that of the head: hillslopes are straight, however
// small the cells. Within a cell water gathers from what flows in to what flows out; the mean over the way is the
// geometric one of both ends. On a divide that is the relief between the divide itself and the cell's centre, which
// grids of large cells would lack. Levels that are only a start go by the lower end: relief within their cells would
// move divides, which finer levels would have to move back.
float channel_area(ivec2 p, float area)
{
    float head = params.channel_head * rain_at(p);
    float gathered = log2(max((area + head) * 1e-6, 1e-30)), came = log2(max((inflow(p, area) + head) * 1e-6, 1e-30));
    return params.coarse ? gathered : 0.5 * (gathered + came);
}

// How much 1 m/m of slope carves, in metres a year: k a^m. The coefficient is that of 1 km^2.
float strength(ivec2 p, float area)
{
    return mask_at(p) * erodibility_at(p) * exp2(params.m * channel_area(p, area));
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

float slope_limit()
{
    return tan(radians(params.slope_limit));
}

// Creep on hillslopes: k_h lap(h) is pull * (mean of the 8 neighbours - h). The stencil with equal weights is second-order.
float pull(ivec2 p)
{
    return mask_at(p) * hillslope_at(p) * 8.0 / (3.0 * grid.cell * grid.cell);
}

// How much faster soil creeps on a slope than on nearly level ground (Roering 1999, eq. 8): it grows without bound towards
// the steepest slope that holds; beyond 0.9 of it no faster, or steps would have to be short.
float haste(float drop, float run)
{
    const float NEARLY = 0.9;
    float share = min(abs(drop) / (run * slope_limit()), NEARLY);
    return 1.0 / (1.0 - share * share);
}

// Of the soil that gathers in a hollow, the share that stays. Rivers carry off what reaches them, or a valley one cell wide
// would have to carve through all soil from its sides, the more of it the smaller the cells. A river begins where more
// ground lies above a metre of contour than a hillslope is long: a share of the length over which creep moves as much
// as a river does, (k_h / k)^(1 / (2 m + 1)) (Perron 2008), fitted so that resolutions agree.
float soil_kept(ivec2 p, float area)
{
    const float SHARE = 0.15, LOG_OF_KM2 = 19.931569;
    float balance = log2(max(hillslope_at(p), 1e-30)) - log2(max(erodibility_at(p), 1e-30)) + LOG_OF_KM2 * params.m;
    float hillslope = SHARE * exp2(min(balance / (2.0 * params.m + 1.0), 60.0));
    return hillslope / (hillslope + inflow(p, area) / grid.cell);
}
