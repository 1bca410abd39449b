#include "editor/render/raster.h"

#include <math.h>

#include <GLES3/gl31.h>

#include "base/clock.h"
#include "base/memory.h"
#include "editor/render/pace.h"
#include "editor/render/program.h"

/* Cells per upload, and texels of a pyramid that are always made at once. */
enum { PIECE_CELLS = 1 << 18, PIECE_TEXELS = 1 << 16, GROUP = 8, REDUCTION_MAX = 64 };
static const float hole = -3e38f;

/* A picture on its way to the card, or there. */
struct slot {
    struct ed_picture *picture;
    GLuint texture, maxima, means;
    int width, height, channels; /* of the textures */
    int reduction;               /* cells of the picture a side in one of them */
    struct oro_grid grid;        /* of the textures */
    int levels;
    int stage; /* 0: cells; then the levels of the maxima, then those of the means */
    int row;   /* done of that stage */
};

struct ed_raster {
    struct slot shown, next;
    GLuint make_maxima, make_means;
    struct ed_pace pace;
    float *piece;
    uint64_t serial;
    bool refused; /* the card cannot hold the picture of that serial */
    uint64_t refused_serial;
};

struct ed_raster *ed_raster_create(void)
{
    struct ed_raster *raster = oro_alloc(1, sizeof *raster);
    if (raster)
        raster->serial = 1;
    return raster;
}

static void free_textures(struct slot *slot)
{
    GLuint names[] = {slot->texture, slot->maxima, slot->means};
    glDeleteTextures(3, names);
    slot->texture = slot->maxima = slot->means = 0;
    slot->width = slot->height = slot->channels = slot->levels = 0;
}

static void free_slot(struct slot *slot)
{
    if (slot->texture)
        free_textures(slot);
    ed_picture_release(slot->picture);
    *slot = (struct slot){0};
}

void ed_raster_destroy(struct ed_raster *raster)
{
    if (!raster)
        return;
    free_slot(&raster->shown);
    free_slot(&raster->next);
    glDeleteProgram(raster->make_maxima);
    glDeleteProgram(raster->make_means);
    ed_pace_free(&raster->pace);
    oro_free(raster->piece);
    oro_free(raster);
}

/* ---- Textures */

static int padded(int cells, int levels)
{
    int block = 1 << (levels - 1);
    return (cells + block - 1) / block * block;
}

/* As many levels as it takes for the last to have at most 4 texels a side; fewer for a strip, which would be
 * padded to a square. */
static int count_levels(int width, int height)
{
    int longer = width > height ? width : height, shorter = width < height ? width : height;
    int levels = 2;
    while ((longer - 1) >> (levels - 1) >= 4 && 1 << (levels - 1) < 8 * shorter)
        levels++;
    return levels;
}

static bool make_textures(struct slot *slot, int width, int height, int channels)
{
    if (slot->texture && slot->width == width && slot->height == height && slot->channels == channels)
        return true;
    if (slot->texture)
        free_textures(slot);
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (width > most || height > most)
        return false;
    int levels = channels == 1 ? count_levels(width, height) : 0;
    int across = levels ? padded(width, levels) : width, down = levels ? padded(height, levels) : height;
    if (across > most || down > most)
        return false;
    while (glGetError() != GL_NO_ERROR)
        continue;
    slot->width = width;
    slot->height = height;
    slot->channels = channels;
    slot->levels = levels;
    slot->texture = ed_texture_create(channels == 1   ? GL_R32F
                                      : channels == 2 ? GL_RG32F
                                                      : GL_RGBA32F,
                                      1, width, height, false);
    if (levels) {
        slot->maxima = ed_texture_create(GL_R32F, levels, across, down, false);
        slot->means = ed_texture_create(GL_R32F, levels - 1, across / 2, down / 2, false);
    }
    if (glGetError() == GL_NO_ERROR)
        return true;
    free_textures(slot);
    return false;
}

static bool make_programs(struct ed_raster *raster)
{
    static const char *const maxima[] = {"maxima.comp", NULL}, *const means[] = {"means.comp", NULL};
    if (!raster->make_maxima)
        raster->make_maxima = ed_program_create(maxima, NULL);
    if (!raster->make_means)
        raster->make_means = ed_program_create(means, NULL);
    return raster->make_maxima && raster->make_means;
}

/* ---- Pieces of work */

/* The mean of the finite cells in a block. */
static float mean_of(const struct ed_picture *picture, int column, int row, int size, int channel)
{
    double sum = 0;
    int count = 0;
    for (int j = row; j < row + size && j < picture->grid.height; j++)
        for (int i = column; i < column + size && i < picture->grid.width; i++) {
            size_t cell = (size_t)j * (size_t)picture->grid.width + (size_t)i;
            float value = picture->data[cell * (size_t)picture->channels + (size_t)channel];
            if (fabsf(value) < 1e37f) {
                sum += (double)value;
                count++;
            }
        }
    return count ? (float)(sum / count) : hole;
}

static void reduce_rows(const struct slot *slot, int rows, float *out)
{
    int size = slot->reduction;
    for (int j = slot->row; j < slot->row + rows; j++)
        for (int i = 0; i < slot->width; i++)
            for (int k = 0; k < slot->channels; k++)
                *out++ = mean_of(slot->picture, i * size, j * size, size, k);
}

/* Copies rows, and marks what is not finite in a way that shaders can rely on: isnan is unreliable there. */
static void upload_piece(struct ed_raster *raster, struct slot *slot)
{
    static const GLenum formats[] = {GL_RED, GL_RED, GL_RG, GL_RGBA, GL_RGBA};
    size_t across = (size_t)slot->picture->grid.width * (size_t)slot->channels;
    int rows = (int)(PIECE_CELLS / across / (size_t)slot->reduction), left = slot->height - slot->row;
    rows = rows < 1 ? 1 : rows > left ? left : rows;
    if (slot->reduction > 1)
        reduce_rows(slot, rows, raster->piece);
    else {
        const float *from = slot->picture->data + (size_t)slot->row * across;
        for (size_t i = 0; i < (size_t)rows * across; i++)
            raster->piece[i] = fabsf(from[i]) < 1e37f ? from[i] : hole;
    }
    glBindTexture(GL_TEXTURE_2D, slot->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, slot->row, slot->width, rows, formats[slot->channels], GL_FLOAT,
                    raster->piece);
    glBindTexture(GL_TEXTURE_2D, 0);
    slot->row += rows;
    if (slot->row == slot->height) {
        slot->stage = 1;
        slot->row = 0;
    }
}

/* Some rows of a level of a pyramid, from the level before it. */
static void pyramid_piece(struct ed_raster *raster, struct slot *slot, double deadline)
{
    bool means = slot->stage > slot->levels;
    int level = means ? slot->stage - slot->levels : slot->stage - 1; /* of 2^level cells */
    GLuint texture = means ? slot->means : slot->maxima,
           program = means ? raster->make_means : raster->make_maxima;
    int mip = means ? level - 1 : level;
    int width = padded(slot->width, slot->levels) >> level,
        height = padded(slot->height, slot->levels) >> level;
    double units = ed_pace_units(&raster->pace, deadline, PIECE_TEXELS, 1 << 24);
    int rows = ((int)(units / width) + GROUP) / GROUP * GROUP;
    rows = rows < height - slot->row ? rows : height - slot->row;
    ed_pace_begin(&raster->pace);
    glUseProgram(program);
    ed_set_texture(program, "cells", 0, slot->texture);
    ed_set_int2(program, "size", slot->width, slot->height);
    ed_set_int(program, "first", slot->row);
    ed_set_int(program, "from_cells", mip == 0);
    glBindImageTexture(0, texture, mip > 0 ? mip - 1 : 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32F);
    glBindImageTexture(1, texture, mip, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    glDispatchCompute((GLuint)((width + GROUP - 1) / GROUP), (GLuint)((rows + GROUP - 1) / GROUP), 1);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    ed_pace_end(&raster->pace, (double)width * rows, deadline);
    slot->row += rows;
    if (slot->row == height) {
        slot->stage++;
        slot->row = 0;
    }
}

static bool slot_done(const struct slot *slot)
{
    return slot->stage > 2 * slot->levels - 1 && slot->stage > 0;
}

static bool work(struct ed_raster *raster, double deadline)
{
    struct slot *slot = &raster->next;
    bool first = true; /* every call does some work, so that it ends */
    while (!slot_done(slot) && (first || oro_now() < deadline)) {
        first = false;
        if (slot->stage == 0) {
            upload_piece(raster, slot);
        } else {
            if (!ed_pace_ready(&raster->pace, deadline))
                break;
            pyramid_piece(raster, slot, deadline);
        }
    }
    ed_gl_neutral();
    return slot_done(slot);
}

/* ---- Showing */

static void show_nothing(struct ed_raster *raster)
{
    bool was = raster->shown.picture != NULL;
    free_slot(&raster->shown);
    free_slot(&raster->next);
    if (was)
        raster->serial++;
}

/* Makes textures as fine as the card can hold. */
static bool make_room(struct slot *slot, const struct ed_picture *picture)
{
    const struct oro_grid *grid = &picture->grid;
    for (int by = 1; by <= REDUCTION_MAX; by *= 2) {
        int width = (grid->width + by - 1) / by, height = (grid->height + by - 1) / by;
        if (!make_textures(slot, width, height, picture->channels))
            continue;
        slot->reduction = by;
        slot->grid = (struct oro_grid){width, height, grid->cell * by, grid->x, grid->y};
        return true;
    }
    return false;
}

static bool begin(struct ed_raster *raster, struct ed_picture *picture)
{
    struct slot *slot = &raster->next;
    int piece = picture->grid.width * picture->channels;
    oro_free(raster->piece);
    raster->piece = oro_alloc((size_t)(piece > PIECE_CELLS ? piece : PIECE_CELLS), sizeof(float));
    ed_picture_release(slot->picture);
    slot->picture = NULL;
    if (!raster->piece || !make_room(slot, picture))
        return false;
    if (slot->levels && !make_programs(raster))
        return false;
    slot->picture = ed_picture_retain(picture);
    slot->stage = slot->row = 0;
    return true;
}

static void show_network(struct ed_raster *raster, struct ed_picture *picture)
{
    show_nothing(raster);
    raster->shown.picture = ed_picture_retain(picture);
    raster->serial++;
}

bool ed_raster_show(struct ed_raster *raster, struct ed_picture *picture, double seconds)
{
    double deadline = oro_now() + seconds;
    raster->refused = raster->refused && raster->refused_serial == (picture ? picture->serial : 0);
    if (raster->refused)
        return true;
    if (raster->shown.picture == picture && !raster->next.picture)
        return true;
    if (!picture || !picture->data || picture->channels < 1 || picture->channels == 3) {
        if (picture)
            show_network(raster, picture);
        else
            show_nothing(raster);
        return true;
    }
    /* An upload is finished even if a newer picture has come: otherwise, while pictures come faster than they
     * are uploaded, none would ever be seen. */
    for (int i = 0; i < 2; i++) {
        if (!raster->next.picture && raster->shown.picture != picture && !begin(raster, picture)) {
            show_nothing(raster);
            raster->refused = true;
            raster->refused_serial = picture->serial;
            return true;
        }
        if (raster->next.picture) {
            if (!work(raster, deadline))
                return false;
            /* The new picture is whole: the textures of the old one are kept for the next. */
            struct slot old = raster->shown;
            raster->shown = raster->next;
            raster->next = old;
            ed_picture_release(raster->next.picture);
            raster->next.picture = NULL;
            oro_free(raster->piece);
            raster->piece = NULL;
            raster->serial++;
        }
    }
    return raster->shown.picture == picture;
}

const struct ed_picture *ed_raster_picture(const struct ed_raster *raster)
{
    return raster->shown.picture;
}

const struct oro_grid *ed_raster_grid(const struct ed_raster *raster)
{
    return raster->shown.texture ? &raster->shown.grid : NULL;
}

int ed_raster_reduction(const struct ed_raster *raster)
{
    return raster->shown.texture ? raster->shown.reduction : 1;
}

bool ed_raster_refused(const struct ed_raster *raster)
{
    return raster->refused;
}

uint64_t ed_raster_serial(const struct ed_raster *raster)
{
    return raster->serial;
}

unsigned ed_raster_texture(const struct ed_raster *raster)
{
    return raster->shown.texture;
}

unsigned ed_raster_maxima(const struct ed_raster *raster)
{
    return raster->shown.maxima;
}

unsigned ed_raster_means(const struct ed_raster *raster)
{
    return raster->shown.means;
}

int ed_raster_levels(const struct ed_raster *raster)
{
    return raster->shown.levels;
}
