/*
 * The RELAX NG schema of the file format: a fixed frame, and one pattern per node type made from its
 * descriptor. It is as strict about values as the reader. It cannot express what a grammar cannot: that ids
 * are unique, that links lead somewhere, and that required inputs are present.
 */
#include <stdbool.h>

#include "base/text.h"
#include "graph/document/document_private.h"
#include "graph/file/xml.h"
#include "graph/type/literal.h"

#define ID "[A-Za-z_][A-Za-z0-9_\\-]*"
#define NUMBER "[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+\\-]?[0-9]+)?"
#define VERTEX "[ ]*" NUMBER "[ ]+" NUMBER "([ ]+" NUMBER ")?([ ]+" NUMBER ")?[ ]*"
#define LINE "([ ]*|" VERTEX "(," VERTEX ")*)"
#define PAIR "[ ]*" NUMBER "[ ]+" NUMBER "[ ]*"
#define COLOUR "#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?"
#define STOP "[ ]*" NUMBER "[ ]+" COLOUR "[ ]*"

static const char *const head[] = {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\" ns=\"urn:orograph:1\"",
    "         datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\">",
    "  <start>",
    "    <element name=\"orograph\">",
    "      <attribute name=\"version\"><value type=\"string\">1</value></attribute>",
    "      <ref name=\"foreign-attributes\"/>",
    "      <interleave>",
    "        <ref name=\"body\"/>",
    "        <zeroOrMore><ref name=\"group\"/></zeroOrMore>",
    "        <zeroOrMore><ref name=\"build\"/></zeroOrMore>",
    "      </interleave>",
    "    </element>",
    "  </start>",
    "  <define name=\"body\">",
    "    <interleave>",
    "      <optional><ref name=\"about\"/></optional>",
    "      <optional><ref name=\"world\"/></optional>",
    "      <zeroOrMore><ref name=\"variable\"/></zeroOrMore>",
    "      <optional><ref name=\"interface\"/></optional>",
    "      <zeroOrMore><ref name=\"node\"/></zeroOrMore>",
    "      <zeroOrMore><ref name=\"frame\"/></zeroOrMore>",
    "      <ref name=\"foreign-elements\"/>",
    "    </interleave>",
    "  </define>",
    "  <define name=\"group\">",
    "    <element name=\"group\">",
    "      <attribute name=\"name\"><ref name=\"id\"/></attribute>",
    "      <ref name=\"foreign-attributes\"/>",
    "      <ref name=\"body\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"about\">",
    "    <element name=\"about\">",
    "      <optional><attribute name=\"title\"/></optional>",
    "      <optional><attribute name=\"category\"/></optional>",
    "      <optional><attribute name=\"doc\"/></optional>",
    "      <optional><attribute name=\"words\"/></optional>",
    "      <ref name=\"foreign\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"variable\">",
    "    <element name=\"variable\">",
    "      <attribute name=\"name\"><data type=\"string\">",
    "        <param name=\"pattern\">[A-Za-z_][A-Za-z0-9_]*</param><param name=\"maxLength\">100</param>",
    "      </data></attribute>",
    "      <choice>",
    "        <attribute name=\"value\"><ref name=\"number\"/></attribute>",
    "        <attribute name=\"expr\"/>",
    "      </choice>",
    "      <optional><attribute name=\"unit\"><ref name=\"unit\"/></attribute></optional>",
    "      <optional><attribute name=\"label\"/></optional>",
    "      <optional><attribute name=\"doc\"/></optional>",
    "      <ref name=\"foreign\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"world\">",
    "    <element name=\"world\">",
    "      <optional><attribute name=\"extent\"><choice><data type=\"double\">",
    "        <param name=\"pattern\">" NUMBER "</param>",
    "        <param name=\"minInclusive\">0.001</param><param name=\"maxInclusive\">1000000000</param>",
    "      </data><ref name=\"expression\"/></choice></attribute></optional>",
    "      <optional><attribute name=\"resolution\"><choice><ref name=\"resolution\"/>",
    "        <ref name=\"expression\"/></choice></attribute></optional>",
    "      <optional><attribute name=\"aspect\"><choice><data type=\"double\">",
    "        <param name=\"pattern\">" NUMBER "</param><param name=\"minExclusive\">0</param>",
    "      </data><ref name=\"expression\"/></choice></attribute></optional>",
    "      <optional><attribute name=\"seed\"><data type=\"long\"/></attribute></optional>",
    "      <optional><attribute name=\"sea\"><choice><ref name=\"number\"/><ref name=\"expression\"/>",
    "        </choice></attribute></optional>",
    "      <optional><attribute name=\"crs\"/></optional>",
    "      <optional><attribute name=\"origin\"><list>",
    "        <data type=\"double\"/><data type=\"double\"/>",
    "      </list></attribute></optional>",
    "      <optional><attribute name=\"from\"><ref name=\"id\"/></attribute></optional>",
    "      <ref name=\"foreign\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"build\">",
    "    <element name=\"build\">",
    "      <attribute name=\"name\"><ref name=\"id\"/></attribute>",
    "      <optional><attribute name=\"resolution\"><choice><ref name=\"resolution\"/>",
    "        <ref name=\"expression\"/></choice></attribute></optional>",
    "      <optional><attribute name=\"for\"/></optional>",
    "      <optional><attribute name=\"outputs\"/></optional>",
    "      <ref name=\"foreign\"/>",
    "    </element>",
    "  </define>",
    "  <define name=\"interface\">",
    "    <element name=\"interface\">",
    "      <optional><attribute name=\"version\"><data type=\"positiveInteger\"/></attribute></optional>",
    "      <ref name=\"foreign-attributes\"/>",
    "      <interleave>",
    "        <zeroOrMore><element name=\"in\">",
    "          <ref name=\"port\"/>",
    "          <attribute name=\"to\"><choice><ref name=\"link\"/><ref name=\"id\"/></choice></attribute>",
    "          <ref name=\"parameter\"/>",
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
    "    <optional><attribute name=\"group\"/></optional>",
    "    <optional><attribute name=\"unit\"><ref name=\"unit\"/></attribute></optional>",
    "    <optional><attribute name=\"was\"/></optional>",
    "    <optional><attribute name=\"doc\"/></optional>",
    "    <ref name=\"foreign\"/>",
    "  </define>",
    "  <define name=\"parameter\">",
    "    <optional><attribute name=\"default\"/></optional>",
    "    <optional><attribute name=\"min\"><ref name=\"number\"/></attribute></optional>",
    "    <optional><attribute name=\"max\"><ref name=\"number\"/></attribute></optional>",
    "    <optional><attribute name=\"soft-min\"><ref name=\"number\"/></attribute></optional>",
    "    <optional><attribute name=\"soft-max\"><ref name=\"number\"/></attribute></optional>",
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
    "    <optional><attribute name=\"mute\"><ref name=\"bool\"/></attribute></optional>",
    "    <optional><attribute name=\"collapsed\"><ref name=\"bool\"/></attribute></optional>",
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
    "  <define name=\"resolution\"><data type=\"integer\">",
    "    <param name=\"minInclusive\">1</param><param name=\"maxInclusive\">131072</param>",
    "  </data></define>",
    "  <define name=\"expression\"><data type=\"string\"><param name=\"pattern\">=.*</param></data></define>",
    "  <define name=\"bool\">",
    "    <choice><value type=\"string\">true</value><value type=\"string\">false</value></choice>",
    "  </define>",
    "  <define name=\"colour\"><data type=\"string\">",
    "    <param name=\"pattern\">" COLOUR "</param>",
    "  </data></define>",
    "  <define name=\"point\"><data type=\"string\"><param name=\"pattern\">" PAIR "</param></data></define>",
    "  <define name=\"profile\"><data type=\"string\">",
    "    <param name=\"pattern\">" PAIR "(," PAIR ")*</param>",
    "  </data></define>",
    "  <define name=\"gradient\"><data type=\"string\">",
    "    <param name=\"pattern\">" STOP "(," STOP ")*</param>",
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
    case ORO_GRADIENT:
    case ORO_NETWORK:
        oro_text_addf(out, "<ref name=\"%s\"/>", oro_type_name(input->type));
        break;
    default:
        oro_text_add(out, "<text/>");
    }
}

/* An entry of an input: a value, an expression if it is a number, or a link if it takes one. */
static void add_input(struct oro_text *out, const struct oro_input *input)
{
    bool literal = oro_input_has_literal(input), link = oro_input_linkable(input);
    bool number = input->type == ORO_FLOAT || input->type == ORO_INT, several = number || (literal && link);
    oro_text_addf(out,
                  "        <element name=\"in\"><attribute name=\"name\"><value type=\"string\">%s</value>"
                  "</attribute>%s",
                  input->name, several ? "<choice>" : "");
    if (literal) {
        oro_text_add(out, "<attribute name=\"value\">");
        add_value(out, input);
        oro_text_add(out, "</attribute>");
    }
    if (number)
        oro_text_add(out, "<attribute name=\"expr\"/>");
    if (link)
        oro_text_add(out, "<attribute name=\"from\"><ref name=\"link\"/></attribute>");
    oro_text_addf(out, "%s<ref name=\"foreign\"/></element>\n", several ? "</choice>" : "");
}

static void add_version(struct oro_text *out, int version)
{
    oro_text_addf(out,
                  "      <optional><attribute name=\"version\"><value type=\"string\">%d</value></attribute>"
                  "</optional>\n",
                  version);
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

static void add_units(struct oro_text *out)
{
    oro_text_add(out, "  <define name=\"unit\"><choice>");
    for (int i = ORO_NO_UNIT; i < ORO_UNIT_COUNT; i++)
        oro_text_addf(out, "<value type=\"string\">%s</value>", oro_unit_name((enum oro_unit)i));
    oro_text_add(out, "</choice></define>\n");
}

/* What follows the start tag of a node with unknown inputs: the attributes of all nodes, a version, and
 * inputs of any name. */
static void add_any_inputs(struct oro_text *out, const char *first)
{
    oro_text_addf(
        out,
        "      <ref name=\"node-attributes\"/>\n"
        "      <optional><attribute name=\"version\"><data "
        "type=\"positiveInteger\"/></attribute></optional>\n"
        "%s      <zeroOrMore><choice>\n"
        "        <element name=\"in\"><attribute name=\"name\"><ref name=\"id\"/></attribute><choice>"
        "<attribute name=\"value\"/><attribute name=\"expr\"/>"
        "<attribute name=\"from\"><ref name=\"link\"/></attribute></choice><ref "
        "name=\"foreign\"/></element>\n"
        "        <ref name=\"foreign-element\"/>\n"
        "      </choice></zeroOrMore>\n"
        "    </element>\n"
        "  </define>\n",
        first);
}

/* The inputs of graphs and scripts are defined in another file or text, which a grammar cannot see. */
static void add_open_types(struct oro_text *out, const struct oro_registry *registry)
{
    oro_text_add(out, "  <define name=\"node.graph\">\n"
                      "    <element name=\"node\">\n"
                      "      <attribute name=\"type\"><value type=\"string\">graph</value></attribute>\n"
                      "      <attribute name=\"href\"/>\n");
    add_any_inputs(out, "");
    oro_text_add(out, "  <define name=\"node.lua\">\n"
                      "    <element name=\"node\">\n"
                      "      <attribute name=\"type\"><value type=\"string\">lua</value></attribute>\n");
    add_any_inputs(out, "      <element name=\"script\"><text/></element>\n");
    oro_text_add(out, "  <define name=\"node.script\">\n"
                      "    <element name=\"node\">\n"
                      "      <attribute name=\"type\"><data type=\"NCName\"><except><choice>"
                      "<value type=\"string\">graph</value><value type=\"string\">lua</value>");
    for (size_t i = 0; i < registry->count; i++)
        oro_text_addf(out, "<value type=\"string\">%s</value>", registry->types[i]->id);
    oro_text_add(out, "</choice></except></data></attribute>\n");
    add_any_inputs(out, "");
}

char *oro_schema(const struct oro_registry *registry)
{
    struct oro_text out = {0};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        oro_text_addf(&out, "%s\n", head[i]);
    for (size_t i = 0; i < registry->count; i++)
        add_type(&out, registry->types[i]);
    add_units(&out);
    add_open_types(&out, registry);
    oro_text_add(&out, "  <define name=\"node\">\n    <choice>\n      <ref name=\"node.graph\"/>\n"
                       "      <ref name=\"node.lua\"/>\n      <ref name=\"node.script\"/>\n");
    for (size_t i = 0; i < registry->count; i++)
        oro_text_addf(&out, "      <ref name=\"node.%s\"/>\n", registry->types[i]->id);
    oro_text_add(&out, "    </choice>\n  </define>\n</grammar>\n");
    return oro_text_take(&out);
}
