/* Random actions, as of a restless user. */
#include <ctype.h>
#include <strings.h>

#include "editor/shell/commands.h"
#include "tests/editor/window/soak.h"

/* splitmix64 */
int soak_random(struct soak *soak, int below)
{
    uint64_t z = soak->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return below > 0 ? (int)((z ^ (z >> 31)) % (uint64_t)below) : 0;
}

static const char *any(struct soak *soak, const char *const *list)
{
    int count = 0;
    while (list[count])
        count++;
    return list[soak_random(soak, count)];
}
#define ANY(soak, ...) any(soak, (const char *const[]){__VA_ARGS__, NULL})

static const char *modifiers(struct soak *soak)
{
    return soak_random(soak, 10) < 7 ? NULL : ANY(soak, "ctrl", "shift", "alt");
}

static int button(struct soak *soak)
{
    int n = soak_random(soak, 10);
    return n < 7 ? 1 : n < 9 ? 3 : 2;
}

/* ---- Places, as pixels: things may be gone before they are pointed at */

static bool inside(const struct drive_rect *rect, int x, int y)
{
    return x >= rect->x && y >= rect->y && x < rect->x + rect->w && y < rect->y + rect->h;
}

static bool rect_of(const json_t *item, struct drive_rect *rect)
{
    return json_unpack((json_t *)item, "{s:i, s:i, s:i, s:i}", "x", &rect->x, "y", &rect->y, "w", &rect->w,
                       "h", &rect->h) == 0;
}

/* Leaving is tested elsewhere. */
static bool forbidden(const char *name)
{
    return strcmp(name, "menu:quit") == 0 || strcmp(name, "command:quit") == 0;
}

/* An item within another (NULL: the window) that is on; NULL: none. */
static const json_t *item_within(struct soak *soak, const char *of)
{
    const json_t *items = json_object_get(soak->driver->seen, "items"), *found = NULL, *item;
    struct drive_rect all = {0, 0, soak->width, soak->height}, rect;
    size_t i;
    int seen = 0;
    json_array_foreach(items, i, item) if (of && strcmp(json_string_value(json_object_get(item, "name")),
                                                        of) == 0) rect_of(item, &all);
    json_array_foreach(items, i, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        if (!json_is_true(json_object_get(item, "on")) || !rect_of(item, &rect) || forbidden(name))
            continue;
        int x = rect.x + rect.w / 2, y = rect.y + rect.h / 2;
        if (inside(&all, x, y) && x < soak->width && y < soak->height && soak_random(soak, ++seen) == 0)
            found = item;
    }
    return found;
}

/* The last that was described lies above the others: dialogs. */
static void place_of_item(struct soak *soak, char place[32])
{
    struct drive_rect rect;
    int kind = soak_random(soak, 9);
    const char *of = kind < 3 ? "canvas" : kind < 6 ? "inspector" : kind < 7 ? "view" : NULL;
    const json_t *item = item_within(soak, of);
    if (!item)
        item = item_within(soak, NULL);
    if (!item || !rect_of(item, &rect))
        rect = (struct drive_rect){0, 0, soak->width, soak->height};
    int x = rect.x + (rect.w > 1 ? soak_random(soak, rect.w) : 0);
    int y = rect.y + (rect.h > 1 ? soak_random(soak, rect.h) : 0);
    x = x < 0 ? 0 : x >= soak->width ? soak->width - 1 : x;
    y = y < 0 ? 0 : y >= soak->height ? soak->height - 1 : y;
    snprintf(place, 32, "%d,%d", x, y);
}

static void place(struct soak *soak, char place[32])
{
    drive_look(soak->driver);
    if (soak_random(soak, 5) > 0)
        place_of_item(soak, place);
    else
        snprintf(place, 32, "%d,%d", soak_random(soak, soak->width), soak_random(soak, soak->height));
}

/* The menu's "quit" may lie under any pixel, and a press on the way there cannot be told from others. */
static bool risky(struct soak *soak)
{
    return drive_is(soak->driver, "menu:quit") || drive_is(soak->driver, "command:quit");
}

/* ---- Waiting */

bool soak_settle(struct soak *soak, double seconds)
{
    struct driver *driver = soak->driver;
    char what[64];
    int x = 1 + drive_is(driver, "pointer=1 1"); /* where it is not yet */
    snprintf(what, sizeof what, "pointer=%d 1", x);
    drive_order(driver, "mousemove %d %d", driver->left + x + 1, driver->top + 1);
    drive_order(driver, "mousemove_relative -- -1 0");
    return drive_try(driver, what, seconds);
}

/* ---- Mouse */

/* Reads "120,300". */
static void pixel_of(const char *place, int *x, int *y)
{
    char *comma;
    *x = (int)strtol(place, &comma, 10);
    *y = *comma ? (int)strtol(comma + 1, NULL, 10) : 0;
}

/* Without waiting for what the window makes of it: presses `times`, and drags where `to` is another place. */
static void quick(struct soak *soak, const char *from, const char *to, int times)
{
    struct driver *driver = soak->driver;
    const char *held = modifiers(soak);
    int x, y, u, v, which = button(soak);
    pixel_of(from, &x, &y);
    pixel_of(to, &u, &v);
    drive_order(driver, "mousemove %d %d mousemove_relative -- 1 0", driver->left + x - 1, driver->top + y);
    if (held)
        drive_order(driver, "keydown %s", held);
    for (int i = 0; i < times; i++) {
        drive_order(driver, "mousedown %d", which);
        for (int step = 1; step <= 4 && (x != u || y != v); step++)
            drive_order(driver, "mousemove %d %d", driver->left + x + (u - x) * step / 4,
                        driver->top + y + (v - y) * step / 4);
        drive_order(driver, "mouseup %d", which);
    }
    if (held)
        drive_order(driver, "keyup %s", held);
    soak->events += 2 + times * 2 + (x != u || y != v) * 4;
    soak_settle(soak, 20);
}

static void click(struct soak *soak)
{
    char at[32];
    place(soak, at);
    if (!risky(soak) && soak_random(soak, 3) > 0) {
        quick(soak, at, at, 1 + (soak_random(soak, 6) == 0));
        return;
    }
    if (risky(soak))
        drive_key(soak->driver, "Escape");
    else if (soak_random(soak, 8) == 0)
        drive_double_click(soak->driver, at);
    else
        drive_click_with(soak->driver, at, button(soak), modifiers(soak));
    soak->events += 3;
}

static void drag(struct soak *soak)
{
    char from[32], to[32];
    place(soak, from);
    place(soak, to);
    if (!risky(soak) && soak_random(soak, 3) > 0) {
        quick(soak, from, to, 1);
        return;
    }
    if (risky(soak))
        drive_key(soak->driver, "Escape");
    else
        drive_drag(soak->driver, from, to, button(soak), modifiers(soak));
    soak->events += 10;
}

static void wheel(struct soak *soak)
{
    char at[32];
    int notches = soak_random(soak, 9) - 4;
    place(soak, at);
    drive_wheel(soak->driver, at, notches);
    soak->events += abs(notches) + 1;
}

/* ---- Keyboard */

static const struct {
    const char *own, *x;
} key_names[] = {{"Delete", "Delete"}, {"Backspace", "BackSpace"},
                 {"Enter", "Return"},  {"Escape", "Escape"},
                 {"Space", "space"},   {"Tab", "Tab"},
                 {"Home", "Home"},     {",", "comma"}};

/* "Ctrl+Shift+Z" as X has it: "ctrl+shift+z". */
static void x_keys(const char *keys, char *out, size_t size)
{
    const char *last = strrchr(keys, '+');
    size_t before = last ? (size_t)(last - keys) + 1 : 0;
    const char *name = keys + before;
    snprintf(out, size, "%s", keys);
    for (size_t i = 0; i < before && i < size; i++)
        out[i] = (char)tolower((unsigned char)out[i]);
    if (!name[1] && isalpha((unsigned char)*name))
        out[before] = (char)tolower((unsigned char)*name);
    for (size_t i = 0; i < sizeof key_names / sizeof key_names[0]; i++)
        if (strcmp(name, key_names[i].own) == 0)
            snprintf(out + before, size - before, "%s", key_names[i].x);
}

/* Any key of the table of commands, but the one that leaves; or one of the views' and fields'. */
static void key(struct soak *soak)
{
    char keys[100], out[100];
    int count = 0;
    while (ed_commands[count].id)
        count++;
    const struct ed_command *command = &ed_commands[soak_random(soak, count)];
    const char *named = command->keys;
    if (!named || strcmp(command->id, "quit") == 0)
        named = ANY(soak, "Up", "Down", "Left", "Right", "Prior", "Next", "End", "Return", "Escape",
                    "bracketleft", "bracketright", "shift+bracketleft", "w", "a", "s", "d", "e", "1", "2",
                    "4", "ctrl+a", "Insert", "shift+Home", "ctrl+Left", "alt+Return");
    int parts = 1;
    for (const char *at = named; *at; at++)
        parts += *at == '|';
    for (int skip = soak_random(soak, parts); skip > 0; skip--)
        named = strchr(named, '|') + 1;
    snprintf(keys, sizeof keys, "%.*s", (int)strcspn(named, "|"), named);
    x_keys(keys, out, sizeof out);
    drive_key(soak->driver, out);
    soak->events++;
}

void soak_type(struct soak *soak, const char *text)
{
    drive_order(soak->driver, "type --delay 2 -- \"%s\"", text);
    soak->events += (long)strlen(text);
}

static void type(struct soak *soak)
{
    static const char *const texts[] = {
        "noise",      "amplify",         "hills.2",       "0",    "-1",    "1e30",
        "nan",        "=relief * 2",     "=sin(x) +",     "3.25", "1/0",   "=world.seed",
        "blend",      "thermal erosion", "inf",           "0x20", "65537", "(((((((((",
        "a<b>&amp;c", "%s%n%d",          "0.00000000001", NULL};
    soak_type(soak, any(soak, texts));
    drive_key(soak->driver, ANY(soak, "Return", "Tab", "Escape", "Return"));
}

/* ---- The clipboard */

static const char *const garbage[] = {
    "",
    "no XML at all",
    "<",
    "<orograph",
    "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\"/>",
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><node id=\"a\" type=\"noise\"/><node id=\"a\" "
    "type=\"noise\"/></orograph>",
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><node id=\"a\" type=\"blur\"><in name=\"field\" "
    "from=\"b.field\"/></node><node id=\"b\" type=\"blur\"><in name=\"field\" "
    "from=\"a.field\"/></node></orograph>",
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><node id=\"x\" type=\"nothing_like_it\" x=\"nan\" "
    "y=\"1e300\"><in name=\"?\" value=\"\xff\xfe\"/></node></orograph>",
    "<orograph xmlns=\"urn:orograph:9\" version=\"99\"><graph id=\"g\"><graph id=\"g\"/></graph></orograph>",
    "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbbbbbbbb\">]><orograph>&b;&b;&b;</orograph>",
    "\xc3\x28 \xf0\x28\x8c\xbc \x01\x02\x03",
    NULL};

/* xclip stays, and gives the text until another takes the clipboard. */
static void paste(struct soak *soak)
{
    char path[100], command[300];
    const char *text = any(soak, garbage);
    snprintf(path, sizeof path, "%s/clipboard", soak->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    int times = soak_random(soak, 20) == 0 ? 5000 : 1; /* much of it */
    for (int i = 0; i < times; i++)
        fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command, "DISPLAY=%s xclip -selection clipboard -i %s > /dev/null 2>&1",
             soak->driver->display, path);
    if (soak_random(soak, 2) == 0 && system(command) != 0)
        print_message("there is no xclip: the clipboard holds what the program copied\n");
    drive_key(soak->driver, "ctrl+v");
    soak->events++;
}

/* ---- Rarer things */

static void resize(struct soak *soak)
{
    struct driver *driver = soak->driver;
    int width = 640 + soak_random(soak, driver->width - 639);
    int height = 400 + soak_random(soak, driver->height - 399);
    if (soak_random(soak, 3) == 0) {
        width = driver->width;
        height = driver->height;
    }
    soak_settle(soak, 10);
    drive_resize(driver, width, height);
    soak->width = width;
    soak->height = height;
    soak->events++;
    soak_settle(soak, 10);
}

static void theme(struct soak *soak)
{
    soak_calm(soak);
    drive_key(soak->driver, "F3");
    soak_type(soak, "light theme");
    drive_key(soak->driver, "Return");
    soak->events += 2;
}

/* Many steps in few frames. */
static void history(struct soak *soak)
{
    int count = 1 + soak_random(soak, 40);
    for (int i = 0; i < count; i++)
        drive_order(soak->driver, "key %s", soak_random(soak, 3) > 0 ? "ctrl+z" : "ctrl+shift+z");
    soak->events += count;
    soak_settle(soak, 20);
}

static void build(struct soak *soak)
{
    drive_key(soak->driver, "ctrl+b");
    if (drive_try(soak->driver, "build:start", 1) && soak_random(soak, 3) > 0)
        drive_click(soak->driver, "build:start");
    if (soak_random(soak, 2) > 0 && drive_try(soak->driver, "build:cancel", 0.5))
        drive_click(soak->driver, "build:cancel");
    if (soak_random(soak, 2) > 0)
        drive_key(soak->driver, "Escape");
    soak->events += 5;
}

static void open_dialog(struct soak *soak)
{
    drive_key(soak->driver, ANY(soak, "ctrl+comma", "ctrl+o", "ctrl+shift+s", "F1", "shift+F1", "F3",
                                "ctrl+f", "shift+a", "F12", "ctrl+l"));
    soak->events++;
}

void soak_open(struct soak *soak, const char *path)
{
    soak_calm(soak);
    drive_key(soak->driver, "ctrl+o");
    if (drive_try(soak->driver, "button:Discard", 1))
        drive_click(soak->driver, "button:Discard");
    if (!drive_try(soak->driver, "dialog=chooser", 10))
        drive_fail(soak->driver, "nothing can be opened");
    drive_key(soak->driver, "ctrl+a");
    soak_type(soak, path);
    soak_settle(soak, 20);
    drive_key(soak->driver, "Return");
    soak->events += 5;
}

static void other(struct soak *soak)
{
    static const char *const names[] = {
        "amplify",       "canyon",  "first-range", "hydraulic/hydraulic-parts", "uplift-tree",
        "river-network", "library", "phasor-map",  "hydraulic/thermal-pipes",   NULL};
    char path[128];
    snprintf(path, sizeof path, "%s/work/%s.oro", soak->folder, any(soak, names));
    soak_open(soak, path);
}

/* ---- Coming to rest */

static bool is_calm(struct soak *soak)
{
    return drive_is(soak->driver, "dialog=") && drive_is(soak->driver, "asking=0") &&
           !drive_state(soak->driver, "dragging")[0] && !drive_is(soak->driver, "button:Discard");
}

void soak_calm(struct soak *soak)
{
    for (int i = 0; i < 12; i++) {
        drive_key(soak->driver, "Escape");
        if (i >= 1 && soak_settle(soak, 10) && is_calm(soak))
            return;
    }
    drive_fail(soak->driver, "something stays open");
}

/* ---- The whole */

static const struct {
    int share;
    void (*act)(struct soak *);
} acts[] = {{60, click}, {30, drag},       {12, wheel}, {30, key},    {14, type}, {8, paste},
            {2, resize}, {4, open_dialog}, {1, theme},  {3, history}, {1, build}, {1, other}};

void soak_act(struct soak *soak)
{
    int all = 0;
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        all += acts[i].share;
    int n = soak_random(soak, all);
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        if (n < acts[i].share) {
            acts[i].act(soak);
            return;
        }
        n -= acts[i].share;
    }
}
