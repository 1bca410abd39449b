/* Drawing that several panels share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/panels/panels_private.h"

float ed_draw_elided(struct ui_draw *draw, enum ui_font font, struct ui_vec at, uint32_t colour,
                     const char *text, float width)
{
    struct ui_rect line = {at.x, at.y, width, ui_font_size(font)};
    return ui_draw_text_in(draw, font, 0, line, 0, colour, text);
}

const char *ed_category_title(const char *category, char *out, size_t size)
{
    static const char *const titles[][2] = {{"group", "Groups of this document"},
                                            {"beside", "Beside this document"},
                                            {"script", "Scripts"},
                                            {"my", "My library"},
                                            {"favourites", "Favourites"},
                                            {"brush", "Uplift brushes"}};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (strcmp(titles[i][0], category) == 0) {
            snprintf(out, size, "%s", titles[i][1]);
            return out;
        }
    if (strncmp(category, "my/", 3) == 0) {
        snprintf(out, size, "My library: %s", category + 3);
        return out;
    }
    return ed_pretty_name(category, out, size);
}

/* ---- Text with a little markup */

/* The place for the next word of a text that is broken at the right edge. */
struct flow {
    struct ui_draw *draw;
    float left, right, x, y;
    bool code;
};

static void put_word(struct flow *flow, const char *word, size_t length)
{
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    enum ui_font font = flow->code ? UI_MONO : UI_NORMAL;
    float width = ui_text_extent(font, 0, text, 0).x, line = ui_font_size(UI_NORMAL);
    if (flow->x > flow->left && flow->x + width > flow->right) {
        flow->x = flow->left;
        flow->y += line * 1.3f;
    }
    struct ui_vec at = {flow->x, flow->y};
    if (flow->code) {
        struct ui_rect back = {at.x - 2, at.y - 1, width + 4, line + 3};
        ui_rect_fill(flow->draw, back, ui_faded(ui_colour(UI_BORDER), 0.5f), 3);
    }
    ui_draw_text(flow->draw, font, 0, at, ui_colour(flow->code ? UI_SELECTED : UI_TEXT), text, NULL);
    flow->x += width;
}

static void put_paragraph(struct flow *flow, const char *text, size_t length)
{
    const char *end = text + length;
    float blank = ui_text_extent(UI_NORMAL, 0, " ", 0).x;
    while (text < end) {
        if (*text == '`') {
            flow->code = !flow->code;
            text++;
        } else if (*text == ' ' || *text == '\n') {
            flow->x += flow->x > flow->left ? blank : 0;
            text++;
        } else {
            size_t word = 0;
            while (text + word < end && !strchr(" \n`", text[word]))
                word++;
            put_word(flow, text, word);
            text += word;
        }
    }
    flow->code = false;
}

static size_t paragraph_length(const char *text)
{
    size_t length = 0;
    while (text[length] && !(text[length] == '\n' && (text[length + 1] == '\n' || text[length + 1] == '-')))
        length++;
    return length;
}

void ed_draw_markdown(const char *text)
{
    while (*text) {
        size_t length = paragraph_length(text);
        struct ui_rect place = ui_content();
        bool item = strncmp(text, "- ", 2) == 0;
        float line = ui_font_size(UI_NORMAL), indent = item ? line : 0;
        struct flow flow = {.draw = ui_draw_here(),
                            .left = place.x + indent,
                            .right = place.x + place.w,
                            .x = place.x + indent,
                            .y = place.y};
        if (item) {
            struct ui_vec dot = {place.x + line * 0.4f, place.y + line * 0.55f};
            ui_circle_fill(flow.draw, dot, line * 0.13f, ui_colour(UI_MUTED));
        }
        put_paragraph(&flow, text + (item ? 2 : 0), length - (item ? 2 : 0));
        ui_dummy(place.w, flow.y + line * 1.25f - place.y);
        text += length;
        if (strncmp(text, "\n\n", 2) == 0)
            ui_dummy(1, line * 0.3f);
        text += strspn(text, "\n");
    }
}

/* ---- Keys */

/* Names of keys are joined by '+'; "+" itself may be one. */
void ed_keycap(const char *keys)
{
    bool first = true;
    while (*keys) {
        size_t length = strcspn(keys + 1, "+|") + 1;
        if (!first)
            ui_same_line(4 * ui_scale());
        char label[32];
        snprintf(label, sizeof label, "%.*s", (int)length, keys);
        struct ui_vec at = ui_cursor(), size = ui_text_extent(UI_SMALL, 0, label, 0);
        float pad = 6 * ui_scale(), height = ui_font_size(UI_SMALL) + 6 * ui_scale();
        struct ui_rect rect = {at.x, at.y, size.x + 2 * pad, height};
        struct ui_draw *draw = ui_draw_here();
        ui_rect_fill(draw, rect, ui_colour(UI_RAISED), 4 * ui_scale());
        ui_rect_line(draw, rect, ui_colour(UI_BORDER), 4 * ui_scale(), 1);
        struct ui_vec text_at = {at.x + pad, at.y + 2.5f * ui_scale()};
        ui_draw_text(draw, UI_SMALL, 0, text_at, ui_colour(UI_TEXT), label, NULL);
        ui_dummy(rect.w, rect.h);
        first = false;
        keys += length;
        if (*keys == '|') {
            ui_same_line(6 * ui_scale());
            ui_text_coloured(ui_colour(UI_MUTED), "or");
        }
        keys += *keys != '\0';
    }
}

/* ---- Numbers */

const char *ed_bytes_text(uint64_t bytes, char *out, size_t size)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1000 && unit < 4) {
        value /= 1024;
        unit++;
    }
    snprintf(out, size, unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return out;
}

const char *ed_duration_text(double seconds, char *out, size_t size)
{
    int whole = (int)fmin(seconds + 0.5, 1e9); /* an estimate of the time left may be anything */
    if (seconds < 10)
        snprintf(out, size, "%.1f s", seconds);
    else if (whole < 60)
        snprintf(out, size, "%d s", whole);
    else if (whole < 3600)
        snprintf(out, size, "%d min %d s", whole / 60, whole % 60);
    else
        snprintf(out, size, "%d h %d min", whole / 3600, whole / 60 % 60);
    return out;
}
