/*
 * The RELAX NG schema of the file format: a fixed frame, and one pattern per node type made from its
 * descriptor. It is as strict about values as the reader, and does not say what a grammar cannot: that ids
 * are unique, links lead somewhere and required inputs are there.
 */
#include <stdbool.h>

#include "base/text.h"
#include "graph/document_private.h"
#include "graph/literal.h"
#include "graph/xml.h"

#define ID "[A-Za-z_][A-Za-z0-9_\\-]*"
#define NUMBER "[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+\\-]?[0-9]+)?"
#define VERTEX "[ ]*" NUMBER "[ ]+" NUMBER "([ ]+" NUMBER ")?([ ]+" NUMBER ")?[ ]*"
#define LINE "([ ]*|" VERTEX "(," VERTEX ")*)"
#define PAIR "[ ]*" NUMBER "[ ]+" NUMBER "[ ]*"

static const char *const head[] = {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\" ns=\"urn:orograph:1\"",
    "         datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\">",
    "  <start>",
    "    <element name=\"orograph\">",
    "      <attribute name=\"version\"><value type=\"string\">1</value></attribute>",
    "      <ref name=\"foreign-attributes\"/>",
    "      <interleave>",
    "        <optional><ref name=\"about\"/></optional>",
    "        <optional><ref name=\"world\"/></optional>",
    "        <optional><ref name=\"interface\"/></optional>",
    "        <zeroOrMore><ref name=\"node\"/></zeroOrMore>",
    "        <zeroOrMore><ref name=\"frame\"/></zeroOrMore>",
    "        <ref name=\"foreign-elements\"/>",
    "      </interleave>",
    "    </element>",
    "  </start>",
    "  <define name=\"about\">",
    "    <element name=\"about\">",
    "      <optional><attribute name=\"title\"/></optional>",
    "      <ref name=\"foreign\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"world\">",
    "    <element name=\"world\">",
    "      <optional><attribute name=\"extent\"><data type=\"double\">",
    "        <param name=\"pattern\">" NUMBER "</param>",
    "        <param name=\"minInclusive\">0.001</param><param name=\"maxInclusive\">1000000000</param>",
    "      </data></attribute></optional>",
    "      <optional><attribute name=\"resolution\"><data type=\"integer\">",
    "        <param name=\"minInclusive\">1</param><param name=\"maxInclusive\">32768</param>",
    "      </data></attribute></optional>",
    "      <optional><attribute name=\"aspect\"><data type=\"double\">",
    "        <param name=\"pattern\">" NUMBER "</param><param name=\"minExclusive\">0</param>",
    "      </data></attribute></optional>",
    "      <optional><attribute name=\"seed\"><data type=\"long\"/></attribute></optional>",
    "      <ref name=\"foreign\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"interface\">",
    "    <element name=\"interface\">",
    "      <ref name=\"foreign-attributes\"/>",
    "      <interleave>",
    "        <zeroOrMore><element name=\"in\">",
    "          <ref name=\"port\"/>",
    "          <attribute name=\"to\"><ref name=\"link\"/></attribute>",
    "        </element></zeroOrMore>",
    "        <zeroOrMore><element name=\"out\">",
    "          <ref name=\"port\"/>",
    "          <attribute name=\"from\"><ref name=\"link\"/></attribute>",
    "        </element></zeroOrMore>",
    "        <ref name=\"foreign-elements\"/>",
    "      </interleave>",
    "    </element>",
    "  </define>",
    "  <define name=\"port\">",
    "    <attribute name=\"name\"><ref name=\"id\"/></attribute>",
    "    <optional><attribute name=\"label\"/></optional>",
    "    <ref name=\"foreign\"/>",
    "  </define>",
    "  <define name=\"frame\">",
    "    <element name=\"frame\">",
    "      <optional><attribute name=\"title\"/></optional>",
    "      <ref name=\"position\"/>",
    "      <optional><attribute name=\"width\"><ref name=\"number\"/></attribute></optional>",
    "      <optional><attribute name=\"height\"><ref name=\"number\"/></attribute></optional>",
    "      <ref name=\"foreign\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"position\">",
    "    <optional><attribute name=\"x\"><ref name=\"number\"/></attribute></optional>",
    "    <optional><attribute name=\"y\"><ref name=\"number\"/></attribute></optional>",
    "  </define>",
    "  <define name=\"node-attributes\">",
    "    <attribute name=\"id\"><ref name=\"id\"/></attribute>",
    "    <ref name=\"position\"/>",
    "    <ref name=\"foreign-attributes\"/>",
    "  </define>",
    "  <!-- Values. -->",
    "  <define name=\"id\"><data type=\"string\">",
    "    <param name=\"pattern\">" ID "</param><param name=\"maxLength\">100</param>",
    "  </data></define>",
    "  <define name=\"link\"><data type=\"string\"><param name=\"pattern\">" ID "\\." ID
    "</param></data></define>",
    "  <define name=\"number\"><data type=\"double\"><param name=\"pattern\">" NUMBER
    "</param></data></define>",
    "  <define name=\"bool\">",
    "    <choice><value type=\"string\">true</value><value type=\"string\">false</value></choice>",
    "  </define>",
    "  <define name=\"colour\"><data type=\"string\">",
    "    <param name=\"pattern\">#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?</param>",
    "  </data></define>",
    "  <define name=\"point\"><data type=\"string\"><param name=\"pattern\">" PAIR "</param></data></define>",
    "  <define name=\"profile\"><data type=\"string\">",
    "    <param name=\"pattern\">" PAIR "(," PAIR ")*</param>",
    "  </data></define>",
    "  <define name=\"network\"><data type=\"string\">",
    "    <param name=\"pattern\">" LINE "(;" LINE ")*</param>",
    "  </data></define>",
    "  <!-- Extensions: attributes and elements of other namespaces. -->",
    "  <define name=\"foreign\">",
    "    <ref name=\"foreign-attributes\"/>",
    "    <ref name=\"foreign-elements\"/>",
    "  </define>",
    "  <define name=\"foreign-attributes\"><zeroOrMore><attribute>",
    "    <anyName><except><nsName ns=\"\"/><nsName/></except></anyName>",
    "  </attribute></zeroOrMore></define>",
    "  <define name=\"foreign-elements\"><zeroOrMore><ref name=\"foreign-element\"/></zeroOrMore></define>",
    "  <define name=\"foreign-element\"><element>",
    "    <anyName><except><nsName/></except></anyName>",
    "    <ref name=\"anything\"/>",
    "  </element></define>",
    "  <define name=\"anything\">",
    "    <zeroOrMore><choice>",
    "      <attribute><anyName/></attribute>",
    "      <text/>",
    "      <element><anyName/><ref name=\"anything\"/></element>",
    "    </choice></zeroOrMore>",
    "  </define>",
    "  <!-- Node types. -->",
};

static void add_limit(struct oro_text *out, const char *name, double value)
{
    char number[ORO_NUMBER_SIZE];
    oro_text_addf(out, "<param name=\"%s\">%s</param>", name, oro_format_number(value, number));
}

static void add_range(struct oro_text *out, const struct oro_input *input)
{
    if (input->min == 0 && input->max == 0)
        return;
    add_limit(out, "minInclusive", input->min);
    add_limit(out, "maxInclusive", input->max);
}

static void add_choices(struct oro_text *out, const struct oro_input *input)
{
    oro_text_add(out, "<choice>");
    for (size_t i = 0; input->choices && input->choices[i]; i++) {
        oro_text_add(out, "<value type=\"string\">");
        oro_xml_escape(out, input->choices[i]);
        oro_text_add(out, "</value>");
    }
    oro_text_add(out, "</choice>");
}

/* The pattern of a literal. */
static void add_value(struct oro_text *out, const struct oro_input *input)
{
    switch (input->type) {
    case ORO_FLOAT:
        oro_text_add(out, "<data type=\"double\"><param name=\"pattern\">" NUMBER "</param>");
        add_range(out, input);
        oro_text_add(out, "</data>");
        break;
    case ORO_INT:
        oro_text_add(out, "<data type=\"int\">");
        add_range(out, input);
        oro_text_add(out, "</data>");
        break;
    case ORO_CHOICE:
        add_choices(out, input);
        break;
    case ORO_BOOL:
    case ORO_COLOUR:
    case ORO_POINT:
    case ORO_PROFILE:
    case ORO_NETWORK:
        oro_text_addf(out, "<ref name=\"%s\"/>", oro_type_name(input->type));
        break;
    default:
        oro_text_add(out, "<text/>");
    }
}

static void add_input(struct oro_text *out, const struct oro_input *input)
{
    bool both = oro_input_has_literal(input) && oro_input_linkable(input);
    oro_text_addf(out,
                  "        <element name=\"in\"><attribute name=\"name\"><value type=\"string\">%s</value>"
                  "</attribute>%s",
                  input->name, both ? "<choice>" : "");
    if (oro_input_has_literal(input)) {
        oro_text_add(out, "<attribute name=\"value\">");
        add_value(out, input);
        oro_text_add(out, "</attribute>");
    }
    if (oro_input_linkable(input))
        oro_text_add(out, "<attribute name=\"from\"><ref name=\"link\"/></attribute>");
    oro_text_addf(out, "%s<ref name=\"foreign\"/></element>\n", both ? "</choice>" : "");
}

static void add_version(struct oro_text *out, int version)
{
    oro_text_addf(out,
                  "      %s<attribute name=\"version\"><value type=\"string\">%d</value></attribute>%s\n",
                  version == 1 ? "<optional>" : "", version, version == 1 ? "</optional>" : "");
}

static void add_type(struct oro_text *out, const struct oro_node_type *type)
{
    oro_text_addf(out,
                  "  <define name=\"node.%s\">\n"
                  "    <element name=\"node\">\n"
                  "      <attribute name=\"type\"><value type=\"string\">%s</value></attribute>\n"
                  "      <ref name=\"node-attributes\"/>\n",
                  type->id, type->id);
    add_version(out, type->version);
    oro_text_add(out, "      <zeroOrMore><choice>\n");
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        add_input(out, input);
    oro_text_add(out, "        <ref name=\"foreign-element\"/>\n"
                      "      </choice></zeroOrMore>\n"
                      "    </element>\n"
                      "  </define>\n");
}

char *oro_schema(const struct oro_registry *registry)
{
    struct oro_text out = {0};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        oro_text_addf(&out, "%s\n", head[i]);
    for (size_t i = 0; i < registry->count; i++)
        add_type(&out, registry->types[i]);
    oro_text_add(&out, "  <define name=\"node\">\n    <choice>\n");
    for (size_t i = 0; i < registry->count; i++)
        oro_text_addf(&out, "      <ref name=\"node.%s\"/>\n", registry->types[i]->id);
    oro_text_addf(&out, "%s    </choice>\n  </define>\n</grammar>\n",
                  registry->count ? "" : "      <notAllowed/>\n");
    if (out.failed)
        oro_text_free(&out);
    return out.data;
}
