/* Which scripts may run within the program: what the user has trusted, by its text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/derived/assets.h"
#include "graph/derived/scripts.h"
#include "graph/derived/trust.h"
#include "graph/type/registry.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static char root[64], file[128], said[512];
static int notes;

static void note(void *user, enum oro_level level, const char *text)
{
    (void)user;
    (void)level;
    notes++;
    snprintf(said, sizeof said, "%s", text);
}

static const struct oro_log log_notes = {.write = note};

FIXTURE(begin)
{
    snprintf(root, sizeof root, "/tmp/orograph-trust-XXXXXX");
    if (!mkdtemp(root))
        return -1;
    snprintf(file, sizeof file, "%s/orograph/trusted", root);
    notes = 0;
    said[0] = '\0';
    return setenv("XDG_STATE_HOME", root, 1);
}

FIXTURE(end)
{
    return remove_tree(root);
}

static struct oro_trusted trusted(const char *text, const char *name)
{
    struct oro_trusted item = {0};
    oro_sha256(text, strlen(text), item.digest);
    snprintf(item.name, sizeof item.name, "%s", name);
    return item;
}

static bool allows(const struct oro_trust *trust, const char *text)
{
    return oro_trust_allows(trust, NULL, text, strlen(text));
}

static void write_file(const char *text, size_t size)
{
    char folder[128];
    snprintf(folder, sizeof folder, "%s/orograph", root);
    assert_true(oro_make_folders(folder, NULL));
    assert_true(oro_file_write(file, text, size, NULL));
}

TEST_WITH(a_byte_more_is_another_text, begin, end)
{
    const struct oro_trusted added[] = {trusted("return {}", "a.lua"), trusted("return { }", "b.lua")};
    struct oro_trust trust = {0}, other = {0};
    assert_false(allows(&trust, "return {}"));
    assert_true(oro_trust_add(&trust, added, 2, NULL));
    assert_true(allows(&trust, "return {}") && allows(&trust, "return { }"));
    assert_false(allows(&trust, "return {} "));
    assert_false(allows(&trust, "return {"));
    assert_true(oro_trust_refresh(&other, &log_notes)); /* another process */
    assert_true(allows(&other, "return { }"));
    assert_false(oro_trust_refresh(&other, &log_notes));
    assert_true(oro_trust_remove(&trust, added[1].digest, NULL));
    assert_true(oro_trust_refresh(&other, &log_notes));
    assert_true(allows(&other, "return {}"));
    assert_false(allows(&other, "return { }"));
    assert_true(oro_trust_remove(&other, NULL, NULL));
    assert_int_equal(other.count, 0);
    oro_trust_refresh(&trust, &log_notes);
    assert_false(allows(&trust, "return {}"));
    assert_int_equal(notes, 0);
    oro_trust_free(&trust);
    oro_trust_free(&other);
}

TEST_WITH(twice_is_once, begin, end)
{
    const struct oro_trusted added[] = {trusted("x", "first\nname\x1b[31m"), trusted("x", "second")};
    struct oro_trust trust = {0};
    assert_true(oro_trust_add(&trust, added, 2, NULL));
    assert_true(oro_trust_add(&trust, added + 1, 1, NULL));
    assert_int_equal(trust.count, 1);
    assert_string_equal(trust.items[0].name, "first?name?[31m");
    assert_int_equal(strlen(trust.items[0].date), 10);
    oro_trust_free(&trust);
}

/* What two processes add one after the other is there in the end, although the first has read an older file.
 */
TEST_WITH(others_are_kept, begin, end)
{
    const struct oro_trusted a = trusted("a", "a"), b = trusted("b", "b");
    struct oro_trust first = {0}, second = {0};
    oro_trust_refresh(&first, NULL);
    oro_trust_refresh(&second, NULL);
    assert_true(oro_trust_add(&first, &a, 1, NULL));
    assert_true(oro_trust_add(&second, &b, 1, NULL));
    oro_trust_refresh(&first, NULL);
    assert_true(allows(&first, "a") && allows(&first, "b"));
    oro_trust_free(&first);
    oro_trust_free(&second);
}

TEST_WITH(wrong_lines_count_for_nothing, begin, end)
{
    struct oro_trusted good = trusted("good", "");
    char text[1024];
    int size = snprintf(text, sizeof text,
                        "# a remark\n%s 2026-01-02 good.lua\n\n%s\n%.63s 2026-01-02 short\n"
                        "%.63sG 2026-01-02 letter\n%s 2026-1-02 day\n\x1b]0;title\x07",
                        good.digest, good.digest, good.digest, good.digest, good.digest);
    struct oro_trust trust = {0};
    text[size++] = '\0';
    text[size++] = '\xff';
    write_file(text, (size_t)size);
    assert_true(oro_trust_refresh(&trust, &log_notes));
    assert_int_equal(trust.count, 1);
    assert_string_equal(trust.items[0].name, "good.lua");
    assert_true(allows(&trust, "good"));
    assert_int_equal(notes, 1);
    assert_non_null(strstr(said, "trusted:1: "));
    oro_trust_free(&trust);
}

/* A megabyte of anything, and more. */
TEST_WITH(garbage, begin, end)
{
    enum { SIZE = (1 << 20) + 1 };
    char *bytes = oro_alloc(SIZE, 1);
    struct oro_trust trust = {0};
    struct oro_error err = {0};
    const struct oro_trusted added = trusted("x", "x");
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * i >> 3);
    write_file(bytes, SIZE - 1);
    assert_true(oro_trust_refresh(&trust, &log_notes));
    assert_int_equal(trust.count, 0);
    assert_int_equal(notes, 1);
    write_file(bytes, SIZE);
    assert_true(oro_trust_refresh(&trust, &log_notes));
    assert_int_equal(notes, 2);
    assert_false(oro_trust_add(&trust, &added, 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_false(allows(&trust, "x"));
    oro_trust_free(&trust);
    oro_free(bytes);
}

TEST_WITH(a_folder_in_its_place, begin, end)
{
    struct oro_trust trust = {0};
    struct oro_error err = {0};
    const struct oro_trusted added = trusted("x", "x");
    assert_true(oro_make_folders(file, NULL));
    assert_true(oro_trust_refresh(&trust, &log_notes));
    assert_int_equal(notes, 1);
    assert_false(oro_trust_add(&trust, &added, 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_false(allows(&trust, "x"));
    oro_trust_free(&trust);
}

/* Nothing counts as trusted that is not in the file. */
TEST_WITH(a_place_that_cannot_be_written, begin, end)
{
    char folder[128];
    struct oro_trust trust = {0};
    struct oro_error err = {0};
    const struct oro_trusted added = trusted("x", "x");
    snprintf(folder, sizeof folder, "%s/orograph", root);
    assert_true(oro_file_write(folder, "a file", 6, NULL));
    assert_false(oro_trust_add(&trust, &added, 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_false(allows(&trust, "x"));
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "", 1);
    assert_false(oro_trust_add(&trust, &added, 1, &err));
    assert_false(oro_trust_refresh(&trust, &log_notes));
    oro_trust_free(&trust);
}

/* Wherever memory runs out, what was trusted before stays in the file. */
TEST_WITH(memory, begin, end)
{
    const struct oro_trusted first = trusted("first", "first"), second = trusted("second", "second");
    struct oro_trust before = {0};
    assert_true(oro_trust_add(&before, &first, 1, NULL));
    oro_trust_free(&before);
    bool ok = false;
    for (size_t n = 1; !ok; n++) {
        struct oro_trust trust = {0}, after = {0};
        oro_memory_fail_at(n);
        ok = oro_trust_add(&trust, &second, 1, NULL);
        oro_memory_fail_at(0);
        oro_trust_refresh(&after, NULL);
        assert_true(allows(&after, "first"));
        assert_true(allows(&after, "second") == ok);
        oro_trust_free(&trust);
        oro_trust_free(&after);
        assert_true(n < 100);
    }
}

/* ---- Scripts that are read ---- */

static bool was_trusted;
static int reads;

static const struct oro_node_type *read_none(const struct oro_script_source *source,
                                             const struct oro_log *log, struct oro_error *err)
{
    (void)log;
    reads++;
    was_trusted = source->trusted;
    assert_non_null(source->trust);
    oro_fail(err, ORO_E_DOCUMENT, "none");
    return NULL;
}

static const struct oro_script_language none = {.extension = ".lua", .read = read_none};

TEST_WITH(sources_say_whether_they_are_trusted, begin, end)
{
    char document[128], path[128];
    bool found;
    struct oro_error err;
    const struct oro_trusted added = trusted("return 1", "mine.lua");
    struct oro_trust trust = {0};
    struct oro_scripts *scripts = oro_scripts_create(&none, false, &log_notes);
    snprintf(document, sizeof document, "%s/a.oro", root);
    snprintf(path, sizeof path, "%s/mine.lua", root);
    assert_true(oro_file_write(path, "return 1", 8, NULL));
    assert_null(oro_script_type(scripts, document, "mine", &found, &err));
    assert_true(found && reads == 1 && !was_trusted);
    assert_true(oro_trust_add(&trust, &added, 1, NULL));
    assert_int_equal(oro_scripts_refresh(scripts), 1);
    assert_true(reads == 2 && was_trusted);
    assert_true(oro_file_write(path, "return 1 ", 9, NULL));
    oro_scripts_refresh(scripts);
    assert_true(reads == 3 && !was_trusted);
    oro_scripts_destroy(scripts);
    oro_trust_free(&trust);
}

TEST_WITH(texts_within_documents, begin, end)
{
    char id[] = "a", type[] = ORO_INLINE_TYPE, text[] = "return 2";
    const struct oro_doc_node node = {.id = id, .type = type, .script = text, .script_line = 3};
    const struct oro_trusted added = trusted(text, "a.oro");
    struct oro_error err;
    struct oro_trust trust = {0};
    assert_true(oro_trust_add(&trust, &added, 1, NULL));
    struct oro_scripts *scripts = oro_scripts_create(&none, false, &log_notes);
    was_trusted = false;
    assert_null(oro_script_type_inline(scripts, "b.oro", &node, &err));
    assert_true(was_trusted);
    text[7] = '3';
    assert_null(oro_script_type_inline(scripts, "b.oro", &node, &err));
    assert_false(was_trusted);
    oro_scripts_destroy(scripts);
    oro_trust_free(&trust);
}
