/* Where a document's paths may lead. */
#include "tests/graph/support.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/walls.h"
#include "graph/derived/paths.h"
#include "tests/support/folder.h"

static char root[64]; /* holds project/, library/ and outside/ */

static const char *in_root(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void make_file(const char *name)
{
    assert_true(oro_file_write(in_root(name), "x", 1, NULL));
}

static bool file_is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void make_link(const char *target, const char *name)
{
    assert_int_equal(symlink(target, in_root(name)), 0);
}

FIXTURE(set_up)
{
    snprintf(root, sizeof root, "/tmp/orograph-paths-XXXXXX");
    if (!mkdtemp(root))
        return -1;
    oro_make_folders(in_root("project/maps/deep"), NULL);
    oro_make_folders(in_root("project2"), NULL);
    oro_make_folders(in_root("library/rocks"), NULL);
    oro_make_folders(in_root("outside/folder"), NULL);
    make_file("project/graph.oro");
    make_file("project/dem.png");
    make_file("project/maps/a.png");
    make_file("project2/b.png");
    make_file("library/rocks/granite.png");
    make_file("library/dem.png");
    make_file("outside/secret");
    make_link("dem.png", "project/link-inside");
    make_link("../outside/secret", "project/link-outside");
    make_link("../outside", "project/folder-outside");
    make_link("../library/rocks", "project/rocks");
    make_link("../outside/new", "project/dangling");
    make_link("loop", "project/loop");
    make_link("maps/deep", "project/jump");
    unsetenv("OROGRAPH_PATH");
    return mkfifo(in_root("project/pipe"), 0600);
}

FIXTURE(tear_down)
{
    oro_walls_forget();
    unsetenv("OROGRAPH_PATH");
    return remove_tree(root);
}

static void leads_to(const char *path, bool any, const char *wanted)
{
    char *resolved = NULL, place[PATH_MAX], wanted_place[PATH_MAX];
    struct oro_error err = {0};
    if (!oro_resolve_path(in_root("project/graph.oro"), path, any, &resolved, &err))
        fail_msg("'%s': %s", path, err.text);
    if (realpath(in_root(wanted), wanted_place)) {
        assert_non_null(realpath(resolved, place));
        assert_string_equal(place, wanted_place);
    } else {
        assert_string_equal(resolved, in_root(wanted));
    }
    oro_free(resolved);
}

static void refused(const char *path, bool any, const char *part)
{
    char *resolved = NULL;
    struct oro_error err = {0};
    if (oro_resolve_path(in_root("project/graph.oro"), path, any, &resolved, &err))
        fail_msg("'%s' leads to %s", path, resolved);
    assert_null(resolved);
    assert_int_equal(err.code, ORO_E_FILE);
    if (!strstr(err.text, part))
        fail_msg("'%s': %s", path, err.text);
    assert_false(oro_resolve_path(in_root("project/graph.oro"), path, any, &resolved, NULL));
}

TEST(inside)
{
    leads_to("dem.png", false, "project/dem.png");
    leads_to("./maps//a.png", false, "project/maps/a.png");
    leads_to("maps/../dem.png", false, "project/dem.png");
    leads_to("link-inside", false, "project/dem.png");
    leads_to("new.png", false, "project/new.png");
    leads_to("new/folder/out.png", false, "project/new/folder/out.png");
    leads_to("..dem.png", false, "project/..dem.png");
}

TEST(outside)
{
    refused("", false, "empty");
    refused(in_root("project/dem.png"), false, "absolute");
    refused("/etc/passwd", false, "absolute");
    refused("..", false, "leads out");
    refused("../outside/secret", false, "leads out");
    refused("../project2/b.png", false, "leads out");
    refused("../project/dem.png", false, "leads out");
    refused("maps/../../outside/secret", false, "leads out");
    refused("none/../../outside/new", false, "leads out");
    refused("link-outside", false, "by a link");
    refused("folder-outside/secret", false, "by a link");
    refused("folder-outside/new", false, "by a link");
    refused("folder-outside/folder/new/new", false, "by a link");
    refused("dangling", false, "by a link");
    refused("loop", false, "by a link");
    refused("rocks/granite.png", false, "by a link");
    /* ".." after a symbolic link leads elsewhere than it seems: to maps/, not to the project. */
    leads_to("jump/../a.png", false, "project/maps/a.png");
    leads_to("/etc/passwd", true, "../../etc/passwd");
    leads_to("../outside/secret", true, "outside/secret");
    leads_to("link-outside", true, "outside/secret");
}

TEST(not_files)
{
    refused("maps", false, "not a regular file");
    refused("pipe", false, "not a regular file");
    refused("pipe", true, "not a regular file");
    refused("/dev/zero", true, "not a regular file");
    refused(".", false, "not a regular file");
}

TEST(library)
{
    char list[1024];
    snprintf(list, sizeof list, ":%s::%s:/nowhere", in_root("project2"), in_root("library"));
    setenv("OROGRAPH_PATH", list, 1);
    leads_to("dem.png", false, "project/dem.png"); /* beside the document first */
    leads_to("b.png", false, "project2/b.png");
    leads_to("rocks/granite.png", false, "library/rocks/granite.png");
    leads_to("nothing.png", false, "project/nothing.png");
    refused("../library/dem.png", false, "leads out");
    refused("folder-outside/secret", false, "by a link");
    unsetenv("OROGRAPH_PATH");
}

TEST(working_folder)
{
    char before[PATH_MAX], *resolved = NULL;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(in_root("project")), 0);
    const char *const documents[] = {NULL, "", "graph.oro"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(oro_resolve_path(documents[i], "maps/a.png", false, &resolved, NULL));
        assert_string_equal(resolved, "maps/a.png");
        oro_free(resolved);
        assert_false(oro_resolve_path(documents[i], "../outside/secret", false, &resolved, NULL));
        assert_false(oro_resolve_path(documents[i], "link-outside", false, &resolved, NULL));
    }
    assert_true(oro_resolve_path("maps/x.oro", "a.png", false, &resolved, NULL));
    assert_string_equal(resolved, "maps/a.png");
    oro_free(resolved);
    assert_int_equal(chdir(before), 0);
}

/* ---- Exchanged meanwhile ---- */

static char *resolved_for(const char *path, bool writes)
{
    char *resolved = NULL;
    struct oro_error err = {0};
    if (!(writes ? oro_resolve_output : oro_resolve_path)(in_root("project/graph.oro"), path, false,
                                                          &resolved, &err))
        fail_msg("'%s': %s", path, err.text);
    return resolved;
}

static bool reads(const char *path, const char *wanted)
{
    void *data = NULL;
    size_t size = 0;
    bool same = oro_file_read(path, 100, &data, &size, NULL) && strcmp(data, wanted) == 0;
    oro_free(data);
    return same;
}

static void exchange(const char *name, const char *target)
{
    char kept[64];
    snprintf(kept, sizeof kept, "%s-kept", name);
    assert_int_equal(rename(in_root(name), in_root(kept)), 0);
    make_link(target, name);
}

static void change_back(const char *name)
{
    char kept[64];
    snprintf(kept, sizeof kept, "%s-kept", name);
    assert_int_equal(unlink(in_root(name)), 0);
    assert_int_equal(rename(in_root(kept), in_root(name)), 0);
}

/* Another process exchanges a folder for a link, after its path was judged. */
TEST(what_was_judged_is_opened)
{
    struct oro_error err = {0};
    char *image = resolved_for("maps/a.png", false), *script = resolved_for("dem.png", false),
         *output = resolved_for("maps/new.png", true);
    char sidecar[512];
    snprintf(sidecar, sizeof sidecar, "%s.json", image);
    assert_true(oro_file_write(in_root("outside/a.png"), "secret", 6, NULL));
    assert_true(oro_file_write(in_root("outside/a.png.json"), "secret", 6, NULL));
    exchange("project/maps", "../outside");
    exchange("project/dem.png", "../outside/a.png");
    assert_false(reads(image, "secret") || reads(sidecar, "secret") || reads(script, "secret"));
    assert_false(oro_file_write(output, "x", 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_false(file_is_there(in_root("outside/new.png")));
    change_back("project/maps");
    change_back("project/dem.png");
    assert_true(reads(image, "x") && reads(script, "x") && oro_file_write(output, "x", 1, NULL));
    assert_true(file_is_there(in_root("project/maps/new.png")));
    oro_free(image);
    oro_free(script);
    oro_free(output);
}

/* A folder that gets the name of the document's is the document's. */
TEST(the_folder_of_a_document_is_replaced)
{
    char *image = resolved_for("maps/a.png", false);
    assert_int_equal(rename(in_root("project"), in_root("moved")), 0);
    oro_make_folders(in_root("project/maps"), NULL);
    assert_true(oro_file_write(in_root("project/maps/a.png"), "new", 3, NULL));
    assert_true(reads(image, "new"));
    oro_free(image);
    assert_int_equal(remove_tree(in_root("project")), 0);
    assert_int_equal(rename(in_root("moved"), in_root("project")), 0);
}

/* More names than there was room for, and files that the user names by the same words. */
TEST(many_names)
{
    for (int i = 0; i < 300; i++) {
        char name[32];
        snprintf(name, sizeof name, "maps/%d.png", i);
        oro_free(resolved_for(name, false));
    }
    char *image = resolved_for("maps/a.png", false);
    assert_true(reads(image, "x"));
    oro_free(image);
    assert_true(reads(in_root("project/link-outside"), "x"));
}

TEST(memory)
{
    setenv("OROGRAPH_PATH", in_root("library"), 1);
    for (size_t n = 1;; n++) {
        char *resolved = NULL;
        oro_memory_fail_at(n);
        bool ok = oro_resolve_path(in_root("project/graph.oro"), "rocks-2/new.png", false, &resolved, NULL);
        oro_memory_fail_at(0);
        if (ok) {
            assert_true(n > 2);
            oro_free(resolved);
            break;
        }
    }
    unsetenv("OROGRAPH_PATH");
}

TEST_GROUP(set_up, tear_down);
