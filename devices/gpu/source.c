#include "devices/gpu/source.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"

enum { DEPTH_MAX = 16, NAME_MAX_LENGTH = 128, FILE_BYTES_MAX = 1 << 20, TOTAL_BYTES_MAX = 4 << 20 };

/* Where a file is asked for: for messages, and to limit the depth. */
struct place {
    const char *file; /* NULL: the caller asks for the kernel itself */
    int line, depth;
};

struct reader {
    struct oro_source *source;
    const struct oro_shader_set *set;
    struct oro_error *err;
};

static bool fail_at(struct reader *reader, struct place place, const char *name, const char *problem)
{
    if (!place.file)
        return oro_fail(reader->err, ORO_E_KERNEL, "kernel '%s': %s", name, problem);
    return oro_fail(reader->err, ORO_E_KERNEL, "%s:%d: error: cannot include '%s': %s", place.file,
                    place.line, name, problem);
}

static bool name_allowed(const char *name)
{
    if (!name[0] || name[0] == '/' || strchr(name, '\\') || strlen(name) > NAME_MAX_LENGTH)
        return false;
    for (const char *at = name; (at = strstr(at, "..")); at += 2)
        if ((at == name || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
            return false;
    return true;
}

static char *path_of(const struct oro_shader_set *set, const char *name)
{
    return oro_text_of("%s/%s", set->folder, name);
}

bool oro_source_changed(const struct oro_source *source, const struct oro_shader_set *set)
{
    for (size_t i = 0; set->folder && i < source->count; i++) {
        char *path = path_of(set, source->parts[i].name);
        struct oro_stamp now = path ? oro_stamp_of(path) : source->parts[i].stamp;
        oro_free(path);
        if (!oro_stamp_equal(&now, &source->parts[i].stamp))
            return true;
    }
    return false;
}

const char *oro_source_name(const struct oro_source *source, long number)
{
    if (number == 0)
        return "preamble";
    if (number < 0 || (unsigned long)number > source->count)
        return NULL;
    return source->parts[number - 1].name;
}

static bool has_part(const struct oro_source *source, const char *name)
{
    for (size_t i = 0; i < source->count; i++)
        if (strcmp(source->parts[i].name, name) == 0)
            return true;
    return false;
}

static struct oro_source_part *add_part(struct reader *reader, const char *name)
{
    struct oro_source *source = reader->source;
    void *parts = source->parts;
    char *copy = oro_copy_text(name);
    if (!copy || !oro_reserve(&parts, &source->capacity, source->count + 1, sizeof *source->parts)) {
        oro_free(copy);
        oro_fail(reader->err, ORO_E_MEMORY, "no memory for kernel source '%s'", name);
        return NULL;
    }
    source->parts = parts;
    source->parts[source->count] = (struct oro_source_part){.name = copy};
    return &source->parts[source->count++];
}

/* Reads the text of a file; `owned` must be freed, and is NULL for an embedded file. */
static bool load(struct reader *reader, struct place place, struct oro_source_part *part, const char **text,
                 void **owned)
{
    *owned = NULL;
    const struct oro_shader_set *set = reader->set;
    if (set->folder) {
        char *path = path_of(set, part->name);
        if (!path)
            return oro_fail(reader->err, ORO_E_MEMORY, "no memory for a path");
        part->stamp = oro_stamp_of(path);
        size_t size;
        struct oro_error problem = {0};
        bool ok = oro_file_read(path, FILE_BYTES_MAX, owned, &size, &problem);
        oro_free(path);
        *text = *owned;
        return ok || fail_at(reader, place, part->name, problem.text);
    }
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->files[i].name, part->name) == 0) {
            *text = set->files[i].text;
            return true;
        }
    return fail_at(reader, place, part->name, "there is no such file");
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* If the line is an #include, returns the text after that word; else NULL. */
static const char *include_operand(const char *line)
{
    const char *at = skip_blanks(line);
    if (*at != '#')
        return NULL;
    at = skip_blanks(at + 1);
    if (strncmp(at, "include", 7) != 0 || !strchr(" \t\"<", at[7]) || !at[7])
        return NULL;
    return skip_blanks(at + 7);
}

/* Whether a block comment is open at the end of the line, given whether one was at its start. */
static bool comment_after(const char *at, const char *end, bool open)
{
    while (at + 1 < end) {
        if (!open && at[0] == '/' && at[1] == '/')
            return false;
        if (at[0] == (open ? '*' : '/') && at[1] == (open ? '/' : '*')) {
            open = !open;
            at++;
        }
        at++;
    }
    return open;
}

/* Says that what follows is line `line` of a file. */
static void append_place(struct oro_text *out, size_t number, int line)
{
    oro_text_addf(out, "#line %zu %zu\n", number * ORO_SOURCE_LINES + (size_t)line, number);
}

static bool append_file(struct reader *reader, struct place place, const char *name);

/* Replaces the include line at `place` by the file, then continues with the including file's numbering. */
static bool include(struct reader *reader, struct place place, size_t number, const char *operand)
{
    char name[NAME_MAX_LENGTH + 1];
    const char *end = operand[0] == '"' ? strpbrk(operand + 1, "\"\n") : NULL;
    if (!end || *end != '"')
        return oro_fail(reader->err, ORO_E_KERNEL, "%s:%d: error: expected #include \"lib/name.glsl\"",
                        place.file, place.line);
    size_t length = (size_t)(end - operand) - 1;
    if (length >= sizeof name)
        return fail_at(reader, place, "...", "the name is too long");
    memcpy(name, operand + 1, length);
    name[length] = '\0';
    if (has_part(reader->source, name)) {
        oro_text_add(&reader->source->text, "\n");
        return true;
    }
    place.depth++;
    if (!append_file(reader, place, name))
        return false;
    append_place(&reader->source->text, number, place.line + 1);
    return true;
}

static bool append_lines(struct reader *reader, struct place place, size_t number, const char *text)
{
    struct oro_text *out = &reader->source->text;
    bool comment = false;
    for (; text && *text; place.line++) {
        const char *newline = strchr(text, '\n');
        const char *end = newline ? newline : text + strlen(text);
        const char *operand = comment ? NULL : include_operand(text);
        if (operand) {
            if (!include(reader, place, number, operand))
                return false;
        } else {
            oro_text_add_bytes(out, text, (size_t)(end - text));
            oro_text_add(out, "\n");
        }
        if (out->length > TOTAL_BYTES_MAX || place.line >= ORO_SOURCE_LINES)
            return oro_fail(reader->err, ORO_E_KERNEL, "%s:%d: error: too many lines", place.file,
                            place.line);
        comment = comment_after(text, end, comment);
        text = newline ? newline + 1 : end;
    }
    return true;
}

static bool append_file(struct reader *reader, struct place place, const char *name)
{
    if (!name_allowed(name))
        return fail_at(reader, place, name, "names are relative to the shader folder, without '..'");
    if (place.depth > DEPTH_MAX)
        return fail_at(reader, place, name, "includes are nested too deeply");
    struct oro_source_part *part = add_part(reader, name);
    const char *text = NULL;
    void *owned = NULL;
    if (!part || !load(reader, place, part, &text, &owned))
        return false;
    size_t number = reader->source->count;
    append_place(&reader->source->text, number, 1);
    struct place inside = {.file = name, .line = 1, .depth = place.depth};
    bool ok = append_lines(reader, inside, number, text);
    oro_free(owned);
    return ok;
}

bool oro_source_assemble(struct oro_source *source, const struct oro_shader_set *set, const char *file,
                         struct oro_error *err)
{
    struct reader reader = {source, set, err};
    if (!append_file(&reader, (struct place){0}, file))
        return false;
    if (source->text.failed)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the source of kernel '%s'", file);
    return true;
}

bool oro_source_assemble_text(struct oro_source *source, const struct oro_shader_set *set, const char *name,
                              const char *text, int first_line, struct oro_error *err)
{
    struct reader reader = {source, set, err};
    if (!add_part(&reader, name))
        return false;
    append_place(&source->text, 1, first_line);
    if (!append_lines(&reader, (struct place){.file = name, .line = first_line}, 1, text))
        return false;
    return !source->text.failed ||
           oro_fail(err, ORO_E_MEMORY, "no memory for the source of kernel '%s'", name);
}

void oro_source_free(struct oro_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        oro_free(source->parts[i].name);
    oro_free(source->parts);
    oro_text_free(&source->text);
    *source = (struct oro_source){0};
}
