/*
 * From bytes to an XML tree, for files that may be hostile: no DTD, no entities, no network, limits on
 * everything. The limits are enforced while parsing, so that neither time nor memory exceeds them.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>

#include "graph/file/xml_private.h"

/* One broken tag can cause a flood of errors. */
enum { ERRORS_MAX = 100 };

struct guard {
    struct oro_problems *problems;
    size_t parts, namespaces;
    int errors;
    int conflict; /* line of the first marker that git left, or 0 */
    bool stopped;
    bool *starved;
};

static struct guard *guard_of(void *context)
{
    return ((xmlParserCtxt *)context)->_private;
}

static int current_line(void *context)
{
    const xmlParserCtxt *parser = context;
    return parser->input ? parser->input->line : 0;
}

static void stop(void *context, const char *code, const char *text)
{
    struct guard *guard = guard_of(context);
    if (!guard->stopped)
        oro_problem_add(guard->problems, true, code, current_line(context), NULL, "%s", text);
    guard->stopped = true;
    xmlStopParser(context);
}

static bool within_limits(void *context, size_t parts, size_t longest)
{
    struct guard *guard = guard_of(context);
    guard->parts += parts;
    if (guard->parts > ORO_DOCUMENT_PARTS_MAX)
        stop(context, "limit", "the document has too many elements and attributes");
    else if (longest > ORO_DOCUMENT_TEXT_MAX)
        stop(context, "limit", "an attribute or comment is longer than 1 MiB");
    return !guard->stopped;
}

/* libxml2 writes namespace names without escaping a '<', which no URI has. Prefix and name come in pairs. */
static bool has_bad_name(const xmlChar **namespaces, int count)
{
    for (int i = 0; i < count; i++)
        if (namespaces[2 * i + 1] && xmlStrchr(namespaces[2 * i + 1], '<'))
            return true;
    return false;
}

/* Attributes come in fives: name, prefix, namespace, begin and end of the value. */
static void on_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                       int namespace_count, const xmlChar **namespaces, int attribute_count, int defaulted,
                       const xmlChar **attributes)
{
    xmlParserCtxt *parser = context;
    struct guard *guard = guard_of(context);
    size_t longest = 0;
    for (int i = 0; i < attribute_count; i++) {
        size_t length = (size_t)(attributes[5 * i + 4] - attributes[5 * i + 3]);
        longest = length > longest ? length : longest;
    }
    guard->namespaces += (size_t)namespace_count;
    if (parser->nodeNr >= ORO_DOCUMENT_DEPTH_MAX)
        stop(context, "limit", "elements are nested too deeply");
    else if (guard->namespaces > ORO_DOCUMENT_NAMESPACES_MAX)
        stop(context, "limit", "the document declares too many namespaces");
    else if (has_bad_name(namespaces, namespace_count))
        stop(context, "malformed", "not well-formed XML: a namespace name with '<'");
    if (!within_limits(context, 1 + (size_t)attribute_count + (size_t)namespace_count, longest))
        return;
    xmlSAX2StartElementNs(context, name, prefix, uri, namespace_count, namespaces, attribute_count, defaulted,
                          attributes);
    if (parser->node) /* libxml2's own line numbers stop at 65535 */
        parser->node->_private = (void *)(intptr_t)current_line(context);
}

static void on_comment(void *context, const xmlChar *text)
{
    if (within_limits(context, 1, (size_t)xmlStrlen(text)))
        xmlSAX2Comment(context, text);
}

static void on_instruction(void *context, const xmlChar *target, const xmlChar *data)
{
    if (within_limits(context, 1, (size_t)xmlStrlen(data)))
        xmlSAX2ProcessingInstruction(context, target, data);
}

static void on_cdata(void *context, const xmlChar *text, int length)
{
    if (within_limits(context, 1, (size_t)length))
        xmlSAX2CDataBlock(context, text, length);
}

/* Called before anything in a DTD is read, entities included. */
static void on_dtd(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    (void)name;
    (void)external;
    (void)system;
    stop(context, "dtd", "a document may not have a DOCTYPE");
}

#if LIBXML_VERSION >= 21200
static void on_error(void *context, const xmlError *error)
#else
static void on_error(void *context, xmlError *error)
#endif
{
    struct guard *guard = guard_of(context);
    *guard->starved |= error->code == XML_ERR_NO_MEMORY;
    if (*guard->starved || guard->stopped || error->level < XML_ERR_ERROR || error->code == XML_WAR_NS_URI ||
        ++guard->errors > ERRORS_MAX || guard->conflict)
        return;
    char text[300];
    snprintf(text, sizeof text, "%s", error->message ? error->message : "not well-formed");
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        text[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    oro_problem_add(guard->problems, true, "malformed", error->line, NULL, "not well-formed XML: %s", text);
}

/* What the library says of trees and texts, which belong to no parser: nothing but that memory is out. */
#if LIBXML_VERSION >= 21200
static void on_other_error(void *starved, const xmlError *error)
#else
static void on_other_error(void *starved, xmlError *error)
#endif
{
    *(bool *)starved |= error->code == XML_ERR_NO_MEMORY;
}

void oro_xml_begin(bool *starved)
{
    *starved = false;
    xmlSetStructuredErrorFunc(starved, on_other_error);
}

void oro_xml_end(void)
{
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlResetLastError(); /* whose text the thread would keep */
}

static void set_hooks(xmlParserCtxt *parser, struct guard *guard)
{
    parser->_private = guard;
    parser->sax->startElementNs = on_element;
    parser->sax->comment = on_comment;
    parser->sax->processingInstruction = on_instruction;
    parser->sax->cdataBlock = on_cdata;
    parser->sax->internalSubset = on_dtd;
    parser->sax->serror = on_error;
}

/* ---- Attributes of one element: the parser compares each with all others before any hook is called ---- */

/* The first place from `s` on that has one of the characters, or the end. */
static const char *find_any(const char *s, const char *end, const char *characters)
{
    while (s < end && (!*s || !strchr(characters, *s)))
        s++;
    return s;
}

static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n'))
        s++;
    return s;
}

/* Counts the attributes of the tag at `s`, which follows its '<', as the parser would before giving up. */
static size_t count_attributes(const char *s, const char *end)
{
    size_t count = 0;
    s = find_any(s, end, " \t\r\n<>");
    for (;; count++) {
        s = skip_blanks(s, end);
        s = find_any(s, end, " \t\r\n=<>\"'");
        s = skip_blanks(s, end);
        if (s == end || *s != '=')
            return count;
        s = skip_blanks(s + 1, end);
        if (s == end || (*s != '"' && *s != '\''))
            return count;
        const char stops[] = {*s, '<', '\0'};
        s = find_any(s + 1, end, stops);
        if (s == end || *s == '<')
            return count;
        s++;
    }
}

/* The line of the first tag with too many attributes, or 0. Looks at every '<', including those in comments
 * and values. */
static int crowded_tag(const char *text, size_t size)
{
    int line = 1;
    for (const char *s = text, *end = text + size; s < end; s++) {
        line += *s == '\n';
        if (*s == '<' && count_attributes(s + 1, end) > ORO_DOCUMENT_ATTRIBUTES_MAX)
            return line;
    }
    return 0;
}

/* The line of the first marker that git leaves where it could not merge, or 0. */
static int conflict_marker(const char *text, size_t size)
{
    static const char *const markers[] = {"<<<<<<< ", ">>>>>>> ", "======="};
    int line = 1;
    for (const char *s = text, *end = text + size; s; line++) {
        for (int i = 0; i < 3; i++) {
            size_t length = strlen(markers[i]);
            if ((size_t)(end - s) >= length && memcmp(s, markers[i], length) == 0)
                return line;
        }
        s = memchr(s, '\n', (size_t)(end - s));
        s = s ? s + 1 : NULL;
    }
    return 0;
}

/* ---- Parsing ---- */

static int line_of(const char *text, const char *place)
{
    int line = 1;
    for (const char *s = text; s < place; s++)
        line += *s == '\n';
    return line;
}

static bool is_acceptable(const char *text, size_t size, struct oro_problems *problems)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (size > ORO_DOCUMENT_BYTES_MAX) {
        oro_problem_add(problems, true, "limit", 0, NULL, "the document is longer than 64 MiB");
        return false;
    }
    if (size >= 2 && ((bytes[0] == 0xFE && bytes[1] == 0xFF) || (bytes[0] == 0xFF && bytes[1] == 0xFE))) {
        oro_problem_add(problems, true, "malformed", 1, NULL, "the document must be UTF-8, not UTF-16");
        return false;
    }
    if (size >= 4 && memcmp(text, "\x4C\x6F\xA7\x94", 4) == 0) { /* which the parser would recognise */
        oro_problem_add(problems, true, "malformed", 1, NULL, "the document must be UTF-8, not EBCDIC");
        return false;
    }
    const char *zero = memchr(text, 0, size); /* the parser would take it for the end of the text */
    if (zero) {
        oro_problem_add(problems, true, "malformed", line_of(text, zero), NULL,
                        "the document has a zero byte, which no text has");
        return false;
    }
    int line = crowded_tag(text, size);
    if (line > 0)
        oro_problem_add(problems, true, "limit", line, NULL, "an element has more than %d attributes",
                        ORO_DOCUMENT_ATTRIBUTES_MAX);
    return line == 0;
}

/* The library's own limits are lower than the ones stated, which the hooks enforce. The text is UTF-8
 * whatever it says, and is then parsed as it lies there: converting it from UTF-8 to UTF-8 would take as much
 * memory again, and some versions crash where there is none. */
static xmlDoc *parse(xmlParserCtxt *parser, const char *text, size_t size, struct guard *guard)
{
    xmlDoc *tree = xmlCtxtReadMemory(parser, text, (int)size, NULL, NULL,
                                     XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_IGNORE_ENC);
    /* A name with an undeclared prefix is well-formed text, but has no meaning that could be kept. */
    bool whole = tree && !guard->stopped && guard->errors == 0 && xmlDocGetRootElement(tree);
    if (whole && !tree->encoding) /* otherwise fragments would be written with character references */
        tree->encoding = xmlStrdup((const xmlChar *)"UTF-8");
    *guard->starved |= parser->errNo == XML_ERR_NO_MEMORY;
    if (whole && !*guard->starved)
        return tree;
    xmlFreeDoc(tree);
    return NULL;
}

struct _xmlDoc *oro_xml_parse(const char *text, size_t size, bool *starved, struct oro_problems *problems)
{
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    if (!is_acceptable(text, size, problems))
        return NULL;
    struct guard guard = {.problems = problems, .starved = starved, .conflict = conflict_marker(text, size)};
    xmlParserCtxt *parser = xmlNewParserCtxt();
    xmlDoc *tree = NULL;
    if (parser) {
        set_hooks(parser, &guard);
        tree = parse(parser, text, size, &guard);
    }
    *starved |= !parser;
    if (!*starved && !tree && !guard.stopped && guard.conflict)
        oro_problem_add(problems, true, "merge-conflict", guard.conflict, NULL,
                        "git could not merge here and left both sides, between <<<<<<<, ======= and >>>>>>>; "
                        "keep one of them, and remove these lines");
    else if (!*starved && !tree && !guard.stopped && guard.errors == 0)
        oro_problem_add(problems, true, "malformed", 0, NULL, "not well-formed XML");
    xmlFreeParserCtxt(parser);
    return tree;
}

int oro_xml_line(const struct _xmlNode *element)
{
    return (int)(intptr_t)element->_private;
}
