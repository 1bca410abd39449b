#include "editor/app/fonts.h"

#include <fontconfig/fontconfig.h>

#include "base/memory.h"

/* The file that comes closest to a pattern such as "Inter,sans-serif:style=Regular"; the caller frees. */
static char *find(FcConfig *config, const char *text)
{
    FcResult result = FcResultNoMatch;
    FcChar8 *file = NULL;
    FcPattern *pattern = FcNameParse((const FcChar8 *)text);
    char *found = NULL;
    if (!pattern)
        return NULL;
    FcConfigSubstitute(config, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcPattern *match = FcFontMatch(config, pattern, &result);
    if (match && FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch)
        found = oro_copy_text((const char *)file);
    if (match)
        FcPatternDestroy(match);
    FcPatternDestroy(pattern);
    return found;
}

void ed_fonts_find(struct ed_fonts *fonts)
{
    FcConfig *config = FcInitLoadConfigAndFonts();
    *fonts = (struct ed_fonts){0};
    if (!config)
        return;
    fonts->normal = find(config, "Inter,Noto Sans,DejaVu Sans,sans-serif:weight=80:slant=0");
    fonts->bold = find(config, "Inter,Noto Sans,DejaVu Sans,sans-serif:weight=180:slant=0");
    fonts->mono = find(config, "DejaVu Sans Mono,Noto Sans Mono,monospace:weight=80");
    FcConfigDestroy(config);
}

void ed_fonts_free(struct ed_fonts *fonts)
{
    oro_free(fonts->normal);
    oro_free(fonts->bold);
    oro_free(fonts->mono);
    *fonts = (struct ed_fonts){0};
}
