#include "terrain/processor/lib/parabola.h"

struct oro_fit_window oro_fit_window_of(struct oro_run *run)
{
    return (struct oro_fit_window){oro_run_number(run, "reach"), (int)oro_run_number(run, "stride"),
                                   run->grid.cell};
}

static int higher(int a, int b)
{
    return a > b ? a : b;
}

static int lower(int a, int b)
{
    return a < b ? a : b;
}

struct span {
    int first, last;
};

static struct span span_around(const struct oro_fit_window *window, int at, int size)
{
    int reach = (int)oro_min(window->reach / (float)window->stride, (float)size);
    int low = -(at / window->stride), high = (size - 1 - at) / window->stride;
    return (struct span){higher(lower(-reach, high - 2), low), lower(higher(reach, low + 2), high)};
}

bool oro_parabola_has(const struct oro_fit_window *window, int at, int size, const struct oro_parabola *line)
{
    struct span span = span_around(window, at, size);
    return span.first == line->first && span.last == line->last;
}

static float sample_weight(const struct oro_fit_window *window, int i)
{
    float away = (float)i * (float)window->stride / window->reach, near = oro_max(1 - away * away, 0.1F);
    return near * near;
}

struct oro_parabola oro_parabola_around(const struct oro_fit_window *window, int at, int size)
{
    struct span span = span_around(window, at, size);
    struct oro_parabola line = {
        .first = span.first, .last = span.last, .metres = (float)window->stride * window->cell};
    float weights = 0, places = 0, squares = 0, cubes = 0;
    for (int i = span.first; i <= span.last; i++) {
        weights += sample_weight(window, i);
        places += sample_weight(window, i) * (float)i;
    }
    line.middle = places / weights;
    for (int i = span.first; i <= span.last; i++) {
        float u = (float)i - line.middle, square = sample_weight(window, i) * u * u;
        squares += square;
        cubes += square * u;
    }
    line.skew = squares > 0 ? cubes / squares : 0;
    for (int i = span.first; i <= span.last; i++) {
        float u = (float)i - line.middle, weight = sample_weight(window, i);
        const float polynomials[3] = {1, u, u * (u - line.skew) - squares / weights};
        for (int k = 0; k < 3; k++) {
            line.norms[k] += weight * polynomials[k] * polynomials[k];
            line.basis[k][i + ORO_SAMPLES_SIDE] = weight * polynomials[k];
        }
    }
    return line;
}
