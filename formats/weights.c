#include "formats/weights.h"

#include <math.h>
#include <string.h>

#include <strings.h>

bool oro_weights_check(const struct oro_weight_maps *weights, struct oro_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    if (weights->count < 1 || weights->count > ORO_WEIGHTS_MOST)
        return oro_fail(err, ORO_E_USAGE, "a terrain has 1 to %d weight maps, not %zu", ORO_WEIGHTS_MOST,
                        weights->count);
    for (size_t i = 0; i < weights->count; i++) {
        const char *name = weights->names[i];
        if (!name[0] || strspn(name, letters) != strlen(name))
            return oro_fail(err, ORO_E_USAGE, "'%s' cannot be part of the name of a weight map", name);
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(name, weights->names[k]) == 0)
                return oro_fail(err, ORO_E_USAGE, "two weight maps are called '%s'", name);
    }
    return true;
}

static double weight_at(const struct oro_weight_maps *weights, size_t mask, size_t cell)
{
    double value = (double)weights->masks[mask][cell];
    return isfinite(value) && value > 0 ? value : 0;
}

void oro_weights_levels(const struct oro_weight_maps *weights, size_t cell, unsigned char *levels)
{
    double rest[ORO_WEIGHTS_MOST], sum = 0;
    int left = 255;
    for (size_t i = 0; i < weights->count; i++)
        sum += weight_at(weights, i, cell);
    for (size_t i = 0; i < weights->count; i++) {
        double share = sum > 0 ? 255 * weight_at(weights, i, cell) / sum : i == 0 ? 255 : 0;
        levels[i] = (unsigned char)fmin(floor(share), 255);
        rest[i] = share - levels[i];
        left -= levels[i];
    }
    for (; left > 0; left--) {
        size_t most = 0;
        for (size_t i = 1; i < weights->count; i++)
            if (rest[i] > rest[most])
                most = i;
        levels[most]++;
        rest[most] = -1;
    }
}

size_t oro_weights_pictures(const struct oro_weight_maps *weights, bool packed)
{
    return packed ? (weights->count + 3) / 4 : weights->count;
}

int oro_weights_channels(const struct oro_weight_maps *weights, bool packed, size_t picture)
{
    return !packed ? 1 : weights->count - 4 * picture > 3 ? 4 : 3;
}
