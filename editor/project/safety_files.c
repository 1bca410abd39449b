/* Sessions, locks and descriptions in the folder of recovery copies. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
#include "editor/project/safety_private.h"

/* ---- Places ---- */

char *ed_safety_folder(void)
{
    return oro_user_folder("XDG_STATE_HOME", ".local/state", "orograph/recovery");
}

char *ed_safety_path(const char *folder, const char *session, const char *rest)
{
    return oro_text_of("%s/%s%s", folder, session, rest);
}

bool ed_recovery_is_session(const char *name)
{
    return strspn(name, "0123456789abcdef") == ED_SESSION_LENGTH;
}

/* ---- Locks ---- */

static bool is_same_file(int file, const char *path)
{
    struct stat open_one, named;
    return fstat(file, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_ino == named.st_ino &&
           open_one.st_dev == named.st_dev;
}

int ed_recovery_lock(const char *folder, const char *session, bool wait, bool *running, struct oro_error *err)
{
    char *path = ed_safety_path(folder, session, ".lock");
    int file = -1, reason = 0;
    *running = false;
    /* Tries again if the file was removed between opening and locking it. */
    for (int tries = 0; path && tries < 10 && file < 0; tries++) {
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        bool locked = file >= 0 && flock(file, LOCK_EX | (wait ? 0 : LOCK_NB)) == 0;
        reason = errno;
        if (locked && is_same_file(file, path))
            break;
        if (file >= 0)
            close(file);
        file = -1;
        if (!locked)
            break;
    }
    *running = file < 0 && reason == EWOULDBLOCK;
    if (file < 0)
        oro_fail(err, ORO_E_WRITE, "cannot lock '%s': %s", path ? path : folder, strerror(reason));
    oro_free(path);
    return file;
}

static bool has_number(const char *name, unsigned number)
{
    return number > 0 && strtoul(name + ED_SESSION_LENGTH + 1, NULL, 10) == number;
}

char *ed_recovery_files(const char *folder, const char *session)
{
    return ed_safety_path(folder, session, ".files");
}

static void remove_folder(const char *folder)
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(stream), entry->d_name, 0);
    if (stream)
        closedir(stream);
    rmdir(folder);
}

void ed_recovery_remove(const char *folder, const char *session, unsigned keep, bool lock)
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;) {
        const char *name = entry->d_name;
        if (strncmp(name, session, ED_SESSION_LENGTH) != 0 || name[ED_SESSION_LENGTH] != '-' ||
            has_number(name, keep))
            continue;
        char *path = ed_safety_path(folder, name, "");
        if (path)
            unlink(path);
        oro_free(path);
    }
    if (stream)
        closedir(stream);
    char *path = lock ? ed_safety_path(folder, session, ".lock") : NULL;
    char *files = lock ? ed_recovery_files(folder, session) : NULL;
    if (files)
        remove_folder(files);
    if (path)
        unlink(path);
    oro_free(files);
    oro_free(path);
}

/* ---- Descriptions ---- */

void ed_copy_about_free(struct ed_copy_about *about)
{
    oro_free(about->document);
    oro_free(about->base);
    for (size_t i = 0; i < about->file_count; i++) {
        oro_free(about->files[i].path);
        oro_free(about->files[i].name);
    }
    oro_free(about->files);
    *about = (struct ed_copy_about){0};
}

/* Paths are bytes but JSON is UTF-8: each byte is written as the character of that number. */
static json_t *path_to_json(const char *path)
{
    json_t *bytes = json_array();
    for (; bytes && *path; path++)
        json_array_append_new(bytes, json_integer((unsigned char)*path));
    return bytes;
}

static char *path_from_json(const json_t *bytes)
{
    size_t count = json_array_size(bytes);
    char *path = oro_alloc(count + 1, 1);
    for (size_t i = 0; path && i < count; i++)
        path[i] = (char)json_integer_value(json_array_get(bytes, i));
    return path;
}

static json_t *path_json(const char *path)
{
    json_t *text = json_string(path);
    return text ? text : path_to_json(path);
}

static char *json_path(const json_t *value)
{
    return json_is_string(value) ? oro_copy_text(json_string_value(value)) : path_from_json(value);
}

static json_t *files_json(const struct ed_copy_about *about)
{
    json_t *files = json_array();
    for (size_t i = 0; files && i < about->file_count; i++) {
        json_t *one = json_object();
        json_object_set_new(one, "path", path_json(about->files[i].path));
        json_object_set_new(one, "name", json_string(about->files[i].name));
        json_array_append_new(files, one);
    }
    return files;
}

/* What may be wrong in it is left out: the names of copies lead nowhere else. */
static void json_files(const json_t *files, struct ed_copy_about *about)
{
    size_t count = json_array_size(files);
    about->files = count > 0 ? oro_alloc(count, sizeof *about->files) : NULL;
    for (size_t i = 0; about->files && i < count; i++) {
        const json_t *one = json_array_get(files, i);
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!name || !name[0] || name[0] == '.' || strchr(name, '/'))
            continue;
        struct ed_copy_file *file = &about->files[about->file_count++];
        *file = (struct ed_copy_file){json_path(json_object_get(one, "path")), oro_copy_text(name)};
    }
}

char *ed_copy_about_write(const struct ed_copy_about *about)
{
    json_t *file = json_object();
    bool ok = file && json_object_set_new(file, "files", files_json(about)) == 0 &&
              json_object_set_new(file, "document", path_json(about->document)) == 0 &&
              json_object_set_new(file, "base", path_json(about->base)) == 0 &&
              json_object_set_new(file, "seconds", json_integer(about->seconds)) == 0 &&
              json_object_set_new(file, "nodes", json_integer((json_int_t)about->nodes)) == 0 &&
              json_object_set_new(file, "known", json_boolean(about->disk.known)) == 0 &&
              json_object_set_new(file, "high", json_integer((json_int_t)about->disk.content.high)) == 0 &&
              json_object_set_new(file, "low", json_integer((json_int_t)about->disk.content.low)) == 0;
    char *text = ok ? json_dumps(file, JSON_INDENT(2)) : NULL;
    char *own = oro_copy_text(text);
    free(text);
    json_decref(file);
    return own;
}

bool ed_copy_about_read(const char *path, struct ed_copy_about *about)
{
    enum { BYTES_MAX = 1 << 20 };
    void *bytes = NULL;
    size_t size = 0;
    if (!oro_file_read(path, BYTES_MAX, &bytes, &size, NULL))
        return false;
    json_t *file = json_loadb(bytes, size, 0, NULL);
    oro_free(bytes);
    if (!json_is_object(file)) {
        json_decref(file);
        return false;
    }
    json_int_t seconds = json_integer_value(json_object_get(file, "seconds")),
               nodes = json_integer_value(json_object_get(file, "nodes"));
    about->document = json_path(json_object_get(file, "document"));
    about->base = json_path(json_object_get(file, "base"));
    about->seconds = seconds;
    about->nodes = nodes > 0 ? (size_t)nodes : 0;
    about->disk.known = json_is_true(json_object_get(file, "known"));
    about->disk.content.high = (uint64_t)json_integer_value(json_object_get(file, "high"));
    about->disk.content.low = (uint64_t)json_integer_value(json_object_get(file, "low"));
    json_files(json_object_get(file, "files"), about);
    json_decref(file);
    return about->document && about->base;
}
