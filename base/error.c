#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/budget.h"

#undef oro_fail /* the hint for the static analyser */

/* Says how much was wanted and is there, where a large block could not be had. */
static void add_what_was_refused(struct oro_error *err)
{
    static const double mib = 1 << 20;
    size_t length = strlen(err->text);
    bool by_limit;
    double bytes = (double)oro_budget_refused(&by_limit);
    if (bytes > 0 && by_limit)
        snprintf(err->text + length, sizeof err->text - length,
                 ": %.1f MiB are wanted, and %.1f of %.1f MiB are left (--memory MB allows more)",
                 bytes / mib, (double)oro_budget_left() / mib, (double)oro_budget() / mib);
    else if (bytes > 0)
        snprintf(err->text + length, sizeof err->text - length,
                 ": %.1f MiB are wanted, and the system has none left", bytes / mib);
}

bool oro_fail_v(struct oro_error *err, enum oro_code code, const char *format, va_list args)
{
    if (!err)
        return false;
    memset(err, 0, sizeof *err);
    err->code = code;
    vsnprintf(err->text, sizeof err->text, format, args);
    if (code == ORO_E_MEMORY)
        add_what_was_refused(err);
    return false;
}

bool oro_fail(struct oro_error *err, enum oro_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    oro_fail_v(err, code, format, args);
    va_end(args);
    return false;
}

void oro_error_place(struct oro_error *err, const char *document, int line, const char *node)
{
    if (!err)
        return;
    if (document && !err->document[0])
        snprintf(err->document, sizeof err->document, "%s", document);
    if (line && !err->line)
        err->line = line;
    if (node && !err->node[0])
        snprintf(err->node, sizeof err->node, "%s", node);
}

const char *oro_error_line(const struct oro_error *err, char *out, int size)
{
    char place[600] = "";
    if (err->document[0] && err->line > 0)
        snprintf(place, sizeof place, "%s:%d: ", err->document, err->line);
    else if (err->document[0])
        snprintf(place, sizeof place, "%s: ", err->document);
    char node[160] = "";
    if (err->node[0])
        snprintf(node, sizeof node, "node '%s': ", err->node);
    snprintf(out, (size_t)size, "%s%s%s", place, node, err->text);
    return out;
}
