/* Networks from GeoJSON files: whatever the bytes are, reading ends with a network that can be written and
 * read again, or with an error; also in a world that lies somewhere, with coordinates in any system. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/memory.h"
#include "formats/geojson.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/orograph-fuzz-XXXXXX";
static char path[64];

static void clean_up(void)
{
    unlink(path);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/x.geojson", folder);
    atexit(clean_up);
    return 0;
}

static struct oro_network *read_network(void)
{
    struct oro_error err = {0};
    struct oro_network *network = oro_geojson_read(path, NULL, &err);
    if (!network && err.code == ORO_OK)
        abort(); /* failed without a reason */
    return network;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    struct oro_network *network = read_network();
    const struct oro_place world = {"EPSG:32632", 400000, 5100000};
    struct oro_error err = {0};
    struct oro_network *placed = oro_geojson_read(path, &world, &err);
    if (!placed && err.code == ORO_OK)
        abort();
    oro_free(placed);
    if (!network)
        return 0;
    if (!oro_geojson_write(network, NULL, path, NULL))
        abort();
    struct oro_network *back = read_network();
    size_t bytes = oro_network_bytes(network);
    if (!back || oro_network_bytes(back) != bytes || memcmp(network, back, bytes) != 0)
        abort();
    oro_free(network);
    oro_free(back);
    return 0;
}
