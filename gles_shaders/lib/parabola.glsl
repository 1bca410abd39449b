/*
 * A parabola fitted by weighted least squares to samples along a line of cells, around the cell at place `at` of
 * `size`. The constants are those of nodes/mask/quadratic.h: how many cells it reaches, and how many lie between samples.
 *
 * It is written in the polynomials 1, u = x - middle and u^2 - skew u - spread, which are orthogonal over the samples,
 * so each coefficient is a sum of its own. Away from the border middle and skew are 0. x counts samples.
 */

struct parabola {
    int first, last;     /* samples, from the place */
    float middle, skew, spread;
    vec3 norms;
};

float sample_weight(int i)
{
    float away = float(i) * pass.stride / pass.reach;
    float near = max(1.0 - away * away, 0.1); /* near the border three samples are taken in any case */
    return near * near;
}

/* The three polynomials at a sample. */
vec3 polynomials(parabola line, int i)
{
    float u = float(i) - line.middle;
    return vec3(1.0, u, u * (u - line.skew) - line.spread);
}

parabola parabola_of(int first, int last)
{
    parabola line = parabola(first, last, 0.0, 0.0, 0.0, vec3(0.0));
    vec2 sums = vec2(0.0);
    for (int i = line.first; i <= line.last; i++)
        sums += sample_weight(i) * vec2(1.0, i);
    line.middle = sums.y / sums.x;
    vec2 powers = vec2(0.0);
    for (int i = line.first; i <= line.last; i++) {
        float u = float(i) - line.middle;
        powers += sample_weight(i) * u * u * vec2(1.0, u);
    }
    line.spread = powers.x / sums.x;
    line.skew = powers.y / max(powers.x, 1e-30); /* both are 0 of a single sample */
    for (int i = line.first; i <= line.last; i++) {
        vec3 basis = polynomials(line, i);
        line.norms += sample_weight(i) * basis * basis;
    }
    return line;
}

parabola parabola_around(int at, int size)
{
    int stride = int(pass.stride), reach = min(int(pass.reach / pass.stride), size);
    int low = -(at / stride), high = (size - 1 - at) / stride;
    return parabola_of(max(min(-reach, high - 2), low), min(max(reach, low + 2), high));
}

/* What the fit says about the place, from the sums of the weighted samples with each polynomial: the value of the
 * straight line alone; slope and second derivative (per metre) of the parabola. Too few samples for a slope or a bend:
 * there is none. */
vec3 fitted(parabola line, vec3 sums)
{
    float metres = pass.stride * grid.cell;
    int count = line.last - line.first + 1;
    vec3 c = vec3(sums.x / line.norms.x, 0.0, 0.0);
    c.y = count > 1 ? sums.y / line.norms.y : 0.0;
    c.z = count > 2 ? sums.z / line.norms.z : 0.0;
    float slope = c.y - c.z * (2.0 * line.middle + line.skew);
    return vec3(c.x - c.y * line.middle, slope / metres, 2.0 * c.z / (metres * metres));
}
