#include "editor/ui/search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

bool ed_text_holds(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; text && *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

static char plain(char c)
{
    return c == '_' || c == '-' ? ' ' : (char)tolower((unsigned char)c);
}

static bool same(const char *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!text[i] || plain(text[i]) != plain(word[i]))
            return false;
    return true;
}

/* Points for finding a word at the beginning of a text, at the beginning of a word in it, or anywhere; the
 * best match counts. */
static int within(const char *text, const char *word, size_t length, int first, int begin, int inside)
{
    int best = 0;
    for (const char *at = text; at && *at; at++) {
        if (!same(at, word, length))
            continue;
        int points = at == text ? first : !isalnum((unsigned char)at[-1]) ? begin : inside;
        if (points > best)
            best = points;
    }
    return best;
}

/* Whether the letters of a word are initials of words of the text: "te" for thermal erosion. */
static bool initials(const char *text, const char *word, size_t length)
{
    size_t found = 0;
    for (const char *at = text; at && *at && found < length; at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && plain(*at) == plain(word[found]))
            found++;
    return length > 1 && found == length;
}

/* Whether the letters occur in that order, the first of them at the beginning: "thrml" for thermal. */
static bool scattered(const char *text, const char *word, size_t length)
{
    size_t found = 0;
    for (const char *at = text; at && *at && found < length; at++) {
        if (plain(*at) == plain(word[found]))
            found++;
        else if (found == 0)
            return false;
    }
    return length > 2 && found == length;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int score_word(const char *word, size_t length, const struct ed_searched *in)
{
    int best =
        larger(within(in->id, word, length, 200, 120, 60), within(in->label, word, length, 200, 120, 60));
    if (initials(in->id, word, length) || initials(in->label, word, length))
        best = larger(best, 80);
    best = larger(best, within(in->category, word, length, 50, 40, 20));
    best = larger(best, within(in->doc, word, length, 15, 15, 5));
    if (best == 0 && (scattered(in->id, word, length) || scattered(in->label, word, length)))
        best = 2;
    return best;
}

static bool whole(const char *text, const char *typed, size_t length)
{
    return text && strlen(text) == length && same(text, typed, length);
}

int ed_search_score(const char *typed, const struct ed_searched *searched)
{
    typed += strspn(typed, " ");
    size_t length = strlen(typed);
    while (length > 0 && typed[length - 1] == ' ')
        length--;
    if (length == 0)
        return 1;
    int total = 0;
    for (const char *word = typed; word < typed + length;) {
        size_t letters = strcspn(word, " ");
        int score = letters ? score_word(word, letters, searched) : 0;
        if (letters && score == 0)
            return 0;
        total += score * 4;
        word += letters + (word[letters] == ' ');
    }
    if (whole(searched->id, typed, length) || whole(searched->label, typed, length))
        total += 4000;
    /* Between equal matches the shorter name wins, since the typed word is more of it. */
    const char *name = searched->label ? searched->label : searched->id;
    int spare = name ? (int)strlen(name) / 3 : 0;
    return total > spare ? total - spare : 1;
}

static int compare(const void *a, const void *b)
{
    const struct ed_found *left = a, *right = b;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

void ed_found_sort(struct ed_found *found, size_t count)
{
    qsort(found, count, sizeof *found, compare);
}
