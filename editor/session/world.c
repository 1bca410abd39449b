#include "editor/session/world.h"

#include "base/memory.h"

void ed_world_take(struct ed_session *session)
{
    struct oro_world world = {0};
    uint64_t number = ed_live_world(session->live, session->located.number, &world);
    if (number && number != session->located.number) {
        oro_free(session->located.world.crs);
        session->located.world = world;
    }
    session->located.number = number;
}

struct oro_world ed_world(const struct ed_session *session)
{
    struct oro_world world = *oro_document_world(ed_project_root(session->project));
    const struct oro_world *located = &session->located.world;
    if (!world.from || !session->located.number)
        return world;
    world.extent = located->extent;
    world.aspect = located->aspect;
    world.crs = located->crs;
    world.west = located->west;
    world.north = located->north;
    return world;
}

struct oro_grid ed_world_grid(const struct ed_session *session)
{
    const struct oro_world world = ed_world(session);
    return oro_world_grid(&world);
}
