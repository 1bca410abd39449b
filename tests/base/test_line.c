/* Texts of others, made fit to be shown. */
#include <string.h>

#include "base/line.h"
#include "tests/support/test.h"

static void expect(const char *text, const char *wanted)
{
    char out[64];
    assert_string_equal(oro_one_line(text, strlen(text), out, sizeof out), wanted);
}

TEST(what_terminals_obey_becomes_blanks)
{
    expect("a\33[2Jb", "a [2Jb");
    expect("a\xc2\x9b"
           "2Jb\x7f",
           "a 2Jb ");
    expect("a\nb\tc\r", "a b c ");
    expect("\xe2\x80\xaetxt.exe\xe2\x81\xa6", " txt.exe ");
    expect("\xd8\x9c\xe2\x80\x8e\xe2\x80\xa8", "   ");
}

TEST(letters_stay_and_wrong_bytes_are_marked)
{
    expect("H\xc3\xb6he \xe2\x82\xac \xf0\x9f\x8f\x94", "H\xc3\xb6he \xe2\x82\xac \xf0\x9f\x8f\x94");
    expect("\x9b"
           "a\xff\xc0\x9b\xc3",
           "?a????");
    expect("\xed\xa0\x80", "???"); /* a surrogate */
}

TEST(long_texts_are_cut)
{
    char out[10];
    assert_string_equal(oro_one_line("0123456789", 10, out, sizeof out), "012345...");
    assert_string_equal(oro_one_line("01234\xc3\xb6"
                                     "789",
                                     10, out, sizeof out),
                        "01234...");
}
