/* Mouse and keyboard. Each event is waited for: the program tells where it saw the pointer (state "pointer",
 * "x y") and how many presses, releases and notches it took (state "inputs"), both as of the frame that it
 * drew last. */
#include "tests/editor/driver_private.h"

#include <ctype.h>
#include <stdlib.h>

static const double limit = 20; /* seconds for a frame; slow machines with software drivers are generous */

struct spot {
    int x, y;
};

/* ---- Places ---- */

/* Whether the whole text is "A,B". */
static bool two_numbers(const char *text, double *a, double *b)
{
    char *end = NULL;
    *a = strtod(text, &end);
    if (end == text || *end != ',')
        return false;
    text = end + 1;
    *b = strtod(text, &end);
    return end != text && !*end;
}

/* "NAME@0.5,0.5" or "NAME+10,-5": cuts `name` before the sign and gives the two numbers; 0: the whole is a
 * name. */
static char cut_offset(char *name, double *a, double *b)
{
    for (char *at = name + strlen(name); at-- > name;) {
        if ((*at != '@' && *at != '+') || !two_numbers(at + 1, a, b))
            continue;
        char sign = *at;
        *at = '\0';
        return sign;
    }
    return 0;
}

static struct spot spot_of(struct driver *driver, const char *place)
{
    char name[300];
    double a = 0, b = 0;
    if (two_numbers(place, &a, &b))
        return (struct spot){(int)a, (int)b};
    a = b = 0;
    snprintf(name, sizeof name, "%s", place);
    /* An item of exactly this name comes first, since names may contain any sign. */
    char sign = drive_is(driver, name) ? 0 : cut_offset(name, &a, &b);
    struct drive_rect rect = drive_find(driver, name);
    if (sign == '@')
        return (struct spot){rect.x + (int)(a * rect.w), rect.y + (int)(b * rect.h)};
    return (struct spot){rect.x + rect.w / 2 + (int)a, rect.y + rect.h / 2 + (int)b};
}

/* ---- Waiting for the program ---- */

/* An action may end the program: that is no failure, but another action after it is. */
static void await(struct driver *driver, const char *what)
{
    if (!drive_try(driver, what, limit) && drive_running(driver))
        drive_fail(driver, "waited for '%s' in vain", what);
}

static void need_program(struct driver *driver)
{
    if (!drive_running(driver))
        drive_fail(driver, "the program has ended");
}

static long inputs(struct driver *driver)
{
    return strtol(drive_state(driver, "inputs"), NULL, 10);
}

static void await_inputs(struct driver *driver, long wanted)
{
    char what[64];
    snprintf(what, sizeof what, "inputs>=%ld", wanted);
    await(driver, what);
}

/* The first order warps the pointer, which SDL does not take for a user's movement; the second moves it like
 * a mouse. */
static void point(struct driver *driver, struct spot spot)
{
    char what[64];
    int last = driver->left + spot.x > 0 ? 1 : -1;
    snprintf(what, sizeof what, "pointer=%d %d", spot.x, spot.y);
    drive_order(driver, "mousemove %d %d", driver->left + spot.x - last, driver->top + spot.y);
    drive_order(driver, "mousemove_relative -- %d 0", last);
    await(driver, what);
}

/* What is pointed at may move while the pointer comes near: it grows, or a list opens. */
static struct spot approach(struct driver *driver, const char *place)
{
    need_program(driver);
    struct spot spot = spot_of(driver, place);
    for (int i = 0; i < 10; i++) {
        point(driver, spot);
        struct spot now = spot_of(driver, place);
        if (now.x == spot.x && now.y == spot.y)
            break;
        spot = now;
    }
    return spot;
}

void drive_take_window(struct driver *driver)
{
    char command[300], line[100];
    drive_wait(driver, "inputs>=0", 60); /* waits for a frame; an evaluation may delay it */
    snprintf(command, sizeof command,
             "DISPLAY=%s xdotool search --all --pid %d --onlyvisible --name . windowfocus %%1 "
             "getwindowgeometry --shell %%1 2>&1",
             driver->display, (int)driver->program);
    double end = drive_now() + drive_patience(20);
    bool found = false;
    while (!found && drive_now() < end) {
        FILE *answer = popen(command, "r");
        while (answer && fgets(line, sizeof line, answer)) {
            if (strncmp(line, "X=", 2) == 0)
                driver->left = (int)strtol(line + 2, NULL, 10);
            if (strncmp(line, "Y=", 2) != 0)
                continue;
            driver->top = (int)strtol(line + 2, NULL, 10);
            found = true;
        }
        if (answer)
            pclose(answer);
    }
    if (!found)
        drive_fail(driver, "the program has no window: %s", line);
}

const char *drive_title(const struct driver *driver)
{
    static char title[400];
    char command[200];
    snprintf(command, sizeof command,
             "DISPLAY=%s xdotool search --all --pid %d --onlyvisible --name . getwindowname %%1",
             driver->display, (int)driver->program);
    FILE *answer = popen(command, "r");
    title[0] = '\0';
    if (answer && fgets(title, sizeof title, answer))
        title[strcspn(title, "\n")] = '\0';
    if (answer)
        pclose(answer);
    return title;
}

/* ---- Mouse ---- */

void drive_move(struct driver *driver, const char *to)
{
    approach(driver, to);
}

/* Presses or releases all keys that are named. */
static void hold(struct driver *driver, const char *keys, bool down)
{
    char copy[100], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", keys ? keys : "");
    for (char *key = strtok_r(copy, "+", &rest); key; key = strtok_r(NULL, "+", &rest)) {
        long before = inputs(driver);
        drive_order(driver, "key%s %s", down ? "down" : "up", key);
        await_inputs(driver, before + 1);
    }
}

static void press(struct driver *driver, int button, bool down)
{
    long before = inputs(driver);
    drive_order(driver, "mouse%s %d", down ? "down" : "up", button);
    await_inputs(driver, before + 1);
    driver->pressed = drive_now();
}

/* Comes near a place to press a button there, once what was pressed before cannot make that a double click:
 * SDL counts presses within half a second and 32 pixels. */
static struct spot approach_to_press(struct driver *driver, const char *at)
{
    struct spot spot = approach(driver, at);
    double rest = driver->pressed + 0.55 - drive_now();
    if (rest > 0 && abs(spot.x - driver->pressed_x) <= 33 && abs(spot.y - driver->pressed_y) <= 33)
        drive_pause(rest);
    driver->pressed_x = spot.x;
    driver->pressed_y = spot.y;
    return spot;
}

void drive_click_with(struct driver *driver, const char *at, int button, const char *modifiers)
{
    approach_to_press(driver, at);
    hold(driver, modifiers, true);
    press(driver, button, true);
    press(driver, button, false);
    hold(driver, modifiers, false);
}

void drive_click(struct driver *driver, const char *at)
{
    drive_click_with(driver, at, 1, NULL);
}

void drive_right_click(struct driver *driver, const char *at)
{
    drive_click_with(driver, at, 3, NULL);
}

void drive_double_click(struct driver *driver, const char *at)
{
    approach_to_press(driver, at);
    for (int i = 0; i < 2; i++) {
        press(driver, 1, true);
        press(driver, 1, false);
    }
}

enum { DRAG_STEPS = 8 };

static void go(struct driver *driver, struct spot from, struct spot to)
{
    for (int i = 1; i <= DRAG_STEPS; i++)
        point(driver, (struct spot){from.x + (to.x - from.x) * i / DRAG_STEPS,
                                    from.y + (to.y - from.y) * i / DRAG_STEPS});
}

void drive_drag(struct driver *driver, const char *from, const char *to, int button, const char *modifiers)
{
    struct spot start = approach_to_press(driver, from), end = spot_of(driver, to);
    hold(driver, modifiers, true);
    press(driver, button, true);
    go(driver, start, end);
    press(driver, button, false);
    hold(driver, modifiers, false);
}

void drive_hold(struct driver *driver, const char *from, const char *to)
{
    struct spot start = approach_to_press(driver, from), end = spot_of(driver, to);
    press(driver, 1, true);
    go(driver, start, end);
}

void drive_let_go(struct driver *driver, const char *to, const char *modifiers)
{
    hold(driver, modifiers, true);
    point(driver, spot_of(driver, to));
    press(driver, 1, false);
    hold(driver, modifiers, false);
}

void drive_stroke(struct driver *driver, const char *const *places, const char *modifiers)
{
    enum { STEPS = 6 };
    struct spot at = approach_to_press(driver, places[0]);
    hold(driver, modifiers, true);
    press(driver, 1, true);
    for (int k = 1; places[k]; k++) {
        struct spot to = spot_of(driver, places[k]);
        for (int i = 1; i <= STEPS; i++)
            point(driver, (struct spot){at.x + (to.x - at.x) * i / STEPS, at.y + (to.y - at.y) * i / STEPS});
        at = to;
    }
    press(driver, 1, false);
    hold(driver, modifiers, false);
}

void drive_flick(struct driver *driver, const char *from, const char *over, const char *to)
{
    approach(driver, from);
    struct spot end = spot_of(driver, to), middle = over ? spot_of(driver, over) : end;
    long before = inputs(driver);
    drive_order(driver, "mousedown 1 mousemove %d %d mousemove %d %d mouseup 1", driver->left + middle.x,
                driver->top + middle.y, driver->left + end.x, driver->top + end.y);
    await_inputs(driver, before + 2);
}

void drive_wheel(struct driver *driver, const char *at, int notches)
{
    approach(driver, at);
    for (int i = 0; i < abs(notches); i++) {
        long before = inputs(driver);
        drive_order(driver, "click %d", notches > 0 ? 4 : 5);
        await_inputs(driver, before + 1);
    }
}

/* ---- Keyboard ---- */

/* One press after another, as some widgets take one key of a kind in a frame. */
void drive_key(struct driver *driver, const char *keys)
{
    const char *last = strrchr(keys, '+');
    char before[100];
    need_program(driver);
    snprintf(before, sizeof before, "%.*s", last ? (int)(last - keys) : 0, keys);
    hold(driver, before, true);
    hold(driver, last ? last + 1 : keys, true);
    hold(driver, last ? last + 1 : keys, false);
    hold(driver, before, false);
}

void drive_tap(struct driver *driver, const char *keys)
{
    long count = 1;
    need_program(driver);
    for (const char *c = keys; *c; c++)
        count += *c == '+';
    long before = inputs(driver);
    drive_order(driver, "key %s", keys);
    await_inputs(driver, before + 2 * count);
}

/* The X name of a character of a keyboard of the United States, and whether it takes shift. */
static const char *key_name(char c, bool *shift)
{
    static const char plain[] = "`-=[]\\;',./ ", shifted[] = "~_+{}|:\"<>?";
    static const char *const names[] = {"grave",        "minus",     "equal",     "bracketleft",
                                        "bracketright", "backslash", "semicolon", "apostrophe",
                                        "comma",        "period",    "slash",     "space"};
    static const char digits[] = ")!@#$%^&*(";
    static char one[2];
    const char *at;
    *shift = false;
    if ((at = strchr(plain, c)))
        return names[at - plain];
    *shift = true;
    if ((at = strchr(shifted, c)))
        return names[at - shifted];
    *shift = isupper((unsigned char)c);
    one[0] = (char)tolower((unsigned char)c);
    if ((at = strchr(digits, c))) {
        *shift = true;
        one[0] = (char)('0' + (at - digits));
    }
    return one;
}

void drive_type(struct driver *driver, const char *text)
{
    for (const char *c = text; *c; c++) {
        bool shift;
        need_program(driver);
        const char *name = key_name(*c, &shift);
        if ((unsigned char)*c >= 128)
            drive_fail(driver, "'%s' cannot be typed", text);
        if (shift)
            hold(driver, "shift", true);
        hold(driver, name, true);
        hold(driver, name, false);
        if (shift)
            hold(driver, "shift", false);
    }
}

/* By a process of its own: one that has searched sends its keys to what it found, not to the screen. */
void drive_resize(struct driver *driver, int width, int height)
{
    char command[200];
    snprintf(command, sizeof command,
             "DISPLAY=%s xdotool search --onlyvisible --name . windowmove %%1 0 0 windowsize %%1 %d %d",
             driver->display, width, height);
    if (system(command) != 0)
        drive_fail(driver, "the window cannot be sized");
    driver->left = driver->top = 0;
}
