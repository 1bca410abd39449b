#include "editor/render/pace.h"

#include <math.h>
#include <stddef.h>

#include <GLES3/gl31.h>

#include "base/clock.h"

static void forget(struct ed_pace *pace)
{
    if (pace->fence)
        glDeleteSync((GLsync)pace->fence);
    pace->fence = NULL;
}

static void learn(struct ed_pace *pace, double cost)
{
    /* A higher cost is believed at once: a late frame is worse than one that could have done more. */
    if (pace->unit_cost <= 0 || cost > pace->unit_cost)
        pace->unit_cost = cost;
    else
        pace->unit_cost += 0.35 * (cost - pace->unit_cost);
}

bool ed_pace_ready(struct ed_pace *pace, double deadline)
{
    if (!pace->fence)
        return true;
    double left = fmax(0, deadline - oro_now());
    GLenum state =
        glClientWaitSync((GLsync)pace->fence, GL_SYNC_FLUSH_COMMANDS_BIT, (GLuint64)(fmin(left, 10) * 1e9));
    if (state == GL_TIMEOUT_EXPIRED)
        return false;
    if (pace->handed > 0)
        learn(pace, (oro_now() - pace->began) / pace->handed);
    forget(pace);
    return true;
}

double ed_pace_units(const struct ed_pace *pace, double deadline, double least, double most)
{
    double left = deadline - oro_now();
    double units = pace->unit_cost > 0 ? left / pace->unit_cost : least;
    return fmin(fmax(units, least), most);
}

void ed_pace_begin(struct ed_pace *pace)
{
    pace->began = oro_now();
}

void ed_pace_end(struct ed_pace *pace, double units, double deadline)
{
    forget(pace);
    pace->handed = units;
    pace->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    ed_pace_ready(pace, deadline);
}

void ed_pace_free(struct ed_pace *pace)
{
    forget(pace);
    *pace = (struct ed_pace){0};
}
