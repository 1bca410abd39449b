/* The build dialog: what is written, at what resolution, and the progress. The dialog can be closed while the
 * build runs. */
#include <stdio.h>
#include <string.h>

#include "editor/panels/build_rows.h"
#include "editor/session/world.h"
#include "formats/format.h"

static const char *const network_files[] = {".geojson", ".json", ".gpkg", ".shp",
                                            ".kml",     ".dxf",  ".svg",  NULL};

void ed_build_open(struct ed_session *session)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    const struct oro_world now = ed_world(session), *world = &now;
    dialog->open = true;
    /* What the user chose is kept until the world changes, such as that of another document. */
    if (dialog->world_resolution != world->resolution || dialog->world_seed != world->seed) {
        dialog->resolution = dialog->world_resolution = world->resolution;
        dialog->world_seed = world->seed;
        dialog->seed = (double)world->seed;
    }
    dialog->revision = UINT64_MAX;
    ed_wake(session);
}

static void fill(struct ed_session *session, struct ed_build_options *options,
                 struct ed_build_output outputs[ED_BUILD_ROWS])
{
    const struct ed_build_dialog *dialog = &session->panels->build;
    *options = (struct ed_build_options){.root = ed_project_main(session->project),
                                         .base_resolution = dialog->resolution,
                                         .has_seed = dialog->own_seed,
                                         .seed = (int64_t)dialog->seed,
                                         .require_drained = dialog->require_drained,
                                         .engine = dialog->engine,
                                         .outputs = outputs};
    options->output_count = ed_build_rows_outputs(dialog, outputs);
    ed_live_options_of(session, &options->live);
}

static void estimate(struct ed_session *session)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    struct ed_build_output outputs[ED_BUILD_ROWS];
    struct ed_build_options options;
    struct oro_error err = {0};
    struct ed_build_size sizes[ED_BUILD_ROWS] = {{0, 0}};
    struct ed_live_status live;
    fill(session, &options, outputs);
    ed_live_status(session->live, &live);
    dialog->estimate.sizes = sizes;
    dialog->estimate.device = live.device;
    dialog->estimate_stale = false;
    dialog->problem[0] = '\0';
    dialog->estimate_known = options.output_count > 0 && ed_build_estimate(options.root, &session->registry,
                                                                           &options, &dialog->estimate, &err);
    dialog->estimate.sizes = NULL;
    dialog->estimate.device = NULL;
    for (size_t i = 0, k = 0; i < dialog->count; i++)
        dialog->rows[i].size =
            dialog->estimate_known && dialog->rows[i].on ? sizes[k++] : (struct ed_build_size){0, 0};
    if (err.code != ORO_OK)
        snprintf(dialog->problem, sizeof dialog->problem, "%.500s", err.text);
}

static void start(struct ed_session *session)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    struct ed_build_output outputs[ED_BUILD_ROWS];
    struct ed_build_options options;
    struct oro_error err;
    session->services->strokes_to_disk(session);
    ed_safety_now(session->safety, session->project);
    fill(session, &options, outputs);
    ed_build_destroy(session->build);
    session->build = ed_build_start(&options, &err);
    dialog->phase_seen = ED_BUILD_RUNNING;
    ed_tell(session, session->build, &err);
    ed_wake(session);
}

/* ---- What is to be built */

static void draw_resolution(struct ed_build_dialog *dialog)
{
    static const int sizes[] = {256, 512, 1024, 2048, 4096, 8192};
    double typed = dialog->resolution;
    ui_align_text();
    ui_text("Resolution of the world");
    ui_same_line(-1);
    ui_item_width(90 * ui_scale());
    ui_name("build:resolution");
    if (ui_drag("##resolution", &typed, 4, 8, 16384, "%.0f", UI_WHOLE | UI_CLAMP)) {
        dialog->resolution = (int)typed;
        dialog->estimate_stale = true;
    }
    ui_tooltip("Cells along x; nodes may raise it further. Ctrl+click to type.");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char label[16];
        snprintf(label, sizeof label, "%d", sizes[i]);
        ui_same_line(4 * ui_scale());
        ui_name("build:resolution:%d", sizes[i]);
        bool on = sizes[i] == dialog->resolution;
        if (on ? ui_button_strong(label, 0, 0) : ui_button(label, 0, 0)) {
            dialog->resolution = sizes[i];
            dialog->estimate_stale = true;
        }
    }
}

static void choose_engine(struct ed_build_dialog *dialog, int engine)
{
    dialog->engine = engine;
    dialog->estimate_stale = true;
    ed_build_rows_fit(dialog, oro_engine_at(engine));
}

static void draw_engine(struct ed_build_dialog *dialog)
{
    const struct oro_engine *engine = oro_engine_at(dialog->engine);
    ui_align_text();
    ui_text("For");
    ui_same_line(-1);
    ui_item_width(150 * ui_scale());
    ui_name("build:for");
    if (ui_combo_begin("##for", engine ? engine->title : "any program")) {
        for (int i = 0; oro_engine_names[i]; i++) {
            const struct oro_engine *one = oro_engine_at(i);
            ui_name("build:for:%s", oro_engine_names[i]);
            if (ui_selectable(one ? one->title : "any program", i == dialog->engine, 0))
                choose_engine(dialog, i);
        }
        ui_combo_end();
    }
    ui_tooltip("Terrains get the format, the nearest size and the order of rows that it takes; what to enter "
               "there is said in the log and in FILE.json. Nodes that write files know theirs.");
}

static void draw_options(struct ed_session *session, struct ed_build_dialog *dialog)
{
    ed_build_profiles_draw(session, dialog);
    draw_engine(dialog);
    draw_resolution(dialog);
    ui_name("build:own-seed");
    ui_checkbox("Another seed", &dialog->own_seed);
    ui_same_line(-1);
    ui_disabled_begin(!dialog->own_seed);
    ui_item_width(120 * ui_scale());
    ui_name("build:seed");
    ui_drag("##seed", &dialog->seed, 1, 0, 2147483647, "%.0f", UI_WHOLE | UI_CLAMP);
    ui_disabled_end();
    ui_same_line(20 * ui_scale());
    ui_name("build:drained");
    ui_checkbox("Refuse terrains that do not drain", &dialog->require_drained);
    ui_tooltip("The build fails where water would be caught in a hollow.");
}

static void chosen_file(struct ed_session *session, const char *path, void *user)
{
    struct ed_build_row *row = user;
    (void)session;
    if (path)
        snprintf(row->path, sizeof row->path, "%s", path);
}

static void draw_file(struct ed_session *session, struct ed_build_row *row)
{
    if (row->node_writes) {
        ui_align_text();
        ui_text_coloured(ui_colour(row->path[0] ? UI_MUTED : UI_WARNING), "%s",
                         row->path[0] ? row->path : "names no file");
        return;
    }
    ui_item_width(-ui_widget_height() - 6 * ui_scale());
    ui_name("build:file:%s", row->name);
    ui_input("##file", "File", row->path, sizeof row->path, 0);
    ui_tooltip("Beside the document, or an absolute path. The format follows the extension.");
    ui_same_line(4 * ui_scale());
    if (ui_icon_button("choose", UI_ICON_FOLDER, false, "Choose a file"))
        ed_choose_file(session, &(struct ed_file_question){.title = "Write to",
                                                           .save = true,
                                                           .name = row->path,
                                                           .extensions = row->lines ? network_files
                                                                                    : oro_format_extensions,
                                                           .done = chosen_file,
                                                           .user = row});
}

/* "2017 x 2017, up to 8 MB; replaces" */
static void draw_size(const struct ed_build_row *row)
{
    char text[120] = "", bytes[32];
    double each = ed_build_row_cell_bytes(row);
    int used = 0;
    if (row->on && row->size.width > 0)
        used = snprintf(text, sizeof text, "%d \xc3\x97 %d", row->size.width, row->size.height);
    if (used > 0 && each > 0)
        snprintf(text + used, sizeof text - (size_t)used, ", up to %s",
                 ed_bytes_text((uint64_t)(each * row->size.width * row->size.height), bytes, sizeof bytes));
    ui_align_text();
    if (text[0])
        ui_text_coloured(ui_colour(UI_MUTED), "%s", text);
    if (text[0] && row->exists)
        ui_same_line(-1);
    if (row->exists)
        ui_text_coloured(ui_colour(row->on ? UI_WARNING : UI_MUTED), "%s", row->on ? "replaces" : "exists");
    char key[200];
    snprintf(key, sizeof key, "build_size:%.160s", row->name);
    ed_describe_state(key, "%s", text);
}

static void draw_rows(struct ed_session *session)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    if (dialog->count == 0) {
        ui_text_wrapped(
            "There is nothing to write: add an export node, expose an output, or look at a node.");
        return;
    }
    if (!ui_table_begin("outputs", 4, UI_TABLE_LINES))
        return;
    ui_table_column("on", ui_widget_height());
    ui_table_column("name", 140 * ui_scale());
    ui_table_column("file", 0);
    ui_table_column("there", 230 * ui_scale());
    for (size_t i = 0; i < dialog->count; i++) {
        struct ed_build_row *row = &dialog->rows[i];
        ui_id_push_index((int)i);
        ui_table_row();
        ui_table_next();
        ui_name("build:output:%s", row->name);
        if (ui_checkbox("##on", &row->on))
            dialog->estimate_stale = true;
        ui_table_next();
        ui_align_text();
        ui_text("%s", row->name);
        if (!row->node_writes) {
            ui_same_line(-1);
            ui_text_coloured(ui_colour(UI_MUTED), "%s", strcmp(row->name, row->output) ? row->output : "");
        }
        ui_table_next();
        draw_file(session, row);
        ui_table_next();
        draw_size(row);
        ui_id_pop();
    }
    ui_table_end();
}

/* Looks for the files again now and then: they come and go without notice. */
static void look_at_files(struct ed_session *session)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    if (session->now - dialog->looked < 0.3)
        return;
    dialog->looked = session->now;
    dialog->replaced = ed_build_rows_look(dialog, ed_project_path(session->project));
}

static void draw_start(struct ed_session *session)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    struct ed_build_output outputs[ED_BUILD_ROWS];
    ui_disabled_begin(ed_build_rows_outputs(dialog, outputs) == 0);
    ui_name("build:start");
    if (ui_button_strong("Build", 110 * ui_scale(), 0))
        start(session);
    ui_disabled_end();
    ed_describe_state("build_replaces", "%zu", dialog->replaced);
    if (dialog->replaced == 0)
        return;
    ui_same_line(-1);
    ui_align_text();
    ui_text_coloured(ui_colour(UI_WARNING), "Replaces %zu %s", dialog->replaced,
                     dialog->replaced == 1 ? "file" : "files");
}

static void draw_estimate(struct ed_session *session)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    char bytes[32], time[32], takes[64] = "";
    const struct oro_forecast *forecast = &dialog->estimate.time;
    if (dialog->estimate_stale && !ui_item_active())
        estimate(session);
    if (dialog->estimate_known && forecast->seconds >= 1)
        snprintf(takes, sizeof takes, "; %s %s, less what is stored",
                 forecast->unknown ? "at least" : "about",
                 ed_duration_text(forecast->seconds, time, sizeof time));
    if (dialog->estimate_known)
        ui_text_coloured(ui_colour(UI_MUTED), "At most %d × %d cells, about %s of device memory%s",
                         dialog->estimate.width, dialog->estimate.height,
                         ed_bytes_text(dialog->estimate.peak_bytes, bytes, sizeof bytes), takes);
    else if (dialog->problem[0])
        ui_text_coloured(ui_colour(UI_BAD), "%s", dialog->problem);
    else
        ui_text_coloured(ui_colour(UI_MUTED), "Nothing is chosen.");
}

/* ---- Progress */

static void draw_running(struct ed_session *session, const struct ed_build_status *status)
{
    char text[300], left[48] = "", time[32], spent[32];
    if (status->seconds_left >= 0)
        snprintf(left, sizeof left, ", %s left", ed_duration_text(status->seconds_left, time, sizeof time));
    snprintf(text, sizeof text, "%s", status->node[0] ? status->node : "Begins…");
    ui_progress(status->progress, -1, 0, text);
    ui_text_coloured(ui_colour(UI_MUTED), "Step %zu of %zu, %s so far%s", status->step, status->steps,
                     ed_duration_text(status->seconds, spent, sizeof spent), left);
    ui_name("build:cancel");
    if (ui_button("Cancel", 110 * ui_scale(), 0))
        ed_build_cancel(session->build);
    ui_same_line(-1);
    ui_align_text();
    ui_text_coloured(ui_colour(UI_MUTED), "This window may be closed: the status line shows how far it is.");
    ed_wake(session);
}

static void draw_ended(struct ed_session *session, const struct ed_build_status *status)
{
    char time[32];
    ed_duration_text(status->seconds, time, sizeof time);
    if (status->phase == ED_BUILD_DONE) {
        ui_text_coloured(ui_colour(UI_GOOD), "Done in %s", time);
    } else if (status->phase == ED_BUILD_CANCELLED) {
        ui_text_coloured(ui_colour(UI_WARNING), "Cancelled after %s", time);
    } else {
        ui_text_coloured(ui_colour(UI_BAD),
                         status->problem_node[0] ? "The build failed at" : "The build failed:");
        if (status->problem_node[0])
            ui_same_line(-1);
        if (status->problem_node[0] && ui_link(status->problem_node))
            session->services->show_node(session, status->problem_node);
        ui_text_wrapped(status->problem);
    }
    const char *file;
    for (size_t i = 0; (file = ed_build_file(session->build, i)) != NULL; i++) {
        ui_id_push_index((int)i);
        ui_name("build:written:%zu", i);
        if (ui_small_button("Show in folder"))
            ed_show_folder(session, file);
        ui_same_line(-1);
        ui_text("%s", file);
        ui_id_pop();
    }
}

static void take_log(void *user, enum oro_level level, const char *text)
{
    struct ed_session *session = user;
    if (level != ORO_DEBUG)
        ed_message(&session->messages, level == ORO_WARNING ? ED_WARNING : ED_NOTICE, "", "Build: %s", text);
}

/* Tells once how the build ended, whether the dialog is open or not. */
static void tell(struct ed_session *session, const struct ed_build_status *status)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    ed_build_log(session->build, take_log, session);
    if ((int)status->phase == dialog->phase_seen)
        return;
    dialog->phase_seen = (int)status->phase;
    char time[32];
    ed_duration_text(status->seconds, time, sizeof time);
    size_t files = 0;
    while (ed_build_file(session->build, files))
        files++;
    if (status->phase == ED_BUILD_DONE)
        ed_message(&session->messages, ED_NOTICE, "", "Build done in %s: %zu %s written", time, files,
                   files == 1 ? "file" : "files");
    else if (status->phase == ED_BUILD_FAILED)
        ed_message(&session->messages, ED_ERROR, status->problem_node, "Build failed: %s", status->problem);
    else if (status->phase == ED_BUILD_CANCELLED)
        ed_message(&session->messages, ED_NOTICE, "", "Build cancelled after %s", time);
    ed_wake(session);
}

static void draw_inside(struct ed_session *session, const struct ed_build_status *status)
{
    struct ed_build_dialog *dialog = &session->panels->build;
    bool running = session->build && status->phase == ED_BUILD_RUNNING;
    look_at_files(session);
    ui_disabled_begin(running);
    draw_options(session, dialog);
    ui_spacing();
    ui_font_push(UI_BOLD);
    ui_text("Write");
    ui_font_pop();
    float below = ui_widget_height() * 3 + ui_line_height() * 4;
    struct ui_rect left = ui_content();
    if (ui_child_begin("rows", 0, left.h - below > 60 ? left.h - below : 60, 0))
        draw_rows(session);
    ui_child_end();
    draw_estimate(session);
    ui_disabled_end();
    if (running) {
        draw_running(session, status);
        return;
    }
    draw_start(session);
    if (session->build)
        draw_ended(session, status);
}

void ed_build_draw(struct ed_session *session)
{
    static const char *const phases[] = {"running", "done", "failed", "cancelled"};
    struct ed_build_dialog *dialog = &session->panels->build;
    struct ed_build_status status = {0};
    if (session->build) {
        ed_build_status(session->build, &status);
        tell(session, &status);
    }
    ed_describe_state("build", "%s", session->build ? phases[status.phase] : "");
    ed_describe_state("build_progress", "%.2f", (double)status.progress);
    if (!dialog->open)
        return;
    if (dialog->revision != ed_project_revision(session->project)) {
        dialog->revision = ed_project_revision(session->project);
        ed_build_rows_list(session, dialog);
        dialog->estimate_stale = true;
    }
    if (ui_window_begin("Build", &dialog->open, 780 * ui_scale(), 470 * ui_scale(), 0))
        draw_inside(session, &status);
    ui_window_end();
}
