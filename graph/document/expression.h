/* A language for expressions on number inputs ("relief * 0.4 + 10"). graph/ knows no language: the program
 * passes one in. */
#ifndef ORO_GRAPH_DOCUMENT_EXPRESSION_H
#define ORO_GRAPH_DOCUMENT_EXPRESSION_H

#include <stdbool.h>

#include "base/error.h"

/* What an expression may refer to. */
struct oro_names {
    /* The value of a variable. `name` is an identifier, or "world.NAME" for what is reached through a dot.
     * Returns false with `err` filled when the name is unknown or cannot be evaluated. May evaluate other
     * expressions with the same interpreter; the caller must limit how deep that goes. */
    bool (*look_up)(void *user, const char *name, double *value, struct oro_error *err);
    void *user;
};

struct oro_interpreter; /* owned by the language; one thread at a time */

struct oro_language {
    /* NULL: fails with ORO_E_MEMORY. */
    struct oro_interpreter *(*create)(struct oro_error *err);
    void (*destroy)(struct oro_interpreter *interpreter); /* NULL is allowed */
    /* Evaluates one expression to a finite number. Fails with ORO_E_DOCUMENT and a short text that names what
     * is wrong ("')' expected near 'x'", "gives nan", ...), with ORO_E_MEMORY, or with the error of look_up.
     * Whatever happened, the interpreter is as good as new afterwards. */
    bool (*evaluate)(struct oro_interpreter *interpreter, const char *text, const struct oro_names *names,
                     double *value, struct oro_error *err);
};

#endif
