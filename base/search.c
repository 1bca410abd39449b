#include "base/search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 40, TYPED_MAX = 12 };

/* A word within a text. */
struct word {
    const char *at;
    size_t length;
};

static char lower(char c)
{
    return (char)tolower((unsigned char)c);
}

/* Bytes of letters beyond ASCII belong to words. */
static bool in_word(char c)
{
    return oro_in_word(c) ? c != '_' : (unsigned char)c >= 0x80;
}

/* The next word from `at` on, before `end`; false: there is none. */
static bool next_word(const char *at, const char *end, struct word *word)
{
    while (at < end && !in_word(*at))
        at++;
    word->at = at;
    while (at < end && in_word(*at))
        at++;
    word->length = (size_t)(at - word->at);
    return word->length > 0;
}

static bool begins(const struct word *typed, const struct word *word)
{
    if (typed->length > word->length)
        return false;
    for (size_t i = 0; i < typed->length; i++)
        if (lower(typed->at[i]) != lower(word->at[i]))
            return false;
    return true;
}

/* ---- Stems ---- */

static bool strip(char *text, size_t *length, const char *ending, size_t least)
{
    size_t tail = strlen(ending);
    if (*length < tail + least || memcmp(text + *length - tail, ending, tail) != 0)
        return false;
    *length -= tail;
    return true;
}

static void strip_plural(char *text, size_t *length)
{
    if (strip(text, length, "ies", 3))
        text[(*length)++] = 'y';
    else if (*length > 3 && text[*length - 1] == 's' && !strchr("sui", text[*length - 2]))
        --*length;
}

/* What stays of a word without its endings. It is no word; it only tells that two are of one family. */
static size_t stem_of(const struct word *word, char text[WORD_MAX])
{
    static const char *const endings[] = {"ation", "ating", "ated", "ator", "ness", "ment", "ate",
                                          "ion",   "ing",   "ive",  "ise",  "is",   "ed",   "er",
                                          "en",    "al",    "y",    "e",    NULL};
    size_t length = 0;
    for (size_t i = 0; i < word->length && length < WORD_MAX; i++) {
        bool british = i > 0 && i + 1 < word->length && lower(word->at[i]) == 'u' &&
                       lower(word->at[i - 1]) == 'o' && lower(word->at[i + 1]) == 'r';
        char c = lower(word->at[i]);
        if (!british) /* "colourise" is "colorize" */
            text[length++] = c == 'z' ? 's' : c;
    }
    strip_plural(text, &length);
    for (int round = 0; round < 3; round++)
        for (const char *const *ending = endings; *ending; ending++)
            if (strip(text, &length, *ending, 3))
                break;
    if (length > 3 && text[length - 1] == text[length - 2])
        length--;
    return length;
}

static bool same_stem(const struct word *a, const struct word *b)
{
    char stem_a[WORD_MAX], stem_b[WORD_MAX];
    size_t length = stem_of(a, stem_a);
    return length >= 3 && length == stem_of(b, stem_b) && memcmp(stem_a, stem_b, length) == 0;
}

/* ---- Words that are like others ---- */

/* How like a typed word is to a word: 100 for the same. What is like only by a part or by mistake has less
 * than PROPER. */
enum { PROPER = 40, INSIDE = 35, INITIALS = 45, MISTYPED = 12, SKETCHED = 6 };

/* Short parts are in too many words: "city" in "opacity". */
static bool is_inside(const struct word *typed, const struct word *word)
{
    for (size_t i = 1; typed->length >= 5 && i + typed->length <= word->length; i++)
        if (begins(typed, &(struct word){word->at + i, word->length - i}))
            return true;
    return false;
}

/* Most people get the first letter right, or swap it with the second; and who goes on behind the end of a
 * word means another one. */
static bool may_be_meant(const struct word *typed, const struct word *word)
{
    char a = lower(typed->at[0]), b = lower(word->at[0]);
    bool swapped =
        typed->length > 1 && word->length > 1 && a == lower(word->at[1]) && b == lower(typed->at[1]);
    bool goes_on =
        begins(word, typed) && lower(typed->at[typed->length - 1]) != lower(word->at[word->length - 1]);
    return (a == b || swapped) && !goes_on;
}

/* How far a mistyped word is from what was meant; 0: it was not meant. While it is still being typed, its
 * beginning counts. Short words are too near to each other for other letters ("stamp" and "swamp"), and
 * shorter ones for missing ones as well. */
static size_t mistakes(const struct word *typed, const struct word *word)
{
    enum { SHORTEST = 4, SHORT = 5, LONG = 8 };
    if (typed->length < SHORTEST || !may_be_meant(typed, word))
        return 0;
    size_t length = word->length, most = typed->length < LONG ? 1 : 2;
    size_t distance = oro_edit_distance(typed->at, typed->length, word->at, length);
    if (distance > most && length > typed->length) {
        length = typed->length;
        distance = oro_edit_distance(typed->at, typed->length, word->at, length);
    }
    size_t differ = 0;
    for (size_t i = 0; typed->length == length && i < length; i++)
        differ += lower(typed->at[i]) != lower(word->at[i]);
    bool other = typed->length <= SHORT && typed->length == length && differ == 1;
    bool missing = typed->length == SHORTEST && typed->length != length;
    return distance <= most && !other && !missing ? distance : 0;
}

/* Whether a word is written without vowels: "thrml" for thermal. */
static bool is_sketch(const struct word *typed, const struct word *word)
{
    size_t found = 0;
    for (size_t i = 0; i < word->length && found < typed->length; i++) {
        if (lower(word->at[i]) == lower(typed->at[found]))
            found++;
        else if (found == 0)
            return false;
    }
    for (size_t i = 1; i < typed->length; i++)
        if (strchr("aeiou", lower(typed->at[i])))
            return false;
    return typed->length >= 4 && found == typed->length && 2 * found > word->length;
}

static int likeness(const struct word *typed, const struct word *word, bool mistyped)
{
    if (begins(typed, word))
        return typed->length == word->length ? 100 : 70 + (int)(20 * typed->length / word->length);
    if (same_stem(typed, word))
        return 65;
    if (is_inside(typed, word))
        return INSIDE;
    size_t wrong = mistyped ? mistakes(typed, word) : 0;
    if (wrong)
        return MISTYPED - 2 * (int)wrong;
    return mistyped && is_sketch(typed, word) ? SKETCHED : 0;
}

/* Whether a typed word is that one and those behind it, written together: "heightmap" for "height map". 0 if
 * not, else as likeness. */
static int likeness_of_several(const struct word *typed, const char *at, const char *end)
{
    size_t found = 0, words = 1;
    for (; at < end && found < typed->length; at++) {
        if (in_word(*at) && lower(*at) != lower(typed->at[found]))
            return 0;
        found += in_word(*at);
        words += !in_word(*at);
    }
    if (words < 2 || found < typed->length)
        return 0;
    return at == end || !in_word(*at) ? 98 : 70;
}

/* ---- Where a word is found ---- */

enum field { NAME, WORDS, CATEGORY, DOC, FIELDS };
static const int weights[FIELDS] = {40, 30, 12, 6};
static const char *const field_names[FIELDS] = {"name", "words", "category", "text"};

struct hit {
    int score;    /* 0: there is none */
    int likeness; /* of the words */
    enum field field;
    struct word word;
};

static void consider(struct hit *best, enum field field, int like, int less, const struct word *word)
{
    int score = weights[field] * like / 10 - less;
    if (like > 0 && score > best->score)
        *best = (struct hit){score, like, field, *word};
}

/* In a text, or a part of one. Of long texts, only words that are properly like it count. */
static void find_in(struct hit *best, enum field field, const struct word *typed, const char *at,
                    const char *end, int less, bool mistyped)
{
    bool prose = field == DOC || field == CATEGORY;
    for (struct word word = {at, 0}; next_word(word.at + word.length, end, &word);) {
        int like = likeness(typed, &word, mistyped && !prose);
        int several = prose ? 0 : likeness_of_several(typed, word.at, end);
        like = several > like ? several : like;
        if (!prose || like >= PROPER)
            consider(best, field, like, less, &word);
    }
}

/* Phrases farther behind, and words that are only a part of one, count less. */
static void find_in_words(struct hit *best, const struct word *typed, const char *words, bool mistyped)
{
    enum { FARTHER = 2, FARTHEST = 40, PART = 30 };
    for (int less = 0; words && *words; less += less < FARTHEST ? FARTHER : 0) {
        const char *end = words + strcspn(words, ",");
        struct word first = {words, 0}, second;
        bool part = next_word(words, end, &first) && next_word(first.at + first.length, end, &second);
        find_in(best, WORDS, typed, words, end, less + (part ? PART : 0), mistyped);
        words = end + (*end == ',');
    }
}

/* Whether the letters of a word are initials of words of the name: "te" for thermal erosion. */
static bool are_initials(const struct word *typed, const char *name)
{
    size_t found = 0;
    const char *end = name + strlen(name);
    for (struct word word = {name, 0}; found < typed->length && next_word(word.at + word.length, end, &word);)
        found += lower(word.at[0]) == lower(typed->at[found]);
    return typed->length > 1 && found == typed->length;
}

static void find_in_name(struct hit *best, const struct word *typed, const char *name, bool mistyped)
{
    if (!name)
        return;
    find_in(best, NAME, typed, name, name + strlen(name), 0, mistyped);
    if (are_initials(typed, name))
        consider(best, NAME, INITIALS, 0, &(struct word){name, strlen(name)});
}

static struct hit find_word(const struct word *typed, const struct oro_searched *item, bool mistyped)
{
    struct hit best = {0};
    find_in_name(&best, typed, item->id, mistyped);
    find_in_name(&best, typed, item->label, mistyped);
    find_in_words(&best, typed, item->words, mistyped);
    if (item->category)
        find_in(&best, CATEGORY, typed, item->category, item->category + strlen(item->category), 0, mistyped);
    if (item->doc)
        find_in(&best, DOC, typed, item->doc, item->doc + strlen(item->doc), 0, mistyped);
    return best;
}

/* ---- What is typed ---- */

struct typed {
    struct word words[TYPED_MAX];
    size_t count;
    char joined[WORD_MAX]; /* all of them; "" if there is one, or if they are too long */
    size_t joined_length;
};

/* Words that say nothing about what is meant, between others. */
static bool is_filler(const struct word *word)
{
    static const char *const fillers[] = {"a",  "an", "the", "to",   "of", "for",  "by",
                                          "in", "on", "and", "with", "my", "from", NULL};
    for (const char *const *filler = fillers; *filler; filler++)
        if (strlen(*filler) == word->length && begins(word, &(struct word){*filler, word->length}))
            return true;
    return false;
}

static void read_typed(struct typed *typed, const char *text)
{
    const char *end = text + strlen(text);
    size_t fillers = 0;
    *typed = (struct typed){.count = 0};
    for (struct word word = {text, 0};
         typed->count < TYPED_MAX && next_word(word.at + word.length, end, &word);) {
        fillers += is_filler(&word);
        typed->words[typed->count++] = word;
        if (typed->joined_length + word.length <= WORD_MAX)
            memcpy(typed->joined + typed->joined_length, word.at, word.length);
        typed->joined_length += word.length;
    }
    if (typed->count < 2 || typed->joined_length > WORD_MAX)
        typed->joined_length = 0;
    size_t kept = 0;
    for (size_t i = 0; fillers < typed->count && i < typed->count; i++)
        if (!is_filler(&typed->words[i]))
            typed->words[kept++] = typed->words[i];
    if (kept > 0)
        typed->count = kept;
}

/* Whether the words of a text are those that are typed, and no others. */
static bool is_whole(const struct typed *typed, const char *at, const char *end)
{
    struct word word = {at, 0};
    for (size_t i = 0; i < typed->count; i++)
        if (!next_word(word.at + word.length, end, &word) || word.length != typed->words[i].length ||
            !begins(&typed->words[i], &word))
            return false;
    return !next_word(word.at + word.length, end, &word);
}

static int whole_bonus(const struct typed *typed, const struct oro_searched *item)
{
    enum { WHOLE_NAME = 1000, WHOLE_PHRASE = 60 };
    const char *names[] = {item->id, item->label};
    for (int i = 0; i < 2; i++)
        if (names[i] && is_whole(typed, names[i], names[i] + strlen(names[i])))
            return WHOLE_NAME;
    for (const char *words = item->words; words && *words;) {
        const char *end = words + strcspn(words, ",");
        if (is_whole(typed, words, end))
            return WHOLE_PHRASE * (int)typed->count;
        words = end + (*end == ',');
    }
    return 0;
}

/* ---- Scores ---- */

/* The score of an item, without what speaks for it whatever is typed. An item that has only a part of the
 * words, at least half of them, must be called so, and counts half. `*proper`: all was found, and not merely
 * as a part of other words, or by mistake. */
static int score_of(const struct typed *typed, const struct oro_searched *item, bool mistyped, bool *proper)
{
    size_t missed = 0;
    int total = 0, joined = 0;
    bool called = true;
    *proper = true;
    for (size_t i = 0; i < typed->count; i++) {
        struct hit hit = find_word(&typed->words[i], item, mistyped);
        missed += hit.score == 0;
        total += hit.score;
        called = called && (hit.score == 0 || (hit.field <= WORDS && hit.likeness >= PROPER));
        *proper = *proper && hit.likeness >= PROPER;
    }
    if (missed > 0)
        total = called && 2 * missed <= typed->count ? total / 2 : 0;
    if (typed->joined_length > 0) {
        struct hit hit = find_word(&(struct word){typed->joined, typed->joined_length}, item, mistyped);
        joined = hit.field <= WORDS ? hit.score * (int)typed->count : 0;
        *proper = *proper || (joined > 0 && hit.likeness >= PROPER);
    }
    return total > joined ? total : joined;
}

/* Between equal matches the shorter name wins, since the typed word is more of it. */
static int spare_letters(const struct oro_searched *item)
{
    enum { MOST = 30 };
    const char *name = item->label ? item->label : item->id;
    size_t length = name ? strlen(name) : 0;
    return (int)(length < MOST ? length : MOST) / 3;
}

static int compare(const void *a, const void *b)
{
    const struct oro_match *left = a, *right = b;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

/* True: something was found as it should be. */
static bool find_all(const struct typed *typed, const struct oro_searched *items, size_t count, bool mistyped,
                     struct oro_match *found, size_t *found_count)
{
    bool any = false;
    *found_count = 0;
    for (size_t i = 0; i < count; i++) {
        bool proper;
        int score = score_of(typed, &items[i], mistyped, &proper);
        if (score <= 0)
            continue;
        score += whole_bonus(typed, &items[i]) + items[i].favour - spare_letters(&items[i]);
        score = items[i].variant ? score / 2 : score;
        found[(*found_count)++] = (struct oro_match){i, score > 0 ? score : 1};
        any = any || proper;
    }
    return any;
}

size_t oro_search(const char *text, const struct oro_searched *items, size_t count, struct oro_match *found)
{
    struct typed typed;
    size_t found_count = 0;
    read_typed(&typed, text);
    for (size_t i = 0; typed.count == 0 && i < count; i++)
        found[found_count++] = (struct oro_match){i, 1 + items[i].favour};
    if (typed.count > 0 && !find_all(&typed, items, count, false, found, &found_count))
        find_all(&typed, items, count, true, found, &found_count);
    if (found_count > 0)
        qsort(found, found_count, sizeof *found, compare);
    return found_count;
}

void oro_search_explain(struct oro_text *to, const char *text, const struct oro_searched *item)
{
    struct typed typed;
    struct hit hits[TYPED_MAX + 1];
    read_typed(&typed, text);
    size_t count = 0;
    for (size_t i = 0; i < typed.count; i++) {
        hits[count] = find_word(&typed.words[i], item, false);
        if (hits[count].score == 0)
            hits[count] = find_word(&typed.words[i], item, true);
        count += hits[count].score > 0;
    }
    if (count == 0 && typed.joined_length > 0) {
        hits[0] = find_word(&(struct word){typed.joined, typed.joined_length}, item, true);
        count = hits[0].score > 0;
    }
    for (size_t i = 0; i < count; i++)
        oro_text_addf(to, "%s%s%s: %.*s", i ? ", " : "", hits[i].likeness < INSIDE ? "like " : "",
                      field_names[hits[i].field], (int)hits[i].word.length, hits[i].word.at);
}
