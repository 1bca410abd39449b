#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <png.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/reader/reader.h"
#include "formats/writer/writer.h"
#include "tests/support/folder.h"

static char folder[256];

int folder_setup(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/orograph-formats-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

int folder_teardown(void **state)
{
    (void)state;
    return remove_tree(folder);
}

const char *in_folder(const char *name)
{
    static char paths[16][512];
    static int next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2;
}

void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

void put_text(const char *path, const char *text)
{
    put_file(path, text, strlen(text));
}

unsigned char *get_file(const char *path, size_t *size)
{
    void *data = NULL;
    struct oro_error err = {0};
    if (!oro_file_read(path, (size_t)1 << 28, &data, size, &err))
        fail_msg("%s", err.text);
    return data;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void assert_same_file(const char *a, const char *b)
{
    size_t size_a = 0, size_b = 0;
    unsigned char *bytes_a = get_file(a, &size_a), *bytes_b = get_file(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    oro_free(bytes_a);
    oro_free(bytes_b);
}

void assert_same_tree(const char *a, const char *b)
{
    size_t count = 0, others = 0;
    DIR *entries = opendir(a), *other = opendir(b);
    assert_true(entries && other);
    for (const struct dirent *entry; (entry = readdir(entries)); count++) {
        char one[1024], two[1024];
        struct stat info;
        snprintf(one, sizeof one, "%s/%s", a, entry->d_name);
        snprintf(two, sizeof two, "%s/%s", b, entry->d_name);
        assert_int_equal(stat(one, &info), 0);
        if (!file_exists(two))
            fail_msg("there is no %s", two);
        if (S_ISREG(info.st_mode))
            assert_same_file(one, two);
        else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            assert_same_tree(one, two);
    }
    while (readdir(other))
        others++;
    assert_int_equal(count, others);
    closedir(entries);
    closedir(other);
}

const char *new_folder(const char *name)
{
    const char *path = in_folder(name);
    if (file_exists(path))
        assert_int_equal(remove_tree(path), 0);
    assert_int_equal(mkdir(path, 0777), 0);
    return path;
}

const char *file_in(const char *place, const char *name)
{
    static char paths[4][768];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", place, name);
    return path;
}

size_t write_without_memory(const char *path, const struct oro_heightfield *field,
                            const struct oro_write_options *options)
{
    size_t before = files_in_folder();
    for (size_t n = 1; n < 1000; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_heightfield_write(path, field, options, &err);
        oro_memory_fail_at(0);
        if (ok)
            return n;
        if (err.code != ORO_E_MEMORY)
            fail_msg("allocation %zu of '%s': code %d: %s", n, path, (int)err.code, err.text);
        assert_int_equal(files_in_folder(), before);
    }
    fail_msg("'%s' is never written", path);
    return 0;
}

void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

void put_png(const char *path, int width, int height, int bits, int type, bool interlaced,
             const unsigned char *rows)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    png_init_io(png, stream);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits, type,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color colours[256];
    for (int i = 0; i < 256; i++)
        colours[i] = (png_color){(png_byte)i, (png_byte)i, (png_byte)i};
    if (type == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, colours, 1 << bits);
    png_write_info(png, info);
    size_t row_bytes = png_get_rowbytes(png, info);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < height; y++)
            png_write_row(png, rows + (size_t)y * row_bytes);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(stream);
}

static void take_note(void *user, enum oro_level level, const char *text)
{
    struct notes *notes = user;
    if (level != ORO_WARNING)
        return;
    notes->count++;
    size_t length = strlen(notes->text);
    snprintf(notes->text + length, sizeof notes->text - length, "%s\n", text);
}

void notes_begin(struct notes *notes)
{
    *notes = (struct notes){.log = {.write = take_note, .user = notes}};
}

struct oro_heightfield make_field(int width, int height, const float *values)
{
    struct oro_heightfield field = {.width = width, .height = height, .metres = true};
    size_t count = (size_t)width * (size_t)height;
    field.data = oro_alloc(count, sizeof *field.data);
    assert_non_null(field.data);
    if (values)
        memcpy(field.data, values, count * sizeof *field.data);
    return field;
}

struct oro_heightfield make_hills(int width, int height)
{
    struct oro_heightfield field = make_field(width, height, NULL);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            field.data[y * width + x] =
                (float)(500 + 300 * sin(x * 0.31 + y * 0.05) + 200 * cos(y * 0.23 - x * 0.07));
    field.cell = 12.5;
    return field;
}

struct oro_heightfield read_field(const char *path, const struct oro_read_options *options)
{
    struct oro_heightfield field;
    struct oro_error err = {0};
    if (!oro_heightfield_read(path, options, &field, &err))
        fail_msg("%s", err.text);
    return field;
}

void write_field(const char *path, const struct oro_heightfield *field,
                 const struct oro_write_options *options)
{
    struct oro_error err = {0};
    if (!oro_heightfield_write(path, field, options, &err))
        fail_msg("%s", err.text);
}

void expect_refused(const char *path, const struct oro_read_options *options, enum oro_code code,
                    const char *part)
{
    struct oro_heightfield field;
    struct oro_error err = {0};
    if (oro_heightfield_read(path, options, &field, &err))
        fail_msg("'%s' was read", path);
    if (err.code != code || !strstr(err.text, part))
        fail_msg("code %d, '%s'; expected code %d and '%s'", (int)err.code, err.text, (int)code, part);
    assert_null(field.data);
    assert_false(oro_heightfield_read(path, options, &field, NULL));
}

void assert_same_values(const struct oro_heightfield *a, const struct oro_heightfield *b, double tolerance)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int i = 0; i < a->width * a->height; i++)
        if (!(fabs((double)a->data[i] - (double)b->data[i]) <= tolerance))
            fail_msg("cell %d,%d: %.9g and %.9g", i % a->width, i / a->width, (double)a->data[i],
                     (double)b->data[i]);
}

const char *real_data(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "../shared/data/%s", name);
    if (!file_exists(path)) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    return path;
}

int random_below(int bound)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)bound);
}

void expect_cropped(const char *path, const struct oro_read_options *options)
{
    struct oro_heightfield whole = read_field(path, options);
    struct oro_error err = {0};
    struct oro_reader *reader = oro_reader_open(path, options, ORO_WINDOWS_BLOCKS, &err);
    if (!reader)
        fail_msg("%s", err.text);
    const struct oro_heightfield *about = &oro_reader_about(reader)->field;
    assert_true(about->width == whole.width && about->height == whole.height && about->cell == whole.cell);
    assert_true(about->metres == whole.metres && about->has_sea_level == whole.has_sea_level);
    for (int i = 0; i < 50; i++) {
        float *heights = oro_alloc((size_t)whole.width * (size_t)whole.height, sizeof *heights);
        struct oro_cell_window window = {random_below(whole.width), random_below(whole.height), 0, 0};
        window.width = 1 + random_below(whole.width - window.x);
        window.height = 1 + random_below(whole.height - window.y);
        if (!oro_reader_window(reader, &window, false, heights, &err))
            fail_msg("%s", err.text);
        for (int y = 0; y < window.height; y++)
            assert_memory_equal(heights + y * window.width,
                                whole.data + (window.y + y) * whole.width + window.x,
                                (size_t)window.width * sizeof(float));
        oro_free(heights);
    }
    oro_reader_close(reader);
    oro_heightfield_free(&whole);
}
