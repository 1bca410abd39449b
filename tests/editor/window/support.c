#include "tests/editor/window/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <png.h>

#include "tests/support/folder.h"

static char folder[64];

bool window_can_run(void)
{
    return system("command -v Xvfb xdotool > /dev/null") == 0;
}

/* ---- The folder ---- */

int window_make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/orograph-window-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

int window_remove_folder(void **state)
{
    (void)state;
    return remove_tree(folder);
}

const char *window_path(const char *name)
{
    static char paths[16][256];
    static unsigned next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* ---- Files ---- */

void window_write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fail_msg("%s cannot be written: %s", path, strerror(errno));
}

void window_write(const char *path, const char *text)
{
    window_write_bytes(path, text, strlen(text));
}

char *window_read(const char *path, size_t *size)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0) {
        fail_msg("%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    char *bytes = malloc((size_t)info.st_size + 1);
    assert_non_null(bytes);
    size_t got = fread(bytes, 1, (size_t)info.st_size, file);
    fclose(file);
    bytes[got] = '\0';
    if (size)
        *size = got;
    return bytes;
}

bool window_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void window_copy(const char *from, const char *to)
{
    size_t size;
    char *bytes = window_read(from, &size);
    window_write_bytes(to, bytes, size);
    free(bytes);
}

bool window_file_has(const char *path, const char *text)
{
    char *bytes = window_read(path, NULL);
    bool has = strstr(bytes, text) != NULL;
    free(bytes);
    return has;
}

void window_assert_same(const char *a, const char *b)
{
    size_t size_a, size_b, i = 0;
    char *bytes_a = window_read(a, &size_a), *bytes_b = window_read(b, &size_b);
    while (i < size_a && i < size_b && bytes_a[i] == bytes_b[i])
        i++;
    if (size_a != size_b || i < size_a)
        fail_msg("%s and %s differ from byte %zu on", a, b, i);
    free(bytes_a);
    free(bytes_b);
}

/* ---- The editor ---- */

void window_settings(const char *home, const char *more)
{
    char path[300], text[400];
    mkdir(home, 0700);
    snprintf(path, sizeof path, "%s/config", home);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/config/orograph", home);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/config/orograph/settings.json", home);
    snprintf(text, sizeof text,
             "{\"preview\": 64, \"resolution\": 64, \"toured\": true, \"show_pictures\": false%s}\n", more);
    window_write(path, text);
}

static struct driver *start_editor(const char *file, bool unpainted)
{
    const char *args[] = {"--no-tour", file, NULL};
    const char *home = window_path("home");
    char copies[300];
    if (!window_exists(home))
        window_settings(home, "");
    /* What an earlier test has not saved would be offered. */
    snprintf(copies, sizeof copies, "%s/state/orograph/recovery", home);
    remove_tree(copies);
    snprintf(copies, sizeof copies, "%s/state/orograph/views", home);
    remove_tree(copies);
    return drive_start(&(struct drive_options){.args = args, .home = home, .unpainted = unpainted});
}

struct driver *window_start(const char *file)
{
    return start_editor(file, true);
}

struct driver *window_start_painted(const char *file)
{
    return start_editor(file, false);
}

struct driver *window_start_mountains(const char *name)
{
    const char *path = window_path(name);
    window_write(path, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                       "  <world extent=\"20000\" resolution=\"64\" seed=\"3\"/>\n"
                       "  <node id=\"mountains\" type=\"stream_power\" version=\"1\" x=\"600\" y=\"80\">\n"
                       "    <in name=\"uplift\" value=\"0.0001\"/>\n"
                       "  </node>\n"
                       "</orograph>\n");
    struct driver *driver = window_start(path);
    drive_wait(driver, "nodes=1", 20);
    drive_click(driver, "title:mountains");
    drive_key(driver, "v");
    window_wait_picture(driver);
    return driver;
}

/* ---- Steps ---- */

void window_choose(struct driver *driver, const char *combo, const char *entry)
{
    char name[100];
    snprintf(name, sizeof name, "item:%s", entry);
    drive_click(driver, combo);
    drive_click(driver, name);
    drive_wait(driver, "idle", 60);
}

void window_pause(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

void window_add(struct driver *driver, const char *at, const char *words)
{
    drive_move(driver, at);
    drive_key(driver, "Tab");
    drive_wait(driver, "dialog=add", 10);
    drive_type(driver, words);
    drive_key(driver, "Return");
    drive_wait(driver, "dialog=", 10);
}

void window_choose_path(struct driver *driver, const char *path)
{
    drive_wait(driver, "dialog=chooser", 10);
    drive_click(driver, "chooser:name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, path);
    drive_key(driver, "Return");
    drive_wait(driver, "dialog=", 10);
}

void window_save_as(struct driver *driver, const char *path)
{
    drive_key(driver, "ctrl+shift+s");
    window_choose_path(driver, path);
}

void window_type_number(struct driver *driver, const char *input, const char *number)
{
    drive_double_click(driver, input);
    drive_key(driver, "ctrl+a");
    drive_type(driver, number);
    drive_key(driver, "Return");
}

void window_wait_picture(struct driver *driver)
{
    drive_wait(driver, "live=idle", 120);
    drive_wait(driver, "idle", 120);
    drive_wait(driver, "view0_serial!=0", 20);
}

/* A 64th of the range of the green channel, where there is one. */
static int count_tones(const png_image *image, const unsigned char *pixels, struct drive_rect part)
{
    int counts[64] = {0}, tones = 0, enough = part.w * part.h / 500;
    for (int y = part.y; y < part.y + part.h && y < (int)image->height; y++)
        for (int x = part.x; x < part.x + part.w && x < (int)image->width; x++)
            counts[pixels[((size_t)y * image->width + (size_t)x) * 3 + 1] / 4]++;
    for (int i = 0; i < 64; i++)
        tones += counts[i] > enough;
    return tones;
}

int window_tones(struct driver *driver, const char *item)
{
    const char *path = window_path("tones.png");
    struct drive_rect part = drive_find(driver, item);
    drive_screenshot(driver, path);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_true(pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL));
    int tones = count_tones(&image, pixels, part);
    free(pixels);
    return tones;
}

static int repeat(struct driver *driver, const char *keys, const char *left)
{
    int steps = 0;
    drive_move(driver, "canvas");
    for (; drive_is(driver, left) && steps < 300; steps++)
        drive_key(driver, keys);
    return steps;
}

void window_undo_to(struct driver *driver, const char *what)
{
    drive_move(driver, "canvas@0.5,0.97");
    drive_key(driver, "ctrl+z");
    drive_wait(driver, what, 10);
}

int window_undo_all(struct driver *driver)
{
    return repeat(driver, "ctrl+z", "undo!=");
}

int window_redo_all(struct driver *driver)
{
    return repeat(driver, "ctrl+shift+z", "redo!=");
}
