/* The gallery of the start screen: examples, graphs of the library, and scripts, as cards with pictures, by
 * category; a search finds among all of them. */
#include <stdio.h>
#include <string.h>

#include "editor/panels/panels_private.h"
#include "editor/panels/thumbs.h"

/* Cards are drawn from left to right and downwards. */
struct shelf {
    struct ui_vec from;
    float width, height, gap;
    int columns, next;
    bool waiting; /* for a picture */
    const struct ed_example *opened;
};

static struct shelf begin_shelf(void)
{
    float scale = ui_scale(), gap = 10 * scale, wide = ui_content().w - 4 * scale;
    int columns = (int)((wide + gap) / (190 * scale));
    columns = columns < 1 ? 1 : columns;
    float width = (wide + gap) / (float)columns - gap;
    return (struct shelf){.from = ui_cursor(),
                          .width = width,
                          .height = width * 0.62f + ui_font_size(UI_SMALL) * 3.1f + 16 * scale,
                          .gap = gap,
                          .columns = columns};
}

/* The picture in the program's documentation, else one that is made in the background. */
static void draw_picture(struct ed_session *session, const struct ed_example *example, struct ui_rect picture,
                         bool *waiting)
{
    struct ui_draw *draw = ui_draw_here();
    struct ui_rect whole = {picture.x, picture.y - (picture.w - picture.h) / 2, picture.w, picture.w};
    bool reading = false;
    unsigned texture = ed_thumb(session->panels->thumbs, example->folder, example->name, &reading);
    *waiting |= reading;
    ui_rect_shade(draw, picture, ui_colour(UI_BORDER), ui_colour(UI_PANEL));
    ui_clip_push(draw, picture);
    if (texture)
        ui_draw_image(draw, texture, whole, false);
    else if (reading || !ed_file_sample_draw(session, example->path, draw, whole))
        ui_icon(draw, UI_ICON_SCENE, picture, ui_faded(ui_colour(UI_MUTED), 0.4f));
    ui_clip_pop(draw);
}

static bool draw_card(struct ed_session *session, const struct ed_example *example, struct shelf *shelf)
{
    float scale = ui_scale(), width = shelf->width;
    ui_name("%s:%s", strcmp(example->folder, "examples") == 0 ? "example" : example->folder, example->name);
    bool clicked = ui_area("##card", width, shelf->height);
    struct ui_rect rect = ui_item_rect();
    bool hovered = ui_item_hovered();
    struct ui_draw *draw = ui_draw_here();
    ui_rect_fill(draw, rect, ui_colour(hovered ? UI_HOVERED : UI_RAISED), 6 * scale);
    struct ui_rect picture = {rect.x + 6 * scale, rect.y + 6 * scale, width - 12 * scale, width * 0.62f};
    draw_picture(session, example, picture, &shelf->waiting);
    if (hovered)
        ui_rect_line(draw, rect, ui_colour(UI_ACCENT), 6 * scale, 1.5f * scale);
    struct ui_rect words = {rect.x + 8 * scale, picture.y + picture.h + 5 * scale, width - 16 * scale,
                            rect.y + rect.h - picture.y - picture.h - 8 * scale};
    ui_clip_push(draw, words);
    ui_draw_text_wrapped(draw, UI_SMALL, 0, (struct ui_vec){words.x, words.y}, ui_colour(UI_TEXT),
                         example->title, words.w);
    ui_clip_pop(draw);
    ui_tooltip("%s%s%s", example->title, example->doc[0] ? "\n\n" : "", example->doc);
    return clicked && ui_mouse_released(0);
}

static void add_card(struct ed_session *session, struct shelf *shelf, const struct ed_example *example)
{
    int row = shelf->next / shelf->columns, column = shelf->next % shelf->columns;
    ui_cursor_set((struct ui_vec){shelf->from.x + (float)column * (shelf->width + shelf->gap),
                                  shelf->from.y + (float)row * (shelf->height + shelf->gap)});
    ui_id_push(example->path);
    if (draw_card(session, example, shelf))
        shelf->opened = example;
    ui_id_pop();
    shelf->next++;
}

/* What is below begins in a row of its own. */
static void end_row(struct shelf *shelf)
{
    int rows = (shelf->next + shelf->columns - 1) / shelf->columns;
    shelf->from.y += (float)rows * (shelf->height + shelf->gap);
    shelf->next = 0;
    ui_cursor_set(shelf->from);
}

static void end_shelf(struct ed_session *session, struct shelf *shelf)
{
    if (shelf->waiting)
        ed_wake(session);
    if (shelf->opened)
        ed_open_example(session, shelf->opened->path);
}

/* ---- By category */

static void draw_heading(struct shelf *shelf, const char *category)
{
    char title[128];
    if (!category[0])
        return;
    ui_font_push(UI_BOLD);
    ui_text("%s", ed_category_title(category, title, sizeof title));
    ui_font_pop();
    shelf->from.y = ui_cursor().y + 2 * ui_scale();
}

/* Whether none before it in the list is of the same category. */
static bool is_first(const struct ed_assets *assets, size_t index, const char *folder)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(assets->examples[i].folder, folder) == 0 &&
            strcmp(assets->examples[i].category, assets->examples[index].category) == 0)
            return false;
    return true;
}

static void draw_folder(struct ed_session *session, const char *folder, bool headed)
{
    const struct ed_assets *assets = ed_panels_assets(session);
    struct shelf shelf = begin_shelf();
    for (size_t i = 0; i < assets->example_count; i++) {
        const struct ed_example *first = &assets->examples[i];
        if (strcmp(first->folder, folder) != 0 || !is_first(assets, i, folder))
            continue;
        if (headed)
            draw_heading(&shelf, first->category);
        for (size_t k = i; k < assets->example_count; k++)
            if (strcmp(assets->examples[k].folder, folder) == 0 &&
                strcmp(assets->examples[k].category, first->category) == 0)
                add_card(session, &shelf, &assets->examples[k]);
        if (headed)
            end_row(&shelf);
    }
    end_shelf(session, &shelf);
}

/* ---- By words */

static void draw_found(struct ed_session *session)
{
    const struct ed_assets *assets = ed_panels_assets(session);
    size_t count = assets->example_count;
    struct oro_searched *items = oro_alloc(count + 1, sizeof *items);
    struct oro_match *found = oro_alloc(count + 1, sizeof *found);
    struct shelf shelf = begin_shelf();
    for (size_t i = 0; items && i < count; i++)
        items[i] = (struct oro_searched){.id = assets->examples[i].name,
                                         .label = assets->examples[i].title,
                                         .category = assets->examples[i].category,
                                         .doc = assets->examples[i].doc};
    size_t matches = items && found ? oro_search(session->panels->start.typed, items, count, found) : 0;
    for (size_t i = 0; i < matches; i++)
        add_card(session, &shelf, &assets->examples[found[i].index]);
    if (matches == 0)
        ui_text_coloured(ui_colour(UI_MUTED), "Nothing is called like that, or tells of it.");
    oro_free(items);
    oro_free(found);
    end_shelf(session, &shelf);
}

static void draw_tab(struct ed_session *session, const char *name, const char *label, const char *folder,
                     bool headed)
{
    ui_name("start:%s", name);
    if (!ui_tab_begin(label, NULL))
        return;
    if (ui_child_begin(folder, 0, 0, 0))
        draw_folder(session, folder, headed);
    ui_child_end();
    ui_tab_end();
}

void ed_gallery_draw(struct ed_session *session)
{
    struct ed_start *start = &session->panels->start;
    ui_item_width(ui_content().w - 4 * ui_scale());
    ui_name("start:search");
    ui_input("##search", "Search examples and the library", start->typed, sizeof start->typed, 0);
    if (start->typed[0]) {
        if (ui_child_begin("found", 0, 0, 0))
            draw_found(session);
        ui_child_end();
        return;
    }
    if (!ui_tabs_begin("tabs"))
        return;
    draw_tab(session, "examples", "Examples", "examples", true);
    draw_tab(session, "library", "Landscapes of the library", "library", true);
    draw_tab(session, "scripts", "Scripts in Lua", "lua", false);
    ui_tabs_end();
}
