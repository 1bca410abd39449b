#include "cli/engine/agree.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/options/standard.h"
#include "devices/gpu/gpu.h"
#include "graph/file/load.h"

static bool alone(const struct oro_ranks *ranks)
{
    return !ranks || ranks->count == 1;
}

bool cli_same_program(struct oro_ranks *ranks, char *const *arguments, int count, struct oro_error *err)
{
    char digits[ORO_HASH_TEXT], text[300];
    struct oro_text line = {0};
    if (alone(ranks))
        return true;
    snprintf(text, sizeof text, "%s, kernels %s", OROGRAPH_VERSION,
             oro_hash_text(oro_gpu_kernels_digest(), digits));
    for (int i = 0; i < count; i++)
        oro_text_addf(&line, "%s%s", i ? " " : "", arguments[i]);
    bool ok = oro_ranks_agree(ranks, !line.failed || oro_fail(err, ORO_E_MEMORY, "no memory for the options"),
                              err) &&
              oro_ranks_same(ranks, "version of orograph-mpi", text, ORO_E_RANKS, err);
    if (ok && line.length > 0) {
        snprintf(text, sizeof text, "%.200s (%.8s)", line.data,
                 oro_hash_text(oro_hash_of(line.data, line.length), digits));
        ok = oro_ranks_same(ranks, "options", text, ORO_E_USAGE, err);
    }
    oro_text_free(&line);
    return ok;
}

bool cli_same_document(struct oro_ranks *ranks, const char *path, struct oro_error *err)
{
    char digits[ORO_HASH_TEXT] = "";
    void *data = NULL;
    size_t size = 0;
    if (alone(ranks) || cli_is_standard(path))
        return true;
    bool ok = oro_file_read(path, ORO_DOCUMENT_BYTES_MAX, &data, &size, err);
    if (ok)
        oro_hash_text(oro_hash_of(data, size), digits);
    oro_free(data);
    return oro_ranks_agree(ranks, ok, err) &&
           oro_ranks_same(ranks, "contents of the document", digits, ORO_E_DOCUMENT, err);
}

/* Each key, and its complement, so that the greatest of all ranks tells where any two differ. */
static void write_keys(const struct oro_plan *plan, uint64_t *words)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        uint64_t key = plan->steps[i].key.low ^ plan->steps[i].key.high;
        words[2 * i] = key;
        words[2 * i + 1] = ~key;
    }
}

static bool same_key(struct oro_ranks *ranks, const struct oro_step *step, struct oro_error *err)
{
    char digits[ORO_HASH_TEXT], what[256];
    snprintf(what, sizeof what, "key for '%.100s' (do they find the same files, scripts and kernels?)",
             step->id);
    if (oro_ranks_same(ranks, what, oro_hash_text(step->key, digits), ORO_E_FILE, err))
        return true;
    oro_error_place(err, step->document, step->line, step->id);
    return false;
}

bool cli_same_plan(struct oro_ranks *ranks, const struct oro_plan *plan, struct oro_error *err)
{
    char count[32];
    if (alone(ranks))
        return true;
    snprintf(count, sizeof count, "%zu", plan->step_count);
    uint64_t *words = oro_alloc(plan->step_count + 1, 2 * sizeof *words);
    bool ok = oro_ranks_agree(ranks, words || oro_fail(err, ORO_E_MEMORY, "no memory for keys"), err) &&
              oro_ranks_same(ranks, "number of steps", count, ORO_E_DOCUMENT, err);
    if (ok && words)
        write_keys(plan, words);
    ok = ok && ranks->ops->greatest(ranks, words, 2 * plan->step_count, err);
    for (size_t i = 0; ok && i < plan->step_count; i++)
        if (words[2 * i] != ~words[2 * i + 1])
            ok = same_key(ranks, &plan->steps[i], err);
    oro_free(words);
    return ok;
}

bool cli_same_bits(struct oro_ranks *ranks, const char *output, const void *data, size_t bytes,
                   struct oro_error *err)
{
    char digits[ORO_HASH_TEXT], what[160];
    if (alone(ranks))
        return true;
    snprintf(what, sizeof what, "result for '%.64s', although they should", output);
    return oro_ranks_same(ranks, what, oro_hash_text(oro_hash_of(data, bytes), digits), ORO_E_EVALUATE, err);
}

/* What rank 0 knows of another's device, whose name is the same. */
struct place {
    char host[64], platform[sizeof((struct oro_device_info *)NULL)->platform];
};

void cli_say_devices(struct oro_ranks *ranks, const struct oro_device_info *info)
{
    struct oro_text text = {0};
    struct place own = {0};
    void *all = NULL;
    if (alone(ranks)) {
        printf("computed on %s (%s)\n", info->name, info->platform);
        return;
    }
    snprintf(own.host, sizeof own.host, "%s", ranks->host);
    snprintf(own.platform, sizeof own.platform, "%s", info->platform);
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes);
    bool ok = oro_ranks_all(ranks, sizes) && ranks->ops->gather(ranks, &own, sizeof own, &all, sizes, NULL);
    const struct place *places = all;
    for (int i = 0; ok && places && i < ranks->count; i++) {
        bool same = i > 0 && strcmp(places[i].host, places[i - 1].host) == 0;
        if (same)
            oro_text_addf(&text, ", %s", places[i].platform);
        else
            oro_text_addf(&text, "%s%s: %s", i ? "; " : "", places[i].host, places[i].platform);
    }
    if (text.data && !text.failed)
        printf("computed by %d ranks on %s (%s)\n", ranks->count, info->name, text.data);
    oro_text_free(&text);
    oro_free(all);
    oro_free(sizes);
}
