#include "uplift/uplift.h"

struct oro_uplift {
    uint64_t bytes;
};

size_t oro_uplift_bytes(const struct oro_uplift *tree)
{
    return (size_t)tree->bytes;
}
