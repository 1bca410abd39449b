/* Scripts by a grammar: the bytes choose what a table of every form says, and what the script computes before
 * it returns the table. They run within the program, as trusted ones do: a guest's end would say nothing.
 * Reading ends with a node type whose descriptor makes sense, or with a reason. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"
#include "lua/types/node_types.h"
#include "tests/fuzz/grammar.h"

enum { WORDS_MAX = 64 };
/* From the program's tables. */
static const char *types[WORDS_MAX], *units[WORDS_MAX], *handles[WORDS_MAX];

static const struct fuzz_rule rules[] = {
    FUZZ_RULE(
        "script", "return {$form}", "$statements return {$form}", "local t = {$form} $statements return t",
        "return setmetatable({$form}, {__index = function(t, k) $statements return $e end})", "$statements"),
    FUZZ_RULE(
        "form", "id = \"fuzz\", $inputs $outputs kernel = $kernel$more",
        "$inputs $outputs field = function(f, p) return f.a end$more",
        "$inputs $outputs cell = function(x, y, f, p) $statements return $e end$more",
        "$inputs $outputs graph = function(b, p) $statements return $e end$more",
        "$inputs $outputs kernel = { a = $kernel, b = $kernel }, buffers = $buffers, passes = $passes$more",
        "$inputs $outputs kernel = $kernel, cell = $e$more", "$inputs $outputs"),
    FUZZ_RULE("more", "", ", id = \"fuzz\"$more", ", doc = $s$more", ", category = $s$more",
              ", version = $n$more", ", words = $s$more", ", paper = $s$more",
              ", migrations = {{from = $n, old = \"$name\", new = \"$name\"}}$more", ", $name = $e$more"),
    FUZZ_RULE("kernel", "[[void cell(ivec2 p) { set_$name(p, $glsl); }]]", "$s", "$e"),
    FUZZ_RULE("glsl", "1.0", "a_at(p)", "params.b * $glsl", "sin($glsl) + $glsl", "float(p.x)"),
    FUZZ_RULE("buffers", "{}", "{ $name = \"$type\" }", "{ a = \"field\", b = \"vector\" }", "$e"),
    FUZZ_RULE("passes", "{ \"a\", \"b\" }", "{ { \"a\", times = $n }, \"b\" }",
              "{ \"$name\", { times = \"$name\", \"a\", \"b\" } }", "$e"),
    FUZZ_RULE("inputs", "inputs = { $input },", "", "inputs = { $input, $input },",
              "inputs = { $input, $input, $input, $input },", "inputs = $e,"),
    FUZZ_RULE("input", "{ name = \"$name\", type = \"$type\"$says }", "{ name = \"mask\", type = \"mask\" }",
              "{ name = \"seed\", type = \"seed\" }",
              "{ name = \"$name\", type = \"float\", default = $n, min = $n, max = $n$says }",
              "{ name = \"$name\", type = \"int\", default = $n, soft_min = $n, soft_max = $n$says }",
              "{ name = \"$name\", type = \"choice\", choices = { \"$name\", \"$name\" }, default = "
              "\"$name\"$says }",
              "{ name = \"$name\", type = \"field\", optional = $b$says }",
              "{ name = \"$name\", type = \"$type\", default = $literal$says }"),
    FUZZ_RULE("says", "", ", unit = \"$unit\"$says", ", doc = $s$says", ", label = $s$says",
              ", group = $s$says", ", map = $b$says", ", optional = $b$says", ", handle = \"$handle\"$says",
              ", handle_at = \"$name\"$says", ", when = \"$name=$name\"$says",
              ", handle_when = \"$name!=$name\"$says", ", default = $literal$says", ", $name = $e$says"),
    FUZZ_RULE("outputs", "outputs = { { name = \"$name\"$gives } },",
              "outputs = { { name = \"$name\"$gives }, { name = \"$name\"$gives } },", "", "outputs = $e,"),
    FUZZ_RULE("gives", "", ", type = \"$type\"$gives", ", unit = \"$unit\"$gives", ", doc = $s$gives",
              ", like = \"$name\"$gives"),
    FUZZ_RULE("name", "a", "b", "terrain", "c", "seed", "mask", "oro_x", "cell", "x1", "A", "a b", "float",
              "_", "params"),
    {"type", types},
    {"unit", units},
    {"handle", handles},
    FUZZ_RULE("literal", "1", "\"0 0, 1 1\"", "\"#ff0000\"", "\"0 #000000, 1 #ffffff\"", "\"5 5\"", "true",
              "\"a\"", "\"\"", "$e"),
    /* ---- Lua ---- */
    FUZZ_RULE("statements", "", "$statement\n$statements"),
    FUZZ_RULE("statement", "local v = $e", "local w = $e", "v = $e", "if $e then $statements end",
              "for i = $n, $n do $statements end", "for k, u in pairs($e) do $statements end",
              "for k, u in ipairs($e) do $statements end",
              "for s in string.gmatch($s, $pattern) do $statements end",
              "local function h(x, y) $statements return $e end", "pcall(function() $statements end)",
              "while $e do $statements break end", "repeat $statements until true", "v = v or {} v[$e] = $e",
              "print($e, $e)", "error($e)", "do local a <const> = $e end",
              "goto done ::done::", "assert($e, $e)", "h = $call"),
    FUZZ_RULE("e", "1", "nil", "$b", "$n", "$s", "v", "w", "$call", "$call", "$call", "$e $op $e", "-$e",
              "not $e", "#$e", "($e)", "{}", "{$e, $e}", "{a = $e, [$e] = $e}",
              "function(...) $statements return ... end",
              "setmetatable({}, {$meta = function(x, y) $statements return $e end})",
              "setmetatable({}, {$meta = $e})", "(function(x) return x end)($e)"),
    FUZZ_RULE("meta", "__index", "__newindex", "__call", "__len", "__eq", "__lt", "__le", "__concat", "__add",
              "__unm", "__tostring", "__pairs", "__gc", "__mode", "__close", "__metatable", "__name"),
    FUZZ_RULE("op", "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", "and", "or", "&", "|",
              "~", "<<", ">>"),
    FUZZ_RULE("b", "true", "false"),
    FUZZ_RULE("n", "1", "0", "-1", "3", "2.5", "1e308", "-1e308", "0/0", "1/0", "math.maxinteger",
              "math.mininteger", "0x7fffffff", "2^53", "100", "1e9", "64"),
    /* Of what Lua does in C, which nothing interrupts in a script that is trusted. */
    FUZZ_RULE("few", "3", "0", "-1", "1000", "2.5"),
    FUZZ_RULE("s", "\"a\"", "\"\"", "\"a b,c d\"", "'x\\0y'", "\"\\u{7ff}\\xff\"", "[[long]]", "\"%d %s %q\"",
              "string.rep($s, $few)", "tostring($e)", "\"12\"", "$s .. $s"),
    FUZZ_RULE("pattern", "\"a*\"", "\"(%w+)\"", "\"%b()\"", "\"%f[%w]\"", "\"^(.-)%s*$dollar\"",
              "\"[^%a-z]\"", "\".-.-.-b\"", "\"()\"", "\"%1\"", "\"[\"", "$s"),
    FUZZ_RULE("dollar", "$dollar_sign"),
    FUZZ_RULE("dollar_sign", "\\36"),
    FUZZ_RULE("call", "tostring($e)", "tonumber($e, $n)", "type($e)", "select($n, $e, $e)", "rawget($e, $e)",
              "rawset($e, $e, $e)", "rawequal($e, $e)", "rawlen($e)", "next($e, $e)", "pcall($e, $e)",
              "getmetatable($e)", "math.$math($e)", "math.$math($e, $e)", "string.byte($s, $n, $n)",
              "string.char($n, $e)", "string.find($s, $pattern, $n, $b)", "string.match($s, $pattern, $n)",
              "string.gsub($s, $pattern, $e, $n)", "string.gsub($s, $pattern, \"%%1\")",
              "string.format($format, $e, $e)", "string.rep($s, $few, $s)", "string.sub($s, $n, $n)",
              "string.reverse($s)", "string.upper($s)", "string.len($e)", "table.concat($e, $s, $n, $n)",
              "table.insert($e, $n, $e)", "table.remove($e, $n)", "table.sort($e, $e)",
              "table.sort({3, 1, 2, $e}, function(x, y) return x > y end)", "table.unpack($e, $n, $n)",
              "table.pack($e, $e)", "table.move($e, $few, $few, $n, $e)", "utf8.char($n, $n)",
              "utf8.codepoint($s, $n, $n)", "utf8.len($s, $n, $n)", "utf8.offset($s, $n, $n)", "h($e)",
              "$e:$name($e)", "require $s", "($s):gsub($pattern, $e)"),
    FUZZ_RULE("format", "\"%d\"", "\"%5.2f\"", "\"%s\"", "\"%q\"", "\"%x %c\"", "\"%-20.10s|\"", "\"%i\"",
              "\"%a\"", "\"%99.99f\"", "\"%p\"", "$s"),
    FUZZ_RULE("math", "floor", "abs", "ceil", "max", "min", "sqrt", "sin", "log", "exp", "fmod", "modf",
              "random", "randomseed", "tointeger", "type", "ult", "atan"),
    {0},
};

static void fill_words(void)
{
    size_t count = 0;
    for (int type = ORO_FIELD; type <= ORO_GRADIENT; type++)
        types[count++] = oro_type_name((enum oro_type)type);
    count = 0;
    for (int unit = 0; unit < ORO_UNIT_COUNT; unit++)
        units[count++] = oro_unit_name((enum oro_unit)unit);
    const char *const *names = oro_handle_names(&count);
    for (size_t i = 0; i < count && i + 1 < WORDS_MAX; i++)
        handles[i] = names[i];
}

/* Whatever a script says, its descriptor is one that the rest of the program can work with. */
static void check_type(const struct oro_node_type *type)
{
    void *params = oro_alloc(1, type->params_size + 1);
    fuzz_require(params && type->inputs && type->outputs);
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        fuzz_require(oro_is_identifier(input->name) && oro_type_input(type, input->name) == input);
        fuzz_require(oro_handle_check(type->inputs, input, NULL));
        char *text = oro_literal_default(input);
        fuzz_require(text && (!oro_input_has_default(input) || oro_literal_parse(input, text, NULL, NULL)));
        oro_free(text);
    }
    for (const struct oro_output *output = type->outputs; output->name; output++)
        fuzz_require(oro_is_identifier(output->name) && oro_type_output(type, output->name) == output);
    oro_params_default(type, params);
    oro_free(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct oro_text text = {0};
    struct oro_error err = {0};
    if (!types[0])
        fill_words();
    fuzz_expand(&bytes, rules, "$script", &text);
    const struct oro_script_source source = {.path = "fuzz.oro",
                                             .line = 3,
                                             .trusted = true,
                                             .text = text.data ? text.data : "",
                                             .length = text.length};
    struct oro_script *script = oro_script_read(&source, oro_script_forms, NULL, &err);
    if (script)
        check_type(&script->type);
    else
        fuzz_require_reason(&err);
    oro_script_destroy(script);
    oro_text_free(&text);
    return 0;
}
