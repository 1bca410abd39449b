#include "lua/expression/expression.h"

#include "base/memory.h"
#include "lua/expression/sandbox.h"
#include "lua/expression/tokens.h"

struct oro_interpreter {
    struct oro_sandbox *sandbox;
};

static struct oro_interpreter *create(struct oro_error *err)
{
    struct oro_interpreter *interpreter = oro_alloc(1, sizeof *interpreter);
    if (!interpreter) {
        oro_fail(err, ORO_E_MEMORY, "no memory for the interpreter of expressions");
        return NULL;
    }
    interpreter->sandbox = oro_sandbox_create(err);
    if (interpreter->sandbox)
        return interpreter;
    oro_free(interpreter);
    return NULL;
}

static void destroy(struct oro_interpreter *interpreter)
{
    if (interpreter)
        oro_sandbox_destroy(interpreter->sandbox);
    oro_free(interpreter);
}

/* Looking up a variable may evaluate other expressions, so the sandbox is not in use meanwhile. */
static bool look_up_all(struct oro_scanned *scanned, const struct oro_names *names, struct oro_error *err)
{
    for (size_t i = 0; i < scanned->count; i++) {
        struct oro_variable *variable = &scanned->variables[i];
        if (!names || !names->look_up)
            return oro_fail(err, ORO_E_DOCUMENT, "'%s' is no variable", variable->name);
        if (!names->look_up(names->user, variable->name, &variable->value, err))
            return false;
    }
    return true;
}

static bool evaluate(struct oro_interpreter *interpreter, const char *text, const struct oro_names *names,
                     double *value, struct oro_error *err)
{
    struct oro_scanned scanned;
    struct oro_text chunk = {0};
    bool ok = oro_scan_expression(text, &scanned, err) && look_up_all(&scanned, names, err);
    if (ok) {
        oro_text_add(&chunk, "return ");
        oro_text_add(&chunk, scanned.lua.data);
        ok = !chunk.failed || oro_fail(err, ORO_E_MEMORY, "no memory for an expression");
    }
    ok =
        ok && oro_sandbox_run(interpreter->sandbox, chunk.data, scanned.variables, scanned.count, value, err);
    oro_text_free(&chunk);
    oro_scanned_free(&scanned);
    return ok;
}

const struct oro_language oro_lua = {.create = create, .destroy = destroy, .evaluate = evaluate};
