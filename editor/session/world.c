#include "editor/session/world.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/crs.h"

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
    struct oro_world world = *oro_document_world(ed_project_main(session->project));
    const struct oro_world *located = &session->located.world;
    if (!oro_world_follows(&world) || !session->located.number)
        return world;
    world.extent = located->extent;
    world.resolution = located->resolution;
    world.aspect = located->aspect;
    world.has_sea = located->has_sea;
    world.sea = located->sea;
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

bool ed_world_degrees(struct ed_session *session, double x, double y, double degrees[2])
{
    const struct oro_world world = ed_world(session);
    if (!world.crs)
        return false;
    if (!session->degrees_from || strcmp(world.crs, session->degrees_from) != 0) {
        oro_degrees_destroy(session->degrees);
        oro_free(session->degrees_from);
        session->degrees_from = oro_copy_text(world.crs);
        session->degrees = oro_degrees_create(world.crs, NULL);
    }
    return session->degrees &&
           oro_degrees_of(session->degrees, world.west + x, world.north - y, &degrees[0], &degrees[1]);
}
