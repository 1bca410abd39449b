/* What the XML files share. libxml2's types are only named here: its headers are included only in
 * graph/file/xml*.c. */
#ifndef ORO_GRAPH_FILE_XML_PRIVATE_H
#define ORO_GRAPH_FILE_XML_PRIVATE_H

#include "graph/document/document_private.h"
#include "graph/file/xml.h"

#define ORO_XML_NAMESPACE "urn:orograph:1"

struct _xmlDoc;
struct _xmlNode;

/* ---- xml_parse.c ---- */
/* Where memory is out, libxml2 goes on with a tree or a text that lacks something. Between these two calls,
 * it sets `starved` then, for the calling thread. */
void oro_xml_begin(bool *starved);
void oro_xml_end(void);
/* The XML tree of a well-formed text within the limits, or NULL with the reasons in `problems`, unless memory
 * is out: to be called between oro_xml_begin and oro_xml_end. Every element knows its line (oro_xml_line).
 * The caller frees with xmlFreeDoc. */
struct _xmlDoc *oro_xml_parse(const char *text, size_t size, bool *starved, struct oro_problems *problems);
int oro_xml_line(const struct _xmlNode *element);

/* ---- xml_migrate.c ---- */
/* Documents of older versions are brought up to date step by step, on the XML tree. */
struct oro_document_migration {
    int from; /* migrates to from + 1 */
    /* False: memory is out. */
    bool (*apply)(struct _xmlNode *root, struct oro_problems *problems);
};
struct oro_document_migrations {
    int current;
    const struct oro_document_migration *steps;
    size_t count;
};
extern const struct oro_document_migrations oro_document_migrations;

/* Checks the root element's version and migrates. False: the version cannot be read, and `problems` says
 * why. */
bool oro_migrate_tree(struct _xmlNode *root, const struct oro_document_migrations *migrations,
                      struct oro_problems *problems);
/* Brings the nodes of a document that was just read up to their types' versions. False: memory is out. */
bool oro_migrate_types(struct oro_document *doc, const struct oro_registry *registry,
                       struct oro_problems *problems);

/* ---- xml_write.c ---- */
/* The attributes of interface entries, in the order of enum oro_port_text. */
extern const char *const oro_port_text_names[ORO_PORT_TEXTS];

/* ---- xml_read.c ---- */
/* oro_document_parse with another table of migrations, for tests. */
struct oro_document *oro_document_parse_with(const char *text, size_t size, const char *path,
                                             const struct oro_registry *registry,
                                             const struct oro_document_migrations *migrations,
                                             struct oro_problems *problems);

#endif
