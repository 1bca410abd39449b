#include "editor/session/workspace.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- The parts */

struct kind {
    const char *word, *title; /* in texts, on the screen */
    float width, height;      /* the least, in units */
    bool aside;               /* beside others it has a size of its own, and no share: */
    float size;               /* in units */
};
static const struct kind kinds[ED_PARTS] = {
    [ED_PART_GRAPH] = {"graph", "Graph", 200, 100, false, 0},
    [ED_PART_INSPECTOR] = {"inspector", "Inspector", 240, 120, true, 340},
    [ED_PART_PALETTE] = {"palette", "Palette", 140, 120, true, 230},
    [ED_PART_LOG] = {"log", "Log", 200, 80, true, 170},
    [ED_PART_VIEW] = {"view", "View 1", 200, 120, false, 0},
    [ED_PART_VIEW + 1] = {"view2", "View 2", 200, 120, false, 0},
    [ED_PART_VIEW + 2] = {"view3", "View 3", 200, 120, false, 0},
    [ED_PART_VIEW + 3] = {"view4", "View 4", 200, 120, false, 0},
};
enum { GAP = 4 }; /* units between panes */

const char *ed_part_title(enum ed_pane_part part)
{
    return part > ED_PART_NONE && part < ED_PARTS ? kinds[part].title : "";
}

/* ---- The tree: a split's first place follows it, and the second follows all that is in the first. */

/* The index behind all that belongs to a place. */
static int end_of(const struct ed_workspace *workspace, int place)
{
    for (int open = 1; open > 0; place++)
        open += workspace->places[place].split ? 1 : -1;
    return place;
}

static int second_of(const struct ed_workspace *workspace, int split)
{
    return end_of(workspace, split + 1);
}

/* -1: it is in no pane. */
static int find(const struct ed_workspace *workspace, enum ed_pane_part part)
{
    for (int i = 0; i < workspace->count; i++)
        if (!workspace->places[i].split && workspace->places[i].part == part)
            return i;
    return -1;
}

static bool is_within(const struct ed_workspace *workspace, int place, enum ed_pane_part part)
{
    int at = find(workspace, part);
    return at >= place && at < end_of(workspace, place);
}

static void insert(struct ed_workspace *workspace, int at, struct ed_place place)
{
    memmove(workspace->places + at + 1, workspace->places + at,
            (size_t)(workspace->count - at) * sizeof place);
    workspace->places[at] = place;
    workspace->count++;
}

static void take_out(struct ed_workspace *workspace, int at)
{
    workspace->count--;
    memmove(workspace->places + at, workspace->places + at + 1,
            (size_t)(workspace->count - at) * sizeof workspace->places[0]);
}

/* Divides a place, whatever is in it, between that and a new pane. */
static void divide(struct ed_workspace *workspace, int place, enum ed_split split, float at,
                   enum ed_pane_part other, bool before)
{
    insert(workspace, before ? place : end_of(workspace, place), (struct ed_place){.part = other});
    insert(workspace, place, (struct ed_place){.split = split, .at = at});
}

bool ed_workspace_has(const struct ed_workspace *workspace, enum ed_pane_part part)
{
    return find(workspace, part) >= 0;
}

enum ed_pane_part ed_workspace_unused(const struct ed_workspace *workspace)
{
    static const enum ed_pane_part order[] = {ED_PART_GRAPH,    ED_PART_VIEW,     ED_PART_VIEW + 1,
                                              ED_PART_VIEW + 2, ED_PART_VIEW + 3, ED_PART_INSPECTOR,
                                              ED_PART_PALETTE,  ED_PART_LOG};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (!ed_workspace_has(workspace, order[i]))
            return order[i];
    return ED_PART_NONE;
}

/* ---- Changes */

bool ed_workspace_split(struct ed_workspace *workspace, enum ed_pane_part part, enum ed_split split,
                        enum ed_pane_part other, bool before)
{
    int place = find(workspace, part);
    if (place < 0 || other <= ED_PART_NONE || other >= ED_PARTS || ed_workspace_has(workspace, other))
        return false;
    float size = kinds[other].size;
    bool own_size = kinds[other].aside && !kinds[part].aside;
    divide(workspace, place, split, !own_size ? 0.5f : before ? size : -size, other, before);
    return true;
}

bool ed_workspace_swap(struct ed_workspace *workspace, enum ed_pane_part part, enum ed_pane_part other)
{
    int place = find(workspace, part), from = find(workspace, other);
    if (place < 0 || other <= ED_PART_NONE || other >= ED_PARTS)
        return false;
    workspace->places[place].part = other;
    if (from >= 0)
        workspace->places[from].part = part;
    return true;
}

bool ed_workspace_close(struct ed_workspace *workspace, enum ed_pane_part part)
{
    int place = find(workspace, part), parent = -1;
    if (place < 0 || workspace->count == 1)
        return false;
    for (int i = 0; i < place; i++)
        if (workspace->places[i].split && (i + 1 == place || second_of(workspace, i) == place))
            parent = i;
    if (parent < 0)
        return false;
    take_out(workspace, place);
    take_out(workspace, parent);
    return true;
}

/* The largest place with the graph and the views, and nothing from the sides of the window. */
static int middle(const struct ed_workspace *workspace)
{
    enum ed_pane_part core = ed_workspace_has(workspace, ED_PART_GRAPH) ? ED_PART_GRAPH : ED_PART_VIEW;
    int place = 0;
    if (!ed_workspace_has(workspace, core))
        return 0;
    while (is_within(workspace, place, ED_PART_PALETTE) || is_within(workspace, place, ED_PART_INSPECTOR))
        place = is_within(workspace, place + 1, core) ? place + 1 : second_of(workspace, place);
    return place;
}

static bool add_view(struct ed_workspace *workspace, enum ed_pane_part view)
{
    for (int i = ED_VIEW_PANES - 1; i >= 0; i--)
        if (ed_workspace_split(workspace, ED_PART_VIEW + (enum ed_pane_part)i, ED_ACROSS, view, false))
            return true;
    divide(workspace, middle(workspace), ED_DOWN, 0.55f, view, true);
    return true;
}

bool ed_workspace_add(struct ed_workspace *workspace, enum ed_pane_part part)
{
    if (part <= ED_PART_NONE || part >= ED_PARTS || ed_workspace_has(workspace, part))
        return false;
    if (ed_part_is_view(part))
        return add_view(workspace, part);
    if (part == ED_PART_PALETTE)
        divide(workspace, 0, ED_ACROSS, kinds[part].size, part, true);
    else if (part == ED_PART_INSPECTOR)
        divide(workspace, 0, ED_ACROSS, -kinds[part].size, part, false);
    else if (part == ED_PART_LOG)
        divide(workspace, middle(workspace), ED_DOWN, -kinds[part].size, part, false);
    else
        divide(workspace, middle(workspace), ED_DOWN, 0.55f, part, false);
    return true;
}

/* ---- Texts */

static bool take_word(const char **text, char word[32])
{
    *text += strspn(*text, " ");
    size_t length = strcspn(*text, " ");
    if (length == 0 || length >= 32)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    return true;
}

static bool read_place(const struct ed_workspace *before, const char **text, struct ed_place *place)
{
    char word[32];
    double at;
    *place = (struct ed_place){0};
    if (!take_word(text, word))
        return false;
    place->split = strcmp(word, "across") == 0 ? ED_ACROSS
                   : strcmp(word, "down") == 0 ? ED_DOWN
                                               : ED_NO_SPLIT;
    if (place->split) {
        if (!take_word(text, word) || !oro_parse_number(word, &at) || !(at > -1e5 && at < 1e5) || at == 0)
            return false;
        place->at = (float)at;
        return true;
    }
    for (int part = 1; part < ED_PARTS; part++)
        if (strcmp(word, kinds[part].word) == 0)
            place->part = (enum ed_pane_part)part;
    return place->part && !ed_workspace_has(before, place->part);
}

bool ed_workspace_read(struct ed_workspace *workspace, const char *text)
{
    struct ed_workspace read = {0};
    for (int open = 1; open > 0; read.count++) {
        struct ed_place place;
        if (read.count == ED_PLACES_MAX || !read_place(&read, &text, &place))
            return false;
        read.places[read.count] = place;
        open += place.split ? 1 : -1;
    }
    if (text[strspn(text, " ")])
        return false;
    *workspace = read;
    return true;
}

void ed_workspace_write(const struct ed_workspace *workspace, char text[ED_WORKSPACE_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < workspace->count && used < ED_WORKSPACE_TEXT; i++) {
        const struct ed_place *place = &workspace->places[i];
        char number[ORO_NUMBER_SIZE];
        /* Rounded, so that files are easy to read: a thousandth of a window is less than a pixel or two. */
        double at = (double)(int)(place->at * 1000 + (place->at < 0 ? -0.5f : 0.5f)) / 1000;
        used += (size_t)(place->split ? snprintf(text + used, ED_WORKSPACE_TEXT - used, "%s%s %s",
                                                 i ? " " : "", place->split == ED_ACROSS ? "across" : "down",
                                                 oro_format_number(at, number))
                                      : snprintf(text + used, ED_WORKSPACE_TEXT - used, "%s%s", i ? " " : "",
                                                 kinds[place->part].word));
    }
}

/* ---- Sizes */

struct sizes {
    const struct ed_workspace *workspace;
    bool left_out[ED_PARTS];
    float unit;
    struct ed_arrangement *out;
};

struct least {
    float w, h; /* pixels; 0: nothing of it is shown */
};

static struct least least_of(const struct sizes *sizes, int place)
{
    const struct ed_place *here = &sizes->workspace->places[place];
    if (!here->split && sizes->left_out[here->part])
        return (struct least){0, 0};
    if (!here->split)
        return (struct least){kinds[here->part].width * sizes->unit, kinds[here->part].height * sizes->unit};
    struct least a = least_of(sizes, place + 1), b = least_of(sizes, second_of(sizes->workspace, place));
    if (a.w == 0 || b.w == 0)
        return a.w == 0 ? b : a;
    float gap = GAP * sizes->unit;
    return here->split == ED_ACROSS ? (struct least){a.w + gap + b.w, a.h > b.h ? a.h : b.h}
                                    : (struct least){a.w > b.w ? a.w : b.w, a.h + gap + b.h};
}

/* How much of `room` the first of two places gets. */
static float first_size(float at, float room, float least, float least_second, float unit)
{
    float size = at < 0 ? room + at * unit : at > 1 ? at * unit : at * room;
    size = size > room - least_second ? room - least_second : size;
    return (float)(int)(size < least ? least : size);
}

static void put(struct sizes *sizes, int place, struct ui_rect rect)
{
    const struct ed_place *here = &sizes->workspace->places[place];
    if (!here->split) {
        sizes->out->parts[here->part] = rect;
        return;
    }
    int second = second_of(sizes->workspace, place);
    struct least a = least_of(sizes, place + 1), b = least_of(sizes, second);
    if (a.w == 0 || b.w == 0) {
        put(sizes, a.w == 0 ? second : place + 1, rect);
        return;
    }
    float gap = GAP * sizes->unit;
    bool across = here->split == ED_ACROSS;
    float room = (across ? rect.w : rect.h) - gap;
    float size = first_size(here->at, room, across ? a.w : a.h, across ? b.w : b.h, sizes->unit);
    struct ui_rect one = rect, between = rect, other = rect;
    if (across) {
        one.w = size, between.x += size, between.w = gap;
        other.x += size + gap, other.w = room - size;
    } else {
        one.h = size, between.y += size, between.h = gap;
        other.y += size + gap, other.h = room - size;
    }
    sizes->out->gaps[sizes->out->gap_count++] = (struct ed_gap){between, rect, place};
    put(sizes, place + 1, one);
    put(sizes, second, other);
}

void ed_workspace_arrange(const struct ed_workspace *workspace, struct ui_rect all, float unit,
                          struct ed_arrangement *arrangement)
{
    static const enum ed_pane_part first_to_go[] = {
        ED_PART_PALETTE,  ED_PART_LOG,      ED_PART_INSPECTOR, ED_PART_VIEW + 3,
        ED_PART_VIEW + 2, ED_PART_VIEW + 1, ED_PART_GRAPH,
    };
    struct sizes sizes = {.workspace = workspace, .unit = unit, .out = arrangement};
    int shown = (workspace->count + 1) / 2;
    *arrangement = (struct ed_arrangement){0};
    for (size_t i = 0; i < sizeof first_to_go / sizeof first_to_go[0] && shown > 1; i++) {
        struct least least = least_of(&sizes, 0);
        if (least.w <= all.w && least.h <= all.h)
            break;
        if (!ed_workspace_has(workspace, first_to_go[i]))
            continue;
        sizes.left_out[first_to_go[i]] = true;
        shown--;
    }
    if (shown > 0)
        put(&sizes, 0, all);
}

void ed_workspace_drag(struct ed_workspace *workspace, const struct ed_gap *gap, float at, float unit)
{
    struct ed_place *split = &workspace->places[gap->place];
    bool across = split->split == ED_ACROSS;
    float room = (across ? gap->whole.w : gap->whole.h) - GAP * unit;
    float first = at - (across ? gap->whole.x : gap->whole.y) - GAP * unit / 2;
    first = first < 2 * unit ? 2 * unit : first > room - 2 * unit ? room - 2 * unit : first;
    split->at = split->at > 1 ? first / unit : split->at < 0 ? (first - room) / unit : first / room;
}

enum ed_pane_part ed_workspace_next(const struct ed_workspace *workspace,
                                    const struct ed_arrangement *arrangement, enum ed_pane_part part,
                                    bool back)
{
    enum ed_pane_part shown[ED_PARTS];
    int count = 0, at = -1;
    for (int i = 0; i < workspace->count; i++) {
        const struct ed_place *place = &workspace->places[i];
        if (place->split || arrangement->parts[place->part].w <= 0)
            continue;
        at = place->part == part ? count : at;
        shown[count++] = place->part;
    }
    if (count == 0)
        return ED_PART_NONE;
    if (at < 0)
        return shown[back ? count - 1 : 0];
    return shown[(at + (back ? count - 1 : 1)) % count];
}
