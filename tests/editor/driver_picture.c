/* Pictures of the screen: the X server keeps it in a file, as an XWD image. */
#include "tests/editor/driver_private.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <png.h>

#include "tests/editor/small_png.h"

struct picture {
    int width, height;
    unsigned char *pixels; /* RGB */
};

static void free_picture(struct picture *picture)
{
    free(picture->pixels);
    *picture = (struct picture){0};
}

/* ---- XWD ---- Numbers of the header, 32 bits each, the highest byte first. */

enum { HEADER_SIZE, DEPTH = 3, WIDTH, HEIGHT, BYTE_ORDER_OF = 7, PIXEL_BITS = 11, LINE_BYTES, COLOURS = 19 };
enum { HEADER_NUMBERS = 25, COLOUR_BYTES = 12 };

static size_t header(const unsigned char *file, int index)
{
    const unsigned char *at = file + 4 * index;
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static bool read_xwd(const unsigned char *file, size_t size, struct picture *picture)
{
    if (size < 4 * HEADER_NUMBERS || header(file, PIXEL_BITS) != 32 || header(file, BYTE_ORDER_OF) != 0)
        return false;
    size_t width = header(file, WIDTH), height = header(file, HEIGHT), line = header(file, LINE_BYTES);
    size_t start = header(file, HEADER_SIZE) + header(file, COLOURS) * COLOUR_BYTES;
    if (size < start + line * height || line < 4 * width)
        return false;
    picture->width = (int)width;
    picture->height = (int)height;
    picture->pixels = malloc(width * height * 3);
    for (size_t y = 0; picture->pixels && y < height; y++) {
        const unsigned char *from = file + start + y * line;
        unsigned char *to = picture->pixels + y * width * 3;
        for (size_t x = 0; x < width; x++, from += 4, to += 3) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
        }
    }
    return picture->pixels;
}

static bool take_picture(const struct driver *driver, struct picture *picture)
{
    char path[128];
    struct stat info;
    snprintf(path, sizeof path, "%s/Xvfb_screen0", driver->screen);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &info) == 0;
    size_t size = ok ? (size_t)info.st_size : 0;
    void *bytes = ok ? mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    ok = bytes != MAP_FAILED && read_xwd(bytes, size, picture);
    if (bytes != MAP_FAILED)
        munmap(bytes, size);
    if (file >= 0)
        close(file);
    return ok;
}

/* ---- PNG ---- */

static bool write_png(const char *path, const struct picture *picture)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB};
    return png_image_write_to_file(&image, path, 0, picture->pixels, 0, NULL);
}

static bool read_png(const char *path, struct picture *picture)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        return false;
    image.format = PNG_FORMAT_RGB;
    *picture = (struct picture){(int)image.width, (int)image.height, malloc(PNG_IMAGE_SIZE(image))};
    if (picture->pixels && png_image_finish_read(&image, NULL, picture->pixels, 0, NULL))
        return true;
    png_image_free(&image);
    free_picture(picture);
    return false;
}

void drive_screenshot(struct driver *driver, const char *path)
{
    struct picture picture = {0};
    bool ok = take_picture(driver, &picture) && write_png(path, &picture);
    free_picture(&picture);
    if (!ok)
        fail_msg("no picture of the screen can be written to %s", path);
}

void drive_screenshot_part(struct driver *driver, const char *path, struct drive_rect part)
{
    struct picture picture = {0};
    bool ok = take_picture(driver, &picture) && part.x >= 0 && part.y >= 0 && part.w > 0 && part.h > 0;
    part.w = part.x + part.w > picture.width ? picture.width - part.x : part.w;
    part.h = part.y + part.h > picture.height ? picture.height - part.y : part.h;
    ok = ok && small_png_write(path, picture.pixels + 3 * (part.y * picture.width + part.x), part.w, part.h,
                               3 * picture.width);
    free_picture(&picture);
    if (!ok)
        fail_msg("no picture of a part of the screen can be written to %s", path);
}

void drive_settle(struct driver *driver, double seconds)
{
    struct picture before = {0}, now = {0};
    double end = drive_now() + drive_patience(seconds);
    bool same = false;
    while (!same) {
        if (drive_now() > end)
            drive_fail(driver, "the screen does not come to rest");
        drive_wait(driver, "idle", seconds);
        free_picture(&before);
        before = now;
        now = (struct picture){0};
        if (!take_picture(driver, &now))
            fail_msg("there is no picture of the screen");
        same = before.pixels &&
               memcmp(before.pixels, now.pixels, (size_t)now.width * (size_t)now.height * 3) == 0;
        drive_pause(same ? 0 : 0.1);
    }
    free_picture(&before);
    free_picture(&now);
}

/* ---- Comparing ---- */

/* Counts the pixels that differ, and leaves the difference in `a`, where equal pixels are dark. */
static size_t differing(struct picture *a, const struct picture *b, int tolerance)
{
    size_t count = 0, pixels = (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < pixels; i++) {
        unsigned char *p = a->pixels + 3 * i;
        const unsigned char *q = b->pixels + 3 * i;
        bool differs = false;
        for (int k = 0; k < 3; k++)
            differs |= abs(p[k] - q[k]) > tolerance;
        count += differs;
        for (int k = 0; k < 3; k++)
            p[k] = differs ? (unsigned char)(k == 0 ? 255 : 0) : (unsigned char)(p[k] / 4);
    }
    return count;
}

static bool compare_pictures(const char *path, struct picture *got, const struct picture *wanted,
                             int tolerance, double share)
{
    char difference[1024];
    if (got->width != wanted->width || got->height != wanted->height) {
        print_message("  %s is %d x %d, and %d x %d was expected\n", path, got->width, got->height,
                      wanted->width, wanted->height);
        return false;
    }
    double found = (double)differing(got, wanted, tolerance) / got->width / got->height;
    if (found <= share)
        return true;
    snprintf(difference, sizeof difference, "%.1000s.difference.png", path);
    write_png(difference, got);
    print_message("  %s: %g of the pixels differ, and %g may: %s\n", path, found, share, difference);
    return false;
}

bool drive_compare(const char *path, const char *expected, int tolerance, double share)
{
    struct picture got = {0}, wanted = {0};
    const char *update = getenv("OROGRAPH_UPDATE_PICTURES");
    bool ok = read_png(path, &got);
    if (!ok)
        print_message("  %s cannot be read\n", path);
    if (ok && update && strcmp(update, "1") == 0) {
        ok = write_png(expected, &got);
    } else if (ok) {
        ok = read_png(expected, &wanted);
        if (!ok)
            print_message("  %s cannot be read; OROGRAPH_UPDATE_PICTURES=1 writes it\n", expected);
        ok = ok && compare_pictures(path, &got, &wanted, tolerance, share);
    }
    free_picture(&got);
    free_picture(&wanted);
    return ok;
}

void drive_expect_picture(struct driver *driver, const char *path, const char *expected, int tolerance,
                          double share)
{
    drive_settle(driver, 30);
    drive_screenshot(driver, path);
    if (!drive_compare(path, expected, tolerance, share))
        drive_fail(driver, "the screen is not as in %s", expected);
}
