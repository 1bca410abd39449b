/* The file of trusted scripts: whatever the bytes are, it is read, trusts none but well-formed digests, and
 * what it trusts can be written again and is trusted still. */
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "base/file.h"
#include "graph/derived/trust.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct oro_trust trust = {0}, back = {0};
    struct oro_error err = {0};
    char path[FUZZ_PATH];
    fuzz_require(setenv("XDG_STATE_HOME", fuzz_folder(), 1) == 0);
    fuzz_require(oro_make_folders(fuzz_path(path, "orograph"), &err));
    fuzz_write(fuzz_path(path, "orograph/trusted"), data, size);
    oro_trust_refresh(&trust, NULL);
    fuzz_require(trust.count <= ORO_TRUSTED_MAX);
    for (size_t i = 0; i < trust.count; i++)
        fuzz_require(strspn(trust.items[i].digest, "0123456789abcdef") == ORO_SHA256_TEXT - 1);
    struct oro_trusted added = {.name = "a script"};
    memset(added.digest, 'a', sizeof added.digest - 1);
    if (oro_trust_add(&trust, &added, 1, &err)) {
        oro_trust_refresh(&back, NULL);
        fuzz_require(back.count == trust.count && oro_trust_has(&back, added.digest));
        for (size_t i = 0; i < trust.count; i++)
            fuzz_require(oro_trust_has(&back, trust.items[i].digest));
    } else {
        fuzz_require_reason(&err);
    }
    oro_trust_free(&trust);
    oro_trust_free(&back);
    return 0;
}
