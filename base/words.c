#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

struct word {
    const char *text;
    size_t length;
    bool asked; /* in an #if line */
};

struct oro_word_set {
    struct word *list; /* sorted, each once */
    size_t count, capacity;
};

static int compare(const void *a, const void *b)
{
    const struct word *one = a, *other = b;
    size_t common = one->length < other->length ? one->length : other->length;
    int order = memcmp(one->text, other->text, common);
    if (order || one->length != other->length)
        return order ? order : one->length < other->length ? -1 : 1;
    return (int)one->asked - (int)other->asked;
}

static bool add(struct oro_word_set *words, const char *text, size_t length, bool asked)
{
    void *list = words->list;
    if (!oro_reserve(&list, &words->capacity, words->count + 1, sizeof *words->list))
        return false;
    words->list = list;
    words->list[words->count++] = (struct word){text, length, asked};
    return true;
}

/* What follows a comment that begins at `at`; `at` itself if none does. */
static const char *past_comment(const char *at)
{
    const char *end = at;
    if (at[0] == '/' && at[1] == '/')
        end = strchr(at, '\n');
    else if (at[0] == '/' && at[1] == '*')
        end = strstr(at + 2, "*/");
    return end == at ? at : end ? end + (*end == '*' ? 2 : 0) : at + strlen(at);
}

/* Whether the line that begins at `at` is an #if or #elif. */
static bool asks(const char *at)
{
    at += strspn(at, " \t");
    if (*at != '#')
        return false;
    at += 1 + strspn(at + 1, " \t");
    return strncmp(at, "if", 2) == 0 || strncmp(at, "elif", 4) == 0;
}

static bool find(struct oro_word_set *words, const char *at)
{
    const char *first = NULL; /* of "first.second" */
    bool asked = asks(at), ok = true;
    while (ok && *at) {
        const char *next = past_comment(at);
        if (next != at) {
            at = next;
        } else if (oro_starts_word(*at)) {
            const char *end = at;
            while (oro_in_word(*end))
                end++;
            const char *start = first ? first : at;
            ok = add(words, start, (size_t)(end - start), false) &&
                 (!asked || add(words, start, (size_t)(end - start), true));
            first = *end == '.' ? at : NULL;
            at = end + (*end == '.');
            continue;
        } else if (oro_is_digit(*at)) {
            while (oro_in_word(*at))
                at++;
        } else {
            asked = *at == '\n' ? asks(at + 1) : asked;
            at++;
        }
        first = NULL;
    }
    return ok;
}

struct oro_word_set *oro_words_of(const char *text)
{
    struct oro_word_set *words = oro_alloc(1, sizeof *words);
    if (!words || !find(words, text)) {
        oro_words_free(words);
        return NULL;
    }
    size_t count = 0;
    if (words->count)
        qsort(words->list, words->count, sizeof *words->list, compare);
    for (size_t i = 0; i < words->count; i++)
        if (!count || compare(&words->list[count - 1], &words->list[i]) != 0)
            words->list[count++] = words->list[i];
    words->count = count;
    return words;
}

bool oro_words_have(const struct oro_word_set *words, const char *word)
{
    bool asked = word[0] == '#';
    struct word key = {word + asked, strlen(word + asked), asked};
    return words->count && bsearch(&key, words->list, words->count, sizeof *words->list, compare);
}

void oro_words_free(struct oro_word_set *words)
{
    if (words)
        oro_free(words->list);
    oro_free(words);
}
