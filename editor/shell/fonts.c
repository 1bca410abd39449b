#include "editor/shell/fonts.h"

#include <stdbool.h>
#include <string.h>

#include <fontconfig/fontconfig.h>

#include "base/memory.h"

static const char normal[] = "Inter,Noto Sans,DejaVu Sans,sans-serif:weight=80:slant=0";

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

/* Whether ImGui can read the font: its outlines must be TrueType or OpenType. */
static bool is_usable(FcPattern *font)
{
    FcChar8 *format = NULL;
    FcBool outline = FcFalse;
    FcPatternGetBool(font, FC_OUTLINE, 0, &outline);
    return outline && FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch &&
           (strcmp((const char *)format, "TrueType") == 0 || strcmp((const char *)format, "CFF") == 0);
}

/* Takes `font` if it has some of the letters still missing. */
static void take(struct ed_fonts *fonts, int *count, FcPattern *font, FcCharSet **missing, bool is_normal)
{
    FcCharSet *has = NULL;
    FcChar8 *file = NULL;
    int face = 0;
    if (!is_usable(font) || FcPatternGetCharSet(font, FC_CHARSET, 0, &has) != FcResultMatch ||
        FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch ||
        FcCharSetIntersectCount(has, *missing) == 0)
        return;
    FcPatternGetInteger(font, FC_INDEX, 0, &face);
    if (!is_normal) {
        fonts->more[*count] = oro_copy_text((const char *)file);
        fonts->face[(*count)++] = face & 0xffff; /* above: the instance of a variable font */
    }
    FcCharSet *rest = FcCharSetSubtract(*missing, has);
    FcCharSetDestroy(*missing);
    *missing = rest;
}

/* Adds fonts in order of their likeness to the normal one, until every letter is in one of them. */
static void find_more(struct ed_fonts *fonts, FcConfig *config, const uint32_t *letters, size_t letter_count)
{
    FcResult result = FcResultNoMatch;
    FcCharSet *missing = FcCharSetCreate();
    FcPattern *pattern = FcNameParse((const FcChar8 *)normal);
    for (size_t i = 0; missing && i < letter_count; i++)
        FcCharSetAddChar(missing, letters[i]);
    FcFontSet *sorted = NULL;
    if (missing && pattern) {
        FcConfigSubstitute(config, pattern, FcMatchPattern);
        FcDefaultSubstitute(pattern);
        sorted = FcFontSort(config, pattern, FcFalse, NULL, &result);
    }
    int count = 0;
    for (int i = 0; sorted && missing && i < sorted->nfont && count < ED_MORE_FONTS; i++)
        take(fonts, &count, sorted->fonts[i], &missing, i == 0);
    if (sorted)
        FcFontSetDestroy(sorted);
    if (pattern)
        FcPatternDestroy(pattern);
    if (missing)
        FcCharSetDestroy(missing);
}

void ed_fonts_find(struct ed_fonts *fonts, const uint32_t *letters, size_t count)
{
    FcConfig *config = FcInitLoadConfigAndFonts();
    *fonts = (struct ed_fonts){0};
    if (!config)
        return;
    fonts->normal = find(config, normal);
    fonts->bold = find(config, "Inter,Noto Sans,DejaVu Sans,sans-serif:weight=180:slant=0");
    fonts->mono = find(config, "DejaVu Sans Mono,Noto Sans Mono,monospace:weight=80");
    if (count > 0)
        find_more(fonts, config, letters, count);
    FcConfigDestroy(config);
}

void ed_fonts_free(struct ed_fonts *fonts)
{
    oro_free(fonts->normal);
    oro_free(fonts->bold);
    oro_free(fonts->mono);
    for (int i = 0; i < ED_MORE_FONTS; i++)
        oro_free(fonts->more[i]);
    *fonts = (struct ed_fonts){0};
}
