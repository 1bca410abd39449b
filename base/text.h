/*
 * Text: a growable buffer, numbers that do not depend on the locale, and suggestions for misspelt names.
 */
#ifndef ORO_BASE_TEXT_H
#define ORO_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A growable text. Start with {0}; `data` is always terminated once something was added. Failure to grow sets
 * `failed` and turns later additions into no-ops, so that one check at the end suffices. */
struct oro_text {
    char *data;
    size_t length, capacity;
    bool failed;
};

void oro_text_add(struct oro_text *text, const char *more);
void oro_text_add_bytes(struct oro_text *text, const char *bytes, size_t length);
void oro_text_addf(struct oro_text *text, const char *format, ...) ORO_PRINTF(2, 3);
void oro_text_free(struct oro_text *text);
/* The text alone, which the caller frees with oro_free. NULL, and nothing is left of it, where memory ran
 * out. */
char *oro_text_take(struct oro_text *text);
/* The same of a text that is made at once. */
char *oro_text_of(const char *format, ...) ORO_PRINTF(1, 2);

/* Parses all of `text` as a finite decimal number, '.' as the point whatever the locale. Leading and trailing
 * blanks, "1,5", "1e999", "nan", "inf" and hexadecimal are refused. "-0" is 0, which is how it is written. */
bool oro_parse_number(const char *text, double *value);
/* Parses a size in bytes: "4096", "1.5G" (K, M, G, T: powers of 1024). */
bool oro_parse_bytes(const char *text, uint64_t *bytes);

/* Room for the longest number that oro_format_number writes. */
enum { ORO_NUMBER_SIZE = 32 };
/* Writes the shortest decimal form that reads back as the same double. Returns `out`. */
const char *oro_format_number(double value, char out[ORO_NUMBER_SIZE]);

/* "river_network" as "River network": for names that nobody has given a title. Returns `out`. */
const char *oro_pretty_name(const char *id, char *out, size_t size);
/* How many letters of a word must be added, left out, changed or swapped with the next one to make another of
 * it; the case of ASCII letters does not count. SIZE_MAX for words that are longer than 64. */
size_t oro_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);
/* The candidate nearest to `word` (edit distance at most a third of its length, rounded up), or NULL. */
const char *oro_suggest(const char *word, const char *const *candidates, size_t count);
/* What a message adds then: "; did you mean 'NAME'?", or nothing for NULL. Returns `out`. */
enum { ORO_NEAR_SIZE = 100 };
const char *oro_did_you_mean(const char *near, char out[ORO_NEAR_SIZE]);

/* Decodes the UTF-8 character that a text begins with; returns its length, or 0 where it is malformed,
 * overlong or a surrogate. */
size_t oro_decode(const char *text, uint32_t *code);

/* The number of a word in a list that ends with NULL; -1: it is none of them, or NULL. */
int oro_find_word(const char *word, const char *const *words);

/* True for [A-Za-z_][A-Za-z0-9_-]*, the form of node ids and of input names. */
bool oro_is_identifier(const char *text);
/* For ASCII only: the C library's functions depend on the locale. */
static inline bool oro_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool oro_starts_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline bool oro_in_word(char c)
{
    return oro_starts_word(c) || oro_is_digit(c);
}

#endif
