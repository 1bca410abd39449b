/* Uplift trees from bytes, as the cache has them: what is accepted can be evaluated, pasted and compiled. The
 * header is made to fit, as nothing would get past it. */
#include <string.h>

#include "base/memory.h"
#include "terrain/uplift/tree_private.h"
#include "terrain/uplift/uplift.h"
#include "tests/fuzz/fuzz.h"

static void use(const struct oro_uplift *tree)
{
    struct oro_uplift_program program;
    struct oro_paste_place place = {{700, 600}, 1, {2, -1}};
    struct oro_paste paste = {.radius = {500, 300}, .places = &place, .place_count = 1};
    for (int i = 0; i < 4; i++)
        fuzz_require(oro_uplift_at(tree, 300.0 * i, 900 - 250.0 * i) >= 0);
    if (oro_uplift_compile(tree, &program, NULL))
        oro_uplift_program_free(&program);
    oro_free(oro_uplift_paste(tree, &paste, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t words = size / sizeof(uint32_t);
    struct oro_uplift *tree = oro_alloc(1, sizeof *tree + words * sizeof(uint32_t));
    struct oro_error err = {0};
    *tree = (struct oro_uplift){ORO_UPLIFT_MAGIC, ORO_UPLIFT_VERSION, (uint32_t)words, 0};
    memcpy(tree->code, data, words * sizeof(uint32_t));
    const struct oro_uplift *read = oro_uplift_of(tree, oro_uplift_bytes(tree), &err);
    if (read)
        use(read);
    else
        fuzz_require(err.code == ORO_E_EVALUATE || err.code == ORO_E_LIMIT);
    oro_free(tree);
    return 0;
}
