#include "editor/render/target.h"

#include <GLES3/gl31.h>

#include "base/memory.h"
#include "editor/render/program.h"

void ed_target_free(struct ed_target *target)
{
    if (target->framebuffer)
        glDeleteFramebuffers(1, &target->framebuffer);
    if (target->texture)
        glDeleteTextures(1, &target->texture);
    *target = (struct ed_target){0};
}

static bool make_framebuffer(struct ed_target *target)
{
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
    bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (whole) {
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return whole;
}

static bool make(struct ed_target *target, unsigned format, int width, int height)
{
    *target = (struct ed_target){.width = width, .height = height};
    target->texture = ed_texture_create(format, 1, width, height, true);
    if (make_framebuffer(target))
        return true;
    ed_target_free(target);
    return false;
}

static bool fits(const struct ed_target *target, int width, int height)
{
    return target->texture && target->width == width && target->height == height;
}

bool ed_target_size(struct ed_target *target, int width, int height, struct oro_error *err)
{
    if (fits(target, width, height))
        return true;
    ed_target_free(target);
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (width < 1 || height < 1 || width > most || height > most)
        return oro_fail(err, ORO_E_LIMIT, "a view of %d x %d pixels cannot be drawn", width, height);
    return make(target, GL_RGBA8, width, height) ||
           oro_fail(err, ORO_E_DEVICE, "the driver refused a view of %d x %d pixels", width, height);
}

bool ed_target_size_fine(struct ed_target *target, int width, int height)
{
    if (fits(target, width, height))
        return true;
    ed_target_free(target);
    return make(target, GL_RGBA16F, width, height) || ed_target_size(target, width, height, NULL);
}

uint8_t *ed_target_read(const struct ed_target *target, struct oro_error *err)
{
    if (!target->texture) {
        oro_fail(err, ORO_E_USAGE, "there is no picture of this view yet");
        return NULL;
    }
    uint8_t *bytes = oro_alloc((size_t)target->width * (size_t)target->height * 4, 1);
    if (!bytes) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a picture of %d x %d", target->width, target->height);
        return NULL;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return bytes;
}

void ed_target_join(const struct ed_target *from, int column, const struct ed_target *into)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, into->framebuffer);
    glBlitFramebuffer(column, 0, from->width, from->height, column, 0, into->width, into->height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
