#include "terrain/drainage/bytes.h"

#include "base/memory.h"

void oro_tiled_bytes_free(struct oro_tiled_bytes *bytes)
{
    oro_free(bytes->data);
    *bytes = (struct oro_tiled_bytes){0};
}

void oro_tiled_put_byte(struct oro_tiled_bytes *bytes, unsigned byte)
{
    void *data = bytes->data;
    if (bytes->failed || !oro_reserve(&data, &bytes->capacity, bytes->count + 1, 1)) {
        bytes->failed = true;
        return;
    }
    bytes->data = data;
    bytes->data[bytes->count++] = (unsigned char)byte;
}

void oro_tiled_put(struct oro_tiled_bytes *bytes, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        oro_tiled_put_byte(bytes, 0x80 | (unsigned)(number & 0x7f));
    oro_tiled_put_byte(bytes, (unsigned)number);
}

void oro_tiled_put_four(struct oro_tiled_bytes *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        oro_tiled_put_byte(bytes, number >> 8 * i & 0xff);
}

void oro_tiled_put_ascending(struct oro_tiled_bytes *bytes, const uint64_t *numbers, size_t count)
{
    uint64_t before = 0;
    oro_tiled_put(bytes, count);
    for (size_t i = 0; i < count; i++) {
        oro_tiled_put(bytes, numbers[i] - before);
        before = numbers[i];
    }
}

void oro_tiled_put_signed(struct oro_tiled_bytes *bytes, int64_t number)
{
    uint64_t twice = (uint64_t)number << 1;
    oro_tiled_put(bytes, number < 0 ? ~twice : twice);
}

/* ---- Reading ---- */

unsigned oro_tiled_take_byte(struct oro_tiled_reader *reader)
{
    if (reader->failed || reader->at == reader->end) {
        reader->failed = true;
        return 0;
    }
    return *reader->at++;
}

uint64_t oro_tiled_take(struct oro_tiled_reader *reader, uint64_t most)
{
    uint64_t number = 0;
    unsigned byte = 0x80;
    for (int shift = 0; byte & 0x80; shift += 7) {
        byte = oro_tiled_take_byte(reader);
        if (shift > 63 || (shift == 63 && byte > 1))
            reader->failed = true;
        else
            number |= (uint64_t)(byte & 0x7f) << shift;
        if (reader->failed)
            return 0;
    }
    reader->failed = number > most;
    return reader->failed ? 0 : number;
}

uint32_t oro_tiled_take_four(struct oro_tiled_reader *reader)
{
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        number |= (uint32_t)oro_tiled_take_byte(reader) << 8 * i;
    return reader->failed ? 0 : number;
}

int64_t oro_tiled_take_signed(struct oro_tiled_reader *reader, int64_t most)
{
    uint64_t twice = oro_tiled_take(reader, UINT64_MAX);
    int64_t half = (int64_t)(twice >> 1), number = twice & 1 ? -half - 1 : half;
    if (number < -most || number > most)
        reader->failed = true;
    return reader->failed ? 0 : number;
}

uint32_t oro_tiled_take_count(struct oro_tiled_reader *reader, size_t bytes_each)
{
    uint64_t most = (uint64_t)(reader->end - reader->at) / bytes_each;
    return (uint32_t)oro_tiled_take(reader, most < UINT32_MAX / 8 ? most : UINT32_MAX / 8);
}

/* ---- Heads ---- */

void oro_tiled_put_head(struct oro_tiled_bytes *bytes, enum oro_tiled_message what,
                        const struct oro_tiled_block *block)
{
    oro_tiled_put_byte(bytes, (unsigned)what);
    oro_tiled_put(bytes, (uint64_t)block->x);
    oro_tiled_put(bytes, (uint64_t)block->y);
    oro_tiled_put(bytes, (uint64_t)block->width);
    oro_tiled_put(bytes, (uint64_t)block->height);
}

bool oro_tiled_take_head(struct oro_tiled_reader *reader, enum oro_tiled_message what,
                         const struct oro_tiled_block *block)
{
    bool same = oro_tiled_take_byte(reader) == (unsigned)what;
    same = same && oro_tiled_take(reader, ORO_TILED_SIDE_MAX) == (uint64_t)block->x;
    same = same && oro_tiled_take(reader, ORO_TILED_SIDE_MAX) == (uint64_t)block->y;
    same = same && oro_tiled_take(reader, ORO_TILED_SIDE_MAX) == (uint64_t)block->width;
    same = same && oro_tiled_take(reader, ORO_TILED_SIDE_MAX) == (uint64_t)block->height;
    reader->failed = reader->failed || !same;
    return same && !reader->failed;
}

bool oro_tiled_read_all(const struct oro_tiled_reader *reader, const char *what,
                        const struct oro_tiled_block *block, struct oro_error *err)
{
    if (!reader->failed && reader->at == reader->end)
        return true;
    return oro_fail(err, ORO_E_EVALUATE,
                    "the %s of the block of %d x %d cells at %d, %d came damaged from another process", what,
                    block->width, block->height, block->x, block->y);
}
