#include "editor/panels/thumbs.h"

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GLES3/gl31.h>
#include <png.h>

#include "base/memory.h"
#include "graph/derived/paths.h"

enum { SIDE = 256, MOST = 256, PIXELS_MAX = 2048 };

struct thumb {
    char folder[16], name[112];
    unsigned texture; /* 0: there is no picture */
};
struct ed_thumbs {
    struct thumb items[MOST];
    size_t count;
    bool spent; /* a picture was read in this frame */
};

struct ed_thumbs *ed_thumbs_create(void)
{
    return oro_alloc(1, sizeof(struct ed_thumbs));
}

void ed_thumbs_destroy(struct ed_thumbs *thumbs)
{
    for (size_t i = 0; thumbs && i < thumbs->count; i++)
        if (thumbs->items[i].texture)
            glDeleteTextures(1, &thumbs->items[i].texture);
    oro_free(thumbs);
}

void ed_thumbs_frame(struct ed_thumbs *thumbs)
{
    thumbs->spent = false;
}

/* Pictures are called NAME.png, or NAME-1-before.png, NAME-2-after.png, ...: the last one shows the result.
 */
static bool is_better(const char *file, const char *name, const char *best)
{
    size_t length = strlen(name), all = strlen(file);
    if (all < length + 4 || strncmp(file, name, length) != 0 || strcmp(file + all - 4, ".png") != 0)
        return false;
    bool exact = all == length + 4;
    bool numbered = file[length] == '-' && file[length + 1] && file[length + 2] == '-';
    return (exact || numbered) && (!best[0] || strcmp(file, best) > 0);
}

static bool find_picture(const char *folder, const char *name, char *path, size_t size)
{
    char installed[PATH_MAX], best[256] = "";
    if (!oro_installed_folder(installed))
        return false;
    snprintf(path, size, "%s/images/%s", installed, strcmp(folder, "examples") == 0 ? "gallery" : folder);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
        if (is_better(entry->d_name, name, best))
            snprintf(best, sizeof best, "%s", entry->d_name);
    if (dir)
        closedir(dir);
    size_t used = strlen(path);
    snprintf(path + used, size - used, "/%s", best);
    return best[0];
}

/* The middle square, averaged to SIDE x SIDE. */
static void shrink(const uint8_t *from, unsigned width, unsigned height, uint8_t *to)
{
    unsigned side = width < height ? width : height, left = (width - side) / 2, top = (height - side) / 2;
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            unsigned sum[3] = {0}, x0 = x * side / SIDE, x1 = (x + 1) * side / SIDE;
            unsigned y0 = y * side / SIDE, y1 = (y + 1) * side / SIDE, cells = 0;
            x1 = x1 > x0 ? x1 : x0 + 1;
            y1 = y1 > y0 ? y1 : y0 + 1;
            for (unsigned v = y0; v < y1; v++)
                for (unsigned u = x0; u < x1; u++, cells++)
                    for (unsigned c = 0; c < 3; c++)
                        sum[c] += from[((size_t)(top + v) * width + left + u) * 4 + c];
            for (unsigned c = 0; c < 3; c++)
                to[(y * SIDE + x) * 4 + c] = (uint8_t)(sum[c] / cells);
            to[(y * SIDE + x) * 4 + 3] = 255;
        }
}

static unsigned texture_of(const uint8_t *rgba)
{
    unsigned texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

static unsigned read_picture(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    unsigned texture = 0;
    if (!png_image_begin_read_from_file(&image, path))
        return 0;
    image.format = PNG_FORMAT_RGBA;
    bool fits =
        image.width > 0 && image.height > 0 && image.width <= PIXELS_MAX && image.height <= PIXELS_MAX;
    uint8_t *all = fits ? oro_alloc((size_t)image.width * image.height, 4) : NULL;
    uint8_t *small = all ? oro_alloc((size_t)SIDE * SIDE, 4) : NULL;
    if (small && png_image_finish_read(&image, NULL, all, 0, NULL)) {
        shrink(all, image.width, image.height, small);
        texture = texture_of(small);
    }
    png_image_free(&image);
    oro_free(all);
    oro_free(small);
    return texture;
}

unsigned ed_thumb(struct ed_thumbs *thumbs, const char *folder, const char *name, bool *waiting)
{
    char path[PATH_MAX + 512];
    for (size_t i = 0; i < thumbs->count; i++)
        if (strcmp(thumbs->items[i].name, name) == 0 && strcmp(thumbs->items[i].folder, folder) == 0)
            return thumbs->items[i].texture;
    if (thumbs->spent || thumbs->count == MOST) {
        *waiting = *waiting || thumbs->count < MOST;
        return 0;
    }
    struct thumb *thumb = &thumbs->items[thumbs->count++];
    snprintf(thumb->folder, sizeof thumb->folder, "%s", folder);
    snprintf(thumb->name, sizeof thumb->name, "%s", name);
    if (find_picture(folder, name, path, sizeof path)) {
        thumb->texture = read_picture(path);
        thumbs->spent = true;
    }
    return thumb->texture;
}
