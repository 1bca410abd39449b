/* What is found in the texts of scripts without running them. */
#include <string.h>

#include "graph/derived/script_about.h"
#include "tests/support/test.h"

static struct oro_script_about about;

TEST(entries_of_the_table)
{
    oro_script_about("local t = { doc = 'of a local table' }\n"
                     "return { -- doc = 'in a comment'\n"
                     "  id = \"dunes\", inputs = { { name = 'h', doc = 'of an input' } },\n"
                     "  kernel = [[ doc = \"in a kernel\"; } } ]],\n"
                     "  words=\"sand, wind\" , category = 'source',\n"
                     "  doc = \"Says \\\"hello\\\" \" ..\n  'and more.', }",
                     &about);
    assert_string_equal(about.id, "dunes");
    assert_string_equal(about.category, "source");
    assert_string_equal(about.words, "sand, wind");
    assert_string_equal(about.doc, "Says \"hello\" and more.");
}

TEST(comments)
{
    oro_script_about("-- Waves of sand.\n-- more\nlocal t = { doc = f() }\nreturn t", &about);
    assert_string_equal(about.doc, "Waves of sand.");
    oro_script_about("-- first\n-- tags: a, b\n-- about: Told.\nreturn { doc = 'x', words = 'y' }", &about);
    assert_string_equal(about.doc, "Told.");
    assert_string_equal(about.words, "a, b");
}

/* Nothing reaches a terminal or a JSON file that could harm it, also where a text is cut off. */
TEST(only_what_can_be_shown)
{
    char text[2000] = "return { doc = \"a\x1b[2Jb\xc2\x9b"
                      "c\xff\xc3",
         *end = text + strlen(text);
    for (int i = 0; i < 400; i++, end += 2)
        memcpy(end, "\xc3\xa9", 3);
    memcpy(end, "\"}", 3);
    oro_script_about(text, &about);
    assert_memory_equal(about.doc, "a [2Jb  c\xc3\xa9\xc3\xa9", 12);
    assert_int_equal(strlen(about.doc) % 2, strlen("a [2Jb  c") % 2);
    assert_true(strlen(about.doc) >= sizeof about.doc - 3);
}

TEST(anything)
{
    static const char *const texts[] = {"",
                                        "-",
                                        "--",
                                        "--[[",
                                        "return {",
                                        "return { doc = ",
                                        "return { doc = '",
                                        "return { doc = 'a' .. ",
                                        "return { doc = [[a",
                                        "}}}}{{doc='a'",
                                        "return { doc = 'a\\",
                                        "return { doc == 'a' }",
                                        "\"",
                                        "id=='x'"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        oro_script_about(texts[i], &about);
        assert_true(!about.doc[0] || strcmp(about.doc, "a") == 0);
    }
}
