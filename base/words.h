/* The words of a source text in the manner of C, for asking whether it mentions one. */
#ifndef ORO_BASE_WORDS_H
#define ORO_BASE_WORDS_H

#include <stdbool.h>

/* Identifiers outside comments. One that stands behind another and a point counts together with it alone:
 * "params.rain". Those in #if and #elif lines count once more, with a "#" in front. Immutable once made, so
 * any thread may read. */
struct oro_word_set;

/* The text must outlive the words. NULL: memory is out. */
struct oro_word_set *oro_words_of(const char *text);
bool oro_words_have(const struct oro_word_set *words, const char *word);
void oro_words_free(struct oro_word_set *words);

#endif
