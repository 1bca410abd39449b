/* Networks from GeoJSON files: whatever the bytes are, reading ends with a network that can be written and
 * read again, or with an error; also in a world that lies somewhere, with coordinates in any system. */
#include <string.h>

#include "base/memory.h"
#include "formats/network/geojson.h"
#include "tests/fuzz/fuzz.h"

static struct oro_network *read_network(const char *path, const struct oro_place *world)
{
    struct oro_error err = {0};
    struct oro_network *network = oro_geojson_read(path, world, NULL, &err);
    if (!network)
        fuzz_require_reason(&err);
    return network;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct oro_place world = {"EPSG:32632", 400000, 5100000};
    char path[FUZZ_PATH];
    fuzz_write(fuzz_path(path, "x.geojson"), data, size);
    struct oro_network *network = read_network(path, NULL);
    oro_free(read_network(path, &world));
    if (!network)
        return 0;
    fuzz_require(oro_geojson_write(network, NULL, path, NULL));
    struct oro_network *back = read_network(path, NULL);
    size_t bytes = oro_network_bytes(network);
    fuzz_require(back && oro_network_bytes(back) == bytes && memcmp(network, back, bytes) == 0);
    oro_free(network);
    oro_free(back);
    return 0;
}
