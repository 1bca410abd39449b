/* Tells what is on the screen, from the description that the program writes. */
#include "tests/editor/driver_private.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file is written by renaming, so it is always whole. */
void drive_look(struct driver *driver)
{
    struct stat info;
    if (stat(driver->description, &info) != 0)
        return;
    int64_t inode = (int64_t)info.st_ino;
    int64_t time = (int64_t)info.st_mtim.tv_sec * 1000000000 + (int64_t)info.st_mtim.tv_nsec;
    if (driver->seen && inode == driver->seen_inode && time == driver->seen_time)
        return;
    json_t *seen = json_load_file(driver->description, 0, NULL);
    if (!seen)
        return;
    json_decref(driver->seen);
    driver->seen = seen;
    driver->seen_inode = inode;
    driver->seen_time = time;
}

static const json_t *item_of(const struct driver *driver, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(driver->seen, "items"), i, item)
    {
        const char *own = json_string_value(json_object_get(item, "name"));
        if (own && strcmp(own, name) == 0)
            return item;
    }
    return NULL;
}

static bool is_on(const struct driver *driver, const char *name)
{
    return json_is_true(json_object_get(item_of(driver, name), "on"));
}

const char *drive_state(struct driver *driver, const char *key)
{
    drive_look(driver);
    const char *text = json_string_value(json_object_get(json_object_get(driver->seen, "state"), key));
    return text ? text : "";
}

/* "key=value": where the sign is, or NULL for the name of an item. */
static const char *sign_of(const char *what)
{
    const char *at = what;
    while (isalnum((unsigned char)*at) || (*at && strchr("_:.-", *at)))
        at++;
    return at > what && (*at == '=' || *at == '<' || *at == '>' || (*at == '!' && at[1] == '=')) ? at : NULL;
}

static bool holds(const struct driver *driver, const char *what, const char *sign)
{
    char key[100];
    snprintf(key, sizeof key, "%.*s", (int)(sign - what), what);
    const char *text = json_string_value(json_object_get(json_object_get(driver->seen, "state"), key));
    bool equal = sign[1] == '=';
    const char *wanted = sign + 1 + (*sign != '=' && equal);
    if (!text)
        return *sign == '!';
    if (*sign == '=')
        return strcmp(text, wanted) == 0;
    if (*sign == '!')
        return strcmp(text, wanted) != 0;
    double a = strtod(text, NULL), b = strtod(wanted, NULL);
    return *sign == '<' ? (equal ? a <= b : a < b) : (equal ? a >= b : a > b);
}

bool drive_is(struct driver *driver, const char *what)
{
    drive_look(driver);
    const char *sign = sign_of(what);
    if (!driver->seen)
        return false;
    if (sign)
        return holds(driver, what, sign);
    if (strcmp(what, "idle") == 0)
        return json_is_true(json_object_get(driver->seen, "idle"));
    return *what == '!' ? !is_on(driver, what + 1) : is_on(driver, what);
}

bool drive_try(struct driver *driver, const char *what, double seconds)
{
    double end = drive_now() + drive_patience(seconds);
    while (!drive_is(driver, what)) {
        if (drive_now() > end || !drive_running(driver))
            return drive_is(driver, what);
        drive_pause(0.004);
    }
    return true;
}

void drive_wait(struct driver *driver, const char *what, double seconds)
{
    if (!drive_try(driver, what, seconds))
        drive_fail(driver, "waited for '%s' in vain%s", what,
                   drive_running(driver) ? "" : ": the program has ended");
}

struct drive_rect drive_find(struct driver *driver, const char *name)
{
    struct drive_rect rect = {0};
    drive_wait(driver, name, 10);
    json_unpack((json_t *)item_of(driver, name), "{s:i, s:i, s:i, s:i}", "x", &rect.x, "y", &rect.y, "w",
                &rect.w, "h", &rect.h);
    return rect;
}

/* ---- Failing ---- */

/* Where a sanitizer's report begins; 0: there is none. */
static long report_in(FILE *file)
{
    char line[512];
    for (long at = 0; fgets(line, sizeof line, file); at = ftell(file))
        if (strstr(line, "==ERROR:") || strstr(line, "runtime error:"))
            return at;
    return 0;
}

static void show_log(const struct driver *driver)
{
    char line[512];
    FILE *file = fopen(driver->log, "r");
    if (file)
        fseek(file, report_in(file), SEEK_SET);
    for (int i = 0; file && i < 100 && fgets(line, sizeof line, file); i++)
        print_message("  log: %s", line);
    if (file)
        fclose(file);
}

/* Items that are on, in few lines. */
static void show_items(const struct driver *driver)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(driver->seen, "items"), i, item)
    {
        struct drive_rect rect = {0};
        json_unpack(item, "{s:i, s:i, s:i, s:i}", "x", &rect.x, "y", &rect.y, "w", &rect.w, "h", &rect.h);
        const char *name = json_string_value(json_object_get(item, "name"));
        print_message("  %s %d,%d %dx%d%s\n", name ? name : "?", rect.x, rect.y, rect.w, rect.h,
                      json_is_true(json_object_get(item, "on")) ? "" : " (off)");
    }
}

void drive_fail(struct driver *driver, const char *format, ...)
{
    static int failures;
    char why[1024], picture[128];
    const char *folder = getenv("OROGRAPH_TEST_PICTURES");
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    drive_look(driver);
    char *states = json_dumps(json_object_get(driver->seen, "state"), JSON_INDENT(1) | JSON_ENCODE_ANY);
    print_message("  states: %s\n", states ? states : "none");
    free(states);
    show_items(driver);
    show_log(driver);
    snprintf(picture, sizeof picture, "%.80s/orograph-failed-%d-%d.png", folder ? folder : "/tmp",
             (int)getpid(), ++failures);
    drive_screenshot(driver, picture);
    print_message("  the screen: %s\n", picture);
    fail_msg("%s", why);
    abort();
}
