// The state of hydraulic erosion (Jako 2011), shared by the kernels that begin, step and end it. Elevation, water and
// suspended sediment are counted in whole steps of a small fraction of a metre (nodes/erosion/hydraulic_scale.h): what one cell
// gives is what another gets, to the last step, on every device.
//
// A cell is ivec4(ground, water, sediment, softness): elevation; depth of the column of water with the sediment in it; the
// sediment as a depth; and 1 - hardness, a float by its bits. Its pipes carry, in a step of time, so many steps of depth out
// of the cell to the east and the south, and with eight neighbours to the south-east and the south-west. What comes the
// other way is negative. With them goes how far each surface will rise in a part of the next step.
//
// Constants: pass.metre and pass.unit, steps to a metre and to a reference cell; pass.drop, steps of drop between neighbours on
// a slope of 1, and pass.slope its inverse.
#if PIPES == 4
#define pipes_type vec4
#else
#define pipes_type vec2
#endif

// Conversions stop here. No rain falls on water as deep as the second; elevations take 2^28 (nodes/erosion/hydraulic_scale.c).
const int STEPS_MAX = 1 << 30, DEPTH_MAX = 1 << 29;

// A number of steps, rounded towards zero.
int steps(float count)
{
    return int(clamp(count, -float(STEPS_MAX), float(STEPS_MAX)));
}

// The value of a map, 0 for NaN.
float guarded(float value)
{
    return is_number(value) ? value : 0.0;
}

float metres(int count)
{
    return float(count) / pass.metre;
}

int elevation_steps(float metres)
{
    return steps(round(metres * pass.metre));
}

// A raster `gone` has what has left from each cell at a border, over all borders that it lies at: water and sediment, each a
// sum in 64 bits.

// What flows through the middle of a cell, from the pipes that lead out of it to E, S, SE, SW and those that come in from
// W, N, NW, NE. Sums are in an order that does not change when the world is turned by 90 degrees.
vec2 through(pipes_type out_of, pipes_type into)
{
    pipes_type mean = 0.5 * (out_of + into);
#if PIPES == 4
    return mean.xy + vec2(mean.z - mean.w, mean.z + mean.w);
#else
    return mean;
#endif
}

// Length of a vector, with no regard to which of its coordinates is which.
float even_length(vec2 v)
{
    float a = max(abs(v.x), abs(v.y)), b = min(abs(v.x), abs(v.y));
    return sqrt(a * a + b * b);
}

// The same for the scalar product.
float even_dot(vec2 v, vec2 w)
{
    float a = v.x * w.x, b = v.y * w.y;
    return abs(a) > abs(b) ? v.x * w.x + b : v.y * w.y + a;
}

#ifdef READS_PIPES
pipes_type stored_pipes(ivec2 q)
{
    return oro_inside(q) ? pipes[oro_index(q)] : pipes_type(0.0);
}

// Flux out of a cell, or of one just outside. Over the border flows what comes there from inside: such pipes are not kept.
pipes_type flux_from(ivec2 q)
{
    pipes_type own = stored_pipes(q);
    ivec2 last = grid.size - 1;
    if (q.x == -1 || q.x == last.x)
        own.x = last.x > 0 ? stored_pipes(q + ivec2(q.x < 0 ? 1 : -1, 0)).x : 0.0;
    if (q.y == -1 || q.y == last.y)
        own.y = last.y > 0 ? stored_pipes(q + ivec2(0, q.y < 0 ? 1 : -1)).y : 0.0;
    return own;
}
#endif
