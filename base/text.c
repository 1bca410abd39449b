#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool make_room(struct oro_text *text, size_t more)
{
    if (!text->failed && more < (size_t)-1 - text->length - 1) {
        void *data = text->data;
        if (oro_reserve(&data, &text->capacity, text->length + more + 1, 1)) {
            text->data = data;
            return true;
        }
    }
    text->failed = true;
    return false;
}

void oro_text_add_bytes(struct oro_text *text, const char *bytes, size_t length)
{
    if (!make_room(text, length))
        return;
    if (length) /* `bytes` may be NULL then */
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void oro_text_add(struct oro_text *text, const char *more)
{
    oro_text_add_bytes(text, more, strlen(more));
}

static void add_formatted(struct oro_text *text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        text->failed = true;
    else if (make_room(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void oro_text_addf(struct oro_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(text, format, args);
    va_end(args);
}

void oro_text_free(struct oro_text *text)
{
    oro_free(text->data);
    *text = (struct oro_text){0};
}

char *oro_text_take(struct oro_text *text)
{
    if (text->failed)
        oro_text_free(text);
    return text->data;
}

char *oro_text_of(const char *format, ...)
{
    struct oro_text text = {0};
    va_list args;
    va_start(args, format);
    add_formatted(&text, format, args);
    va_end(args);
    return oro_text_take(&text);
}

static bool is_decimal(const char *text)
{
    const char *s = text;
    if (*s == '+' || *s == '-')
        s++;
    size_t whole = strspn(s, "0123456789");
    s += whole;
    size_t part = 0;
    if (*s == '.') {
        part = strspn(s + 1, "0123456789");
        s += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        if (*s == '+' || *s == '-')
            s++;
        size_t exponent = strspn(s, "0123456789");
        if (exponent == 0)
            return false;
        s += exponent;
    }
    return *s == '\0';
}

/* Reads a decimal of up to 15 digits without an exponent, which most numbers are. Its digits as a whole
 * number and the power of ten are exact doubles, so that their quotient is the nearest double: what strtod
 * gives. */
static bool parse_short(const char *text, double *value)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *s = text + (*text == '+' || *text == '-'), *point = NULL;
    int64_t digits = 0;
    int count = 0;
    for (; oro_is_digit(*s) || (*s == '.' && !point); s++) {
        if (*s == '.')
            point = s + 1;
        else if (++count > 15)
            return false;
        else
            digits = 10 * digits + (*s - '0');
    }
    if (*s || count == 0)
        return false;
    *value = (double)digits / powers[point ? s - point : 0];
    if (*text == '-' && digits > 0)
        *value = -*value;
    return true;
}

/* strtod follows the locale's decimal point, so the point is replaced by it first. */
bool oro_parse_number(const char *text, double *value)
{
    if (text && parse_short(text, value))
        return true;
    if (!text || strlen(text) > 300 || !is_decimal(text))
        return false;
    char local[320];
    const char *point = localeconv()->decimal_point;
    const char *dot = strchr(text, '.');
    if (dot)
        snprintf(local, sizeof local, "%.*s%s%s", (int)(dot - text), text, point, dot + 1);
    else
        snprintf(local, sizeof local, "%s", text);
    double parsed = strtod(local, NULL);
    if (!isfinite(parsed))
        return false;
    *value = parsed + 0.0; /* no -0 */
    return true;
}

bool oro_parse_bytes(const char *text, uint64_t *bytes)
{
    static const char letters[] = "KMGT";
    char number[64];
    size_t length = strlen(text);
    double factor = 1, amount = 0;
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length + 1);
    const char *letter = strchr(letters, number[length - 1]);
    if (letter) {
        for (const char *l = letters; l <= letter; l++)
            factor *= 1024;
        number[length - 1] = '\0';
    }
    if (!oro_parse_number(number, &amount) || amount < 0 || amount * factor > 1e18)
        return false;
    *bytes = (uint64_t)(amount * factor);
    return true;
}

const char *oro_format_number(double value, char out[ORO_NUMBER_SIZE])
{
    if (value == 0) {
        snprintf(out, ORO_NUMBER_SIZE, "0");
        return out;
    }
    for (int digits = 1; digits <= 17; digits++) {
        double back = 0;
        snprintf(out, ORO_NUMBER_SIZE, "%.*g", digits, value);
        const char *point = localeconv()->decimal_point;
        char *place = strstr(out, point);
        if (place && strcmp(point, ".") != 0) {
            *place = '.';
            memmove(place + 1, place + strlen(point), strlen(place + strlen(point)) + 1);
        }
        if (oro_parse_number(out, &back) && back == value)
            break;
    }
    /* "1e+06" and "2e-05" become "1e6" and "2e-5". */
    char *exponent = strchr(out, 'e');
    if (exponent) {
        char *digits = exponent + 2;
        while (*digits == '0')
            digits++;
        char *to = exponent[1] == '-' ? exponent + 2 : exponent + 1;
        memmove(to, digits, strlen(digits) + 1);
    }
    /* Integers are written out where that is no longer, and up to 1e9 because they read better. */
    char plain[ORO_NUMBER_SIZE];
    if (fabs(value) < 1e17 && value == floor(value)) {
        snprintf(plain, sizeof plain, "%.0f", value);
        if (fabs(value) < 1e9 || strlen(plain) <= strlen(out))
            memcpy(out, plain, sizeof plain);
    }
    return out;
}

const char *oro_pretty_name(const char *id, char *out, size_t size)
{
    snprintf(out, size, "%s", id);
    for (char *c = out; *c; c++)
        if (*c == '_' || *c == '-')
            *c = ' ';
    out[0] = (char)toupper((unsigned char)out[0]);
    return out;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

enum { WORD_MAX = 64 };

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau's distance, with no letter changed twice: rows for the last three letters of `a`, and a column for
 * each of `b`. */
size_t oro_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][WORD_MAX + 1] = {{0}}, *before = rows[0], *above = rows[1], *row = rows[2];
    if (a_length > WORD_MAX || b_length > WORD_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = smallest(above[j] + 1, row[j - 1] + 1, above[j - 1] + !same_letter(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]) &&
                before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
    }
    return row[b_length];
}

const char *oro_suggest(const char *word, const char *const *candidates, size_t count)
{
    size_t length = strlen(word);
    if (length == 0 || length > WORD_MAX)
        return NULL;
    const char *best = NULL;
    size_t limit = (length + 2) / 3;
    for (size_t i = 0; i < count; i++) {
        if (!candidates[i] || strlen(candidates[i]) > WORD_MAX)
            continue;
        size_t distance = oro_edit_distance(word, length, candidates[i], strlen(candidates[i]));
        if (distance < limit || (distance == limit && !best)) {
            best = candidates[i];
            limit = distance;
        }
    }
    return best;
}

const char *oro_did_you_mean(const char *near, char out[ORO_NEAR_SIZE])
{
    out[0] = '\0';
    if (near) /* a suggestion is no longer than 64 letters */
        snprintf(out, ORO_NEAR_SIZE, "; did you mean '%.64s'?", near);
    return out;
}

size_t oro_decode(const char *text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length == 0)
        return 0;
    uint32_t value = length == 1 ? s[0] : s[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3FU);
    }
    *code = value;
    return value >= least[length] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF) ? length : 0;
}

bool oro_is_identifier(const char *text)
{
    if (!oro_starts_word(text[0]))
        return false;
    for (const char *s = text; *s; s++)
        if (!oro_in_word(*s) && *s != '-')
            return false;
    return true;
}

int oro_find_word(const char *word, const char *const *words)
{
    for (int i = 0; word && words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}
