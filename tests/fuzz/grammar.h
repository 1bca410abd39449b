/*
 * Texts by a grammar: bytes choose productions, so that mostly something valid comes out, whatever they are.
 * A production is a text in which $name stands for a rule; the first choice of a rule ends it, and is taken
 * where the text gets too long or too deep.
 */
#ifndef ORO_TESTS_FUZZ_GRAMMAR_H
#define ORO_TESTS_FUZZ_GRAMMAR_H

#include "base/text.h"
#include "tests/fuzz/fuzz.h"

struct fuzz_rule {
    const char *name;           /* without the $ */
    const char *const *choices; /* ends with NULL */
};
#define FUZZ_RULE(name, ...)                                                                                 \
    {                                                                                                        \
        name, (const char *const[])                                                                          \
        {                                                                                                    \
            __VA_ARGS__, NULL                                                                                \
        }                                                                                                    \
    }

/* Adds what `start` becomes. `rules` ends with a zeroed one. */
void fuzz_expand(struct fuzz_bytes *bytes, const struct fuzz_rule *rules, const char *start,
                 struct oro_text *out);

#endif
