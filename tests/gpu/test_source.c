/* Kernel source as text: includes, line numbers, driver messages. No device. */
#include <stdint.h>
#include <string.h>

#include "devices/gpu/source.h"
#include "tests/gpu/helpers.h"
#include "tests/support/test.h"

#define FILE_OF(file_name, content)                                                                          \
    {                                                                                                        \
        file_name, content, sizeof(content) - 1                                                              \
    }

static const struct oro_shader_file files[] = {
    FILE_OF("plain.comp", "void main() {}\n"),
    FILE_OF("no_newline.comp", "one\n#include \"lib/a.glsl\""),
    FILE_OF("two.comp", "#include \"lib/a.glsl\"\n  # include \"lib/b.glsl\" // again\nend\n"),
    FILE_OF("lib/a.glsl", "a\n"),
    FILE_OF("lib/b.glsl", "b1\n#include \"lib/a.glsl\"\nb3\n"),
    FILE_OF("cycle.comp", "#include \"lib/c.glsl\"\nx\n"),
    FILE_OF("lib/c.glsl", "#include \"cycle.comp\"\n#include \"lib/c.glsl\"\nc\n"),
    FILE_OF("missing.comp", "1\n2\n#include \"lib/d.glsl\"\n"),
    FILE_OF("lib/d.glsl", "1\n#include \"lib/nowhere.glsl\"\n"),
    FILE_OF("bad.comp", "1\n#include <x.glsl>\n"),
    FILE_OF("open.comp", "#include \"x.glsl\n"),
    FILE_OF("up.comp", "#include \"../x.glsl\"\n"),
    FILE_OF("up2.comp", "#include \"lib/../x.glsl\"\n"),
    FILE_OF("up3.comp", "#include \"lib/..\"\n"),
    FILE_OF("root.comp", "#include \"/etc/passwd\"\n"),
    FILE_OF("comment.comp",
            "/*\n#include \"no\"\n*/ // /*\n// #include \"no\"\n#include \"lib/a.glsl\"\n#includes\n"),
    FILE_OF("dots.comp", "#include \"lib/..a.glsl\"\n"),
    FILE_OF("lib/..a.glsl", "dots\n"),
    FILE_OF("empty.comp", ""),
    FILE_OF("crlf.comp", "#include \"lib/a.glsl\"\r\nx\r\n"),
};

static const struct oro_shader_set set = {NULL, files, sizeof files / sizeof files[0]};

static void expect_text(const char *file, const char *expected)
{
    struct oro_source source = {0};
    struct oro_error err = {0};
    if (!oro_source_assemble(&source, &set, file, &err))
        fail_msg("%s", err.text);
    assert_string_equal(source.text.data, expected);
    oro_source_free(&source);
}

TEST(text)
{
    expect_text("plain.comp", "#line 10001 1\nvoid main() {}\n");
    expect_text("empty.comp", "#line 10001 1\n");
    expect_text("no_newline.comp", "#line 10001 1\none\n#line 20001 2\na\n#line 10003 1\n");
    expect_text(
        "two.comp",
        "#line 10001 1\n#line 20001 2\na\n#line 10002 1\n#line 30001 3\nb1\n\nb3\n#line 10003 1\nend\n");
    expect_text("cycle.comp", "#line 10001 1\n#line 20001 2\n\n\nc\n#line 10002 1\nx\n");
    expect_text("comment.comp", "#line 10001 1\n/*\n#include \"no\"\n*/ // /*\n// #include \"no\"\n#line "
                                "20001 2\na\n#line 10006 1\n#includes\n");
    expect_text("dots.comp", "#line 10001 1\n#line 20001 2\ndots\n#line 10002 1\n");
    expect_text("crlf.comp", "#line 10001 1\n#line 20001 2\na\n#line 10002 1\nx\r\n");
}

static void expect_failure(const char *file, const char *expected)
{
    struct oro_source source = {0};
    struct oro_error err = {0};
    assert_false(oro_source_assemble(&source, &set, file, &err));
    assert_int_equal(err.code, ORO_E_KERNEL);
    assert_string_equal(err.text, expected);
    oro_source_free(&source);
}

TEST(failures)
{
    const char rule[] = "names are relative to the shader folder, without '..'";
    char text[256];
    expect_failure("missing.comp",
                   "lib/d.glsl:2: error: cannot include 'lib/nowhere.glsl': there is no such file");
    expect_failure("nowhere.comp", "kernel 'nowhere.comp': there is no such file");
    expect_failure("bad.comp", "bad.comp:2: error: expected #include \"lib/name.glsl\"");
    expect_failure("open.comp", "open.comp:1: error: expected #include \"lib/name.glsl\"");
    snprintf(text, sizeof text, "up.comp:1: error: cannot include '../x.glsl': %s", rule);
    expect_failure("up.comp", text);
    snprintf(text, sizeof text, "up2.comp:1: error: cannot include 'lib/../x.glsl': %s", rule);
    expect_failure("up2.comp", text);
    snprintf(text, sizeof text, "up3.comp:1: error: cannot include 'lib/..': %s", rule);
    expect_failure("up3.comp", text);
    snprintf(text, sizeof text, "root.comp:1: error: cannot include '/etc/passwd': %s", rule);
    expect_failure("root.comp", text);
    snprintf(text, sizeof text, "kernel '../plain.comp': %s", rule);
    expect_failure("../plain.comp", text);
    snprintf(text, sizeof text, "kernel '': %s", rule);
    expect_failure("", text);
}

TEST(depth)
{
    struct oro_shader_file chain[40];
    char names[40][16], texts[40][32];
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        snprintf(texts[i], sizeof texts[i], "#include \"f%d\"\n", i + 1);
        chain[i] = (struct oro_shader_file){names[i], texts[i], strlen(texts[i])};
    }
    struct oro_shader_set deep = {NULL, chain, 40};
    struct oro_source source = {0};
    struct oro_error err = {0};
    assert_false(oro_source_assemble(&source, &deep, "f0", &err));
    assert_string_equal(err.text, "f16:1: error: cannot include 'f17': includes are nested too deeply");
    oro_source_free(&source);
}

TEST(folder)
{
    char folder[64];
    helper_folder(folder);
    helper_write(folder, "k.comp", "#include \"lib/h.glsl\"\nk\n");
    struct oro_shader_set disk = {folder, files, sizeof files / sizeof files[0]};
    struct oro_source source = {0};
    struct oro_error err = {0};
    assert_false(oro_source_assemble(&source, &disk, "k.comp", &err));
    assert_non_null(strstr(err.text, "k.comp:1: error: cannot include 'lib/h.glsl': "));
    assert_false(oro_source_changed(&source, &disk));
    helper_write(folder, "lib/h.glsl", "h\n"); /* a file that was missing counts as looked at */
    assert_true(oro_source_changed(&source, &disk));
    oro_source_free(&source);
    assert_true(oro_source_assemble(&source, &disk, "k.comp", NULL));
    assert_string_equal(source.text.data, "#line 10001 1\n#line 20001 2\nh\n#line 10002 1\nk\n");
    assert_false(oro_source_changed(&source, &disk));
    helper_write(folder, "lib/h.glsl", "i\n");
    assert_true(oro_source_changed(&source, &disk));
    assert_false(oro_source_changed(&source, &set));
    oro_source_free(&source);
    helper_remove(folder, (const char *[]){"k.comp", "lib/h.glsl", NULL});
}

static void expect_log(const char *log, const char *lines, const char *line)
{
    struct oro_source source = {0};
    struct oro_text text = {0}, summary = {0};
    assert_true(
        oro_source_assemble(&source, &set, "two.comp", NULL)); /* 1 two.comp, 2 lib/a.glsl, 3 lib/b.glsl */
    oro_driver_log(&text, &source, log);
    oro_driver_log_summary(&summary, text.data ? text.data : "");
    assert_string_equal(text.data ? text.data : "", lines);
    assert_string_equal(summary.data, line);
    oro_text_free(&text);
    oro_text_free(&summary);
    oro_source_free(&source);
}

TEST(driver_logs)
{
    expect_log("1:12(5): error: `x' undeclared\n2:3(1): warning: unused\n",
               "two.comp:12: error: `x' undeclared\nlib/a.glsl:3: warning: unused\n",
               "two.comp:12: error: `x' undeclared");
    expect_log("0:7(1): preprocessor error: syntax error\n", "preamble:7: preprocessor error: syntax error\n",
               "preamble:7: preprocessor error: syntax error");
    expect_log(
        "1(12) : error C0000: syntax error, unexpected ';'\n3(4) : error C1503: undefined variable \"x\"\n",
        "two.comp:12: error C0000: syntax error, unexpected ';'\n"
        "lib/b.glsl:4: error C1503: undefined variable \"x\"\n",
        "two.comp:12: error C0000: syntax error, unexpected ';'; "
        "lib/b.glsl:4: error C1503: undefined variable \"x\"");
    expect_log("ERROR: 3:2: 'x' : undeclared identifier\r\nWARNING: 1:1: odd\r\n",
               "lib/b.glsl:2: error: 'x' : undeclared identifier\ntwo.comp:1: warning: odd\n",
               "lib/b.glsl:2: error: 'x' : undeclared identifier");
    expect_log("error: linking failed", "error: linking failed\n", "error: linking failed");
    expect_log("9:1(1): error: no such source\n", "9:1(1): error: no such source\n",
               "9:1(1): error: no such source");
    expect_log("99999999999999999999:1(1): x\n1(\n1:\n1:2(\n(0) : x\nERROR: \n",
               "99999999999999999999:1(1): x\n1(\n1:\n1:2(\n(0) : x\nERROR: \n",
               "99999999999999999999:1(1): x; 1(; 1:; 1:2(");
    expect_log("0:30004(1): error: forgot the source\n0(20003) : warning C7: so did this\n",
               "lib/b.glsl:4: error: forgot the source\nlib/a.glsl:3: warning C7: so did this\n",
               "lib/b.glsl:4: error: forgot the source");
    expect_log("", "", "the driver gave no reason");
}
