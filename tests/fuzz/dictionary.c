/* Prints a dictionary for the fuzzer: the words of a graph file, from the descriptors. */
#include <ctype.h>
#include <stdio.h>

#include "graph/type/registry.h"

static const char *const words[] = {
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

int main(void)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        print_word(words[i]);
    for (size_t i = 0; i < oro_builtin_nodes.count; i++)
        print_type(oro_builtin_nodes.types[i]);
    return 0;
}
