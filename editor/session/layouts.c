#include "editor/session/layouts.h"

#include <stdio.h>
#include <string.h>

static const struct ed_layout came[] = {
    {"Graph", "across 230 palette across -340 down 0.55 view graph inspector"},
    {"Look", "across -340 down 0.75 view graph inspector"},
    {"Paint", "across 0.72 view down 0.45 graph inspector"},
    {"Compare", "across -340 down 0.6 across 0.5 view view2 graph inspector"},
};
enum { CAME = sizeof came / sizeof came[0] };

static int own_index(const struct ed_layouts *layouts, const char *name)
{
    for (int i = 0; i < layouts->count; i++)
        if (strcmp(layouts->items[i].name, name) == 0)
            return i;
    return -1;
}

bool ed_layout_is_own(const struct ed_layouts *layouts, const char *name)
{
    return own_index(layouts, name) >= 0;
}

bool ed_layout_came(const char *name)
{
    for (int i = 0; i < CAME; i++)
        if (strcmp(came[i].name, name) == 0)
            return true;
    return false;
}

const struct ed_layout *ed_layout_find(const struct ed_layouts *layouts, const char *name)
{
    int own = own_index(layouts, name);
    if (own >= 0)
        return &layouts->items[own];
    for (int i = 0; i < CAME; i++)
        if (strcmp(came[i].name, name) == 0)
            return &came[i];
    return NULL;
}

const struct ed_layout *ed_layout_at(const struct ed_layouts *layouts, int number)
{
    if (number < CAME)
        return ed_layout_find(layouts, came[number].name);
    number -= CAME;
    for (int i = 0; i < layouts->count; i++)
        if (!ed_layout_came(layouts->items[i].name) && number-- == 0)
            return &layouts->items[i];
    return NULL;
}

static bool is_name(const char *name, struct oro_error *err)
{
    size_t length = strlen(name);
    if (length == 0 || strspn(name, " ") == length)
        return oro_fail(err, ORO_E_USAGE, "a layout needs a name");
    return length < ED_LAYOUT_NAME || oro_fail(err, ORO_E_USAGE, "the name is too long");
}

bool ed_layout_keep(struct ed_layouts *layouts, const char *name, const char *text, struct oro_error *err)
{
    struct ed_workspace workspace;
    int at = own_index(layouts, name);
    if (!is_name(name, err))
        return false;
    if (strlen(text) >= ED_WORKSPACE_TEXT || !ed_workspace_read(&workspace, text))
        return oro_fail(err, ORO_E_USAGE, "the layout \"%s\" cannot be understood", name);
    if (at < 0 && layouts->count == ED_LAYOUTS_MAX)
        return oro_fail(err, ORO_E_USAGE, "there are too many layouts: remove one first");
    struct ed_layout *layout = &layouts->items[at >= 0 ? at : layouts->count++];
    snprintf(layout->name, sizeof layout->name, "%s", name);
    ed_workspace_write(&workspace, layout->text);
    return true;
}

bool ed_layout_rename(struct ed_layouts *layouts, const char *name, const char *to, struct oro_error *err)
{
    int at = own_index(layouts, name);
    if (at < 0)
        return oro_fail(err, ORO_E_USAGE, "there is no layout \"%s\" of yours", name);
    if (!is_name(to, err))
        return false;
    if (ed_layout_find(layouts, to))
        return oro_fail(err, ORO_E_USAGE, "there is a layout \"%s\" already", to);
    snprintf(layouts->items[at].name, sizeof layouts->items[at].name, "%s", to);
    return true;
}

void ed_layout_remove(struct ed_layouts *layouts, const char *name)
{
    int at = own_index(layouts, name);
    if (at < 0)
        return;
    layouts->count--;
    memmove(layouts->items + at, layouts->items + at + 1,
            (size_t)(layouts->count - at) * sizeof layouts->items[0]);
}
