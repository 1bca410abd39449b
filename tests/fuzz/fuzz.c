#include "tests/fuzz/fuzz.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "tests/support/folder.h"

void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

void fuzz_require_reason(const struct oro_error *err)
{
    fuzz_require(err->code != ORO_OK);
    fuzz_require(err->text[0]);
}

unsigned fuzz_below(struct fuzz_bytes *bytes, unsigned count)
{
    unsigned value = 0;
    for (unsigned reach = 1; reach < count && bytes->left > 0; reach *= 256) {
        value = value << 8 | *bytes->at++;
        bytes->left--;
        if (reach > UINT_MAX / 256)
            break;
    }
    return count ? value % count : 0;
}

bool fuzz_chance(struct fuzz_bytes *bytes, unsigned one_in)
{
    return fuzz_below(bytes, one_in) == one_in - 1;
}

double fuzz_number(struct fuzz_bytes *bytes)
{
    static const double extremes[] = {
        0,      -0.0,    1,       -1,       0.5,       1e-3,      1000,         1e6,
        -1e6,   1e9,     -1e9,    INFINITY, -INFINITY, NAN,       1e300,        -1e300,
        1e-300, FLT_MAX, FLT_MIN, DBL_MAX,  INT32_MAX, INT32_MIN, 4294967296.0, 9007199254740993.0};
    double any;
    switch (fuzz_below(bytes, 4)) {
    case 0:
        return (double)fuzz_below(bytes, 256) - 16;
    case 1:
        return extremes[fuzz_below(bytes, sizeof extremes / sizeof extremes[0])];
    case 2:
        return ((double)fuzz_below(bytes, 65536) - 32768) / 256;
    default:
        if (bytes->left < sizeof any)
            return 0;
        memcpy(&any, bytes->at, sizeof any);
        bytes->at += sizeof any;
        bytes->left -= sizeof any;
        return any;
    }
}

struct fuzz_bytes fuzz_part(struct fuzz_bytes *bytes)
{
    const uint8_t *zero = bytes->left ? memchr(bytes->at, 0, bytes->left) : NULL;
    struct fuzz_bytes part = {bytes->at, zero ? (size_t)(zero - bytes->at) : bytes->left};
    size_t used = part.left + (zero != NULL);
    bytes->at += used;
    bytes->left -= used;
    return part;
}

const char *fuzz_text(struct fuzz_bytes *bytes, char *out, size_t size)
{
    struct fuzz_bytes part = fuzz_part(bytes);
    size_t length = part.left < size ? part.left : size - 1;
    if (length > 0)
        memcpy(out, part.at, length);
    out[length] = '\0';
    return out;
}

/* ---- Files ---- */

static char folder[FUZZ_PATH / 2];

static void remove_folder(void)
{
    remove_tree(folder);
}

const char *fuzz_folder(void)
{
    if (folder[0])
        return folder;
    const char *below = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/orograph-fuzz-XXXXXX", below && *below ? below : "/tmp");
    fuzz_require(mkdtemp(folder));
    atexit(remove_folder);
    return folder;
}

const char *fuzz_path(char out[FUZZ_PATH], const char *name)
{
    int length = snprintf(out, FUZZ_PATH, "%s/%s", fuzz_folder(), name);
    fuzz_require(length > 0 && length < FUZZ_PATH);
    return out;
}

void fuzz_write(const char *path, const void *bytes, size_t size)
{
    unlink(path); /* to write over a file takes some file systems a hundred times as long */
    FILE *file = fopen(path, "wb");
    fuzz_require(file);
    fuzz_require(size == 0 || fwrite(bytes, 1, size, file) == size);
    fuzz_require(fclose(file) == 0);
}
