/* The tree of panes: splits, swaps, closes, sizes, and texts that may say anything. */
#include <stdlib.h>
#include <string.h>

#include "editor/session/workspace.h"
#include "tests/support/test.h"

static const char usual[] = "across 230 palette across -340 down 0.55 view graph inspector";
static const struct ui_rect window = {0, 20, 1600, 900};

static struct ed_workspace made(const char *text)
{
    struct ed_workspace workspace = {0};
    assert_true(ed_workspace_read(&workspace, text));
    return workspace;
}

static void is(const struct ed_workspace *workspace, const char *text)
{
    char written[ED_WORKSPACE_TEXT];
    ed_workspace_write(workspace, written);
    assert_string_equal(written, text);
}

TEST(texts_are_read_and_written)
{
    static const char *const texts[] = {usual, "graph", "down 0.5 log palette",
                                        "across 0.5 down 0.25 view view2 down -100 view3 across 0.125 view4 "
                                        "across 300 graph down 20 log across "
                                        "0.5 palette inspector"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ed_workspace workspace = made(texts[i]);
        is(&workspace, texts[i]);
    }
}

TEST(wrong_texts_change_nothing)
{
    static const char *const wrong[] = {"",
                                        " ",
                                        "across",
                                        "across 0.5",
                                        "across 0.5 view",
                                        "across view graph",
                                        "across 0 view graph",
                                        "across nan view graph",
                                        "across inf view graph",
                                        "down 1e9 view graph",
                                        "view graph",
                                        "view view",
                                        "across 0.5 view view",
                                        "canvas",
                                        "upwards 0.5 view graph",
                                        "across 0.5 view graph log",
                                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    struct ed_workspace workspace = made(usual);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(ed_workspace_read(&workspace, wrong[i]));
        is(&workspace, usual);
    }
    char deep[4096] = "";
    for (int i = 0; i < 300; i++)
        strcat(deep, "across 0.5 ");
    assert_false(ed_workspace_read(&workspace, deep));
    is(&workspace, usual);
}

TEST(panes_split_swap_and_close)
{
    struct ed_workspace workspace = made("down 0.55 view graph");
    assert_true(ed_workspace_split(&workspace, ED_PART_VIEW, ED_ACROSS, ED_PART_VIEW + 1, false));
    is(&workspace, "down 0.55 across 0.5 view view2 graph");
    assert_true(ed_workspace_split(&workspace, ED_PART_GRAPH, ED_ACROSS, ED_PART_INSPECTOR, false));
    is(&workspace, "down 0.55 across 0.5 view view2 across -340 graph inspector");
    assert_true(ed_workspace_split(&workspace, ED_PART_GRAPH, ED_DOWN, ED_PART_LOG, true));
    is(&workspace, "down 0.55 across 0.5 view view2 across -340 down 170 log graph inspector");
    assert_false(ed_workspace_split(&workspace, ED_PART_GRAPH, ED_DOWN, ED_PART_VIEW, false)); /* is there */
    assert_false(ed_workspace_split(&workspace, ED_PART_PALETTE, ED_DOWN, ED_PART_VIEW + 2, false));

    assert_true(ed_workspace_swap(&workspace, ED_PART_VIEW, ED_PART_INSPECTOR));
    is(&workspace, "down 0.55 across 0.5 inspector view2 across -340 down 170 log graph view");
    assert_true(ed_workspace_swap(&workspace, ED_PART_LOG, ED_PART_PALETTE));
    is(&workspace, "down 0.55 across 0.5 inspector view2 across -340 down 170 palette graph view");
    assert_false(ed_workspace_swap(&workspace, ED_PART_LOG, ED_PART_GRAPH));

    assert_true(ed_workspace_close(&workspace, ED_PART_VIEW + 1));
    is(&workspace, "down 0.55 inspector across -340 down 170 palette graph view");
    assert_true(ed_workspace_close(&workspace, ED_PART_VIEW));
    assert_true(ed_workspace_close(&workspace, ED_PART_PALETTE));
    is(&workspace, "down 0.55 inspector graph");
    assert_false(ed_workspace_close(&workspace, ED_PART_PALETTE));
    assert_true(ed_workspace_close(&workspace, ED_PART_INSPECTOR));
    assert_false(ed_workspace_close(&workspace, ED_PART_GRAPH)); /* the last one */
    is(&workspace, "graph");
}

/* What is closed comes back where it was at home. */
TEST(parts_are_added_at_home)
{
    struct ed_workspace workspace = made("graph");
    assert_true(ed_workspace_add(&workspace, ED_PART_INSPECTOR));
    assert_true(ed_workspace_add(&workspace, ED_PART_PALETTE));
    assert_true(ed_workspace_add(&workspace, ED_PART_VIEW));
    is(&workspace, "across 230 palette across -340 down 0.55 view graph inspector");
    assert_true(ed_workspace_add(&workspace, ED_PART_LOG));
    is(&workspace, "across 230 palette across -340 down -170 down 0.55 view graph log inspector");
    assert_false(ed_workspace_add(&workspace, ED_PART_LOG));
    for (enum ed_pane_part unused; (unused = ed_workspace_unused(&workspace)) != ED_PART_NONE;)
        assert_true(ed_workspace_add(&workspace, unused));
    assert_int_equal(workspace.count, 2 * (ED_PARTS - 1) - 1);
    workspace = made("across 230 palette inspector");
    assert_true(ed_workspace_add(&workspace, ED_PART_LOG));
    assert_true(ed_workspace_add(&workspace, ED_PART_GRAPH));
}

TEST(all_of_the_window_is_used)
{
    struct ed_workspace workspace = made(usual);
    struct ed_arrangement all;
    ed_workspace_arrange(&workspace, window, 1, &all);
    const struct ui_rect *palette = &all.parts[ED_PART_PALETTE], *inspector = &all.parts[ED_PART_INSPECTOR];
    const struct ui_rect *view = &all.parts[ED_PART_VIEW], *graph = &all.parts[ED_PART_GRAPH];
    assert_float_equal(palette->w, 230, 0);
    assert_float_equal(inspector->w, 340, 0);
    assert_float_equal(inspector->x + inspector->w, 1600, 0);
    assert_float_equal(palette->h, 900, 0);
    assert_float_equal(view->w, 1600 - 230 - 340 - 8, 0);
    assert_float_equal(view->h, (float)(int)(0.55f * 896), 0);
    assert_float_equal(graph->y + graph->h, 920, 0);
    assert_int_equal(all.gap_count, 3);
    assert_float_equal(all.parts[ED_PART_LOG].w, 0, 0);
}

/* On a small window at a large scale, the sides give way; the sizes chosen stay chosen. */
TEST(panes_keep_their_least_sizes)
{
    struct ed_workspace workspace = made(usual);
    struct ed_arrangement all;
    ed_workspace_arrange(&workspace, (struct ui_rect){0, 0, 800, 514}, 2, &all);
    assert_true(all.parts[ED_PART_VIEW].h >= 240 && all.parts[ED_PART_GRAPH].h >= 200);
    assert_float_equal(all.parts[ED_PART_VIEW].w, 800, 0);
    assert_float_equal(all.parts[ED_PART_PALETTE].w + all.parts[ED_PART_INSPECTOR].w, 0, 0);
    assert_int_equal(all.gap_count, 1);
    ed_workspace_arrange(&workspace, (struct ui_rect){0, 0, 620, 514}, 1, &all);
    assert_true(all.parts[ED_PART_PALETTE].w >= 140 && all.parts[ED_PART_INSPECTOR].w >= 200);
    assert_true(all.parts[ED_PART_GRAPH].w >= 200);
    ed_workspace_arrange(&workspace, (struct ui_rect){0, 0, 50, 30}, 2, &all); /* one is left */
    assert_float_equal(all.parts[ED_PART_VIEW].w, 50, 0);
    ed_workspace_arrange(&workspace, (struct ui_rect){0, 0, 0, 0}, 2, &all);
    workspace = made("across 0.5 log palette");
    ed_workspace_arrange(&workspace, (struct ui_rect){0, 0, 50, 30}, 2, &all);
    assert_float_equal(all.parts[ED_PART_LOG].w, 50, 0);
    is(&workspace, "across 0.5 log palette");
}

TEST(gaps_are_dragged)
{
    struct ed_workspace workspace = made(usual);
    struct ed_arrangement all;
    ed_workspace_arrange(&workspace, window, 1, &all);
    ed_workspace_drag(&workspace, &all.gaps[0], 302, 1);
    ed_workspace_drag(&workspace, &all.gaps[1], 1198, 1);
    ed_workspace_drag(&workspace, &all.gaps[2], 20 + 450, 1);
    is(&workspace, "across 300 palette across -400 down 0.5 view graph inspector");
    ed_workspace_drag(&workspace, &all.gaps[1], 1e6F, 1); /* beyond the window */
    ed_workspace_drag(&workspace, &all.gaps[0], -1e6F, 1);
    ed_workspace_arrange(&workspace, window, 1, &all);
    assert_float_equal(all.parts[ED_PART_PALETTE].w, 140, 0);
    assert_float_equal(all.parts[ED_PART_INSPECTOR].w, 240, 0);
}

TEST(the_keyboard_goes_round)
{
    struct ed_workspace workspace = made(usual);
    struct ed_arrangement all;
    ed_workspace_arrange(&workspace, window, 1, &all);
    enum ed_pane_part part = ED_PART_NONE;
    static const enum ed_pane_part way[] = {ED_PART_PALETTE, ED_PART_VIEW, ED_PART_GRAPH, ED_PART_INSPECTOR,
                                            ED_PART_PALETTE};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(part = ed_workspace_next(&workspace, &all, part, false), way[i]);
    assert_int_equal(ed_workspace_next(&workspace, &all, part, true), ED_PART_INSPECTOR);
    ed_workspace_arrange(&workspace, (struct ui_rect){0, 0, 800, 514}, 2, &all); /* not to what is left out */
    assert_int_equal(ed_workspace_next(&workspace, &all, ED_PART_GRAPH, false), ED_PART_VIEW);
}
