#include <string.h>

#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "devices/gpu/display.h"
#include "devices/gpu/internal.h"

#ifndef GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX
#define GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX 0x9048
#endif

/* The minimum that every ES 3.1 driver must offer. */
enum { LEAST_BUFFERS = 4, LEAST_GROUP = 128, LEAST_SHARED = 16384 };

static const size_t mebibyte = (size_t)1 << 20;

void oro_gpu_load_extras(struct oro_gpu *gpu)
{
    const char *list = (const char *)glGetString(GL_EXTENSIONS);
    gpu->gl = (struct oro_gl_extras){0};
    if (oro_has_extension(list, "GL_EXT_robustness"))
        gpu->gl.reset_status =
            (PFNGLGETGRAPHICSRESETSTATUSEXTPROC)eglGetProcAddress("glGetGraphicsResetStatusEXT");
    else if (oro_has_extension(list, "GL_KHR_robustness"))
        gpu->gl.reset_status =
            (PFNGLGETGRAPHICSRESETSTATUSEXTPROC)eglGetProcAddress("glGetGraphicsResetStatusKHR");
    if (oro_has_extension(list, "GL_EXT_buffer_storage"))
        gpu->gl.buffer_storage = (PFNGLBUFFERSTORAGEEXTPROC)eglGetProcAddress("glBufferStorageEXT");
    if (!oro_has_extension(list, "GL_EXT_disjoint_timer_query"))
        return;
    gpu->gl.gen_queries = (PFNGLGENQUERIESEXTPROC)eglGetProcAddress("glGenQueriesEXT");
    gpu->gl.delete_queries = (PFNGLDELETEQUERIESEXTPROC)eglGetProcAddress("glDeleteQueriesEXT");
    gpu->gl.begin_query = (PFNGLBEGINQUERYEXTPROC)eglGetProcAddress("glBeginQueryEXT");
    gpu->gl.end_query = (PFNGLENDQUERYEXTPROC)eglGetProcAddress("glEndQueryEXT");
    gpu->gl.get_query = (PFNGLGETQUERYIVEXTPROC)eglGetProcAddress("glGetQueryivEXT");
    gpu->gl.get_query_result = (PFNGLGETQUERYOBJECTUI64VEXTPROC)eglGetProcAddress("glGetQueryObjectui64vEXT");
}

/* The last group of a row writes into each of `count` bindings, and into the last element of the first. */
static GLuint build_writer(struct oro_gpu *gpu, int count)
{
    struct oro_text text = {0};
    oro_text_add(&text, "#version 310 es\nlayout(local_size_x = 1) in;\nuniform uint last;\n");
    for (int i = 0; i < count; i++)
        oro_text_addf(&text, "layout(std430, binding = %d) buffer B%d { uint b%d[]; };\n", i, i, i);
    oro_text_add(&text, "void main() {\n    if (gl_WorkGroupID.x + 1u != gl_NumWorkGroups.x) return;\n");
    for (int i = 0; i < count; i++)
        oro_text_addf(&text, "    b%d[%d] = last ^ %du;\n", i, i, i + 1);
    oro_text_add(&text, "    b0[last] = last;\n}\n");
    GLuint program = text.failed ? 0 : oro_gpu_program(gpu, text.data, NULL, "probe", NULL);
    oro_text_free(&text);
    return program;
}

/* Reads `count` words at `index` of the buffer bound for reading, through a small buffer: mapping a large one
 * may move all of it to the host. */
static bool read_words(size_t index, GLuint *values, size_t count)
{
    GLsizeiptr bytes = (GLsizeiptr)(count * sizeof *values);
    GLuint small = 0;
    glGenBuffers(1, &small);
    glBindBuffer(GL_COPY_WRITE_BUFFER, small);
    glBufferData(GL_COPY_WRITE_BUFFER, bytes, NULL, GL_STREAM_READ);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)(index * sizeof *values), 0,
                        bytes);
    const void *mapped = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes, GL_MAP_READ_BIT);
    if (mapped)
        memcpy(values, mapped, (size_t)bytes);
    bool ok = mapped && glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    glDeleteBuffers(1, &small);
    return ok;
}

/* Runs the writer over a buffer of `bytes` bytes and reads back what it wrote. */
static bool writes_arrive(struct oro_gpu *gpu, GLuint name, size_t bytes, int groups)
{
    GLuint last = (GLuint)(bytes / sizeof last - 1), value = 0, first[ORO_BUFFERS_MAX] = {0};
    int count = gpu->device.info.buffers_per_kernel;
    oro_gpu_use_program(gpu, gpu->writer);
    glUniform1ui(glGetUniformLocation(gpu->writer, "last"), last);
    for (int i = 0; i < count; i++)
        oro_gpu_bind_buffer(gpu, i, name);
    glDispatchCompute((GLuint)groups, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_COPY_READ_BUFFER, name);
    bool ok = read_words(last, &value, 1) && value == last && read_words(0, first, (size_t)count);
    for (int i = 0; i < count; i++)
        ok = ok && first[i] == (last ^ (GLuint)(i + 1));
    return oro_gpu_check(gpu, "probe a buffer", NULL) && ok;
}

bool oro_gpu_buffer_works(struct oro_gpu *gpu, GLuint name, size_t bytes)
{
    if (!gpu->writer)
        gpu->writer = build_writer(gpu, gpu->device.info.buffers_per_kernel);
    return gpu->writer && writes_arrive(gpu, name, bytes, 1);
}

static bool probe_size(struct oro_gpu *gpu, size_t bytes, int groups)
{
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_COPY_WRITE_BUFFER, name);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
    bool ok = oro_gpu_check(gpu, "probe a buffer", NULL) && writes_arrive(gpu, name, bytes, groups);
    oro_gpu_delete_buffer(gpu, name);
    return ok;
}

/* Tests as many bindings and groups as the driver claims, on a small buffer; if that fails, uses the
 * minimum. */
static bool probe_bindings(struct oro_gpu *gpu, struct oro_error *err)
{
    struct oro_device_info *info = &gpu->device.info;
    GLint blocks = 0, bindings = 0;
    glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &blocks);
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &bindings);
    int most = blocks < bindings ? blocks : bindings;
    most = most < ORO_BUFFERS_MAX ? most : ORO_BUFFERS_MAX;
    const int counts[] = {most, LEAST_BUFFERS};
    for (int i = 0; i < 2; i++) {
        info->buffers_per_kernel = counts[i];
        gpu->writer = build_writer(gpu, counts[i]);
        if (gpu->writer && probe_size(gpu, 1024, info->groups_per_axis))
            return true;
        glDeleteProgram(gpu->writer);
        gpu->bound.program = gpu->writer = 0;
    }
    if (!oro_gpu_check(gpu, "run a first kernel", err))
        return false;
    return oro_fail(err, ORO_E_DEVICE, "%s: a first kernel gives wrong results", info->platform);
}

/* Runs one group of a program that gives a number per invocation, and adds these up. */
static unsigned count_right(struct oro_gpu *gpu, GLuint program, size_t invocations)
{
    GLuint name = 0, *values = oro_alloc(invocations, sizeof *values);
    unsigned right = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_COPY_READ_BUFFER, name);
    glBufferData(GL_COPY_READ_BUFFER, (GLsizeiptr)(invocations * sizeof *values), NULL, GL_DYNAMIC_COPY);
    oro_gpu_use_program(gpu, program);
    oro_gpu_bind_buffer(gpu, 0, name);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    if (values && read_words(0, values, invocations))
        for (size_t i = 0; i < invocations; i++)
            right += values[i];
    oro_gpu_delete_buffer(gpu, name);
    oro_free(values);
    return right;
}

/* Runs a kernel with `invocations` in a group that exchange `bytes` of shared memory and count what is
 * right. */
static bool shared_memory_works(struct oro_gpu *gpu, int invocations, size_t bytes)
{
    struct oro_text text = {0};
    unsigned words = (unsigned)(bytes / 4);
    oro_text_addf(&text, "#version 310 es\nlayout(local_size_x = %d) in;\n", invocations);
    oro_text_addf(&text, "const uint n = %uu;\nconst uint stride = %du;\nshared uint s[n];\n", words,
                  invocations);
    oro_text_add(&text,
                 "layout(std430, binding = 0) buffer B { uint right[]; };\n"
                 "void main() {\n    uint i = gl_LocalInvocationIndex, count = 0u;\n"
                 "    for (uint k = i; k < n; k += stride) s[k] = k;\n    barrier();\n"
                 "    for (uint k = i; k < n; k += stride) count += s[n - 1u - k] == n - 1u - k ? 1u : 0u;\n"
                 "    right[i] = count;\n}\n");
    GLuint program = text.failed ? 0 : oro_gpu_program(gpu, text.data, NULL, "probe", NULL);
    oro_text_free(&text);
    if (!program)
        return false;
    unsigned right = count_right(gpu, program, (size_t)invocations);
    oro_gpu_use_program(gpu, 0);
    glDeleteProgram(program);
    return oro_gpu_check(gpu, "probe shared memory", NULL) && right == words;
}

static void probe_groups(struct oro_gpu *gpu)
{
    struct oro_device_info *info = &gpu->device.info;
    GLint invocations = 0, along = 0, bytes = 0;
    glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &invocations);
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 0, &along);
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    info->group_limit = invocations < along ? invocations : along;
    info->shared_bytes = (size_t)bytes;
    if (!shared_memory_works(gpu, info->group_limit, info->shared_bytes)) {
        info->group_limit = LEAST_GROUP;
        info->shared_bytes = LEAST_SHARED;
    }
}

/* Hardware makes a buffer without touching it, but software drivers clear it, which takes a second for 1 GiB.
 * So only a small one is tested there now, and larger ones when they are first asked for (buffer.c). */
static void probe_buffers(struct oro_gpu *gpu)
{
    struct oro_device_info *info = &gpu->device.info;
    size_t bytes = info->software ? 4 * mebibyte : 4096 * mebibyte;
    while (bytes > mebibyte && !probe_size(gpu, bytes, 1))
        bytes /= 2;
    gpu->proven_bytes = bytes;
    info->buffer_limit = info->software ? 1024 * mebibyte : bytes;
}

static size_t device_memory(struct oro_gpu *gpu)
{
    if (gpu->device.info.software) {
        long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
    }
    /* NVIDIA's driver (580.159) lists GL_NVX_gpu_memory_info for OpenGL alone, and answers in OpenGL ES as
     * well. */
    GLint kibibytes = 0;
    const char *vendor = (const char *)glGetString(GL_VENDOR);
    if (!vendor || !strstr(vendor, "NVIDIA"))
        return 0;
    glGetIntegerv(GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX, &kibibytes);
    return oro_gpu_check(gpu, "tell its memory", NULL) && kibibytes > 0 ? (size_t)kibibytes << 10 : 0;
}

static double empty_dispatch_seconds(struct oro_gpu *gpu)
{
    enum { TRIES = 4 };
    double least = 1;
    oro_gpu_use_program(gpu, gpu->writer);
    for (int i = 0; i < TRIES; i++) {
        double start = oro_now();
        glDispatchCompute(1, 1, 1);
        glFinish();
        double seconds = oro_now() - start;
        least = seconds < least ? seconds : least;
    }
    return least;
}

bool oro_gpu_probe(struct oro_gpu *gpu, struct oro_error *err)
{
    struct oro_device_info *info = &gpu->device.info;
    GLint along_x = 0, along_y = 0;
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &along_x);
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 1, &along_y);
    info->groups_per_axis = along_x < along_y ? along_x : along_y;
    if (!oro_gpu_check(gpu, "tell its limits", err) || !probe_bindings(gpu, err))
        return false;
    probe_groups(gpu);
    probe_buffers(gpu);
    info->memory_bytes = device_memory(gpu);
    /* A buffer that the writer writes to while it is timed. */
    struct oro_buffer *scratch = oro_gpu_buffer_create(&gpu->device, 1024, err);
    if (!scratch)
        return false;
    for (int i = 0; i < info->buffers_per_kernel; i++)
        oro_gpu_bind_buffer(gpu, i, scratch->name);
    gpu->sync_seconds = empty_dispatch_seconds(gpu);
    info->timers = oro_gpu_timer_works(gpu);
    oro_gpu_buffer_destroy(&gpu->device, scratch);
    gpu->device.peak_bytes = 0;
    return oro_gpu_check(gpu, "start", err);
}
