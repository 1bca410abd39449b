/* Networks from text, as graphs have it (up to the first zero byte), and from bytes, as the cache has them:
 * whatever they are, what is accepted can be worked with. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/network.h"
#include "tests/fuzz/fuzz.h"

static void use(const struct oro_network *network)
{
    uint32_t *order = oro_alloc(network->vertex_count, sizeof *order);
    fuzz_require(oro_network_strahler(network, order, NULL) == oro_network_check_tree(network, NULL));
    fuzz_require(!(oro_network_distance(network, network, 1e8) < 0)); /* of points alone it is none */
    fuzz_require(!isnan(oro_network_length(network)));
    oro_free(order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct oro_error err = {0};
    char *text = oro_alloc(size + 1, 1);
    memcpy(text, data, size);
    struct oro_network *parsed = oro_network_parse(text, &err);
    if (parsed)
        use(parsed);
    else
        fuzz_require(err.code == ORO_E_DOCUMENT && err.text[0]);
    const struct oro_network *read = oro_network_of(text, size, NULL); /* aligned, as data is not */
    if (read)
        use(read);
    oro_free(parsed);
    oro_free(text);
    return 0;
}
