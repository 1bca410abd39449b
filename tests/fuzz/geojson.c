/* Networks from files, GeoJSON or others by FUZZ_EXTENSION: whatever the bytes are, reading ends with a
 * network that can be written and read again, or with an error; also in a world that lies somewhere, with
 * coordinates in any system. */
#include <string.h>

#include "base/memory.h"
#include "formats/network/network_file.h"
#include "tests/fuzz/fuzz.h"

#ifndef FUZZ_EXTENSION
#define FUZZ_EXTENSION ".geojson"
#endif
#ifndef FUZZ_AGAIN
#define FUZZ_AGAIN "again" FUZZ_EXTENSION
#endif

static struct oro_network *read_network(const char *path, const struct oro_place *world)
{
    struct oro_error err = {0};
    struct oro_network *network = oro_network_file_read(path, world, NULL, &err);
    if (!network)
        fuzz_require_reason(&err);
    return network;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct oro_place world = {"EPSG:32632", 400000, 5100000};
    char path[FUZZ_PATH];
    fuzz_write(fuzz_path(path, "x" FUZZ_EXTENSION), data, size);
    struct oro_network *network = read_network(path, NULL);
    oro_free(read_network(path, &world));
    if (!network)
        return 0;
    fuzz_path(path, FUZZ_AGAIN);
    fuzz_require(oro_network_file_write(network, NULL, path, NULL));
    struct oro_network *back = read_network(path, NULL);
    size_t bytes = oro_network_bytes(network);
    fuzz_require(back && oro_network_bytes(back) == bytes && memcmp(network, back, bytes) == 0);
    oro_free(network);
    oro_free(back);
    return 0;
}
