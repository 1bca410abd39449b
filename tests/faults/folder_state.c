#include "tests/faults/folder_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>

static struct oro_hash digest_of(const char *path)
{
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    struct oro_hasher *hasher = oro_hasher_create();
    size_t length;
    while (file && hasher && (length = fread(bytes, 1, sizeof bytes, file)) > 0)
        oro_hash_part(hasher, bytes, length);
    struct oro_hash digest = hasher ? oro_hasher_end(hasher) : (struct oro_hash){0};
    if (file)
        fclose(file);
    return digest;
}

static void look_in(struct faults_state *state, const char *folder, const char *below)
{
    char path[600], name[300];
    snprintf(path, sizeof path, "%s/%s", folder, below);
    DIR *stream = opendir(path);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s%s%s", below, below[0] ? "/" : "", entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (lstat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode)) {
            look_in(state, folder, name);
        } else if (state->count < FAULTS_FILES_MAX) {
            struct faults_file *file = &state->files[state->count++];
            snprintf(file->path, sizeof file->path, "%.199s", name);
            file->digest = digest_of(path);
        }
    }
    if (stream)
        closedir(stream);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct faults_file *)a)->path, ((const struct faults_file *)b)->path);
}

void faults_look(struct faults_state *state, const char *folder)
{
    state->count = 0;
    look_in(state, folder, "");
    qsort(state->files, state->count, sizeof state->files[0], by_path);
}

const struct faults_file *faults_find(const struct faults_state *state, const char *path)
{
    for (size_t i = 0; i < state->count; i++)
        if (strcmp(state->files[i].path, path) == 0)
            return &state->files[i];
    return NULL;
}

bool faults_same_file(const struct faults_state *a, const struct faults_state *b, const char *path)
{
    const struct faults_file *in_a = faults_find(a, path), *in_b = faults_find(b, path);
    return in_a && in_b ? oro_hash_equal(in_a->digest, in_b->digest) : !in_a && !in_b;
}

bool faults_is_result(const char *path)
{
    enum { DIGITS = 32 };
    const char *name = strrchr(path, '/');
    return strncmp(path, "cache/", 6) == 0 && strspn(name + 1, "0123456789abcdef") == DIGITS &&
           strspn(name + 1 + DIGITS, ".0123456789") == strlen(name + 1 + DIGITS);
}

bool faults_is_recovery(const char *path)
{
    const char *end = strrchr(path, '.');
    return strncmp(path, "recovery/", 9) == 0 && end &&
           (strcmp(end, ".oro") == 0 || strcmp(end, ".json") == 0 || strcmp(end, ".lock") == 0);
}
