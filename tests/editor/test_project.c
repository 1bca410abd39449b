/* Opening and saving: bytes of untouched documents, files changed by others, ways into groups. */
#include "tests/editor/project_support.h"

#include <sys/stat.h>

static const char odd[] =
    "<?xml version='1.0'?>\r\n<!-- mine -->\r\n"
    "<orograph  version=\"1\" xmlns=\"urn:orograph:1\">\r\n"
    "\t<node y=\"20\" x=\"10.0\"   type=\"noise\" id=\"hills\" ><in value=\"3\" name='octaves'/>"
    "</node>\r\n\r\n      <!-- odd -->\r\n <unknown a=\"b\"/></orograph>\r\n\r\n";

static char path[128], link_path[128];

static void put_file(const char *name, const char *text)
{
    struct oro_error err = {0};
    OK(oro_file_write(name, text, strlen(text), &err));
}

static void expect_file(const char *name, const char *wanted)
{
    struct oro_error err = {0};
    void *bytes = NULL;
    size_t size = 0;
    OK(oro_file_read(name, 1 << 20, &bytes, &size, &err));
    assert_string_equal((const char *)bytes, wanted);
    assert_int_equal(size, strlen(wanted));
    oro_free(bytes);
}

FIXTURE(set_up)
{
    snprintf(path, sizeof path, "%s/odd.oro", test_folder());
    snprintf(link_path, sizeof link_path, "%s/link.oro", test_folder());
    put_file(path, odd);
    return 0;
}

TEST_WITH(untouched, set_up, NULL)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct oro_problems problems = {0};
    char other[160];
    OK(ed_project_open(p, path, &problems, &err));
    assert_true(problems.count > 0); /* the unknown element */
    assert_string_equal(ed_project_path(p), path);
    assert_false(ed_project_changed(p));
    OK(ed_project_save(p, NULL, false, &err));
    expect_file(path, odd);
    /* Edited, saved, and all undone. */
    OK(ed_rename(p, "hills", "mountains", &err));
    assert_true(ed_project_changed(p));
    OK(ed_project_save(p, NULL, false, &err));
    assert_false(ed_project_changed(p));
    OK(ed_project_undo(p, &err));
    assert_true(ed_project_changed(p));
    OK(ed_project_save(p, NULL, false, &err));
    expect_file(path, odd);
    /* Under another name. */
    snprintf(other, sizeof other, "%s/other.oro", test_folder());
    OK(ed_project_save(p, other, false, &err));
    expect_file(other, odd);
    assert_string_equal(ed_project_path(p), other);
    assert_string_equal(oro_document_path(ed_project_root(p)), other);
    oro_problems_free(&problems);
    ed_project_destroy(p);
}

/* A document for an older version of a node type is brought up to date, yet does not count as changed. */
TEST_WITH(migrated, set_up, NULL)
{
    static const struct oro_input inputs[] = {{.name = "count", .type = ORO_INT, .max = 9}, {0}};
    static const struct oro_output outputs[] = {{.name = "field", .type = ORO_FIELD}, {0}};
    static const struct oro_node_migration steps[] = {{.from = 1, .old_name = "number", .new_name = "count"},
                                                      {0}};
    static const struct oro_node_type type = {
        .id = "hills", .version = 2, .inputs = inputs, .outputs = outputs, .migrations = steps};
    static const struct oro_node_type *const types[] = {&type};
    static const struct oro_registry one = {.types = types, .count = 1};
    static const char text[] =
        "<orograph version=\"1\" xmlns=\"urn:orograph:1\"><node id=\"a\" type=\"hills\" version=\"1\">"
        "<in name=\"number\" value=\"3\"/></node></orograph>";
    struct oro_error err = {0};
    struct ed_project *p = ed_project_create(&one, &err);
    put_file(path, text);
    OK(ed_project_open(p, path, NULL, &err));
    const struct oro_doc_node *node = oro_document_node(ed_project_root(p), 0);
    assert_int_equal(node->version, 2);
    assert_non_null(oro_doc_node_input(node, "count"));
    assert_false(ed_project_changed(p));
    OK(ed_project_save(p, NULL, false, &err));
    expect_file(path, text);
    ed_project_destroy(p);
}

TEST_WITH(disk, set_up, NULL)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    assert_int_equal(ed_project_disk(p), ED_DISK_SAME);
    OK(ed_project_open(p, path, NULL, &err));
    assert_int_equal(ed_project_disk(p), ED_DISK_SAME);
    put_file(path, odd); /* another file, the same bytes */
    assert_int_equal(ed_project_disk(p), ED_DISK_SAME);
    put_file(path, "<other/>");
    assert_int_equal(ed_project_disk(p), ED_DISK_CHANGED);
    assert_false(ed_project_save(p, NULL, false, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    expect_file(path, "<other/>");
    ed_project_disk_known(p);
    assert_int_equal(ed_project_disk(p), ED_DISK_SAME);
    OK(ed_project_save(p, NULL, false, &err));
    put_file(path, "<other/>");
    OK(ed_project_save(p, NULL, true, &err));
    expect_file(path, odd);
    unlink(path);
    assert_int_equal(ed_project_disk(p), ED_DISK_GONE);
    OK(ed_project_save(p, NULL, false, &err));
    expect_file(path, odd);
    ed_project_destroy(p);
}

TEST_WITH(refused, set_up, NULL)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    assert_false(ed_project_save(p, NULL, false, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    OK(ed_project_open(p, path, NULL, &err));
    char *before = text_of(p);
    uint64_t revision = ed_project_revision(p);
    put_file(path, "no document");
    assert_false(ed_project_open(p, path, NULL, &err));
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    assert_false(ed_project_open(p, "/nowhere/at/all.oro", NULL, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    expect_text(p, before);
    assert_int_equal(ed_project_revision(p), revision);
    assert_false(ed_project_save(p, "/nowhere/at/all.oro", false, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_string_equal(ed_project_path(p), path);
    OK(ed_project_new(p, &err));
    assert_true(ed_project_revision(p) > revision);
    assert_string_equal(ed_project_path(p), "");
    oro_free(before);
    ed_project_destroy(p);
}

TEST_WITH(copy_and_link, set_up, NULL)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    OK(ed_project_open_copy(p, path, NULL, &err));
    assert_string_equal(ed_project_path(p), "");
    assert_string_equal(oro_document_path(ed_project_root(p)), path);
    assert_false(ed_project_save(p, NULL, false, &err));
    /* A symbolic link stays one. */
    assert_int_equal(symlink(path, link_path), 0);
    OK(ed_project_open(p, link_path, NULL, &err));
    OK(ed_rename(p, "hills", "mountains", &err));
    OK(ed_project_save(p, NULL, false, &err));
    struct stat info;
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(ed_project_disk(p), ED_DISK_SAME);
    char *text = text_of(p);
    expect_file(path, text);
    oro_free(text);
    ed_project_destroy(p);
}

TEST_WITH(way, set_up, remove_test_folder)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    put_file(path,
             "<orograph version=\"1\" xmlns=\"urn:orograph:1\">"
             "<group name=\"outer\"><interface><out name=\"field\" from=\"in.field\"/></interface>"
             "<node id=\"in\" type=\"graph\" href=\"#inner\"/></group>"
             "<group name=\"inner\"><interface><out name=\"field\" from=\"n.field\"/></interface>"
             "<node id=\"n\" type=\"noise\"/></group>"
             "<node id=\"a\" type=\"graph\" href=\"#outer\"/><node id=\"f\" type=\"graph\" href=\"x.oro\"/>"
             "</orograph>");
    OK(ed_project_open(p, path, NULL, &err));
    assert_false(ed_project_enter(p, "f", &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_false(ed_project_enter(p, "nobody", &err));
    OK(ed_project_enter(p, "a", &err));
    OK(ed_project_enter(p, "in", &err));
    assert_string_equal(ed_project_entered(p, 1), "in");
    assert_null(ed_project_entered(p, 2));
    assert_non_null(oro_document_find(ed_project_shown(p), "n"));
    /* An edit within is one of the root. */
    uint64_t revision = ed_project_revision(p);
    OK(ed_add_node(p, "blur", NULL, 0, 0, &(struct ed_end){"n", "field"}, NULL, NULL, &err));
    assert_true(ed_project_revision(p) > revision);
    assert_non_null(oro_document_find(oro_document_find_group(ed_project_root(p), "inner")->body, "blur"));
    /* Of the root, while a group is shown. */
    struct oro_document *doc = ed_edit_begin_root(p, "remove", &err);
    assert_ptr_equal(doc, ed_project_root(p));
    OK(ed_edit_end(p, oro_edit_remove_node(doc, "a", &err), &err));
    assert_int_equal(ed_project_depth(p), 0);
    OK(ed_project_undo(p, &err));
    assert_int_equal(ed_project_depth(p), 0);
    ed_project_destroy(p);
}

TEST_GROUP(set_up_registry, tear_down_registry);
