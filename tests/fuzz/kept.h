/* Documents as text, for targets that compare them. */
#ifndef ORO_TESTS_FUZZ_KEPT_H
#define ORO_TESTS_FUZZ_KEPT_H

#include "graph/document/document.h"
#include "tests/fuzz/fuzz.h"

/* The text that saving writes; the caller frees it with oro_free. */
char *fuzz_kept(const struct oro_document *doc);
/* The document is as it was when it had that text. */
void fuzz_require_kept(const struct oro_document *doc, const char *text);
/* Saved and loaded, the document is the same. */
void fuzz_require_saved(const struct oro_document *doc, const struct oro_registry *registry);

#endif
