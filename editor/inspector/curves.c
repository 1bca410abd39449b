#include "editor/inspector/curves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points are never nearer in x than this share of the curve's width, so that they stay in order when they are
 * written. */
#define GAP_LEAST 1e-3f

static float width_of(const float *x, int count)
{
    float width = count > 1 ? x[count - 1] - x[0] : 1;
    return width > 0 ? width : 1;
}

/* Rounds to four digits of the width: nobody places a point more exactly by hand. */
static float tidy(float value, float width)
{
    double scale = pow(10, 4 - ceil(log10((double)width)));
    return (float)(round((double)value * scale) / scale);
}

/* Where a point may go: between its neighbours. */
static float held(const float *x, int count, int index, float to)
{
    float gap = GAP_LEAST * width_of(x, count);
    bool first = index == 0, last = index + 1 == count;
    if (!first && !last && x[index + 1] - x[index - 1] < 2 * gap)
        return (x[index - 1] + x[index + 1]) / 2;
    if (!first && to < x[index - 1] + gap)
        return x[index - 1] + gap;
    if (!last && to > x[index + 1] - gap)
        return x[index + 1] - gap;
    return to;
}

/* Rounding may have brought points together. */
static void part(float *x, int count)
{
    for (int i = 1; i < count; i++) {
        float gap = 1e-5f * fmaxf(width_of(x, count), fabsf(x[i - 1]));
        if (!(x[i] >= x[i - 1] + gap))
            x[i] = x[i - 1] + gap;
    }
}

/* The index at which a new x belongs; -1 - i if point i has this x already. */
static int place(const float *x, int count, float at)
{
    float gap = GAP_LEAST * width_of(x, count);
    for (int i = 0; i < count; i++) {
        if (fabsf(x[i] - at) < gap)
            return -1 - i;
        if (x[i] > at)
            return i;
    }
    return count;
}

double ed_decimal(float value)
{
    char text[24];
    double decimal = (double)value;
    snprintf(text, sizeof text, "%.7g", decimal);
    oro_parse_number(text, &decimal);
    return decimal;
}

static void add_number(struct oro_text *out, float value)
{
    char number[ORO_NUMBER_SIZE];
    oro_text_add(out, oro_format_number(ed_decimal(value), number));
}

/* ---- Profiles ---- */

float ed_profile_at(const struct oro_profile *profile, float x)
{
    int i = 0;
    if (profile->count == 0)
        return 0;
    while (i < profile->count && profile->x[i] <= x)
        i++;
    if (i == 0 || i == profile->count)
        return profile->y[i == 0 ? 0 : i - 1];
    float t = (x - profile->x[i - 1]) / (profile->x[i] - profile->x[i - 1]);
    return profile->y[i - 1] + t * (profile->y[i] - profile->y[i - 1]);
}

int ed_profile_add(struct oro_profile *profile, float x, float y)
{
    int at = place(profile->x, profile->count, x);
    if (at < 0)
        return -1 - at;
    if (profile->count >= ORO_PROFILE_MAX)
        return -1;
    size_t behind = (size_t)(profile->count - at) * sizeof profile->x[0];
    memmove(profile->x + at + 1, profile->x + at, behind);
    memmove(profile->y + at + 1, profile->y + at, behind);
    profile->x[at] = x;
    profile->y[at] = y;
    profile->count++;
    part(profile->x, profile->count);
    return at;
}

void ed_profile_put(struct oro_profile *profile, int index, float x, float y)
{
    if (index < 0 || index >= profile->count)
        return;
    profile->x[index] = held(profile->x, profile->count, index, x);
    part(profile->x, profile->count);
    profile->y[index] = y;
}

void ed_profile_move(struct oro_profile *profile, int index, float x, float y)
{
    float width = width_of(profile->x, profile->count);
    ed_profile_put(profile, index, tidy(x, width), tidy(y, fmaxf(fabsf(y), 1e-3f)));
}

bool ed_profile_remove(struct oro_profile *profile, int index)
{
    if (index < 0 || index >= profile->count || profile->count < 2)
        return false;
    size_t behind = (size_t)(profile->count - index - 1) * sizeof profile->x[0];
    memmove(profile->x + index, profile->x + index + 1, behind);
    memmove(profile->y + index, profile->y + index + 1, behind);
    profile->count--;
    return true;
}

const char *ed_profile_shape_name(enum ed_profile_shape shape)
{
    static const char *const names[ED_PROFILE_SHAPES] = {
        [ED_PROFILE_LINEAR] = "Linear",   [ED_PROFILE_EASE] = "Ease in and out",
        [ED_PROFILE_EASE_IN] = "Ease in", [ED_PROFILE_EASE_OUT] = "Ease out",
        [ED_PROFILE_STEPS] = "Steps",     [ED_PROFILE_BELL] = "Bell",
    };
    return names[shape];
}

static float shape_at(enum ed_profile_shape shape, float t)
{
    switch (shape) {
    case ED_PROFILE_EASE:
        return t * t * (3 - 2 * t);
    case ED_PROFILE_EASE_IN:
        return t * t;
    case ED_PROFILE_EASE_OUT:
        return t * (2 - t);
    case ED_PROFILE_BELL:
        return 0.5f - 0.5f * cosf(6.2831853f * t);
    default:
        return t;
    }
}

static void make_steps(struct oro_profile *profile)
{
    static const float x[] = {0, 0.24f, 0.26f, 0.49f, 0.51f, 0.74f, 0.76f, 1};
    static const float y[] = {0, 0, 0.3333f, 0.3333f, 0.6667f, 0.6667f, 1, 1};
    profile->count = 8;
    memcpy(profile->x, x, sizeof x);
    memcpy(profile->y, y, sizeof y);
}

void ed_profile_make(struct oro_profile *profile, enum ed_profile_shape shape)
{
    *profile = (struct oro_profile){0};
    if (shape == ED_PROFILE_STEPS) {
        make_steps(profile);
        return;
    }
    int last = shape == ED_PROFILE_LINEAR ? 1 : 8;
    profile->count = last + 1;
    for (int i = 0; i <= last; i++) {
        float t = (float)i / (float)last;
        profile->x[i] = t;
        profile->y[i] = tidy(shape_at(shape, t), 1);
    }
}

void ed_profile_invert(struct oro_profile *profile)
{
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < profile->count; i++) {
        low = fminf(low, profile->y[i]);
        high = fmaxf(high, profile->y[i]);
    }
    for (int i = 0; i < profile->count; i++)
        profile->y[i] = tidy(low + high - profile->y[i], fmaxf(high - low, 1e-3f));
}

static void swap(float *a, float *b)
{
    float kept = *a;
    *a = *b;
    *b = kept;
}

void ed_profile_mirror(struct oro_profile *profile)
{
    int n = profile->count;
    if (n < 2)
        return;
    float width = width_of(profile->x, n), sum = profile->x[0] + profile->x[n - 1];
    for (int i = 0; i < n / 2; i++) {
        swap(&profile->x[i], &profile->x[n - 1 - i]);
        swap(&profile->y[i], &profile->y[n - 1 - i]);
    }
    for (int i = 0; i < n; i++)
        profile->x[i] = tidy(sum - profile->x[i], width);
    part(profile->x, n);
}

void ed_profile_write(const struct oro_profile *profile, struct oro_text *out)
{
    for (int i = 0; i < profile->count; i++) {
        oro_text_add(out, i ? ", " : "");
        add_number(out, profile->x[i]);
        oro_text_add(out, " ");
        add_number(out, profile->y[i]);
    }
}

/* ---- Gradients ---- */

enum ed_gradient_blend ed_gradient_blend_of(const char *name)
{
    return strcmp(name, "smooth") == 0  ? ED_GRADIENT_SMOOTH
           : strcmp(name, "steps") == 0 ? ED_GRADIENT_STEPS
                                        : ED_GRADIENT_LINEAR;
}

void ed_gradient_at(const struct oro_gradient *gradient, enum ed_gradient_blend blend, float position,
                    float rgba[4])
{
    static const float none[4] = {0, 0, 0, 1};
    int i = 0, n = gradient->count;
    while (i < n && gradient->position[i] <= position)
        i++;
    if (n == 0 || i == 0 || i == n) {
        memcpy(rgba, n == 0 ? none : gradient->colour[i == 0 ? 0 : n - 1], 4 * sizeof *rgba);
        return;
    }
    const float *a = gradient->colour[i - 1], *b = gradient->colour[i];
    float t = (position - gradient->position[i - 1]) / (gradient->position[i] - gradient->position[i - 1]);
    if (blend == ED_GRADIENT_STEPS)
        t = 0;
    else if (blend == ED_GRADIENT_SMOOTH)
        t *= t * (3 - 2 * t);
    for (int k = 0; k < 4; k++)
        rgba[k] = a[k] + t * (b[k] - a[k]);
}

int ed_gradient_add(struct oro_gradient *gradient, enum ed_gradient_blend blend, float position)
{
    float rgba[4];
    int at = place(gradient->position, gradient->count, position);
    if (at < 0)
        return -1 - at;
    if (gradient->count >= ORO_GRADIENT_MAX)
        return -1;
    ed_gradient_at(gradient, blend, position, rgba);
    size_t behind = (size_t)(gradient->count - at);
    memmove(gradient->position + at + 1, gradient->position + at, behind * sizeof gradient->position[0]);
    memmove(gradient->colour + at + 1, gradient->colour + at, behind * sizeof gradient->colour[0]);
    gradient->position[at] = tidy(position, width_of(gradient->position, gradient->count));
    memcpy(gradient->colour[at], rgba, sizeof rgba);
    gradient->count++;
    part(gradient->position, gradient->count);
    return at;
}

void ed_gradient_put(struct oro_gradient *gradient, int index, float position)
{
    if (index < 0 || index >= gradient->count)
        return;
    gradient->position[index] = held(gradient->position, gradient->count, index, position);
    part(gradient->position, gradient->count);
}

void ed_gradient_move(struct oro_gradient *gradient, int index, float position)
{
    ed_gradient_put(gradient, index, tidy(position, width_of(gradient->position, gradient->count)));
}

bool ed_gradient_remove(struct oro_gradient *gradient, int index)
{
    if (index < 0 || index >= gradient->count || gradient->count < 2)
        return false;
    size_t behind = (size_t)(gradient->count - index - 1);
    memmove(gradient->position + index, gradient->position + index + 1,
            behind * sizeof gradient->position[0]);
    memmove(gradient->colour + index, gradient->colour + index + 1, behind * sizeof gradient->colour[0]);
    gradient->count--;
    return true;
}

void ed_gradient_reverse(struct oro_gradient *gradient)
{
    int n = gradient->count;
    if (n < 2)
        return;
    float width = width_of(gradient->position, n), sum = gradient->position[0] + gradient->position[n - 1];
    struct oro_gradient before = *gradient;
    for (int i = 0; i < n; i++) {
        gradient->position[i] = tidy(sum - before.position[n - 1 - i], width);
        memcpy(gradient->colour[i], before.colour[n - 1 - i], sizeof before.colour[0]);
    }
    part(gradient->position, n);
}

void ed_gradient_spread(struct oro_gradient *gradient)
{
    int last = gradient->count - 1;
    if (last < 2)
        return;
    float from = gradient->position[0], width = width_of(gradient->position, gradient->count);
    for (int i = 1; i < last; i++)
        gradient->position[i] = tidy(from + width * (float)i / (float)last, width);
    part(gradient->position, gradient->count);
}

void ed_colour_write(const float rgba[4], char out[10])
{
    unsigned bytes[4];
    for (int i = 0; i < 4; i++) {
        float value = rgba[i] < 0 ? 0 : rgba[i] > 1 ? 1 : rgba[i];
        bytes[i] = (unsigned)(value * 255 + 0.5f) & 0xffu;
    }
    int length = snprintf(out, 10, "#%02x%02x%02x", bytes[0], bytes[1], bytes[2]);
    if (bytes[3] != 255 && length == 7)
        snprintf(out + 7, 3, "%02x", bytes[3]);
}

void ed_gradient_write(const struct oro_gradient *gradient, struct oro_text *out)
{
    for (int i = 0; i < gradient->count; i++) {
        char colour[10];
        ed_colour_write(gradient->colour[i], colour);
        oro_text_add(out, i ? ", " : "");
        add_number(out, gradient->position[i]);
        oro_text_add(out, " ");
        oro_text_add(out, colour);
    }
}
