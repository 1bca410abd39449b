/* Pictures of what can be added: those that are installed with the program, else samples
 * (editor/live/samples.h). */
#include <stdio.h>
#include <string.h>

#include <GLES3/gl31.h>

#include "editor/panels/panels_private.h"
#include "editor/panels/thumbs.h"

enum { MOST = 512 };

struct texture {
    char *path; /* NULL: free */
    uint64_t serial, seen;
    unsigned id;
    int width, height;
};
struct ed_sample_textures {
    struct texture items[MOST];
};

void ed_sample_textures_free(struct ed_sample_textures *textures)
{
    for (size_t i = 0; textures && i < MOST; i++) {
        if (textures->items[i].id)
            glDeleteTextures(1, &textures->items[i].id);
        oro_free(textures->items[i].path);
    }
    oro_free(textures);
}

/* The place for a file's texture: its own, else a free one, else that of what was not seen for longest. NULL:
 * memory is out. */
static struct texture *place_of(struct ed_sample_textures *textures, const char *path)
{
    struct texture *best = NULL;
    for (size_t i = 0; i < MOST; i++) {
        struct texture *one = &textures->items[i];
        if (one->path && strcmp(one->path, path) == 0)
            return one;
        if (!best || (best->path && (!one->path || one->seen < best->seen)))
            best = one;
    }
    char *copy = oro_copy_text(path);
    if (copy) {
        oro_free(best->path);
        best->path = copy;
        best->serial = 0;
    }
    return copy ? best : NULL;
}

static void upload(struct texture *texture, const struct ed_thumbnail *picture)
{
    if (!texture->id)
        glGenTextures(1, &texture->id);
    glBindTexture(GL_TEXTURE_2D, texture->id);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture->width, picture->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture->rgba);
    glBindTexture(GL_TEXTURE_2D, 0);
    texture->width = picture->width;
    texture->height = picture->height;
    texture->serial = picture->serial;
}

static struct texture *sample_texture(struct ed_session *session, const char *path)
{
    struct ed_panels *panels = session->panels;
    struct ed_sample sample;
    static struct ed_thumbnail picture; /* static: one thread */
    ed_samples_get(panels->samples, path, &sample);
    if (sample.state == ED_SAMPLE_WAITING || sample.state == ED_SAMPLE_UNKNOWN)
        return NULL;
    if (!panels->sample_textures)
        panels->sample_textures = oro_alloc(1, sizeof *panels->sample_textures);
    struct texture *texture = panels->sample_textures && sample.state == ED_SAMPLE_READY
                                  ? place_of(panels->sample_textures, path)
                                  : NULL;
    if (!texture)
        return NULL;
    texture->seen = session->frame;
    if (texture->serial != sample.serial && ed_samples_picture(panels->samples, path, &picture))
        upload(texture, &picture);
    return texture->serial ? texture : NULL;
}

/* A picture of the graph in the program's documentation; 0: none. */
static unsigned shipped_texture(struct ed_session *session, const struct ed_asset *asset, bool *waiting)
{
    char stem[112];
    if (asset->kind != ED_ASSET_GRAPH || asset->own || !asset->href)
        return 0;
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(asset->href, "."), asset->href);
    return ed_thumb(session->panels->thumbs, "library", stem, waiting);
}

/* The middle square of a file's sample; 0: there is none yet. */
static unsigned square_of(struct ed_session *session, const char *path, struct ui_rect *part)
{
    const struct texture *texture = session->panels->samples ? sample_texture(session, path) : NULL;
    if (!texture)
        return 0;
    float wide = (float)texture->width, high = (float)texture->height, side = wide < high ? wide : high;
    *part = (struct ui_rect){(wide - side) / 2 / wide, (high - side) / 2 / high, side / wide, side / high};
    return texture->id;
}

bool ed_file_sample_draw(struct ed_session *session, const char *path, struct ui_draw *draw,
                         struct ui_rect rect)
{
    struct ui_rect part;
    unsigned id = square_of(session, path, &part);
    if (id)
        ui_draw_image_part(draw, id, rect, part, ui_rgba(255, 255, 255, 255), 3 * ui_scale());
    return id;
}

bool ed_sample_draw(struct ed_session *session, const struct ed_asset *asset, struct ui_draw *draw,
                    struct ui_rect rect)
{
    bool waiting = false;
    unsigned id = shipped_texture(session, asset, &waiting);
    struct ui_rect whole = {0, 0, 1, 1};
    if (waiting)
        ed_wake(session);
    if (!id && !waiting && asset->shows)
        id = square_of(session, asset->shows, &whole);
    if (id)
        ui_draw_image_part(draw, id, rect, whole, ui_rgba(255, 255, 255, asset->broken ? 100 : 255),
                           3 * ui_scale());
    return id;
}

const char *ed_sample_fault(struct ed_session *session, const struct ed_asset *asset, char *out, size_t size)
{
    struct ed_sample sample = {0};
    if (asset->broken)
        return asset->doc;
    if (asset->own && asset->shows && session->panels->samples)
        ed_samples_get(session->panels->samples, asset->shows, &sample);
    if (sample.state != ED_SAMPLE_BROKEN)
        return NULL;
    snprintf(out, size, "%s", sample.problem);
    return out;
}

void ed_samples_frame(struct ed_session *session)
{
    struct ed_panels *panels = session->panels;
    struct ed_live_status status;
    struct oro_error err;
    ed_thumbs_frame(panels->thumbs);
    if (!panels->samples) {
        struct ed_live_options options;
        ed_live_options_of(session, &options);
        panels->samples = ed_samples_create(&options, &err);
    }
    if (!panels->samples)
        return;
    ed_live_status(session->live, &status);
    ed_samples_pause(panels->samples, status.busy);
    if (ed_describing())
        ed_describe_state("samples", "%d", (int)ed_samples_busy(panels->samples));
}
