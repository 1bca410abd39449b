#include "formats/sidecar/json_memory.h"

#include <pthread.h>
#include <stdint.h>

#include "base/memory.h"

static _Thread_local unsigned failures;

/* What the text of a token may take while one is parsed, if there is no other memory. */
static _Thread_local struct {
    char *bytes;
    size_t size, spent;
} spare;

static void *take(size_t size)
{
    void *memory = oro_alloc(size, 1);
    bool of_token = size > 16 && (size & (size - 1)) == 0; /* its text begins with 16 bytes and is doubled */
    failures += !memory;
    if (memory || !of_token || size > spare.size - spare.spent)
        return memory;
    spare.spent += size;
    return spare.bytes + spare.spent - size;
}

static void give(void *memory)
{
    uintptr_t at = (uintptr_t)memory, first = (uintptr_t)spare.bytes;
    if (!spare.bytes || at < first || at >= first + spare.size)
        oro_free(memory);
}

static void set_up(void)
{
    json_set_alloc_funcs(take, give);
}

unsigned oro_json_failures(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_up);
    return failures;
}

/* Bytes of the longest string, number or word. */
static size_t longest_token(const char *text, size_t size)
{
    size_t longest = 0, length = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool ends = quoted ? c == '"' : c == ',' || c == ':' || c == '[' || c == '{';
        length++;
        if (quoted && c == '\\' && i + 1 < size) {
            length++;
            i++;
        }
        quoted = quoted != (c == '"');
        longest = length > longest ? length : longest;
        length = ends ? 0 : length;
    }
    return longest;
}

json_t *oro_json_parse(const char *text, size_t size, size_t flags, json_error_t *problem, bool *fits)
{
    unsigned before = oro_json_failures();
    spare.size = 4 * longest_token(text, size) + 64;
    spare.bytes = oro_alloc(spare.size, 1);
    spare.spent = 0;
    json_t *root = spare.bytes ? json_loadb(text, size, flags, problem) : NULL;
    *fits = spare.bytes && failures == before;
    if (!*fits) { /* some of it may lie in the spare bytes */
        json_decref(root);
        root = NULL;
    }
    oro_free(spare.bytes);
    spare.bytes = NULL;
    spare.size = spare.spent = 0;
    return root;
}

/* ---- Whether there is enough ---- */

static const double bytes_max = 400 << 20;

/* Counted is what begins values, each with what jansson allocates for it. A text that is no JSON may count
 * anything. */
static double tree_bytes(const char *text, size_t size)
{
    enum { OBJECT = 240, ARRAY = 144, ITEM = 48, MEMBER = 112 };
    double bytes = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\';
        else
            bytes += c == '{' ? OBJECT : c == '[' ? ARRAY : c == ',' ? ITEM : c == ':' ? MEMBER : 0;
    }
    return bytes;
}

bool oro_json_fits(const char *path, const char *text, size_t size, struct oro_error *err)
{
    static const double mib = 1 << 20;
    double bytes = tree_bytes(text, size);
    if (bytes > bytes_max)
        return oro_fail(
            err, ORO_E_LIMIT,
            "'%s' has too many values: they would take about %.0f MiB of memory, and at most %.0f "
            "MiB are read; several smaller files can be",
            path, bytes / mib, bytes_max / mib);
    return oro_budget_fits(bytes, err, "'%s'", path);
}
