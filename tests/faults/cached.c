#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/report/console.h"
#include "tests/engine/support.h"
#include "tests/faults/work.h"

int faults_fail(const struct oro_error *err)
{
    return (int)cli_fail(err);
}

_Noreturn void faults_broken(const char *what)
{
    fprintf(stderr, "%s\n", what);
    fflush(stderr);
    _Exit(97);
}

static bool evaluate(struct oro_hash *digest, struct oro_error *err)
{
    void *text = NULL;
    size_t size = 0;
    if (!oro_file_read("in/plain.oro", 1 << 20, &text, &size, err))
        return false;
    struct run run = {
        .cache = oro_cache_create(&(struct oro_cache_options){
            .folder = "out/cache", .device_bytes = 1 << 26, .host_bytes = 1 << 26, .disk_seconds = -1})};
    if (run.cache)
        run_document(&run, text, "rough.terrain");
    else
        oro_fail(&run.err, ORO_E_MEMORY, "no memory for the cache");
    oro_cache_destroy(run.cache);
    oro_free(text);
    *digest = run.data;
    *err = run.err;
    return run.ok;
}

static bool trim(struct oro_error *err)
{
    struct oro_cache_stats stats;
    return oro_cache_disk_stats("out/cache", &stats, err) &&
           oro_cache_disk_trim("out/cache", stats.bytes / 2, &stats, err);
}

int faults_trim(void)
{
    struct oro_error err = {0};
    int code = faults_cache();
    if (code == 0 && !trim(&err))
        code = faults_fail(&err);
    return code ? code : faults_cache();
}

int faults_cache(void)
{
    char digest_text[ORO_HASH_TEXT];
    struct oro_hash digest = {0};
    struct oro_error err = {0};
    device = oro_device_open(&(struct oro_gpu_options){.index = ORO_DEVICE_PROCESSOR}, &err);
    bool ok = device && evaluate(&digest, &err);
    if (device)
        device->ops->destroy(device);
    device = NULL;
    if (!ok)
        return faults_fail(&err);
    printf("%s\n", oro_hash_text(digest, digest_text));
    return 0;
}
