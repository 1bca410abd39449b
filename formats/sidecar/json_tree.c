#include "formats/sidecar/json_tree.h"

#include "base/memory.h"

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
