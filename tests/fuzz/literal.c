/* Literals of every input of every node type: the first bytes choose the input, the rest is its text. Parsing
 * ends with a value or with a reason; the canonical text means the same value, and is its own. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"
#include "tests/fuzz/fuzz.h"

static const struct oro_node_type *choose_type(struct fuzz_bytes *bytes)
{
    return oro_builtin_nodes.types[fuzz_below(bytes, (unsigned)oro_builtin_nodes.count)];
}

static bool points_elsewhere(enum oro_type type)
{
    return type == ORO_TEXT || type == ORO_FILE || type == ORO_NETWORK;
}

/* Params that hold the value alone, or NULL. */
static void *parse(const struct oro_node_type *type, const struct oro_input *input, const char *text)
{
    struct oro_error err = {0};
    void *params = oro_alloc(1, type->params_size + 1);
    fuzz_require(params);
    if (oro_literal_parse(input, text, params, &err))
        return params;
    fuzz_require_reason(&err);
    oro_free(params);
    return NULL;
}

static void check_store(const struct oro_input *input, const char *text, const char *canonical, bool valid)
{
    char *stored = NULL;
    struct oro_error err = {0};
    fuzz_require(oro_literal_store(input, text, &stored, &err) == valid);
    fuzz_require(!valid || (stored ? strcmp(stored, canonical) == 0 : oro_literal_is_default(input, text)));
    oro_free(stored);
}

static void check(const struct oro_node_type *type, const struct oro_input *input, const char *text)
{
    void *first = parse(type, input, text);
    char *canonical = oro_literal_canonical(input, text);
    fuzz_require(canonical);
    void *second = parse(type, input, canonical);
    char *again = oro_literal_canonical(input, canonical);
    fuzz_require(again && strcmp(canonical, again) == 0);
    fuzz_require(!first == !second && (first || strcmp(canonical, text) == 0));
    if (first && !points_elsewhere(input->type))
        fuzz_require(memcmp(first, second, type->params_size) == 0);
    check_store(input, text, canonical, first);
    oro_free(first);
    oro_free(second);
    oro_free(canonical);
    oro_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    const struct oro_node_type *type = choose_type(&bytes);
    size_t inputs = oro_type_input_count(type);
    const struct oro_input *input = &type->inputs[fuzz_below(&bytes, (unsigned)inputs)];
    char *text = oro_alloc(1, bytes.left + 1);
    fuzz_require(text);
    fuzz_text(&bytes, text, bytes.left + 1);
    if (inputs > 0 && oro_input_has_literal(input))
        check(type, input, text);
    oro_free(text);
    return 0;
}
