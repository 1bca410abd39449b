#include "cli/engine/resample.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/report/console.h"

static size_t preset_count(void)
{
    size_t count = 0;
    while (oro_size_presets[count])
        count++;
    return count;
}

static bool bad_size(const char *text, struct oro_error *err)
{
    struct oro_text names = {0};
    for (size_t i = 0; oro_size_presets[i]; i++)
        oro_text_addf(&names, "%s%s", i ? ", " : "", oro_size_presets[i]);
    char meant[ORO_NEAR_SIZE];
    const char *near = oro_suggest(text, oro_size_presets, preset_count());
    oro_fail(err, ORO_E_USAGE, "--size takes N, WxH or one of %s, not '%s'%s",
             names.failed ? "its presets" : names.data, text, oro_did_you_mean(near, meant));
    oro_text_free(&names);
    return false;
}

bool cli_choose_size(const char *text, int width, int height, struct cli_extent *to, struct oro_error *err)
{
    int64_t n = 0;
    int longer = width > height ? width : height;
    *to = (struct cli_extent){width, height};
    if (!text)
        return true;
    if (cli_parse_extent(text, to))
        return (to->width <= ORO_HEIGHTFIELD_SIDE_MAX && to->height <= ORO_HEIGHTFIELD_SIDE_MAX) ||
               oro_fail(err, ORO_E_USAGE, "--size takes at most %d a side, not %s", ORO_HEIGHTFIELD_SIDE_MAX,
                        text);
    if (cli_parse_integer(text, &n)) {
        if (n < 1 || n > ORO_HEIGHTFIELD_SIDE_MAX)
            return oro_fail(err, ORO_E_USAGE, "--size takes 1 to %d, not %s", ORO_HEIGHTFIELD_SIDE_MAX, text);
        to->width = (int)((width * n + longer / 2) / longer);
        to->height = (int)((height * n + longer / 2) / longer);
    } else {
        to->width = oro_size_preset(text, width);
        to->height = oro_size_preset(text, height);
        if (to->width == 0 || to->height == 0)
            return bad_size(text, err);
    }
    to->width += to->width == 0;
    to->height += to->height == 0;
    return true;
}

bool cli_resize(struct oro_heightfield *field, const char *size, enum oro_resampling method,
                struct oro_error *err)
{
    struct cli_extent extent;
    struct oro_heightfield resized = {0};
    if (!cli_choose_size(size, field->width, field->height, &extent, err))
        return false;
    if (extent.width == field->width && extent.height == field->height)
        return true;
    if (!oro_heightfield_resize(field, extent.width, extent.height, method, &resized, err))
        return false;
    resized.metres = field->metres;
    resized.account = field->account;
    oro_heightfield_free(field);
    *field = resized;
    return true;
}

void cli_choose_range(const struct oro_heightfield *field, bool resized, struct oro_write_options *write)
{
    const struct oro_account *account = &field->account;
    bool levels = account->largest > 1;
    if (write->has_range || (field->metres && (resized || !levels || account->low >= account->high)))
        return;
    write->has_range = true;
    write->low = field->metres ? account->low : 0;
    write->high = field->metres ? account->high : 1;
}
