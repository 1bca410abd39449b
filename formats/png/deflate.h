/*
 * Inside formats/: a zlib stream made by all processors, as pigz does. Bytes are cut into blocks of a fixed
 * size; each is compressed by zlib with the 32 KiB before it as its dictionary, and ends at a whole byte, so
 * that the blocks one after the other are one stream. The stream does not depend on how many processors there
 * are.
 */
#ifndef ORO_FORMATS_PNG_DEFLATE_H
#define ORO_FORMATS_PNG_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

enum { ORO_DEFLATE_HISTORY = 1 << 15 };

struct oro_deflate {
    int level; /* zlib's */
    bool runs; /* look for runs of one byte alone, not for what came before: for what is nearly noise */
    /* Private: */
    bool begun;
    unsigned long check; /* of all bytes so far */
    size_t room;         /* of a block in `out` */
    unsigned char *out;
    struct oro_deflate_block *blocks;
    size_t count;
};

/* For at most `most` bytes at once. False: memory is out. */
bool oro_deflate_begin(struct oro_deflate *stream, size_t most);

/* Compresses the next `count` bytes of the stream; those before them, at most ORO_DEFLATE_HISTORY, precede
 * `bytes` in memory: `history` of them. `last`: the stream ends here. False: memory is out. */
bool oro_deflate_bytes(struct oro_deflate *stream, const unsigned char *bytes, size_t count, size_t history,
                       bool last);

/* What came of them: blocks 0, 1, ... until there are no more (NULL). */
const unsigned char *oro_deflate_block(const struct oro_deflate *stream, size_t block, size_t *size);

void oro_deflate_end(struct oro_deflate *stream);

#endif
