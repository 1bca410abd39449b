/* Expressions: whatever the text is, it gives a finite number, twice the same, or a reason; and afterwards
 * the interpreter is as good as new. Variables a to z have all sorts of values, `world.cell` is 10, and
 * others are unknown. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lua/expression/expression.h"
#include "tests/fuzz/fuzz.h"

static bool look_up(void *user, const char *name, double *value, struct oro_error *err)
{
    static const double values[] = {0,        1,  -1, 0.5, 1e300, -1e300, 1e-300, 3, 1e9, 9007199254740993.0,
                                    INFINITY, NAN};
    (void)user;
    *value = strcmp(name, "world.cell") == 0 ? 10 : 0;
    if (*value > 0)
        return true;
    if (name[0] < 'a' || name[0] > 'z' || name[1])
        return oro_fail(err, ORO_E_DOCUMENT, "there is no variable '%.60s'", name);
    *value = values[(size_t)(name[0] - 'a') % (sizeof values / sizeof values[0])];
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct oro_interpreter *interpreter;
    static const struct oro_names names = {look_up, NULL};
    struct oro_error err = {0};
    double first = 0, second = 0, two = 0;
    if (!interpreter)
        interpreter = oro_lua.create(&err);
    char *text = oro_alloc(1, size + 1);
    fuzz_require(interpreter && text);
    if (size > 0)
        memcpy(text, data, size);
    bool ok = oro_lua.evaluate(interpreter, text, &names, &first, &err);
    if (ok)
        fuzz_require(isfinite(first));
    else
        fuzz_require_reason(&err);
    fuzz_require(oro_lua.evaluate(interpreter, text, &names, &second, &err) == ok);
    fuzz_require(!ok || first == second);
    fuzz_require(oro_lua.evaluate(interpreter, "1 + 1", &names, &two, &err) && two == 2);
    oro_free(text);
    return 0;
}
