/* The world in the inspector: how large it is, and where it lies on Earth. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/inspector/fields.h"
#include "editor/session/world.h"
#include "formats/crs.h"

/* ---- Numbers ---- */

enum world_part { EXTENT, RESOLUTION, ASPECT, SEED, PARTS };
static const struct {
    const char *name, *label, *doc;
    struct ed_range range;
} world_parts[PARTS] = {
    {"extent",
     "Extent",
     "Metres along x: how large the terrain is",
     {1000, 200000, 1, 1e7, false, false, ORO_METRE}},
    {"resolution",
     "Resolution",
     "Cells along x of what is made from nothing; nodes like amplify raise it",
     {32, 2048, 1, 16384, true, false, ORO_CELL}},
    {"aspect",
     "Aspect",
     "Height of the world as a share of its width",
     {0.25, 4, 0.01, 100, false, false, ORO_NO_UNIT}},
    {"seed", "Seed", "Another number gives another world", {0, 1000, 0, 0, true, false, ORO_NO_UNIT}},
};

/* The parts that may be expressions. */
static const enum oro_world_number number_of[] = {
    [EXTENT] = ORO_WORLD_EXTENT, [RESOLUTION] = ORO_WORLD_RESOLUTION, [ASPECT] = ORO_WORLD_ASPECT};

static double part_of(const struct oro_world *world, enum world_part part)
{
    return part == EXTENT       ? world->extent
           : part == RESOLUTION ? world->resolution
           : part == ASPECT     ? world->aspect
                                : (double)world->seed;
}

static bool set_part(struct oro_world *world, enum world_part part, double value, struct oro_error *err)
{
    const struct ed_range *range = &world_parts[part].range;
    if ((range->min != 0 || range->max != 0) && (value < range->min || value > range->max))
        return oro_fail(err, ORO_E_USAGE, "must be from %g to %g", range->min, range->max);
    if (range->whole && value != floor(value))
        return oro_fail(err, ORO_E_USAGE, "must be a whole number");
    if (part != SEED)
        oro_world_set(world, number_of[part], value);
    else if (fabs(value) < 9e15)
        world->seed = (int64_t)value;
    return true;
}

/* Sets the world as one step, or says under the widget why not. */
static void set_world(struct ed_session *session, const struct ed_change *change,
                      const struct oro_world *world)
{
    struct oro_error err = {0};
    char name[80];
    if (!oro_world_valid(world, &err)) {
        ed_refuse(session, change, err.text);
        return;
    }
    ed_unrefuse(session, change->id, change->part);
    snprintf(name, sizeof name, "Change the world's %s", change->part);
    struct oro_document *doc = ed_edit_begin_root(session->project, name, &err);
    bool ok = doc && oro_edit_world(doc, world, &err);
    ed_tell(session, ed_edit_end(session->project, ok, &err), &err);
}

static void act_world(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_world world = *oro_document_world(ed_project_root(session->project));
    enum world_part part = EXTENT;
    double value;
    while (part + 1 < PARTS && strcmp(world_parts[part].name, change->part) != 0)
        part++;
    if (change->text && change->text[0] == '=' && part != SEED) {
        char *expr = oro_copy_text(change->text + 1);
        world.exprs[number_of[part]] = expr;
        if (expr)
            set_world(session, change, &world);
        else
            ed_change_lost(session);
        oro_free(expr);
        return;
    }
    if (!change->text || !ed_number_parse(change->text, world_parts[part].range.unit, &value, &err) ||
        !set_part(&world, part, value, &err)) {
        ed_refuse(session, change, err.text);
        return;
    }
    set_world(session, change, &world);
}

static void draw_number(struct ed_session *session, const struct oro_world *world, enum world_part part)
{
    const char *name_of = world_parts[part].name;
    char name[40], key[40], text[ORO_NUMBER_SIZE];
    double value = part_of(world, part);
    snprintf(name, sizeof name, "world:%s", name_of);
    struct ed_number number = {.name = name,
                               .id = "world",
                               .part = name_of,
                               .value = value,
                               .range = world_parts[part].range,
                               .commit = act_world};
    bool told = session->located.number && world->from && (part == EXTENT || part == ASPECT);
    const char *expr = part == SEED ? NULL : world->exprs[number_of[part]];
    number.fixed = told;
    number.range.logarithmic = part == RESOLUTION || part == EXTENT || part == ASPECT;
    number.width = ed_label_draw(world_parts[part].label, true);
    ed_number_draw(session, &number);
    if (!ed_text_is_open(session, "world", name_of))
        ui_tooltip("%s%s%s%s", world_parts[part].doc, told ? ". It is that of the file" : "",
                   expr ? "\n= " : "", expr ? expr : "");
    ed_refused_draw(session, "world", name_of);
    snprintf(key, sizeof key, "value:world:%s", name_of);
    ed_describe_state(key, "%s", oro_format_number(value, text));
}

/* ---- Place ---- */

static void act_crs(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_world world = *oro_document_world(ed_project_root(session->project));
    char *text = oro_copy_text(change->text ? change->text : "");
    if (!text) {
        ed_change_lost(session);
        return;
    }
    world.crs = text + strspn(text, " \t");
    for (size_t length = strlen(world.crs); length > 0 && strchr(" \t\n", world.crs[length - 1]); length--)
        world.crs[length - 1] = '\0';
    if (!world.crs[0]) {
        world.crs = NULL;
        world.west = world.north = 0;
    }
    if (!world.crs || oro_crs_check(world.crs, &err))
        set_world(session, change, &world);
    else
        ed_refuse(session, change, err.text);
    oro_free(text);
}

static void act_origin(struct ed_session *session, const struct ed_change *change)
{
    struct oro_world world = *oro_document_world(ed_project_root(session->project));
    char x[40] = "", y[40] = "", rest[2] = "";
    int parts = sscanf(change->text ? change->text : "", " %39[^ ,] %*[, ] %39s %1s", x, y, rest);
    parts = parts < 2 ? sscanf(change->text ? change->text : "", " %39s %39s %1s", x, y, rest) : parts;
    world.west = world.north = 0;
    if (parts > 0 && (parts != 2 || !oro_parse_number(x, &world.west) || !oro_parse_number(y, &world.north)))
        ed_refuse(session, change, "write two numbers: metres east and north, of the north-west corner");
    else
        set_world(session, change, &world);
}

/* A level, "=EXPRESSION", or nothing: there is no sea. */
static void act_sea(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_world world = *oro_document_world(ed_project_root(session->project));
    char *text = oro_copy_text(change->text ? change->text + strspn(change->text, " \t") : "");
    double level = 0;
    world.has_sea = text && text[0];
    world.exprs[ORO_WORLD_SEA] = NULL;
    if (!text)
        ed_change_lost(session);
    else if (text[0] && text[0] != '=' && !ed_number_parse(text, ORO_METRE, &level, &err))
        ed_refuse(session, change, err.text);
    else {
        if (text[0] == '=')
            world.exprs[ORO_WORLD_SEA] = text + 1;
        else if (text[0])
            oro_world_set(&world, ORO_WORLD_SEA, level);
        set_world(session, change, &world);
    }
    oro_free(text);
}

/* `text` "": nowhere. */
static void act_from(struct ed_session *session, const struct ed_change *change)
{
    struct oro_world world = *oro_document_world(ed_project_root(session->project));
    char node[128];
    snprintf(node, sizeof node, "%s", change->text ? change->text : "");
    world.from = node[0] ? node : NULL;
    set_world(session, change, &world);
}

static void draw_from(struct ed_session *session, const struct oro_world *world)
{
    const struct oro_document *root = ed_project_root(session->project);
    ui_item_width(ed_label_draw("Lies where", true));
    ui_name("world:from");
    bool open = ui_combo_begin("##from", world->from ? world->from : "\xe2\x80\x93");
    if (!open)
        ui_tooltip("A node that reads a file: extent, aspect and place of the world are then the file's");
    if (open && ui_selectable("\xe2\x80\x93", !world->from, 0))
        ed_later(session, &(struct ed_change){.act = act_from, .id = "world", .part = "from", .text = ""});
    for (size_t i = 0; open && i < oro_document_node_count(root); i++) {
        const struct oro_doc_node *node = oro_document_node(root, i);
        const struct oro_node_type *type = ed_type_of(session, node);
        if (!type || !type->site)
            continue;
        ui_name("world:from:%s", node->id);
        if (ui_selectable(node->id, world->from && strcmp(world->from, node->id) == 0, 0))
            ed_later(session,
                     &(struct ed_change){.act = act_from, .id = "world", .part = "from", .text = node->id});
    }
    if (open)
        ui_combo_end();
    ed_refused_draw(session, "world", "from");
    ed_describe_state("value:world:from", "%s", world->from ? world->from : "");
}

static void draw_text(struct ed_session *session, struct ed_text_field *field, const char *label,
                      const char *doc, bool told)
{
    char key[40];
    field->id = "world";
    field->width = ed_label_draw(label, true);
    ui_disabled_begin(told);
    ed_text_draw(session, field);
    ui_disabled_end();
    if (!ed_text_is_open(session, "world", field->part))
        ui_tooltip("%s%s", doc, told ? ". It is that of the file" : "");
    ed_refused_draw(session, "world", field->part);
    snprintf(key, sizeof key, "value:%s", field->name);
    ed_describe_state(key, "%s", field->text);
}

static void draw_place(struct ed_session *session, const struct oro_world *world)
{
    const struct oro_world *own = oro_document_world(ed_project_root(session->project));
    char origin[2 * ORO_NUMBER_SIZE + 2] = "", numbers[2][ORO_NUMBER_SIZE], sea[100] = "";
    bool own_place = own->crs && world->crs && strcmp(own->crs, world->crs) == 0 &&
                     own->west == world->west && own->north == world->north;
    bool told = world->from && world->crs && !own_place;
    if (world->crs)
        snprintf(origin, sizeof origin, "%s %s", oro_format_number(world->west, numbers[0]),
                 oro_format_number(world->north, numbers[1]));
    draw_from(session, world);
    if (own->exprs[ORO_WORLD_SEA])
        snprintf(sea, sizeof sea, "=%.90s", own->exprs[ORO_WORLD_SEA]);
    else if (own->has_sea)
        oro_format_number(own->sea, sea);
    draw_text(session,
              &(struct ed_text_field){
                  .name = "world:sea", .part = "sea", .text = sea, .hint = "none", .commit = act_sea},
              "Sea", "Level of the sea in metres: water has arrived there, in every file that is written",
              false);
    draw_text(session,
              &(struct ed_text_field){.name = "world:crs",
                                      .part = "crs",
                                      .text = world->crs ? world->crs : "",
                                      .hint = "nowhere on Earth",
                                      .commit = act_crs},
              "System",
              "Coordinate system that the world lies in: EPSG:N or WKT, projected, in metres, such as a zone "
              "of UTM",
              told);
    draw_text(session,
              &(struct ed_text_field){.name = "world:origin",
                                      .part = "origin",
                                      .text = origin,
                                      .hint = "east north",
                                      .commit = act_origin},
              "Origin", "North-west corner of the world in that system: metres east and north", told);
}

/* Why the file that says where the world lies does not say it. */
static void draw_trouble(struct ed_session *session, const struct oro_world *world)
{
    struct ed_live_status status = {0};
    if (!world->from || session->located.number || !session->live)
        return;
    ed_live_status(session->live, &status);
    if (status.problem[0])
        ed_reason_draw(status.problem);
}

static void draw_corners(const struct oro_world *world, const struct oro_grid *grid)
{
    double east = world->west + grid->width * grid->cell, south = world->north - grid->height * grid->cell;
    if (!world->crs)
        return;
    ui_text_coloured(ui_colour(UI_MUTED), "%.0f to %.0f east, %.0f to %.0f north", world->west, east, south,
                     world->north);
    ed_describe_state("world:corners", "%.0f %.0f %.0f %.0f", world->west, south, east, world->north);
}

void ed_inspect_world(struct ed_session *session)
{
    const struct oro_world world = ed_world(session);
    const struct oro_grid grid = oro_world_grid(&world);
    char cell[ED_NUMBER_TEXT];
    ui_name("section:World");
    if (!ui_header("World", true))
        return;
    for (int i = 0; i < PARTS; i++)
        draw_number(session, &world, (enum world_part)i);
    draw_place(session, &world);
    draw_trouble(session, &world);
    ui_text_coloured(ui_colour(UI_MUTED), "%d \xc3\x97 %d cells of %s", grid.width, grid.height,
                     ed_number_text(world.extent / (grid.width > 0 ? grid.width : 1), ORO_METRE, cell));
    draw_corners(&world, &grid);
}
