#include "editor/render/sky.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Kilometres, and shares per kilometre at sea level for red, green and blue (Bruneton and Neyret 2008;
 * Hillaire 2020 for ozone). */
static const double ground_radius = 6360, top_radius = 6440, rayleigh_height = 8, mie_height = 1.2;
static const double rayleigh[3] = {5.802e-3, 13.558e-3, 33.1e-3}, ozone[3] = {0.65e-3, 1.881e-3, 0.085e-3};
static const double mie = 4.0e-3, forward = 0.78; /* of clear air, and how far forward it scatters */
static const double observer = 0.6;
static const double weight[3] = {0.25, 0.65, 0.10}; /* of the colours, in brightness */
/* What a camera for daylight calls white. */
static const double white[3] = {0.90, 0.985, 1.16};

struct air {
    double rayleigh, mie, ozone; /* lengths of air at sea level, km */
};

static struct air density(double height)
{
    double h = fmax(height, 0);
    return (struct air){exp(-h / rayleigh_height), exp(-h / mie_height), fmax(0, 1 - fabs(h - 25) / 15)};
}

static double extinction(const struct air *air, double haze, int i)
{
    return rayleigh[i] * air->rayleigh + 1.11 * mie * haze * air->mie + ozone[i] * air->ozone;
}

/* How far a ray runs from a radius to the top, where it rises by `up` per length. */
static double to_top(double radius, double up)
{
    double b = radius * up;
    return -b + sqrt(fmax(0, b * b + top_radius * top_radius - radius * radius));
}

static double height_along(double radius, double up, double t)
{
    return sqrt(radius * radius + t * t + 2 * radius * up * t) - ground_radius;
}

/* The share of sunlight that reaches a height; none below the horizon, which is soft by the sun's width. */
static void sunlight(double height, double up, double haze, double share[3])
{
    enum { STEPS = 10 };
    double radius = ground_radius + fmax(height, 0), far = to_top(radius, up);
    double dip = -sqrt(fmax(0, 1 - (ground_radius / radius) * (ground_radius / radius)));
    double seen = fmin(fmax((up - dip) / 0.02 + 0.5, 0), 1);
    struct air sum = {0, 0, 0};
    for (int i = 0; seen > 0 && i < STEPS; i++) {
        /* Shorter steps near the ground, where the air is. */
        double a = (double)i / STEPS, b = (double)(i + 1) / STEPS;
        double begin = far * a * a, end = far * b * b;
        struct air air = density(height_along(radius, up, (begin + end) / 2));
        sum.rayleigh += air.rayleigh * (end - begin);
        sum.mie += air.mie * (end - begin);
        sum.ozone += air.ozone * (end - begin);
    }
    for (int i = 0; i < 3; i++)
        share[i] = seen * exp(-extinction(&sum, haze, i));
}

static void phases(double angle_cos, double *small, double *large)
{
    double g = forward;
    *small = 3 / (16 * pi) * (1 + angle_cos * angle_cos);
    /* Cornette and Shanks 1992 */
    *large = 3 / (8 * pi) * (1 - g * g) * (1 + angle_cos * angle_cos) /
             ((2 + g * g) * pow(1 + g * g - 2 * g * angle_cos, 1.5));
}

/* Radiance of a clear sky, for a sun of irradiance 1. */
static void clear_sky(const double along[3], const double sun[3], double haze, double radiance[3])
{
    enum { STEPS = 14 };
    double radius = ground_radius + observer, up = along[2], far = to_top(radius, up);
    double angle_cos = along[0] * sun[0] + along[1] * sun[1] + along[2] * sun[2], small, large;
    struct air sum = {0, 0, 0};
    /* After sunset ozone, through which all light has come a long way, leaves it blue (Hulburt 1953). */
    double set = fmin(fmax(0.3 - sun[2] * 12, 0), 1);
    const double dusk[3] = {1 - 0.45 * set, 1 - 0.12 * set, 1 + 0.25 * set};
    phases(angle_cos, &small, &large);
    memset(radiance, 0, 3 * sizeof *radiance);
    for (int k = 0; k < STEPS; k++) {
        double a = (double)k / STEPS, b = (double)(k + 1) / STEPS;
        double begin = far * a * a, end = far * b * b, t = (begin + end) / 2, step = end - begin;
        double height = height_along(radius, up, t), direct[3], later[3];
        double here = radius + t * up,
               sun_up = (here * sun[2] + t * (angle_cos - up * sun[2])) / (ground_radius + height);
        struct air air = density(height);
        sunlight(height, sun_up, haze, direct);
        /* Light that is scattered again comes from above, where the sun is less red and sets later. */
        sunlight(height + 12, sun_up + 0.05, haze, later);
        sum.rayleigh += air.rayleigh * step;
        sum.mie += air.mie * step;
        sum.ozone += air.ozone * step;
        for (int i = 0; i < 3; i++) {
            double left = exp(-extinction(&sum, haze, i));
            double scatters = rayleigh[i] * air.rayleigh, scatters_far = mie * haze * air.mie;
            radiance[i] += left * step *
                           (direct[i] * (scatters * small + scatters_far * large) +
                            later[i] * dusk[i] * (scatters + scatters_far) * 0.62 / (4 * pi));
        }
    }
}

/* An overcast sky gets darker towards the horizon (Moon and Spencer 1942). */
static void cover(double radiance[3], double up, const double cloud[3], double clouds)
{
    for (int i = 0; i < 3; i++)
        radiance[i] += clouds * (cloud[i] * (1 + 2 * up) / 3 - radiance[i]);
}

static void direction_of(const struct ed_scene_look *look, int row, int column, double along[3])
{
    double v = (double)row / (ED_SKY_ROWS - 1), up = v * v * pi / 2;
    double azimuth = (double)look->azimuth * pi / 180 + pi * column / (ED_SKY_COLUMNS - 1);
    up = fmax(up, 1e-3);
    along[0] = sin(azimuth) * cos(up);
    along[1] = -cos(azimuth) * cos(up);
    along[2] = sin(up);
}

static void fill(struct ed_sky *sky, const struct ed_scene_look *look, const double sun[3], double haze,
                 const double cloud[3])
{
    for (int row = 0; row < ED_SKY_ROWS; row++)
        for (int column = 0; column < ED_SKY_COLUMNS; column++) {
            double along[3], radiance[3];
            direction_of(look, row, column, along);
            clear_sky(along, sun, haze, radiance);
            cover(radiance, along[2], cloud, (double)look->clouds);
            for (int i = 0; i < 3; i++)
                sky->seen[row][column][i] = (float)(radiance[i] * white[i]);
            sky->seen[row][column][3] = 1;
        }
}

/* The light of the sky on ground of any normal, to the first order, which is exact for an even sky: a quarter
 * of all light, and half of its mean direction. */
static void gather(struct ed_sky *sky, const struct ed_scene_look *look)
{
    memset(sky->ambient, 0, sizeof sky->ambient);
    for (int row = 1; row < ED_SKY_ROWS; row++)
        for (int column = 0; column < ED_SKY_COLUMNS; column++) {
            double along[3], v = (row - 0.5) / (ED_SKY_ROWS - 1), up = v * v * pi / 2;
            double solid = cos(up) * v * pi / (ED_SKY_ROWS - 1) * 2 * pi / ED_SKY_COLUMNS / pi;
            direction_of(look, row, column, along);
            /* The other half of the sky is this one's image: what points away from the sun's plane cancels.
             */
            double azimuth = (double)look->azimuth * pi / 180, x = sin(azimuth), y = -cos(azimuth);
            double towards = along[0] * x + along[1] * y;
            for (int i = 0; i < 3; i++) {
                double light = (double)sky->seen[row][column][i] * solid;
                sky->ambient[0][i] += light / 4;
                sky->ambient[1][i] += light / 2 * towards * x;
                sky->ambient[2][i] += light / 2 * towards * y;
                sky->ambient[3][i] += light / 2 * along[2];
            }
        }
}

/* Exposes for level ground, a little less where there is little light: dusk is to look dark. */
static double exposure_for(const struct ed_sky *sky, const double sun[3], const struct ed_scene_look *look)
{
    double level = 0;
    for (int i = 0; i < 3; i++)
        level += weight[i] *
                 (sky->sun[i] * (0.55 * fmax(sun[2], 0) + 0.25) + sky->ambient[0][i] + sky->ambient[3][i]);
    double key = 1.55 * pow(fmin(level / 0.22, 1), 0.16);
    if (look->night)
        key *= 0.30;
    return key / fmax(level, 1e-6) * exp2((double)look->exposure);
}

static void expose(struct ed_sky *sky, const struct ed_scene_look *look)
{
    static const double moon[3] = {0.78, 0.94, 1.22}, day[3] = {1, 1, 1};
    const double *tint = look->night ? moon : day, dark = look->night ? 0.35 : 1;
    for (int i = 0; i < 3; i++) {
        double by = sky->exposure * tint[i];
        sky->sun[i] *= by;
        sky->disc[i] *= by;
        for (int k = 0; k < 4; k++)
            sky->ambient[k][i] *= by;
    }
    for (int row = 0; row < ED_SKY_ROWS; row++)
        for (int column = 0; column < ED_SKY_COLUMNS; column++) {
            float *seen = sky->seen[row][column];
            double level = 0, by = sky->exposure * dark;
            for (int i = 0; i < 3; i++)
                level += weight[i] * by * tint[i] * (double)seen[i];
            /* The sky is brighter than the ground, as it would be; photographers hold it back with a filter.
             */
            by /= 1 + 0.45 * level;
            for (int i = 0; i < 3; i++)
                seen[i] *= (float)(by * tint[i]);
        }
}

void ed_sky_make(struct ed_sky *sky, const struct ed_scene_look *look)
{
    double azimuth = (double)look->azimuth * pi / 180, altitude = (double)look->altitude * pi / 180;
    const double sun[3] = {sin(azimuth) * cos(altitude), -cos(azimuth) * cos(altitude), sin(altitude)};
    double haze = 0.35 + 2.2 * (double)look->haze, direct[3], above[3], cloud[3];
    double through = pow(1 - (double)look->clouds, 2);
    sunlight(observer, sun[2], haze, direct);
    sunlight(observer + 12, sun[2] + 0.05, haze, above);
    for (int i = 0; i < 3; i++)
        cloud[i] = (0.5 * above[i] + 0.5 * above[1]) * (0.05 + 0.25 * fmax(sun[2], 0)) / pi * 1.15;
    fill(sky, look, sun, haze, cloud);
    gather(sky, look);
    for (int i = 0; i < 3; i++) {
        sky->sun[i] = direct[i] * through * white[i] / pi;
        sky->disc[i] = direct[i] * through * white[i] * (look->night ? 1.2 : 40);
    }
    sky->exposure = exposure_for(sky, sun, look);
    expose(sky, look);
}
