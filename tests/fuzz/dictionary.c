/* Prints a dictionary for the fuzzer, of what NAME says: the words of graph files, of scripts, of kernels or
 * of JSON files. They come from the descriptors and tables of the program. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "graph/type/registry.h"
#include "lua/batch/batch.h"
#include "lua/glsl/glsl.h"

static const char *const graph_words[] = {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">",
    "</orograph>",
    "<about title=\"",
    "<world extent=\"",
    "<interface>",
    "</interface>",
    "<in name=\"",
    "<out name=\"",
    "<node id=\"",
    "</node>",
    "<frame title=\"",
    "<variable name=\"",
    "<group name=\"",
    "</group>",
    "<interface version=\"",
    " type=\"graph\"",
    " href=\"#",
    " expr=\"",
    " category=\"",
    " doc=\"",
    " unit=\"",
    " group=\"",
    " default=\"",
    " min=\"",
    " max=\"",
    " soft-min=\"",
    " soft-max=\"",
    " was=\"",
    "world.cell",
    "max(",
    " resolution=\"",
    " aspect=\"",
    " seed=\"",
    " type=\"",
    " version=\"",
    " value=\"",
    " from=\"",
    " to=\"",
    " label=\"",
    " href=\"",
    " x=\"",
    " y=\"",
    " width=\"",
    " height=\"",
    " xmlns:z=\"urn:z\"",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE",
    "<!ENTITY",
    "&amp;",
    "&#65;",
    "\"/>",
    "1e308",
    "-0.5",
    "9223372036854775807",
};

static void print_word(const char *word)
{
    putchar('"');
    for (; *word; word++) {
        unsigned char c = (unsigned char)*word;
        if (c == '"' || c == '\\' || !isprint(c))
            printf("\\x%02x", c);
        else
            putchar(c);
    }
    printf("\"\n");
}

static void print_type(const struct oro_node_type *type)
{
    print_word(type->id);
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        print_word(input->name);
        for (const char *const *choice = input->choices; choice && *choice; choice++)
            print_word(*choice);
        if (input->text && input->text[0])
            print_word(input->text);
    }
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        print_word(output->name);
}

static void print_graph(void)
{
    for (size_t i = 0; i < sizeof graph_words / sizeof graph_words[0]; i++)
        print_word(graph_words[i]);
    for (size_t i = 0; i < oro_builtin_nodes.count; i++)
        print_type(oro_builtin_nodes.types[i]);
}

/* What a script's table says is what a descriptor says. */
static void print_script(void)
{
    static const char *const words[] = {
        "inputs",      "outputs",     "name",    "type",   "default",  "min",           "max",
        "soft_min",    "soft_max",    "choices", "map",    "doc",      "optional",      "handle",
        "when",        "kernel",      "buffers", "passes", "field",    "cell",          "graph",
        "id",          "function(",   " end",    "local ", "require ", "setmetatable(", "__index",
        "math.random", "string.rep(", "..",      "[[",     "]]",       "return {"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        print_word(words[i]);
    for (int type = ORO_FIELD; type <= ORO_GRADIENT; type++)
        print_word(oro_type_name((enum oro_type)type));
    for (int unit = ORO_METRE; unit < ORO_UNIT_COUNT; unit++)
        print_word(oro_unit_name((enum oro_unit)unit));
    for (int role = ORO_ROLE_TERRAIN; role <= ORO_ROLE_DURATION; role++)
        print_word(oro_role_name((enum oro_role)role));
}

static void print_kernel(void)
{
    static const char *const words[] = {"void cell(ivec2 p)",
                                        "set_terrain(p, ",
                                        "terrain_at(p)",
                                        "params.amount",
                                        "for (int i = 0; i < 8; i++)",
                                        "while (",
                                        "const int N = 4;",
                                        "#define X 1",
                                        "#if ",
                                        "#endif",
                                        "float a[4];",
                                        "return;",
                                        "ivec2(",
                                        "vec4(",
                                        "? 1 : 0"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        print_word(words[i]);
    for (size_t i = 0; oro_glsl_function(i); i++)
        print_word(oro_glsl_function(i));
    for (size_t i = 0; oro_glsl_includes[i]; i++)
        print_word(oro_glsl_includes[i]);
}

static void print_batch(void)
{
    for (size_t i = 0; i < ORO_BATCH_FUNCTIONS; i++)
        print_word(oro_batch_functions[i].name);
    for (size_t i = 0; oro_batch_fields[i].name; i++)
        print_word(oro_batch_fields[i].name);
}

static void print_json(void)
{
    static const char *const words[] = {
        "width",      "height",   "cell_size", "crs",         "west",        "north",     "minimum",
        "maximum",    "low",      "high",      "sea",         "nodata",      "tiles",     "endianness",
        "row_order",  "little",   "big",       "north_first", "files",       "file",      "column",
        "row",        "side",     "overlap",   "type",        "coordinates", "features",  "name",
        "Point",      "geometry", "Feature",   "properties",  "LineString",  "EPSG:4326", "MultiLineString",
        "geometries", "null",     "1e308",     "-1",          "2147483648",  "\\u0000",   "[[[["};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        print_word(words[i]);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } dictionaries[] = {{"graph", print_graph},
                        {"script", print_script},
                        {"kernel", print_kernel},
                        {"batch", print_batch},
                        {"json", print_json}};
    for (size_t i = 0; i < sizeof dictionaries / sizeof dictionaries[0]; i++) {
        if (argc == 2 && strcmp(argv[1], dictionaries[i].name) == 0) {
            dictionaries[i].print();
            return 0;
        }
    }
    return 2;
}
