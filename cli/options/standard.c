#include "cli/options/standard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <dirent.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/report/console.h"
#include "graph/file/load.h"

bool cli_is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

struct oro_document *cli_load_document(const char *path, const struct oro_registry *registry,
                                       struct oro_problems *problems)
{
    struct oro_error err = {0};
    void *text = NULL;
    size_t size = 0;
    if (!cli_is_standard(path))
        return oro_document_load(path, registry, problems);
    if (!oro_stream_read(stdin, "standard input", ORO_DOCUMENT_BYTES_MAX, &text, &size, &err)) {
        oro_problem_add(problems, true, "unreadable", 0, NULL, "%s", err.text);
        return NULL;
    }
    struct oro_document *doc = oro_document_parse(text, size, "", registry, problems);
    oro_free(text);
    if (doc) {
        oro_settle_names(doc, registry, problems);
        oro_check(doc, registry, problems);
    }
    return doc;
}

static bool check_format(const char *format, struct oro_error *err)
{
    if (!format)
        return oro_fail(err, ORO_E_USAGE, "'-' has no extension: give its format, such as --format r32");
    return strspn(format, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               strlen(format) ||
           oro_fail(err, ORO_E_USAGE, "'%.60s' is no format: give an extension without its dot, such as r32",
                    format);
}

/* The name of a file in the folder, which is made when the first is wanted. NULL: `err` is filled. */
static char *name_file(struct cli_standard *standard, const char *stem, const char *format,
                       struct oro_error *err)
{
    const char *place = getenv("TMPDIR");
    struct oro_text name = {0};
    if (!check_format(format, err))
        return NULL;
    if (!standard->folder) {
        oro_text_addf(&name, "%s/orograph-XXXXXX", place && place[0] ? place : "/tmp");
        if (!name.failed && !mkdtemp(name.data)) {
            oro_fail(err, ORO_E_WRITE, "cannot make the folder '%s': %s", name.data, strerror(errno));
            oro_text_free(&name);
            return NULL;
        }
        standard->folder = name.data;
        name = (struct oro_text){0};
    }
    if (standard->folder)
        oro_text_addf(&name, "%s/%s.%s", standard->folder, stem, format);
    if (!standard->folder || name.failed) {
        oro_text_free(&name);
        oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    }
    return name.data;
}

static bool copy(FILE *from, FILE *to, const char *what, enum oro_code code, struct oro_error *err)
{
    char bytes[1 << 16];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, from)) > 0;)
        if (fwrite(bytes, 1, got, to) != got)
            return oro_fail(err, ORO_E_WRITE, "cannot write %s: %s", what, strerror(errno));
    return !ferror(from) || oro_fail(err, code, "cannot read %s: %s", what, strerror(errno));
}

bool cli_standard_in(struct cli_standard *standard, const char **path, const char *format,
                     struct oro_error *err)
{
    if (!cli_is_standard(*path))
        return true;
    *path = standard->in = name_file(standard, "standard-input", format, err);
    if (!*path)
        return false;
    FILE *file = fopen(*path, "wb");
    if (!file)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", *path, strerror(errno));
    bool ok = copy(stdin, file, "standard input", ORO_E_FILE, err);
    return (fclose(file) == 0 ||
            oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", *path, strerror(errno))) &&
           ok;
}

bool cli_standard_out(struct cli_standard *standard, const char **path, const char *format,
                      struct oro_error *err)
{
    if (!cli_is_standard(*path))
        return true;
    if (format && strcasecmp(format, "zarr") == 0)
        return oro_fail(err, ORO_E_USAGE, "standard output takes one file, and zarr is a folder of them");
    *path = standard->out = name_file(standard, "standard-output", format, err);
    if (!*path)
        return false;
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away must not keep the folder from being removed */
    standard->descriptor = dup(STDOUT_FILENO);
    return (standard->descriptor >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) ||
           oro_fail(err, ORO_E_WRITE, "cannot write to standard output: %s", strerror(errno));
}

bool cli_standard_name(struct cli_standard *standard, const char **path, const char *format,
                       struct oro_error *err)
{
    struct oro_text name = {0};
    if (!check_format(format, err))
        return false;
    oro_text_addf(&name, "standard-output.%s", format);
    *path = standard->out = name.data;
    return !name.failed || oro_fail(err, ORO_E_MEMORY, "no memory for a path");
}

bool cli_standard_send(struct cli_standard *standard, struct oro_error *err)
{
    if (!standard->out || !standard->folder)
        return true;
    FILE *file = fopen(standard->out, "rb"), *to = fdopen(standard->descriptor, "wb");
    bool ok = file && to ? copy(file, to, "to standard output", ORO_E_WRITE, err)
                         : oro_fail(err, ORO_E_WRITE, "cannot write to standard output: %s", strerror(errno));
    if (file)
        fclose(file);
    if (to)
        standard->descriptor = -1;
    if (to && fclose(to) != 0 && ok)
        ok = oro_fail(err, ORO_E_WRITE, "cannot write to standard output: %s", strerror(errno));
    return ok;
}

/* What writing leaves beside a file depends on its format: all of it goes. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0); /* fails for the folder itself and its parent */
    if (folder)
        closedir(folder);
    rmdir(path);
}

void cli_standard_end(struct cli_standard *standard)
{
    if (standard->out && standard->descriptor > STDERR_FILENO)
        close(standard->descriptor);
    if (standard->folder)
        remove_folder(standard->folder);
    oro_free(standard->in);
    oro_free(standard->out);
    oro_free(standard->folder);
    *standard = (struct cli_standard){0};
}
