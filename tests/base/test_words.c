/* What a source text mentions. */
#include "base/memory.h"
#include "base/words.h"
#include "tests/support/test.h"

static const char text[] = "#if HAS_SEA || DEEP // HAS_MASK\n"
                           "float depth = 0.5 * params.rain + sum(a.b.c) /* old\n unused */ - 1e5;\n"
                           "  #  elif RING\n#endif\nlast";

TEST(identifiers_count_outside_comments)
{
    struct oro_word_set *words = oro_words_of(text);
    const char *const there[] = {"float", "depth", "params",  "params.rain", "sum",   "a.b",
                                 "b.c",   "last",  "HAS_SEA", "#HAS_SEA",    "#DEEP", "#RING"};
    const char *const missing[] = {"rain", "old", "unused", "HAS_MASK", "#depth", "e5", "las", "lasts", "b"};
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++)
        assert_true(oro_words_have(words, there[i]));
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        assert_false(oro_words_have(words, missing[i]));
    oro_words_free(words);
}

TEST(a_text_may_be_empty_or_end_anywhere)
{
    const char *const texts[] = {"", "/", "/*", "//", "#", "#if", "a.", "."};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct oro_word_set *words = oro_words_of(texts[i]);
        assert_non_null(words);
        assert_false(oro_words_have(words, "b"));
        oro_words_free(words);
    }
}

TEST(memory_may_be_out)
{
    for (size_t n = 1; n <= 2; n++) {
        oro_memory_fail_at(n);
        assert_null(oro_words_of("a b"));
        oro_memory_fail_at(0);
    }
    oro_words_free(NULL);
}
