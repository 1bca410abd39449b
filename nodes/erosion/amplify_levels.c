#include "nodes/erosion/amplify_levels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

const struct oro_level_key oro_level_keys[ORO_LEVEL_KEYS] = {
    {"iterations", 0, 100000, .whole = true, .inputs = {"iterations"}},
    {"thermal", 0, 100000, .whole = true, .inputs = {"thermal_iterations"}},
    {"deposition", 0, 100000, .whole = true, .inputs = {"deposition_iterations"}},
    {"erosion", 0, 1000, .factor = true, .inputs = {"erodibility", "strength"}},
    {"slides", 0, 1000, .factor = true, .inputs = {"amount"}},
    {"sediment", 0, 1000, .factor = true, .inputs = {"creation", "settling"}},
    {"detail", 0, 20, .factor = true, .inputs = {"detail"}},
    {"depth", 0, 10000, .inputs = {"depth"}},
    {"repose", 0, 89, .inputs = {"repose"}},
    {"hardness", 0, 1, .inputs = {"hardness"}},
};
enum { FACTOR_MAX = 64 };
static const char blanks[] = " \t\r\n";

struct reader {
    int row; /* from 1 on, for messages */
    struct oro_error *err;
};

/* The number that is all of `text` up to `length`. */
static bool read_number(const char *text, size_t length, double *number)
{
    char copy[32];
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    return oro_parse_number(copy, number);
}

static bool read_factor(struct reader *r, const char *word, size_t length, struct oro_amplify_level *level)
{
    double factor = -1;
    if (!read_number(word, length, &factor) || factor < 0 || factor > FACTOR_MAX || factor != floor(factor))
        return oro_fail(
            r->err, ORO_E_DOCUMENT,
            "level %d begins with '%.*s': first comes how many times finer it is, from 0 (left out) to %d",
            r->row, (int)length, word, FACTOR_MAX);
    level->factor = (int)factor;
    return true;
}

static bool fail_unknown(struct reader *r, const char *word, size_t length)
{
    char names[200] = "";
    for (int i = 0, used = 0; i < ORO_LEVEL_KEYS; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s",
                         i == 0                    ? ""
                         : i == ORO_LEVEL_KEYS - 1 ? " and "
                                                   : ", ",
                         oro_level_keys[i].name);
    return oro_fail(r->err, ORO_E_DOCUMENT, "level %d: '%.*s' is nothing that a level has: those are %s",
                    r->row, (int)length, word, names);
}

static bool read_pair(struct reader *r, const char *word, size_t length, struct oro_amplify_level *level)
{
    const char *equals = memchr(word, '=', length);
    size_t name = equals ? (size_t)(equals - word) : length;
    for (int i = 0; i < ORO_LEVEL_KEYS; i++) {
        const struct oro_level_key *key = &oro_level_keys[i];
        if (strlen(key->name) != name || memcmp(key->name, word, name) != 0)
            continue;
        double value;
        if (!equals || !read_number(equals + 1, length - name - 1, &value) || value < key->low ||
            value > key->high || (key->whole && value != floor(value)))
            return oro_fail(r->err, ORO_E_DOCUMENT, "level %d: '%.*s' should be %s=, then a %s from %g to %g",
                            r->row, (int)length, word, key->name, key->whole ? "whole number" : "number",
                            key->low, key->high);
        level->value[i] = value;
        return level->given[i] = true;
    }
    return fail_unknown(r, word, length);
}

/* Reads a level up to `end`. */
static bool read_level(struct reader *r, const char *at, const char *end, struct oro_amplify_level *level)
{
    *level = (struct oro_amplify_level){.factor = -1};
    for (at += strspn(at, blanks); at < end; at += strspn(at, blanks)) {
        size_t length = strcspn(at, " \t\r\n;");
        if (level->factor < 0 ? !read_factor(r, at, length, level) : !read_pair(r, at, length, level))
            return false;
        at += length;
    }
    return level->factor >= 0 ||
           oro_fail(r->err, ORO_E_DOCUMENT, "level %d is empty: write how many times finer it is", r->row);
}

bool oro_amplify_levels_read(const char *text, struct oro_amplify_level levels[ORO_LEVELS_MAX], int *count,
                             struct oro_error *err)
{
    *count = 0;
    while (text[strspn(text, blanks)]) {
        const char *end = text + strcspn(text, ";");
        struct reader reader = {*count + 1, err};
        if (*count == ORO_LEVELS_MAX)
            return oro_fail(err, ORO_E_DOCUMENT, "there are more than %d levels", ORO_LEVELS_MAX);
        if (!read_level(&reader, text, end, &levels[(*count)++]))
            return false;
        text = *end ? end + 1 : end;
    }
    return true;
}
