/* The user's library on the disk: keeping, versions, names, what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "editor/library/library.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"
#include "graph/derived/script_about.h"
#include "graph/derived/scripts.h"
#include "graph/file/load.h"
#include "lua/types/registry.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static struct oro_registry registry;
static char home[] = "/tmp/orograph-library-XXXXXX";
static struct oro_error err;

static const char *at(const char *name)
{
    static char paths[8][300];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", home, name);
    return path;
}

static char *text_of(const char *path)
{
    void *text = NULL;
    size_t size;
    if (!oro_file_read(path, 1 << 20, &text, &size, &err))
        fail_msg("%s", err.text);
    return text;
}

static void put(const char *name, const char *text)
{
    char folder[300];
    snprintf(folder, sizeof folder, "%s", at(name));
    *strrchr(folder, '/') = '\0';
    assert_true(oro_make_folders(folder, &err) && oro_file_write(at(name), text, strlen(text), &err));
}

FIXTURE(open_home)
{
    assert_non_null(mkdtemp(home));
    setenv("XDG_DATA_HOME", at("data"), 1);
    setenv("XDG_CONFIG_HOME", at("config"), 1);
    setenv("XDG_STATE_HOME", at("state"), 1);
    unsetenv("OROGRAPH_PATH");
    oro_make_folders(at("work"), &err);
    return oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, &err) ? 0 : -1;
}

FIXTURE(close_home)
{
    oro_registry_close(&registry);
    return remove_tree(home);
}

TEST_GROUP(open_home, close_home);

static char *file_of(const char *category, const char *name)
{
    struct ed_library_place place = {.category = category, .name = name};
    return ed_library_file(&place, &err);
}

/* ---- Names ---- */

TEST(names_in_any_alphabet)
{
    char out[ED_LIBRARY_NAME + 1], many[600] = "";
    assert_string_equal(ed_library_name("Cliff", out), "Cliff");
    assert_string_equal(ed_library_name("Утёс над морем", out), "Утёс над морем");
    assert_string_equal(ed_library_name("断崖", out), "断崖");
    assert_string_equal(ed_library_name("../../etc/passwd", out), "_.._etc_passwd");
    assert_string_equal(ed_library_name("a\nb:c*d", out), "a_b_c_d");
    assert_string_equal(ed_library_name("...", out), "");
    assert_string_equal(ed_library_name("///", out), "");
    for (int i = 0; i < 100; i++)
        strcat(many, "断");
    ed_library_name(many, out);
    assert_int_equal(strlen(out), ED_LIBRARY_NAME); /* 40 letters of 3 bytes: none is cut */
    assert_memory_equal(out, many, ED_LIBRARY_NAME);
    strcpy(many + 1, "断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断断");
    many[0] = 'a';
    ed_library_name(many, out);
    assert_int_equal(strlen(out), 118); /* a and 39 letters: the last was cut before, not within */
    assert_string_equal(ed_library_identifier("Old range!", out), "old_range");
    assert_true(ed_library_identifier("断崖", out)[0] != '\0');
    assert_string_equal(ed_library_identifier("!", out), "");
}

TEST(places)
{
    char *path = file_of("Rocks", "Cliff");
    assert_string_equal(path, at("data/orograph/library/Rocks/Cliff.oro"));
    oro_free(path);
    path = file_of(NULL, "断崖");
    assert_string_equal(path, at("data/orograph/library/断崖.oro"));
    oro_free(path);
    assert_null(file_of("presets", "x"));
    assert_null(file_of("..", "x"));
    assert_null(file_of("", "..."));
    struct ed_library_place script = {.name = "no id", .script = true};
    assert_null(ed_library_file(&script, &err));
    struct ed_library_place preset = {.name = "Soft", .preset_of = "amplify"};
    path = ed_library_file(&preset, &err);
    assert_string_equal(path, at("data/orograph/presets/amplify/soft.oro"));
    oro_free(path);
}

/* ---- Versions ---- */

TEST(versions_come_back)
{
    struct oro_arena *arena = oro_arena_create();
    struct ed_library_version *versions;
    size_t count;
    char *path = file_of("Küste", "Bucht"), *now;
    assert_true(ed_library_write(path, "one", 3, &err));
    assert_true(ed_library_write(path, "one", 3, &err)); /* nothing new: no version */
    assert_true(ed_library_versions(path, arena, &versions, &count));
    assert_int_equal(count, 0);
    assert_true(ed_library_write(path, "two", 3, &err));
    assert_true(ed_library_write(path, "three", 5, &err));
    assert_true(ed_library_versions(path, arena, &versions, &count));
    assert_int_equal(count, 2);
    assert_string_equal(now = text_of(versions[0].path), "two"); /* the newest first */
    oro_free(now);
    assert_string_equal(now = text_of(versions[1].path), "one");
    oro_free(now);
    assert_true(ed_library_restore(path, versions[1].path, &err));
    assert_string_equal(now = text_of(path), "one");
    oro_free(now);
    assert_true(ed_library_versions(path, arena, &versions, &count));
    assert_int_equal(count, 3); /* what was there before is one now */
    assert_true(ed_library_remove(path, &err));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(ed_library_versions(path, arena, &versions, &count));
    assert_int_equal(count, 4);
    assert_true(ed_library_restore(path, versions[0].path, &err));
    assert_string_equal(now = text_of(path), "one");
    oro_free(now);
    oro_free(path);
    oro_arena_destroy(arena);
}

TEST(old_versions_go)
{
    struct oro_arena *arena = oro_arena_create();
    struct ed_library_version *versions;
    size_t count;
    char text[16], *path = file_of("many", "one");
    for (int i = 0; i < ED_LIBRARY_VERSIONS_MAX + 20; i++) {
        snprintf(text, sizeof text, "%d", i);
        assert_true(ed_library_write(path, text, strlen(text), &err));
    }
    assert_true(ed_library_versions(path, arena, &versions, &count));
    assert_int_equal(count, ED_LIBRARY_VERSIONS_MAX);
    oro_free(path);
    oro_arena_destroy(arena);
}

TEST(what_cannot_be_written)
{
    if (geteuid() == 0)
        skip(); /* root may write anywhere */
    char *path = file_of("locked", "x"), *now;
    assert_true(ed_library_write(path, "one", 3, &err));
    assert_int_equal(chmod(at("data/orograph/library/locked"), 0500), 0);
    assert_false(ed_library_write(path, "two", 3, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_string_equal(now = text_of(path), "one");
    oro_free(now);
    assert_false(ed_library_remove(path, &err));
    assert_int_equal(access(path, F_OK), 0);
    chmod(at("data/orograph/library/locked"), 0700);
    oro_free(path);
}

/* The likes of a read-only folder for everybody, root included. */
TEST(what_is_in_the_way)
{
    char *path = file_of("way", "x");
    put("data/orograph/library/way/.versions", "a file where a folder of versions should be");
    assert_true(ed_library_write(path, "one", 3, &err));
    assert_false(ed_library_write(path, "two", 3, &err));
    char *now = text_of(path);
    assert_string_equal(now, "one"); /* an older version that cannot be kept is not replaced */
    oro_free(now);
    oro_free(path);
    put("data/orograph/library/file", "a file where a category should be");
    path = file_of("file", "x");
    assert_false(ed_library_write(path, "one", 3, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    oro_free(path);
    path = file_of("way", "folder");
    assert_true(oro_make_folders(path, &err));
    assert_false(ed_library_write(path, "one", 3, &err));
    oro_free(path);
    assert_int_equal(mkfifo(at("data/orograph/library/way/pipe.oro"), 0600), 0);
    path = file_of("way", "pipe");
    assert_false(ed_library_write(path, "one", 3, &err)); /* and does not wait for a reader */
    assert_true(ed_library_remove(path, &err));
    oro_free(path);
}

/* ---- Graphs ---- */

static const char cliffs[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                             "  <world extent=\"10000\" resolution=\"32\"/>\n"
                             "  <group name=\"cliff\">\n"
                             "    <interface>\n"
                             "      <out name=\"field\" from=\"rock.field\"/>\n"
                             "    </interface>\n"
                             "    <node id=\"rock\" type=\"noise\"/>\n"
                             "  </group>\n"
                             "  <node id=\"cliff\" type=\"graph\" href=\"#cliff\"/>\n"
                             "  <node id=\"beside\" type=\"graph\" href=\"parts/beside.oro\"/>\n"
                             "  <node id=\"sum\" type=\"combine\">\n"
                             "    <in name=\"a\" from=\"cliff.field\"/>\n"
                             "    <in name=\"b\" from=\"beside.field\"/>\n"
                             "  </node>\n"
                             "  <node id=\"map\" type=\"import\">\n"
                             "    <in name=\"file\" value=\"map.png\"/>\n"
                             "  </node>\n"
                             "</orograph>\n";
static const char beside[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                             "  <interface>\n"
                             "    <out name=\"field\" from=\"n.field\"/>\n"
                             "  </interface>\n"
                             "  <node id=\"n\" type=\"noise\" version=\"1\"/>\n"
                             "</orograph>\n";

static struct oro_document *open_cliffs(void)
{
    struct oro_problems problems = {0};
    put("work/cliffs.oro", cliffs);
    put("work/parts/beside.oro", beside);
    put("work/map.png", "no picture");
    struct oro_document *doc = oro_document_load(at("work/cliffs.oro"), &registry, &problems);
    oro_problems_free(&problems);
    assert_non_null(doc);
    return doc;
}

static struct oro_document *parse(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", &registry, &problems);
    assert_int_equal(problems.errors, 0);
    oro_problems_free(&problems);
    return doc;
}

TEST(a_group_is_found_by_documents)
{
    struct oro_document *doc = open_cliffs();
    char words[] = "steep, Fels", about_doc[] = "A \"wall\" of <rock>", name[] = "Klippe 断崖";
    const struct oro_doc_about about = {.title = name, .words = words, .doc = about_doc};
    char *text = ed_library_graph(doc, "cliff", &about, &registry, &err), *path = file_of("Rocks", name);
    assert_non_null(text);
    assert_true(ed_library_write(path, text, strlen(text), &err));
    struct oro_document *kept = parse(text);
    struct oro_doc_about said = oro_document_about(kept);
    assert_string_equal(said.title, name);
    assert_string_equal(said.words, words);
    assert_string_equal(said.doc, about_doc);
    assert_null(said.category);
    char *href = ed_library_href(path);
    assert_string_equal(href, "Rocks/Klippe 断崖.oro");
    char id[] = "use", type[] = ORO_GRAPH_TYPE;
    struct oro_doc_node node = {.id = id, .type = type, .version = 1, .href = href};
    struct oro_graph graph;
    assert_true(oro_graph_find(&registry, doc, &node, &graph, &err));
    assert_true(ed_library_owns(path));
    assert_false(ed_library_owns(at("work/cliffs.oro")));
    oro_free(href);
    oro_free(path);
    oro_free(text);
    oro_document_destroy(kept);
    oro_document_destroy(doc);
}

/* What lies beside the document comes along, or is named. */
TEST(nodes_take_along_what_they_need)
{
    struct oro_document *doc = open_cliffs();
    const char *const nodes[] = {"cliff", "beside", "sum"}, *const map[] = {"map"};
    const struct oro_doc_about about = {NULL};
    char *text = ed_library_nodes(doc, doc, nodes, 3, &about, &registry, &err);
    if (!text)
        fail_msg("%s", err.text);
    struct oro_document *kept = parse(text);
    assert_int_equal(oro_document_group_count(kept), 2);
    assert_null(strstr(text, "parts/"));
    assert_int_equal(oro_document_node_count(doc), 4); /* the document is as it was */
    assert_null(ed_library_nodes(doc, doc, map, 1, &about, &registry, &err));
    assert_non_null(strstr(err.text, "map.png"));
    assert_null(ed_library_graph(doc, NULL, &about, &registry, &err)); /* all of it: the map, too */
    oro_free(text);
    oro_document_destroy(kept);
    oro_document_destroy(doc);
}

TEST(tags_are_changed_in_place)
{
    char *path = file_of("Rocks", "Beside");
    assert_true(ed_library_write(path, beside, strlen(beside), &err));
    assert_true(ed_library_describe(path, "one, two", "Said", &registry, &err));
    char *now = text_of(path);
    struct oro_document *kept = parse(now);
    assert_string_equal(oro_document_about(kept).words, "one, two");
    oro_document_destroy(kept);
    oro_free(now);
    assert_true(ed_library_describe(path, "", "", &registry, &err));
    assert_string_equal(now = text_of(path), beside); /* as it was, to the byte */
    oro_free(now);
    assert_true(ed_library_write(path, "no graph", 8, &err));
    assert_false(ed_library_describe(path, "x", "", &registry, &err));
    assert_string_equal(now = text_of(path), "no graph");
    oro_free(now);
    oro_free(path);
}

/* ---- Scripts ---- */

static const char script[] = "return {\n  doc = \"Steps\",\n  inputs = { { name = \"h\", type = \"float\", "
                             "default = 1, doc = 'other' } },\n"
                             "  outputs = { { name = \"field\" } },\n"
                             "  kernel = [[ void cell(ivec2 p) { set_field(p, params.h); } ]],\n}\n";

TEST(scripts_say_what_they_are)
{
    struct oro_script_about about;
    char *text = ed_library_script(script, "dunes", "sand, wind", "Long\nones", &err);
    assert_non_null(text);
    oro_script_about(text, &about);
    assert_string_equal(about.id, "dunes");
    assert_string_equal(about.words, "sand, wind");
    assert_string_equal(about.doc, "Long ones");
    char *again = ed_library_script(text, "other", "", NULL, &err);
    oro_script_about(again, &about);
    assert_string_equal(about.id, "dunes"); /* it has one already */
    assert_string_equal(about.words, "");
    assert_string_equal(about.doc, "Steps");
    assert_null(ed_library_script("while true do end", "dunes", "", "", &err));
    oro_script_about("--", &about);
    oro_script_about("doc = [[ no end", &about);
    oro_script_about("doc =", &about);
    assert_string_equal(about.doc, "");
    oro_free(again);
    oro_free(text);
}

/* A script in a category is found by its id; one that would not end is listed without being read. */
static void note_file(void *user, const char *id, const char *path, const struct oro_error *why)
{
    char *list = user;
    (void)why;
    snprintf(list + strlen(list), 200, "%s%s ", id, path ? "" : "!");
}

TEST(scripts_in_categories)
{
    struct ed_library_place place = {.category = "Sand", .name = "dunes", .script = true};
    char *text = ed_library_script(script, "dunes", "", "", &err), *path = ed_library_file(&place, &err);
    char list[1000] = "";
    bool found;
    assert_true(ed_library_write(path, text, strlen(text), &err));
    put("data/orograph/library/Sand/endless.lua", "while true do end");
    put("data/orograph/library/presets/hidden.lua", script);
    put("data/orograph/library/Sand/deep/deeper.lua", script);
    assert_true(oro_scripts_each_file(registry.scripts, &registry, at("work/cliffs.oro"), note_file, list));
    assert_string_equal(list, "dunes endless ");
    if (!oro_script_type(registry.scripts, at("work/cliffs.oro"), "dunes", &found, &err))
        fail_msg("%s", err.text);
    oro_free(path);
    oro_free(text);
}

/* ---- Favourites and folders ---- */

TEST(favourites_are_kept)
{
    struct ed_favourites one = {0}, two = {0};
    ed_favourites_load(&one);
    assert_int_equal(one.count, 0);
    assert_true(ed_favourite_set(&one, "noise", true, &err));
    assert_true(ed_favourite_set(&one, "Rocks/断崖.oro", true, &err));
    assert_true(ed_favourite_set(&one, "noise", false, &err));
    ed_favourites_load(&two);
    assert_true(ed_favourite(&two, "Rocks/断崖.oro"));
    assert_false(ed_favourite(&two, "noise"));
    ed_favourites_free(&one);
    ed_favourites_free(&two);
}

TEST(folders_are_added)
{
    struct ed_library_folders folders = {0};
    put("shared/Coast/bay.oro", beside);
    put("config/orograph/library-folders", "relative\n/nowhere/at/all\n\n\n");
    ed_library_folders_load(&folders);
    assert_int_equal(folders.count, 1);
    assert_true(ed_library_folders_add(&folders, at("shared"), &err));
    assert_false(ed_library_folders_add(&folders, at("shared"), &err));
    assert_false(ed_library_folders_add(&folders, at("shared/Coast/bay.oro"), &err));
    assert_false(ed_library_folders_add(&folders, at("data/orograph/library"), &err));
    char *resolved = NULL;
    assert_true(oro_resolve_path(at("work/x.oro"), "Coast/bay.oro", false, &resolved, &err));
    char *place = oro_path_true(at("shared/Coast/bay.oro"));
    assert_true(oro_path_same(resolved, place));
    oro_free(place);
    oro_free(resolved);
    assert_true(ed_library_folders_remove(&folders, 1, &err));
    resolved = NULL;
    assert_true(!oro_resolve_path(at("work/x.oro"), "Coast/bay.oro", false, &resolved, &err) ||
                access(resolved, F_OK) != 0);
    oro_free(resolved);
    ed_library_folders_free(&folders);
}
