/*
 * kernelc FOLDER COUNT: makes C of the kernels' texts that FOLDER/index names (cli/main_kernels.c): COUNT
 * files FOLDER/part_00.c ..., and FOLDER/table.c with the table of them (devices/processor/native.h).
 * glslangValidator makes SPIR-V of a text, which is kept beside it. Kernels that cannot be translated are
 * left out, and FOLDER/left_out says why.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "devices/processor/compiler/emit.h"

extern char **environ;

enum { PARTS_MAX = 64, DIGEST_LENGTH = 32, FILE_BYTES_MAX = 1 << 26 };

/* A line of the index. */
struct kernel {
    char digest[DIGEST_LENGTH + 1], name[96];
    bool translated;
    bool by_hand; /* there is code by hand, which goes first */
};

struct work {
    const char *folder;
    struct kernel *kernels;
    size_t count;
    int parts;
};

/* Returns false. */
static bool complain(const char *what, const char *which)
{
    fprintf(stderr, "kernelc: %s %s\n", what, which);
    return false;
}

static bool put(const struct work *work, const char *name, const struct oro_text *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", work->folder, name);
    void *old = NULL;
    size_t size = 0;
    const char *data = text->data ? text->data : "";
    bool same = oro_file_read(path, FILE_BYTES_MAX, &old, &size, NULL) && size == text->length &&
                memcmp(old, data, size) == 0;
    oro_free(old);
    if (same) /* what depends on it need not be made again */
        return true;
    FILE *file = text->failed ? NULL : fopen(path, "wb");
    bool ok = file && fwrite(data, 1, text->length, file) == text->length;
    ok = file && fclose(file) == 0 && ok;
    return ok || complain("cannot write", path);
}

/* "DIGEST NAME", or "DIGEST NAME by_hand". */
static bool read_line(struct kernel *kernel, const char *line, size_t length)
{
    if (length <= DIGEST_LENGTH + 1)
        return false;
    const char *name = line + DIGEST_LENGTH + 1, *mark = memchr(name, ' ', length - DIGEST_LENGTH - 1);
    size_t named = mark ? (size_t)(mark - name) : length - DIGEST_LENGTH - 1;
    if (named >= sizeof kernel->name)
        return false;
    memcpy(kernel->digest, line, DIGEST_LENGTH);
    memcpy(kernel->name, name, named);
    kernel->by_hand = mark;
    return true;
}

static bool read_index(struct work *work)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/index", work->folder);
    void *data = NULL;
    size_t size = 0;
    if (!oro_file_read(path, FILE_BYTES_MAX, &data, &size, NULL))
        return complain("cannot read", path);
    work->kernels = oro_alloc(size / DIGEST_LENGTH + 1, sizeof *work->kernels);
    bool ok = work->kernels;
    const char *at = data, *end = at + size;
    while (ok && at < end) {
        struct kernel *kernel = &work->kernels[work->count++];
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        ok = read_line(kernel, at, length);
        at += length + 1;
    }
    oro_free(data);
    return ok || complain("cannot read", path);
}

/* ---- SPIR-V ---- */

/* Starts glslangValidator on a text of which there is no SPIR-V yet. 0: none is needed, or it cannot be
 * started. */
static pid_t start(const struct work *work, const struct kernel *kernel)
{
    char text[4096], binary[4096];
    snprintf(text, sizeof text, "%s/%s.comp", work->folder, kernel->digest);
    snprintf(binary, sizeof binary, "%s/%s.spv", work->folder, kernel->digest);
    struct stat status;
    if (stat(binary, &status) == 0 && status.st_size > 0)
        return 0;
    char *const words[] = {"glslangValidator", "--quiet", "-V", "-S", "comp", "-o", binary, text, NULL};
    posix_spawn_file_actions_t
        actions; /* what it says is of no use to who builds: left_out tells what is missing */
    if (posix_spawn_file_actions_init(&actions) != 0)
        return 0;
    pid_t pid = 0;
    bool ok = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
              posix_spawnp(&pid, words[0], &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok ? pid : 0;
}

static void make_binaries(const struct work *work)
{
    long at_once = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    for (size_t i = 0; i < work->count; i++) {
        running += start(work, &work->kernels[i]) > 0;
        for (; running >= (at_once > 0 ? at_once : 1) && wait(NULL) > 0; running--)
            ;
    }
    while (wait(NULL) > 0)
        ;
}

/* ---- C ---- */

static void translate(const struct work *work, struct kernel *kernel, struct oro_text *part,
                      struct oro_text *left_out)
{
    char path[4096], name[64];
    snprintf(path, sizeof path, "%s/%s.spv", work->folder, kernel->digest);
    snprintf(name, sizeof name, "k_%s", kernel->digest);
    void *data = NULL;
    size_t size = 0;
    struct kc_module module = {.arena = oro_arena_create(), .problem = NULL};
    struct oro_text code = {0};
    bool ok = module.arena && oro_file_read(path, FILE_BYTES_MAX, &data, &size, NULL) && size % 4 == 0;
    if (!ok)
        module.problem = "glslangValidator makes nothing of it";
    else
        kernel->translated = kc_read(&module, data, size / 4) && kc_translate(&module, name, &code);
    if (kernel->translated)
        oro_text_addf(part, "/* %s */\n%s%s%s", kernel->name,
                      kernel->by_hand ? "#if ORO_NATIVE_BY_HAND\n" : "", code.data,
                      kernel->by_hand ? "#endif\n" : "");
    else
        oro_text_addf(left_out, "%s %s %s\n", kernel->digest, kernel->name, module.problem);
    oro_text_free(&code);
    oro_free(data);
    oro_arena_destroy(module.arena);
}

/* A kernel's part hangs on its digest alone, so that the others stay as they are when one changes. */
static int part_of(const struct work *work, const struct kernel *kernel)
{
    char start[9] = {0};
    memcpy(start, kernel->digest, sizeof start - 1);
    return (int)(strtoul(start, NULL, 16) % (unsigned long)work->parts);
}

static bool write_parts(struct work *work)
{
    struct oro_text parts[PARTS_MAX] = {{0}}, left_out = {0};
    for (int i = 0; i < work->parts; i++)
        oro_text_add(&parts[i], "#include \"devices/processor/lanes.h\"\n\n");
    for (size_t i = 0; i < work->count; i++)
        translate(work, &work->kernels[i], &parts[part_of(work, &work->kernels[i])], &left_out);
    bool ok = put(work, "left_out", &left_out);
    oro_text_free(&left_out);
    for (int i = 0; i < work->parts; i++) {
        char name[32];
        snprintf(name, sizeof name, "part_%02d.c", i);
        ok = put(work, name, &parts[i]) && ok;
        oro_text_free(&parts[i]);
    }
    return ok;
}

static const char *kind_of(const struct kernel *kernel)
{
    return kernel->by_hand ? "HAND" : "EACH";
}

static bool write_table(const struct work *work)
{
    struct oro_text table = {0};
    oro_text_add(&table,
                 "#include \"devices/processor/native.h\"\n\n"
                 "#define DECLARE_ONE(digest) oro_native_code k_##digest##_least;\n"
                 "#define ONE(digest, name) {#digest, name, {k_##digest##_least, k_##digest##_least, "
                 "k_##digest##_least}},\n"
                 "#ifdef ORO_NATIVE_ONE_KIND\n#define DECLARE_EACH DECLARE_ONE\n#define EACH ONE\n#else\n"
                 "#define DECLARE_EACH(digest) \\\n"
                 "    oro_native_code k_##digest##_least, k_##digest##_avx2, k_##digest##_avx512;\n"
                 "#define EACH(digest, name) {#digest, name, {k_##digest##_least, k_##digest##_avx2, "
                 "k_##digest##_avx512}},\n"
                 "#endif\n"
                 "#if ORO_NATIVE_BY_HAND == 2\n#define DECLARE_HAND DECLARE_EACH\n#define HAND EACH\n"
                 "#elif ORO_NATIVE_BY_HAND == 1\n#define DECLARE_HAND DECLARE_ONE\n#define HAND ONE\n"
                 "#else\n#define DECLARE_HAND(digest)\n#define HAND(digest, name)\n#endif\n\n");
    for (size_t i = 0; i < work->count; i++)
        if (work->kernels[i].translated)
            oro_text_addf(&table, "DECLARE_%s(%s)\n", kind_of(&work->kernels[i]), work->kernels[i].digest);
    oro_text_add(&table, "\nconst struct oro_native oro_native_table[] = {\n");
    for (size_t i = 0; i < work->count; i++)
        if (work->kernels[i].translated)
            oro_text_addf(&table, "    %s(%s, \"%s\")\n", kind_of(&work->kernels[i]), work->kernels[i].digest,
                          work->kernels[i].name);
    oro_text_add(&table,
                 "    {0},\n};\n"
                 "const size_t oro_native_count = sizeof oro_native_table / sizeof *oro_native_table - 1;\n");
    bool ok = put(work, "table.c", &table);
    oro_text_free(&table);
    return ok;
}

int main(int count, char **words)
{
    struct work work = {.folder = count == 3 ? words[1] : NULL,
                        .parts = count == 3 ? (int)strtol(words[2], NULL, 10) : 0};
    if (work.parts < 1 || work.parts > PARTS_MAX) {
        complain("usage: kernelc FOLDER COUNT, with COUNT up to 64, not", count > 2 ? words[2] : "");
        return 1;
    }
    if (!read_index(&work))
        return 1;
    make_binaries(&work);
    bool ok = write_parts(&work) && write_table(&work);
    oro_free(work.kernels);
    return ok ? 0 : 1;
}
