/* Samples on the disk: small PNG files in the user's cache folder. */
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/live/samples_private.h"

enum { BYTES_MAX = 64 << 20, PICTURE_BYTES_MAX = 1 << 18 };

bool ed_sample_is_script(const char *path)
{
    return strcmp(oro_path_extension(path), "lua") == 0;
}

bool ed_sample_digest(const char *path, struct oro_hash *digest, struct oro_error *err)
{
    void *bytes = NULL;
    size_t size;
    if (!oro_file_read(path, BYTES_MAX, &bytes, &size, err))
        return false;
    *digest = oro_hash_of(bytes, size);
    oro_free(bytes);
    return true;
}

static char *folder(void)
{
    return oro_user_folder("XDG_CACHE_HOME", ".cache", "orograph/samples");
}

static char *file_of(struct oro_hash digest)
{
    char name[ORO_HASH_TEXT], *own = folder();
    struct oro_text path = {0};
    oro_hash_text(digest, name);
    if (own)
        oro_text_addf(&path, "%s/%s.png", own, name);
    oro_free(own);
    return oro_text_take(&path);
}

bool ed_sample_load(struct oro_hash digest, struct ed_thumbnail *picture)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    void *bytes = NULL;
    size_t size;
    char *path = file_of(digest);
    bool ok = path && oro_file_read(path, PICTURE_BYTES_MAX, &bytes, &size, NULL) &&
              png_image_begin_read_from_memory(&image, bytes, size);
    if (ok) {
        image.format = PNG_FORMAT_RGBA;
        ok = image.width > 0 && image.height > 0 && image.width <= ED_THUMBNAIL_SIDE &&
             image.height <= ED_THUMBNAIL_SIDE && png_image_finish_read(&image, NULL, picture->rgba, 0, NULL);
        picture->width = (int)image.width;
        picture->height = (int)image.height;
    }
    png_image_free(&image);
    oro_free(bytes);
    oro_free(path);
    return ok;
}

void ed_sample_save(struct oro_hash digest, const struct ed_thumbnail *picture)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGBA};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    char *own = folder(), *path = file_of(digest);
    void *bytes = oro_alloc(size, 1);
    if (own && path && bytes && png_image_write_to_memory(&image, bytes, &size, 0, picture->rgba, 0, NULL) &&
        oro_make_folders(own, NULL))
        oro_file_write(path, bytes, size, NULL);
    png_image_free(&image);
    oro_free(bytes);
    oro_free(path);
    oro_free(own);
}
