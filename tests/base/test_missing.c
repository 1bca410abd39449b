/* What messages say of files that are not there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/missing.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static void make(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
}

static char folder[64];

FIXTURE(make_folder)
{
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-missing-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

FIXTURE(remove_folder)
{
    return chdir("/") == 0 ? remove_tree(folder) : -1;
}

FIXTURE(make_files)
{
    static const char *const names[] = {"alps.tif", "alps_128.png", "note.txt", ".hidden.png", "b.c.r32"};
    if (make_folder(state) != 0)
        return -1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        make(names[i]);
    return 0;
}

TEST_WITH(the_nearest_file_is_named, make_files, remove_folder)
{
    static const char *const cases[][2] = {
        {"alp.tif", "alps.tif"},
        {"ALPS.TIF", "alps.tif"},
        {"./alps_12.png", "alps_128.png"},
        {"notes.txt", "note.txt"},
        {"alps.geojson", "alps.tif"},
        {"hidden.pmg", NULL},
        {".hiden.png", ".hidden.png"},
        {"nothing like it", NULL},
        {"gone/alps.tif", NULL},
        {"b.geojson", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[ORO_NEAR_SIZE], wanted[ORO_NEAR_SIZE] = "";
        if (cases[i][1])
            snprintf(wanted, sizeof wanted, "; did you mean '%s'?", cases[i][1]);
        assert_string_equal(oro_near_file(cases[i][0], text), wanted);
    }
}

/* Of two that are as near, always the same. */
TEST_WITH(the_order_of_a_folder_does_not_matter, make_folder, remove_folder)
{
    char text[ORO_NEAR_SIZE];
    make("peak3.png");
    make("peak1.png");
    make("peak2.png");
    assert_string_equal(oro_near_file("peak.png", text), "; did you mean 'peak1.png'?");
}

TEST_WITH(errors_say_why, make_files, remove_folder)
{
    struct oro_error err = {0};
    assert_false(oro_cannot_read("alp.tif", ENOENT, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_non_null(strstr(err.text, "cannot read 'alp.tif': "));
    assert_non_null(strstr(err.text, "did you mean 'alps.tif'?"));
    assert_false(oro_cannot_read("alp.tif", EACCES, &err));
    assert_null(strstr(err.text, "did you mean"));
    assert_false(oro_cannot_read("alp.tif", ENOMEM, &err));
    assert_int_equal(err.code, ORO_E_MEMORY);
}
