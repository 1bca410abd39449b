#include "editor/ui/category.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "editor/ui/ui.h"

/* In the order in which a terrain is made. */
static const struct {
    const char *name;
    uint32_t rgb;
} categories[] = {
    {"landscape", 0x4f8f7a}, {"source", 0x5e9a4e},  {"generator", 0x5e9a4e},  {"uplift", 0xc9803a},
    {"brush", 0xd1a13c},     {"erosion", 0xb5754a}, {"flow", 0x3a94b8},       {"filter", 0x5b7fa8},
    {"mask", 0x8a8f97},      {"network", 0x3f7fc4}, {"resolution", 0x8b62b5}, {"view", 0x479c91},
    {"output", 0xb04a55},    {"utility", 0x6b7078}, {"script", 0x5a68b8},     {"graph", 0x4f8f7a},
    {"beside", 0x4f8f7a},    {"group", 0x4f8f7a},
};
enum { CATEGORIES = sizeof categories / sizeof categories[0] };

static bool is_own(const char *category)
{
    return category && strncmp(category, "my", 2) == 0 && (category[2] == '/' || !category[2]);
}

static int find(const char *category)
{
    category = is_own(category) ? "graph" : category;
    for (int i = 0; i < CATEGORIES; i++)
        if (category && strcmp(categories[i].name, category) == 0)
            return i;
    return CATEGORIES;
}

uint32_t ed_category_colour(const char *category)
{
    int at = find(category);
    uint32_t rgb = at == CATEGORIES ? 0x7a8088 : categories[at].rgb;
    return ui_rgba(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff, 0xff);
}

int ed_category_order(const char *category)
{
    return is_own(category) ? -1 : find(category);
}

const char *ed_pretty_name(const char *id, char *out, size_t size)
{
    return oro_pretty_name(id, out, size);
}

const char *ed_pretty_graph(const char *href, char *out, size_t size)
{
    const char *slash = strrchr(href, '/'), *name = slash ? slash + 1 : href;
    ed_pretty_name(name + (*name == '#'), out, size);
    char *dot = strrchr(out, '.');
    if (dot)
        *dot = '\0';
    return out;
}
