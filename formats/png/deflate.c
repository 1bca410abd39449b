#include "formats/png/deflate.h"

#include <stdatomic.h>
#include <string.h>

#include <zlib.h>

#include "base/memory.h"
#include "base/parallel.h"

enum { BLOCK = 1 << 17, WINDOW_BITS = 15, MEMORY_LEVEL = 8, HEADER = 2, CHECK = 4 };
enum { MARGIN = 64 }; /* for what a flush adds to zlib's bound, besides header and check */

struct oro_deflate_block {
    size_t size;
    uLong check;
};

struct work {
    struct oro_deflate *stream;
    const unsigned char *bytes;
    size_t count, history;
    bool last;
    atomic_bool failed;
};

static voidpf allocate(voidpf user, uInt count, uInt size)
{
    (void)user;
    return oro_alloc(count, size);
}

static void release(voidpf user, voidpf memory)
{
    (void)user;
    oro_free(memory);
}

static bool begin_block(z_stream *z, const unsigned char *bytes, size_t history)
{
    size_t known = history < ORO_DEFLATE_HISTORY ? history : ORO_DEFLATE_HISTORY;
    return deflateReset(z) == Z_OK &&
           (known == 0 || deflateSetDictionary(z, bytes - known, (uInt)known) == Z_OK);
}

static bool compress_block(const struct work *work, z_stream *z, size_t block)
{
    size_t at = block * BLOCK, left = work->count - at, count = left < BLOCK ? left : BLOCK;
    bool last = work->last && left <= BLOCK;
    const unsigned char *bytes = work->bytes + at;
    unsigned char *out = work->stream->out + block * work->stream->room + HEADER;
    if (!begin_block(z, bytes, work->history + at))
        return false;
    z->next_in = (z_const Bytef *)bytes;
    z->avail_in = (uInt)count;
    z->next_out = out;
    z->avail_out = (uInt)(work->stream->room - HEADER - CHECK);
    int result = deflate(z, last ? Z_FINISH : Z_SYNC_FLUSH);
    work->stream->blocks[block] = (struct oro_deflate_block){
        .size = (size_t)(z->next_out - out), .check = adler32(adler32(0, NULL, 0), bytes, (uInt)count)};
    return last ? result == Z_STREAM_END : result == Z_OK && z->avail_in == 0 && z->avail_out > 0;
}

static void compress_blocks(void *user, size_t first, size_t end)
{
    struct work *work = user;
    z_stream z = {.zalloc = allocate, .zfree = release};
    bool ok = deflateInit2(&z, work->stream->level, Z_DEFLATED, -WINDOW_BITS, MEMORY_LEVEL,
                           work->stream->runs ? Z_RLE : Z_FILTERED) == Z_OK;
    if (ok) {
        for (size_t block = first; ok && block < end; block++)
            ok = compress_block(work, &z, block);
        deflateEnd(&z);
    }
    if (!ok)
        atomic_store(&work->failed, true);
}

bool oro_deflate_begin(struct oro_deflate *stream, size_t most)
{
    size_t blocks = (most + BLOCK - 1) / BLOCK;
    stream->begun = false;
    stream->check = adler32(0, NULL, 0);
    stream->count = 0;
    stream->room = compressBound(BLOCK < most ? BLOCK : (uLong)most) + HEADER + CHECK + MARGIN;
    stream->out = oro_alloc(blocks, stream->room);
    stream->blocks = oro_alloc(blocks, sizeof *stream->blocks);
    return stream->out && stream->blocks;
}

/* Puts the header of the whole stream before its first block. */
static void add_header(struct oro_deflate *stream)
{
    unsigned method = (WINDOW_BITS - 8) << 4 | Z_DEFLATED, level = stream->level < 2 ? 0 : 1,
             flags = level << 6;
    flags += 31 - (method << 8 | flags) % 31;
    stream->out[0] = (unsigned char)method;
    stream->out[1] = (unsigned char)flags;
}

static void add_check(struct oro_deflate *stream)
{
    struct oro_deflate_block *block = &stream->blocks[stream->count - 1];
    unsigned char *end = stream->out + (stream->count - 1) * stream->room + HEADER + block->size;
    for (int i = 0; i < CHECK; i++)
        end[i] = (unsigned char)(stream->check >> (24 - 8 * i));
    block->size += CHECK;
}

bool oro_deflate_bytes(struct oro_deflate *stream, const unsigned char *bytes, size_t count, size_t history,
                       bool last)
{
    struct work work = {stream, bytes, count, history, last, false};
    stream->begun = history > 0;
    stream->count = (count + BLOCK - 1) / BLOCK;
    oro_parallel(stream->count, 1, compress_blocks, &work);
    if (atomic_load(&work.failed))
        return false;
    for (size_t i = 0; i < stream->count; i++)
        stream->check = adler32_combine(stream->check, stream->blocks[i].check,
                                        (z_off_t)(count - i * BLOCK < BLOCK ? count - i * BLOCK : BLOCK));
    if (!stream->begun)
        add_header(stream);
    if (last)
        add_check(stream);
    return true;
}

const unsigned char *oro_deflate_block(const struct oro_deflate *stream, size_t block, size_t *size)
{
    if (block >= stream->count)
        return NULL;
    size_t header = block == 0 && !stream->begun ? HEADER : 0;
    *size = stream->blocks[block].size + header;
    return stream->out + block * stream->room + HEADER - header;
}

void oro_deflate_end(struct oro_deflate *stream)
{
    oro_free(stream->out);
    oro_free(stream->blocks);
    stream->out = NULL;
    stream->blocks = NULL;
}
