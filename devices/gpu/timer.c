#include "base/clock.h"
#include "devices/gpu/internal.h"

bool oro_gpu_timer_begin(struct oro_device *device)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!device->info.timers || gpu->timing || !oro_gpu_ready(gpu, NULL))
        return false;
    GLint disjoint = 0;
    glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint); /* asking clears it */
    if (!gpu->query)
        gpu->gl.gen_queries(1, &gpu->query);
    gpu->gl.begin_query(GL_TIME_ELAPSED_EXT, gpu->query);
    gpu->timing = true;
    return true;
}

double oro_gpu_timer_end(struct oro_device *device)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!gpu->timing || !oro_gpu_ready(gpu, NULL))
        return -1;
    gpu->timing = false;
    gpu->gl.end_query(GL_TIME_ELAPSED_EXT);
    GLuint64 nanoseconds = 0;
    gpu->gl.get_query_result(gpu->query, GL_QUERY_RESULT_EXT, &nanoseconds);
    GLint disjoint = 0;
    glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
    if (disjoint || !oro_gpu_check(gpu, "measure a time", NULL))
        return -1;
    return 1e-9 * (double)nanoseconds;
}

bool oro_gpu_timer_works(struct oro_gpu *gpu)
{
    const struct oro_gl_extras *gl = &gpu->gl;
    if (!gl->gen_queries || !gl->begin_query || !gl->end_query || !gl->get_query || !gl->get_query_result)
        return false;
    GLint bits = 0;
    gl->get_query(GL_TIME_ELAPSED_EXT, GL_QUERY_COUNTER_BITS_EXT, &bits);
    if (!oro_gpu_check(gpu, "offer timers", NULL) || bits < 30)
        return false;
    /* Some software drivers offer timers that do not measure kernels and always report next to nothing. */
    gpu->device.info.timers = true;
    oro_gpu_use_program(gpu, gpu->writer);
    glFinish();
    double start = oro_now();
    if (!oro_gpu_timer_begin(&gpu->device))
        return false;
    glDispatchCompute((GLuint)gpu->device.info.groups_per_axis, 1, 1);
    double seconds = oro_gpu_timer_end(&gpu->device), wall = oro_now() - start;
    return seconds > 0.05 * wall && seconds < 1.5 * wall;
}
