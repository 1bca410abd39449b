#include "formats/sizes.h"

#include <stdlib.h>
#include <string.h>

const char *const oro_size_presets[] = {
    "as_is", "power_of_two", "power_of_two_plus_one", "unreal", "unity", "godot", NULL};

/* Sizes that a landscape's components fill completely, as the Unreal manual recommends. */
static const int unreal[] = {127, 253, 505, 1009, 2017, 4033, 8129, 0};

/* All 2^n + extra with n from first to last. */
struct powers {
    const char *name;
    int first, last, extra;
};

static const struct powers powers[] = {
    {"power_of_two", 0, 15, 0},
    {"power_of_two_plus_one", 0, 14, 1},
    {"unity", 5, 12, 1},
    {"godot", 6, 14, 0},
};

static int nearer(int best, int candidate, int size)
{
    return best == 0 || llabs((long long)candidate - size) <= llabs((long long)best - size) ? candidate
                                                                                            : best;
}

int oro_size_preset(const char *preset, int size)
{
    int best = 0;
    if (!preset)
        return 0;
    if (strcmp(preset, "as_is") == 0)
        return size;
    if (strcmp(preset, "unreal") == 0)
        for (const int *candidate = unreal; *candidate; candidate++)
            best = nearer(best, *candidate, size);
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++)
        if (strcmp(preset, powers[i].name) == 0)
            for (int n = powers[i].first; n <= powers[i].last; n++)
                best = nearer(best, (1 << n) + powers[i].extra, size);
    return best;
}
