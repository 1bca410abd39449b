#include "editor/canvas/thumbnails.h"

#include <stdio.h>
#include <string.h>

#include <GLES3/gl3.h>

#include "base/memory.h"

/* A node's thumbnail can only be in one of WAYS slots, so that it is found quickly however many there are. */
enum { WAYS = 20, SETS = ED_ATLAS_SLOTS / WAYS };
enum { SIDE = ED_ATLAS_COLUMNS * ED_THUMBNAIL_SIDE, UPLOADS_MAX = 6 };

void ed_thumbnails_frame(struct ed_thumbnails *thumbnails)
{
    thumbnails->frame++;
    thumbnails->uploads = 0;
}

static bool make_texture(struct ed_thumbnails *thumbnails)
{
    if (!thumbnails->slots)
        thumbnails->slots = oro_alloc(ED_ATLAS_SLOTS, sizeof *thumbnails->slots);
    if (thumbnails->texture || !thumbnails->slots)
        return thumbnails->slots;
    glGenTextures(1, &thumbnails->texture);
    glBindTexture(GL_TEXTURE_2D, thumbnails->texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return true;
}

/* The node's slot, or else the one that has not been drawn for longest. */
static size_t slot_of(const struct ed_thumbnails *thumbnails, const char *node)
{
    unsigned hash = 2166136261u;
    for (const char *c = node; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    size_t first = (hash >> 7) % SETS * WAYS, oldest = first;
    for (size_t i = first; i < first + WAYS; i++) {
        if (!strcmp(thumbnails->slots[i].node, node))
            return i;
        if (thumbnails->slots[i].drawn < thumbnails->slots[oldest].drawn)
            oldest = i;
    }
    return oldest;
}

static void upload(struct ed_thumbnails *thumbnails, size_t index, const struct ed_thumbnail *thumbnail)
{
    struct ed_thumbnail_slot *slot = &thumbnails->slots[index];
    GLint x = (GLint)(index % ED_ATLAS_COLUMNS) * ED_THUMBNAIL_SIDE,
          y = (GLint)(index / ED_ATLAS_COLUMNS) * ED_THUMBNAIL_SIDE;
    glBindTexture(GL_TEXTURE_2D, thumbnails->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, thumbnail->width, thumbnail->height, GL_RGBA, GL_UNSIGNED_BYTE,
                    thumbnail->rgba);
    slot->serial = thumbnail->serial;
    slot->width = thumbnail->width;
    slot->height = thumbnail->height;
    thumbnails->uploads++;
}

static void refresh(struct ed_thumbnails *thumbnails, struct ed_live *live, size_t index)
{
    struct ed_thumbnail_slot *slot = &thumbnails->slots[index];
    struct ed_thumbnail thumbnail;
    if (thumbnails->uploads >= UPLOADS_MAX || !live)
        return;
    if (ed_live_thumbnail(live, slot->node, slot->serial, &thumbnail) && thumbnail.width > 0 &&
        thumbnail.height > 0 && thumbnail.width <= ED_THUMBNAIL_SIDE && thumbnail.height <= ED_THUMBNAIL_SIDE)
        upload(thumbnails, index, &thumbnail);
}

/* The part of the slot that fills a rectangle of this shape, inset by half a texel so that no neighbour
 * shows. */
static struct ui_rect part_of(size_t index, const struct ed_thumbnail_slot *slot, struct ui_rect rect)
{
    float w = (float)slot->width - 1, h = (float)slot->height - 1, wanted = rect.w / rect.h;
    float x = (float)(index % ED_ATLAS_COLUMNS) * ED_THUMBNAIL_SIDE + 0.5f,
          y = (float)(index / ED_ATLAS_COLUMNS) * ED_THUMBNAIL_SIDE + 0.5f;
    if (w > h * wanted) {
        x += (w - h * wanted) / 2;
        w = h * wanted;
    } else {
        y += (h - w / wanted) / 2;
        h = w / wanted;
    }
    struct ui_rect part = {x / SIDE, y / SIDE, w / SIDE, h / SIDE};
    return part;
}

bool ed_thumbnail_paint(struct ed_thumbnails *thumbnails, struct ed_live *live, const char *node,
                        struct ui_draw *draw, struct ui_rect rect, uint32_t tint, float rounding)
{
    if (!node[0] || rect.w < 2 || rect.h < 2 || !make_texture(thumbnails))
        return false;
    size_t index = slot_of(thumbnails, node);
    struct ed_thumbnail_slot *slot = &thumbnails->slots[index];
    if (strcmp(slot->node, node) != 0) {
        *slot = (struct ed_thumbnail_slot){0};
        snprintf(slot->node, sizeof slot->node, "%s", node);
    }
    slot->drawn = thumbnails->frame;
    refresh(thumbnails, live, index);
    if (slot->width < 2 || slot->height < 2)
        return false;
    ui_draw_image_part(draw, thumbnails->texture, rect, part_of(index, slot, rect), tint, rounding);
    return true;
}

void ed_thumbnails_forget(struct ed_thumbnails *thumbnails)
{
    if (thumbnails->slots)
        memset(thumbnails->slots, 0, ED_ATLAS_SLOTS * sizeof *thumbnails->slots);
}

void ed_thumbnails_free(struct ed_thumbnails *thumbnails)
{
    if (thumbnails->texture)
        glDeleteTextures(1, &thumbnails->texture);
    oro_free(thumbnails->slots);
    *thumbnails = (struct ed_thumbnails){0};
}
