#include "base/finite.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/parallel.h"

struct search {
    const float *values;
    atomic_bool found;
};

/* Whatever is not finite has all bits of the exponent; written so that compilers make vectors of it. */
static void look(void *user, size_t first, size_t end)
{
    struct search *search = user;
    uint32_t most = 0;
    for (size_t i = first; i < end; i++) {
        uint32_t bits;
        memcpy(&bits, &search->values[i], sizeof bits);
        bits &= 0x7f800000u;
        most = bits > most ? bits : most;
    }
    if (most == 0x7f800000u)
        atomic_store(&search->found, true);
}

size_t oro_first_not_finite(const float *values, size_t count, bool takes_nan)
{
    enum { LEAST = 1 << 16 }; /* values that are worth a thread */
    struct search search = {.values = values};
    oro_parallel(count, LEAST, look, &search);
    size_t i = atomic_load(&search.found) ? 0 : count;
    while (i < count && (isfinite(values[i]) || (takes_nan && isnan(values[i]))))
        i++;
    return i;
}
