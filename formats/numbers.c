#include "formats/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#include "base/parallel.h"
#include "base/text.h"

/* ---- Numbers ---- */

/* Beyond this nothing is a height: programs write the ends of float32 for "none" without saying so. */
static const double highest = 1e30;

/* Numbers that stand for "none" in files that do not say so: ESRI's, SRTM's, and their kin. */
static const float usual[] = {-9999, -32768, -32767, -99999};

struct work {
    const struct oro_numbers *meaning;
    float *numbers;
    bool keeps, levels; /* numbers stay what they are; they are metres already */
    atomic_size_t undeclared[sizeof usual / sizeof usual[0]], dropped;
};

static int find_usual(float number)
{
    for (int i = 0; i < (int)(sizeof usual / sizeof usual[0]); i++)
        if (number == usual[i])
            return i;
    return -1;
}

static bool is_none(struct work *w, double number, double metres)
{
    const struct oro_numbers *m = w->meaning;
    if (!(fabs(number) <= highest))
        return true;
    if (m->has_none && (fabs(metres - m->none) <= m->tolerance || (m->largest <= 0 && number == m->none)))
        return true;
    int found = m->usual && m->largest <= 0 ? find_usual((float)number) : -1;
    if (found >= 0)
        atomic_fetch_add(&w->undeclared[found], 1);
    return found >= 0;
}

static double metres_of(const struct oro_numbers *m, double number)
{
    return m->largest > 0 ? m->range.low + (m->range.high - m->range.low) * number / m->largest
                          : (number * m->scale + m->offset) * m->unit;
}

static void give(void *user, size_t first, size_t end)
{
    struct work *w = user;
    const struct oro_numbers *m = w->meaning;
    bool as_is = w->keeps || (m->largest <= 0 && m->scale == 1 && m->offset == 0 && m->unit == 1);
    size_t dropped = 0;
    for (size_t i = first; i < end; i++) {
        double number = (double)w->numbers[i], metres = w->levels ? number : metres_of(m, number);
        if (is_none(w, number, metres)) {
            w->numbers[i] = NAN;
            dropped++;
        } else if (!as_is) {
            w->numbers[i] = (float)metres;
        }
    }
    atomic_fetch_add(&w->dropped, dropped);
}

enum { LEAST = 1 << 16 }; /* numbers that are worth a thread */

static size_t work_on(struct work *work, size_t count, struct oro_account *account)
{
    oro_parallel(count, LEAST, give, work);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        size_t found = atomic_load(&work->undeclared[i]);
        if (found > 0 && account->undeclared == 0)
            account->undeclared_number = (double)usual[i];
        account->undeclared += found;
    }
    return atomic_load(&work->dropped);
}

/* Levels become metres as everywhere, to the same bits. */
void oro_numbers_apply(const struct oro_numbers *meaning, float *numbers, size_t count,
                       struct oro_account *account)
{
    bool levels = meaning->largest > 0;
    if (levels)
        oro_range_to_metres(meaning->range, meaning->largest, numbers, count);
    work_on(&(struct work){.meaning = meaning, .numbers = numbers, .levels = levels, .keeps = levels}, count,
            account);
}

size_t oro_numbers_drop(const struct oro_numbers *meaning, float *numbers, size_t count,
                        struct oro_account *account)
{
    return work_on(&(struct work){.meaning = meaning, .numbers = numbers, .keeps = true}, count, account);
}

void oro_numbers_take_shares(struct oro_numbers *meaning, struct oro_height_range range_of,
                             struct oro_account *account)
{
    if (!meaning->shares)
        return;
    bool within = range_of.low >= 0 && range_of.high <= 1;
    meaning->shares = false;
    meaning->largest = account->largest = within;
    meaning->usual = meaning->usual && !within;
    account->range = within ? ORO_GIVEN : account->range;
    account->range_unused = !within;
}

/* ---- Units ---- */

static const struct {
    const char *names; /* as `plain` makes them, with a blank around each */
    double metres;
} units[] = {
    {" m metre meter mtr metres meters ", 1},
    {" ft foot feet internationalfoot internationalfeet footinternational feetinternational ftintl intlft "
     "footintl intlfoot ift ' ",
     0.3048},
    {" ussurveyfoot ussurveyfeet usfoot usfeet usft ftus footus feetus surveyfoot surveyfeet sft "
     "footussurvey feetussurvey ussft ftussurvey ussurveyft unitedstatessurveyfoot ",
     1200.0 / 3937},
    {" yd yard yards ", 0.9144},
    {" km kilometre kilometer kilometres kilometers ", 1000},
    {" hm hectometre hectometer ", 100},
    {" dm decimetre decimeter decimetres decimeters ", 0.1},
    {" cm centimetre centimeter centimetres centimeters ", 0.01},
    {" mm millimetre millimeter millimetres millimeters ", 0.001},
};

enum { WORD = 64 };

/* Lower case, without blanks, dashes and the like: " foot_us ". */
static void make_plain(const char *name, size_t count, char out[WORD])
{
    size_t length = 0;
    out[length++] = ' ';
    for (size_t i = 0; i < count && length < WORD - 2; i++)
        if (isalnum((unsigned char)name[i]) || name[i] == '\'')
            out[length++] = (char)tolower((unsigned char)name[i]);
    out[length++] = ' ';
    out[length] = '\0';
}

static double find_unit(const char *word)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strstr(units[i].names, word))
            return units[i].metres;
    return 0;
}

double oro_unit_metres(const char *name, bool *told)
{
    /* "feet (NAVD88)" and "m above EGM96" count by what comes before. */
    static const char *const ends[] = {"", "(", " ("};
    double number, metres = 0;
    *told = name && name[strspn(name, " ")] && strcasecmp(name, "unknown") != 0;
    if (!*told)
        return 1;
    if (oro_parse_number(name, &number))
        return number > 0 && number < 1e6 ? number : 0;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && metres <= 0; i++) {
        char word[WORD];
        make_plain(name, strcspn(name, ends[i]), word);
        metres = strlen(word) > 2 ? find_unit(word) : 0;
    }
    return metres;
}

bool oro_unit_check(const char *path, enum oro_code code, const char *name, struct oro_error *err)
{
    bool told;
    return oro_unit_metres(name, &told) > 0 ||
           oro_fail(err, code,
                    "'%s': heights in '%.60s', which is no known unit: 'unit' says how many metres one is "
                    "(--unit 0.3048), or names it (--unit ft)",
                    path, name);
}
