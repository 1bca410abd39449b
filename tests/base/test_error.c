/* Errors as values, and notices. */
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "tests/support/test.h"

TEST(an_error_says_where)
{
    struct oro_error err;
    char line[2048];
    memset(&err, 'x', sizeof err);
    assert_false(oro_fail(&err, ORO_E_FILE, "cannot read '%s'", "a.png"));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_string_equal(oro_error_line(&err, line, sizeof line), "cannot read 'a.png'");
    oro_error_place(&err, NULL, 0, "dem");
    assert_string_equal(oro_error_line(&err, line, sizeof line), "node 'dem': cannot read 'a.png'");
    oro_error_place(&err, "alps.oro", 0, NULL);
    assert_string_equal(oro_error_line(&err, line, sizeof line), "alps.oro: node 'dem': cannot read 'a.png'");
    oro_error_place(&err, "other.oro", 12, "other"); /* what is known stays */
    assert_string_equal(oro_error_line(&err, line, sizeof line),
                        "alps.oro:12: node 'dem': cannot read 'a.png'");
    oro_fail(&err, ORO_E_LIMIT, "new");
    assert_string_equal(oro_error_line(&err, line, sizeof line), "new");
}

TEST(an_error_may_be_unwanted)
{
    assert_false(oro_fail(NULL, ORO_E_FILE, "nobody hears"));
    oro_error_place(NULL, "a", 1, "b");
}

TEST(long_texts_are_cut)
{
    struct oro_error err;
    char text[5000], line[100];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    oro_fail(&err, ORO_E_FILE, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    oro_error_place(&err, text, 3, text);
    assert_int_equal(strlen(err.document), sizeof err.document - 1);
    assert_int_equal(strlen(err.node), sizeof err.node - 1);
    oro_error_line(&err, line, sizeof line);
    assert_int_equal(strlen(line), sizeof line - 1);
    char all[4096];
    assert_non_null(strstr(oro_error_line(&err, all, sizeof all), ":3: node 'aaa"));
}

static void take(void *user, enum oro_level level, const char *text)
{
    assert_int_equal(level, ORO_WARNING);
    strcpy(user, text);
}

TEST(notices_reach_the_sink)
{
    char heard[64] = "";
    struct oro_log log = {take, heard}, nobody = {0};
    oro_note(&log, ORO_WARNING, "%d steps", 3);
    assert_string_equal(heard, "3 steps");
    oro_note(&nobody, ORO_WARNING, "dropped");
    oro_note(NULL, ORO_WARNING, "dropped");
}
