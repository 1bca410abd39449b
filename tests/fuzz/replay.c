/* Runs a fuzz target on files, and on all files of folders, without the fuzzer: what it once found is tried
 * by every test, with any compiler. */
#include <stdio.h>
#include <stdlib.h>

#include <ftw.h>

#include "tests/fuzz/fuzz.h"

static int files;

static int replay(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)place;
    if (kind != FTW_F)
        return 0;
    size_t size = (size_t)info->st_size;
    uint8_t *data = malloc(size ? size : 1); /* of just this size, so that sanitizers see what lies beyond */
    FILE *file = fopen(path, "rb");
    if (!data || !file || fread(data, 1, size, file) != size) {
        fprintf(stderr, "cannot read '%s'\n", path);
        exit(2);
    }
    fclose(file);
    fprintf(stderr, "%s\n", path); /* tells which one it was, should this be the last line */
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    files++;
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (nftw(argv[i], replay, 16, FTW_PHYS) != 0) {
            fprintf(stderr, "cannot go through '%s'\n", argv[i]);
            return 2;
        }
    }
    printf("%d inputs\n", files);
    return files > 0 ? 0 : 2;
}
