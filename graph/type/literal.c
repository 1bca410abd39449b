/* Literals: strict, locale-independent parsing, canonical text, and messages that say what would be valid. */
#include "graph/type/literal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/type/registry.h"
#include "terrain/network/network.h"

#define BLANKS " \t\r\n"

/* Longest piece of a wrong value that a message repeats. */
enum { QUOTE_MAX = 60 };

/* Copies the beginning of `text`, cut between characters and with control characters made visible as '?'. */
static const char *quote(const char *text, char out[QUOTE_MAX + 4])
{
    size_t length = strlen(text);
    bool cut = length > QUOTE_MAX;
    if (cut) {
        length = QUOTE_MAX;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    for (size_t i = 0; i < length; i++)
        out[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7F ? '?' : text[i];
    memcpy(out + length, cut ? "..." : "", cut ? 4 : 1);
    return out;
}

/* What a unit behind a number is in the units that documents count in; 0: no known unit. */
static double unit_factor(const char *name)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {
        {"", 1},          {"m", 1},
        {"km", 1000},     {"cm", 0.01},
        {"mm", 0.001},    {"ft", 0.3048},
        {"mi", 1609.344}, {"m2", 1},
        {"m\u00b2", 1},   {"km2", 1e6},
        {"ha", 1e4},      {"deg", 1},
        {"\u00b0", 1},    {"rad", 57.29577951308232},
        {"%", 1},         {"1/m", 1},
        {"yr", 1},        {"kyr", 1e3},
        {"Myr", 1e6},     {"m/yr", 1},
        {"mm/yr", 0.001}, {"s", 1},
        {"min", 60},      {"h", 3600},
        {"cells", 1},     {"px", 1},
    };
    name += strspn(name, BLANKS);
    size_t length = strlen(name);
    while (length > 0 && strchr(BLANKS, name[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0)
            return units[i].factor;
    return 0;
}

/* Repairs a text so that it is a number in the units of documents, and copies that to `out`; false: that is
 * not possible. */
static bool repair_number(const char *text, char *out, size_t size)
{
    double value;
    const char *number = text + strspn(text, BLANKS);
    size_t length = strlen(number);
    if (length == 0 || length >= size)
        return false;
    memcpy(out, number, length + 1);
    char *comma = strchr(out, ',');
    if (comma && !strchr(comma + 1, ','))
        *comma = '.';
    for (; length > 0; length--) { /* what follows the number is blank, or a unit */
        out[length] = '\0';
        if (!oro_parse_number(out, &value))
            continue;
        double factor = unit_factor(number + length);
        char converted[ORO_NUMBER_SIZE];
        if (factor != 0 && factor != 1)
            snprintf(out, size, "%s", oro_format_number(value * factor, converted));
        return factor != 0;
    }
    return false;
}

static bool is_too_large(const char *text)
{
    const char *e = strpbrk(text, "eE");
    char mantissa[64];
    double ignored;
    if (!e || strspn(e + 1, "+-0123456789") != strlen(e + 1) || !strpbrk(e, "0123456789"))
        return strlen(text) > 300 && strspn(text, "+-.0123456789") == strlen(text);
    snprintf(mantissa, sizeof mantissa, "%.*s", (int)(e - text), text);
    return oro_parse_number(mantissa, &ignored);
}

const char *oro_not_a_number(const char *text, char *out, size_t size)
{
    char quoted[QUOTE_MAX + 4], better[QUOTE_MAX];
    if (!*text)
        snprintf(out, size, "is empty, and must be a number");
    else if (is_too_large(text))
        snprintf(out, size, "'%s' is too large for a number", quote(text, quoted));
    else if (repair_number(text, better, sizeof better))
        snprintf(out, size, "'%s' is not a number (write %s)", quote(text, quoted), better);
    else
        snprintf(out, size, "'%s' is not a number", quote(text, quoted));
    return out;
}

/* Adds canonical text to `out`, unless that is NULL. */
static void add(struct oro_text *out, const char *text)
{
    if (out)
        oro_text_add(out, text);
}

/* Adds the double as it was written, so that no digit is lost. Writing a number takes many times as long as
 * reading it, and planning only reads. */
static void add_number(struct oro_text *out, double value)
{
    char number[ORO_NUMBER_SIZE];
    if (out)
        oro_text_add(out, oro_format_number(value, number));
}

/* ---- One value each ---- `err` says what is wrong; the canonical text is unusable then. */

static bool fail_number(const char *text, struct oro_error *err)
{
    char what[200];
    return oro_fail(err, ORO_E_DOCUMENT, "%s", oro_not_a_number(text, what, sizeof what));
}

static bool check_range(const struct oro_input *input, double value, struct oro_error *err)
{
    if ((input->min == 0 && input->max == 0) || (value >= input->min && value <= input->max))
        return true;
    char number[ORO_NUMBER_SIZE], limit[ORO_NUMBER_SIZE];
    bool above = value > input->max;
    const char *unit = oro_unit_name(input->unit);
    return oro_fail(err, ORO_E_DOCUMENT, "%s is %s of %s%s%s", oro_format_number(value, number),
                    above ? "above the maximum" : "below the minimum",
                    oro_format_number(above ? input->max : input->min, limit), *unit ? " " : "", unit);
}

/* For inputs of type float and int. `text`: how messages write it; NULL: shortest. `at` may be NULL. */
static bool store_number(const struct oro_input *input, double value, const char *text, void *at,
                         struct oro_error *err)
{
    bool whole = input->type == ORO_INT;
    char number[ORO_NUMBER_SIZE], quoted[QUOTE_MAX + 4];
    const char *wrong = NULL;
    if (whole && value != floor(value))
        wrong = "not a whole number";
    else if (!whole && !isfinite((float)value))
        wrong = "too large for a number";
    else if (!check_range(input, value, err))
        return false;
    else if (whole && (value < INT_MIN || value > INT_MAX))
        wrong = "too large for a whole number";
    if (wrong)
        return oro_fail(err, ORO_E_DOCUMENT, "'%s' is %s",
                        quote(text ? text : oro_format_number(value, number), quoted), wrong);
    if (at && whole)
        *(int *)at = (int)value;
    else if (at)
        *(float *)at = (float)value;
    return true;
}

static bool parse_number(const struct oro_input *input, const char *text, void *out,
                         struct oro_text *canonical, struct oro_error *err)
{
    double value;
    if (!oro_parse_number(text, &value))
        return fail_number(text, err);
    if (!store_number(input, value, text, out, err))
        return false;
    add_number(canonical, value);
    return true;
}

static bool parse_bool(const char *text, bool *out, struct oro_error *err)
{
    static const char *const no[] = {"false", "0", "no", "off", "False", "FALSE"};
    static const char *const yes[] = {"true", "1", "yes", "on", "True", "TRUE"};
    bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0) {
        const char *better = NULL;
        for (size_t i = 0; i < sizeof no / sizeof no[0] && !better; i++)
            better = strcmp(text, no[i]) == 0 ? "false" : strcmp(text, yes[i]) == 0 ? "true" : NULL;
        char quoted[QUOTE_MAX + 4];
        return oro_fail(err, ORO_E_DOCUMENT, "'%s' is not true or false%s%s%s", quote(text, quoted),
                        better ? " (write " : "", better ? better : "", better ? ")" : "");
    }
    if (out)
        *out = value;
    return true;
}

static bool fail_choice(const struct oro_input *input, const char *text, size_t count, struct oro_error *err)
{
    char list[400] = "", quoted[QUOTE_MAX + 4];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", input->choices[i]);
        if (wrote < 0 || (size_t)wrote >= sizeof list - used)
            break;
        used += (size_t)wrote;
    }
    char meant[ORO_NEAR_SIZE];
    const char *nearest = oro_suggest(text, input->choices, count);
    return oro_fail(err, ORO_E_DOCUMENT, "'%s' is not one of %s%s", quote(text, quoted), list,
                    oro_did_you_mean(nearest, meant));
}

static bool parse_choice(const struct oro_input *input, const char *text, int *out, struct oro_error *err)
{
    size_t i = 0;
    for (; input->choices && input->choices[i]; i++) {
        if (strcmp(input->choices[i], text) == 0) {
            if (out)
                *out = (int)i;
            return true;
        }
    }
    return fail_choice(input, text, i, err);
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *place = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return place ? (int)(place - digits) : -1;
}

/* Adds a well-formed colour in lower case, and without an alpha of ff. */
static void add_colour(struct oro_text *out, const char *text)
{
    size_t digits = strlen(text) - 1;
    if (digits == 8 && hex_digit(text[7]) == 15 && hex_digit(text[8]) == 15)
        digits = 6;
    add(out, "#");
    for (size_t i = 1; out && i <= digits; i++)
        oro_text_addf(out, "%x", (unsigned)hex_digit(text[i]));
}

static bool parse_colour(const char *text, float *out, struct oro_text *canonical, struct oro_error *err)
{
    float rgba[4] = {0, 0, 0, 1};
    size_t length = strlen(text);
    bool ok = text[0] == '#' && (length == 7 || length == 9);
    for (size_t i = 1; ok && i < length; i += 2) {
        int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        ok = high >= 0 && low >= 0;
        rgba[i / 2] = (float)(high * 16 + low) / 255.0f;
    }
    char quoted[QUOTE_MAX + 4];
    if (!ok)
        return oro_fail(err, ORO_E_DOCUMENT, "'%s' is not a colour (write #rrggbb or #rrggbbaa)",
                        quote(text, quoted));
    if (out)
        memcpy(out, rgba, sizeof rgba);
    add_colour(canonical, text);
    return true;
}

/* Reads the next blank-separated number of [*at, end). Returns 1, 0 at the end, -1 after a failure. */
static int next_number(const char **at, const char *end, double *value, struct oro_error *err)
{
    while (*at < end && strchr(BLANKS, **at))
        ++*at;
    if (*at == end)
        return 0;
    char word[QUOTE_MAX + 4];
    size_t length = 0;
    for (; *at < end && !strchr(BLANKS, **at); ++*at)
        if (length < sizeof word - 1)
            word[length++] = **at;
    word[length] = '\0';
    if (length == sizeof word - 1 || !oro_parse_number(word, value) || !isfinite((float)*value)) {
        fail_number(word, err);
        return -1;
    }
    return 1;
}

static bool parse_pair(const char *text, const char *end, double pair[2], struct oro_text *canonical,
                       struct oro_error *err)
{
    double surplus;
    const char *at = text;
    for (int i = 0; i < 2; i++) {
        int found = next_number(&at, end, &pair[i], err);
        if (found < 0)
            return false;
        if (found == 0)
            return oro_fail(err, ORO_E_DOCUMENT,
                            "a point has two numbers with a blank between (write 'x y')");
    }
    int found = next_number(&at, end, &surplus, err);
    if (found > 0)
        oro_fail(err, ORO_E_DOCUMENT, "a point has two numbers, not more");
    add_number(canonical, pair[0]);
    add(canonical, " ");
    add_number(canonical, pair[1]);
    return found == 0;
}

static bool parse_point(const char *text, float *out, struct oro_text *canonical, struct oro_error *err)
{
    double pair[2];
    if (!parse_pair(text, text + strlen(text), pair, canonical, err))
        return false;
    if (out) {
        out[0] = (float)pair[0];
        out[1] = (float)pair[1];
    }
    return true;
}

/* The comma that ends the pair starting at `text`, or the end of the text. */
static const char *pair_end(const char *text)
{
    return text + strcspn(text, ",");
}

static bool parse_profile(const char *text, struct oro_profile *out, struct oro_text *canonical,
                          struct oro_error *err)
{
    struct oro_profile profile = {0};
    double before = 0;
    for (const char *end;; text = end + 1) {
        double pair[2];
        end = pair_end(text);
        add(canonical, profile.count > 0 ? ", " : "");
        if (!parse_pair(text, end, pair, canonical, err))
            return false;
        int n = profile.count;
        if (n == ORO_PROFILE_MAX)
            return oro_fail(err, ORO_E_DOCUMENT, "a profile has at most %d points", ORO_PROFILE_MAX);
        profile.x[n] = (float)pair[0];
        profile.y[n] = (float)pair[1];
        char a[ORO_NUMBER_SIZE], b[ORO_NUMBER_SIZE];
        if (n > 0 && !(profile.x[n] > profile.x[n - 1]))
            return oro_fail(err, ORO_E_DOCUMENT, "the points of a profile must have rising x: %s follows %s",
                            oro_format_number(pair[0], a), oro_format_number(before, b));
        before = pair[0];
        profile.count++;
        if (!*end)
            break;
    }
    if (out)
        *out = profile;
    return true;
}

/* One stop of a gradient, a position and a colour. */
static bool parse_stop(const char *text, const char *end, double *position, float rgba[4],
                       struct oro_text *canonical, struct oro_error *err)
{
    char colour[QUOTE_MAX + 4];
    const char *at = text;
    int found = next_number(&at, end, position, err);
    if (found < 0)
        return false;
    while (at < end && strchr(BLANKS, *at))
        at++;
    while (end > at && strchr(BLANKS, end[-1]))
        end--;
    if (found == 0 || at == end)
        return oro_fail(err, ORO_E_DOCUMENT, "a stop has a position and a colour (write '0.5 #806040')");
    size_t length = (size_t)(end - at) < QUOTE_MAX ? (size_t)(end - at) : QUOTE_MAX;
    memcpy(colour, at, length);
    colour[length] = '\0';
    add_number(canonical, *position);
    add(canonical, " ");
    return parse_colour(colour, rgba, canonical, err);
}

static bool parse_gradient(const char *text, struct oro_gradient *out, struct oro_text *canonical,
                           struct oro_error *err)
{
    struct oro_gradient gradient = {0};
    double before = 0, position = 0;
    for (const char *end;; text = end + 1) {
        char a[ORO_NUMBER_SIZE], b[ORO_NUMBER_SIZE];
        float rgba[4];
        end = pair_end(text);
        add(canonical, gradient.count > 0 ? ", " : "");
        if (!parse_stop(text, end, &position, rgba, canonical, err))
            return false;
        int n = gradient.count++;
        if (n == ORO_GRADIENT_MAX)
            return oro_fail(err, ORO_E_DOCUMENT, "a gradient has at most %d stops", ORO_GRADIENT_MAX);
        gradient.position[n] = (float)position;
        memcpy(gradient.colour[n], rgba, sizeof rgba);
        if (n > 0 && !(gradient.position[n] > gradient.position[n - 1]))
            return oro_fail(err, ORO_E_DOCUMENT,
                            "the stops of a gradient must have rising positions: %s follows %s",
                            oro_format_number(position, a), oro_format_number(before, b));
        before = position;
        if (!*end)
            break;
    }
    if (out)
        *out = gradient;
    return true;
}

/* Adds a network, known to be well formed, from its text: the numbers that were read have lost digits. */
static void add_network(struct oro_text *out, const char *text)
{
    static const char *const between[] = {"", " ", ", ", "; "};
    for (size_t next = 0; *text;) {
        size_t length = strcspn(text, BLANKS ",;");
        double number = 0;
        const char *at = text;
        if (length == 0) {
            size_t mark = *text == ';' ? 3 : *text == ',' ? 2 : 1;
            next = next > mark ? next : mark;
            text++;
            continue;
        }
        next_number(&at, text + length, &number, NULL);
        oro_text_add(out, out->length ? between[next] : "");
        add_number(out, number);
        text += length;
        next = 0;
    }
}

static bool check_network(const char *text, struct oro_text *canonical, struct oro_error *err)
{
    struct oro_network *network = oro_network_parse(text, err);
    bool ok = network;
    oro_free(network);
    add(canonical, ""); /* an empty text is a text, too */
    if (ok && canonical)
        add_network(canonical, text);
    return ok;
}

/* Stores the value at `at`, unless that is NULL, and adds its canonical text. */
static bool read_literal(const struct oro_input *input, const char *text, void *at,
                         struct oro_text *canonical, struct oro_error *err)
{
    switch (input->type) {
    case ORO_FLOAT:
    case ORO_INT:
        return parse_number(input, text, at, canonical, err);
    case ORO_COLOUR:
        return parse_colour(text, at, canonical, err);
    case ORO_POINT:
        return parse_point(text, at, canonical, err);
    case ORO_PROFILE:
        return parse_profile(text, at, canonical, err);
    case ORO_GRADIENT:
        return parse_gradient(text, at, canonical, err);
    case ORO_BOOL:
        add(canonical, text);
        return parse_bool(text, at, err);
    case ORO_CHOICE:
        add(canonical, text);
        return parse_choice(input, text, at, err);
    case ORO_NETWORK:
        if (!check_network(text, canonical, err))
            return false;
        if (at)
            *(const char **)at = text;
        return true;
    case ORO_TEXT:
    case ORO_FILE:
        add(canonical, text);
        if (at)
            *(const char **)at = text;
        return true;
    case ORO_ANY:
    case ORO_NONE:
    case ORO_FIELD:
    case ORO_VECTOR:
    case ORO_IMAGE:
    case ORO_UPLIFT:
        break;
    }
    return oro_fail(err, ORO_E_DOCUMENT, "takes a link (from=\"node.output\") to the type %s, not a value",
                    oro_type_name(input->type));
}

bool oro_literal_parse(const struct oro_input *input, const char *text, void *params, struct oro_error *err)
{
    return read_literal(input, text, params ? (char *)params + input->offset : NULL, NULL, err);
}

bool oro_literal_number(const struct oro_input *input, double value, void *params, struct oro_error *err)
{
    char *at = (char *)params + input->offset, number[ORO_NUMBER_SIZE];
    if (input->type == ORO_BOOL) {
        *(bool *)at = value != 0;
        return true;
    }
    if (input->type != ORO_FLOAT && input->type != ORO_INT)
        return oro_fail(err, ORO_E_DOCUMENT, "takes the type %s, not a number", oro_type_name(input->type));
    if (!isfinite(value))
        return fail_number(oro_format_number(value, number), err);
    return store_number(input, value + 0.0, NULL, at, err); /* no -0 */
}

char *oro_literal_canonical(const struct oro_input *input, const char *text)
{
    struct oro_text out = {0};
    if (read_literal(input, text, NULL, &out, NULL) && !out.failed)
        return out.data;
    bool no_memory = out.failed;
    oro_text_free(&out);
    return no_memory ? NULL : oro_copy_text(text);
}

/* The default's text without an allocation: the descriptor's own, or written to `number`. It need not be
 * canonical.
 */
static const char *default_text(const struct oro_input *input, char number[ORO_NUMBER_SIZE])
{
    switch (input->type) {
    case ORO_FLOAT:
    case ORO_INT:
        return oro_format_number(input->value, number);
    case ORO_BOOL:
        return input->value != 0 ? "true" : "false";
    case ORO_CHOICE:
        return input->choices ? input->choices[(size_t)input->value] : "";
    default:
        return input->text ? input->text : "";
    }
}

char *oro_literal_default(const struct oro_input *input)
{
    char number[ORO_NUMBER_SIZE];
    return oro_literal_canonical(input, default_text(input, number));
}

bool oro_literal_store(const struct oro_input *input, const char *text, char **stored, struct oro_error *err)
{
    struct oro_text canonical = {0};
    *stored = NULL;
    if (!read_literal(input, text, NULL, &canonical, err)) {
        oro_text_free(&canonical);
        return false;
    }
    char *standard = oro_input_has_default(input) ? oro_literal_default(input) : NULL;
    bool same = standard && !canonical.failed && strcmp(standard, canonical.data) == 0;
    bool ok = !canonical.failed && (standard || !oro_input_has_default(input));
    oro_free(standard);
    if (ok && !same)
        *stored = canonical.data;
    else
        oro_text_free(&canonical);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory for this value");
}

bool oro_literal_is_default(const struct oro_input *input, const char *text)
{
    char *stored = NULL;
    bool same = oro_input_has_default(input) && oro_literal_store(input, text, &stored, NULL) && !stored;
    oro_free(stored);
    return same;
}

bool oro_literal_make_default(struct oro_input *input, const char *text, struct oro_error *err)
{
    struct oro_input alone = *input;
    int number = 0;
    alone.offset = 0;
    switch (input->type) {
    case ORO_FLOAT:
        return oro_literal_parse(&alone, text, NULL, err) && oro_parse_number(text, &input->value);
    case ORO_INT:
    case ORO_CHOICE:
        if (!oro_literal_parse(&alone, text, &number, err))
            return false;
        input->value = number;
        return true;
    case ORO_BOOL:
        input->value = strcmp(text, "true") == 0;
        return oro_literal_parse(&alone, text, NULL, err);
    default:
        input->text = text;
        return oro_literal_parse(&alone, text, NULL, err);
    }
}

void oro_params_place(struct oro_input *input, size_t *size)
{
    enum { ROOM = 16 };
    size_t needed = input->type == ORO_PROFILE    ? sizeof(struct oro_profile)
                    : input->type == ORO_GRADIENT ? sizeof(struct oro_gradient)
                                                  : ROOM;
    input->offset = *size;
    *size += (needed + ROOM - 1) / ROOM * ROOM;
}

void oro_params_default(const struct oro_node_type *type, void *params)
{
    memset(params, 0, type->params_size);
    for (const struct oro_input *input = type->inputs; input && input->name; input++) {
        char *at = (char *)params + input->offset;
        char number[ORO_NUMBER_SIZE];
        switch (input->type) {
        case ORO_FLOAT:
            *(float *)(void *)at = (float)input->value;
            break;
        case ORO_INT:
        case ORO_CHOICE:
            *(int *)(void *)at = (int)input->value;
            break;
        case ORO_BOOL:
            *(bool *)at = input->value != 0;
            break;
        default: /* a text that outlives all params: the descriptor's own */
            if (oro_input_has_default(input))
                oro_literal_parse(input, default_text(input, number), params, NULL);
        }
    }
}
