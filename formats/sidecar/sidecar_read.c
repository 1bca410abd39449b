#include "formats/sidecar/sidecar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/file_digest.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/nodata.h"
#include "formats/sidecar/json_memory.h"

/* A sidecar has some 600 bytes; users may have added to it. */
#define SIDECAR_BYTES_MAX ((size_t)1 << 20)

char *oro_sidecar_path(const char *path)
{
    return oro_text_of("%s.json", path);
}

/* Reads a number within bounds; a missing key leaves `value` as it is. False: it is present and invalid. */
static bool take_number(const json_t *root, const char *key, double least, double most, double *value,
                        bool *found)
{
    const json_t *item = json_object_get(root, key);
    *found = item != NULL;
    if (!item)
        return true;
    double number = json_number_value(item);
    if (!json_is_number(item) || !isfinite(number) || number < least || number > most)
        return false;
    *value = number;
    return true;
}

static bool take_side(const json_t *root, const char *key, int *side)
{
    double number = 0;
    bool found;
    if (!take_number(root, key, 1, ORO_RASTER_SIDE_MAX, &number, &found) || number != floor(number))
        return false;
    *side = (int)number;
    return true;
}

/* Sets the flag if the text is `yes`. A text must be `yes` or `no`, but may be missing. */
static bool take_choice(const json_t *root, const char *key, const char *no, const char *yes, bool *is_yes)
{
    const json_t *item = json_object_get(root, key);
    const char *text = json_string_value(item);
    if (!item)
        return true;
    *is_yes = text && strcmp(text, yes) == 0;
    return *is_yes || (text && strcmp(text, no) == 0);
}

static bool take_range(const json_t *root, struct oro_facts *facts)
{
    double most = 3.5e38;
    bool has_low, has_high;
    if (!take_number(root, "low", -most, most, &facts->range.low, &has_low) ||
        !take_number(root, "high", -most, most, &facts->range.high, &has_high) || has_low != has_high)
        return false;
    facts->has_range = has_low;
    return oro_range_valid(facts->range);
}

/* A place has all three keys. */
static bool take_place(const json_t *root, struct oro_facts *facts)
{
    const json_t *item = json_object_get(root, "crs");
    const char *text = json_string_value(item);
    bool has_west, has_north;
    if (!take_number(root, "west", -ORO_SIDECAR_METRES_MAX, ORO_SIDECAR_METRES_MAX, &facts->west,
                     &has_west) ||
        !take_number(root, "north", -ORO_SIDECAR_METRES_MAX, ORO_SIDECAR_METRES_MAX, &facts->north,
                     &has_north) ||
        has_west != has_north || has_west != (item != NULL))
        return false;
    if (!item)
        return true;
    return text && snprintf(facts->crs, sizeof facts->crs, "%s", text) < (int)sizeof facts->crs;
}

bool oro_digest_take(const json_t *object, const char *key, struct oro_hash *digest, bool *found)
{
    const json_t *item = json_object_get(object, key);
    const char *text = json_string_value(item);
    *digest = (struct oro_hash){0};
    *found = item != NULL;
    if (!text || strlen(text) != ORO_HASH_TEXT - 1 || strspn(text, "0123456789abcdef") != ORO_HASH_TEXT - 1)
        return !item;
    char high[17] = {0};
    memcpy(high, text, sizeof high - 1);
    *digest = (struct oro_hash){.high = strtoull(high, NULL, 16),
                                .low = strtoull(text + sizeof high - 1, NULL, 16)};
    return true;
}

/* Other words than those that we write tell nothing. */
static void take_device(const json_t *root, char *device, size_t size)
{
    static const char *const kinds[] = {"processor", "driver", "card", NULL};
    const char *text = json_string_value(json_object_get(root, "device"));
    if (oro_find_word(text, kinds) >= 0)
        snprintf(device, size, "%s", text);
}

const char *oro_facts_take(const json_t *root, struct oro_facts *facts)
{
    bool found;
    if (!take_side(root, "width", &facts->width))
        return "width";
    if (!take_side(root, "height", &facts->height) || (facts->width == 0) != (facts->height == 0))
        return "height";
    if (!take_number(root, "cell_size", 0, ORO_SIDECAR_METRES_MAX, &facts->cell, &found) ||
        (found && facts->cell <= 0))
        return "cell_size";
    if (!take_place(root, facts))
        return "crs, west and north";
    if (!take_range(root, facts))
        return "low and high";
    if (!take_number(root, "nodata", -3.5e38, 3.5e38, &facts->nodata, &facts->has_nodata))
        return "nodata";
    if (!take_number(root, "sea", -3.5e38, 3.5e38, &facts->sea, &facts->has_sea))
        return "sea";
    if (!take_choice(root, "sea_reach", "border", "everywhere", &facts->sea_inland))
        return "sea_reach";
    if (!take_choice(root, "endianness", "little", "big", &facts->big_endian))
        return "endianness";
    if (!take_choice(root, "row_order", "north_first", "south_first", &facts->south_first))
        return "row_order";
    if (!oro_digest_take(root, "digest", &facts->digest, &facts->has_digest))
        return "digest";
    if (!oro_digest_take(root, "sample", &facts->sample, &facts->has_sample))
        return "sample";
    take_device(root, facts->device, sizeof facts->device);
    return NULL;
}

static bool no_memory(const char *path, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to read the sidecar of '%s'", path);
}

static bool parse(const char *name, const char *text, size_t size, const struct oro_log *log,
                  struct oro_facts *facts)
{
    json_error_t problem;
    bool fits;
    json_t *root = oro_json_parse(text, size, JSON_REJECT_DUPLICATES, &problem, &fits);
    struct oro_facts told = {.found = true};
    const char *wrong = json_is_object(root) ? oro_facts_take(root, &told) : "the whole";
    if (!root && fits)
        oro_note(log, ORO_WARNING, "'%s' is ignored: line %d: %s", name, problem.line, problem.text);
    else if (wrong && fits)
        oro_note(log, ORO_WARNING, "'%s' is ignored: what it says of %s makes no sense", name, wrong);
    else
        *facts = told;
    json_decref(root);
    return fits;
}

/* One that is damaged is ignored; one for which there is no memory would tell what is not known without it.
 */
static bool load(const char *path, const struct oro_log *log, struct oro_facts *facts, struct oro_error *err)
{
    struct oro_error why = {0};
    void *text = NULL;
    size_t size = 0;
    char *name = oro_sidecar_path(path);
    bool there = name && access(name, F_OK) == 0, fits = name != NULL;
    *facts = (struct oro_facts){0};
    if (there && oro_file_read(name, SIDECAR_BYTES_MAX, &text, &size, &why))
        fits = parse(name, text, size, log, facts);
    else if (there && why.code == ORO_E_MEMORY)
        fits = false;
    else if (there)
        oro_note(log, ORO_WARNING, "the sidecar is ignored: %s", why.text);
    else if (name)
        oro_note(log, ORO_DEBUG, "'%s' has no sidecar", path);
    oro_free(text);
    oro_free(name);
    return fits || no_memory(path, err);
}

bool oro_digest_vouches(const char *path, struct oro_hash told, bool *same, struct oro_error *err)
{
    struct oro_error why = {0};
    struct oro_hash digest;
    bool known = oro_file_digest_of(path, &digest, &why);
    *same = !known || oro_hash_equal(digest, told);
    return known || why.code != ORO_E_MEMORY || oro_fail(err, why.code, "%s", why.text);
}

/* A user who takes the digest out wants it to be believed. */
static bool vouches(const struct oro_facts *facts, const char *path, bool *same, struct oro_error *err)
{
    struct oro_error why = {0};
    struct oro_hash sample;
    bool large = false;
    *same = true;
    if (!facts->has_digest)
        return true;
    if (facts->has_sample && !oro_file_sample_of(path, &large, &sample, &why))
        return why.code != ORO_E_MEMORY || oro_fail(err, why.code, "%s", why.text);
    if (!large)
        return oro_digest_vouches(path, facts->digest, same, err);
    *same = oro_hash_equal(sample, facts->sample);
    return true;
}

bool oro_sidecar_read(const char *path, const struct oro_log *log, struct oro_facts *facts,
                      struct oro_error *err)
{
    bool same = true;
    if (!load(path, log, facts, err) || !vouches(facts, path, &same, err))
        return false;
    if (same)
        return true;
    oro_note(
        log, ORO_WARNING,
        "'%s' and its sidecar do not match: one of them was changed, or not written to the end. What it "
        "tells of heights and of the ground is ignored; without its member 'digest' it would be believed",
        path);
    *facts = (struct oro_facts){.found = true,
                                .width = facts->width,
                                .height = facts->height,
                                .big_endian = facts->big_endian,
                                .south_first = facts->south_first};
    return true;
}

bool oro_sidecar_digest(const char *path, struct oro_hash *digest, struct oro_error *err)
{
    struct oro_facts facts;
    if (!load(path, NULL, &facts, err))
        return false;
    *digest = facts.digest;
    return facts.has_digest || oro_fail(err, ORO_E_FILE, "'%s' has no sidecar that tells a digest", path);
}

void oro_facts_drop(struct oro_facts *facts, const char *path, const struct oro_log *log)
{
    oro_note(log, ORO_WARNING, "the sidecar of '%s' is ignored: it is of a file of %dx%d cells", path,
             facts->width, facts->height);
    *facts = (struct oro_facts){0};
}

void oro_facts_keep_own(struct oro_facts *facts, const char *path, int width, int height,
                        const struct oro_log *log)
{
    bool same = (width == 0 || facts->width == width) && (height == 0 || facts->height == height);
    if (facts->width > 0 && !same)
        oro_facts_drop(facts, path, log);
}

bool oro_facts_mark_sea(const struct oro_facts *facts, const struct oro_read_options *options, double step,
                        struct oro_heightfield *field, struct oro_error *err)
{
    if (!facts->has_sea || options->no_sea || facts->width != field->width || facts->height != field->height)
        return true;
    /* What lay at the level before it was rounded still does. */
    bool ok = oro_heightfield_mark_sea(field, facts->sea + step / 2, err);
    for (size_t i = 0; ok && facts->sea_inland && i < oro_cell_count(field->width, field->height); i++)
        if ((double)field->data[i] <= facts->sea + step / 2)
            field->sea[i] = 1;
    field->sea_level = facts->sea;
    field->sea_inland = facts->sea_inland;
    return ok;
}
