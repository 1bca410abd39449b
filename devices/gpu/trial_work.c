/* Trying kernels: the guest's side. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "base/memory.h"
#include "devices/gpu/internal.h"
#include "devices/gpu/trial.h"
#include "devices/gpu/trial_words.h"
#include "devices/guest/confine.h"
#include "devices/guest/packet.h"

enum { SIDE = 8, BUFFER_BYTES = 64 << 10, CONSTANTS_MAX = 1 << 16 };

/* Opens a context on the device that has these names. */
static bool open_device(struct oro_gpu *gpu, const char *candidate, const char *renderer)
{
    struct oro_candidate candidates[ORO_CANDIDATES_MAX];
    int count = oro_candidates(candidates, ORO_CANDIDATES_MAX);
    for (int i = 0; i < count; i++) {
        if (strcmp(candidates[i].name, candidate) != 0 ||
            !oro_context_open(&gpu->context, &candidates[i], NULL))
            continue;
        const char *name = (const char *)glGetString(GL_RENDERER);
        oro_gpu_load_extras(gpu);
        return name && strncmp(name, renderer, sizeof gpu->device.info.name - 1) == 0;
    }
    return false;
}

/* Small grids, and zeros for all other constants. */
static void bind_constants(GLuint buffer)
{
    static unsigned char bytes[CONSTANTS_MAX];
    for (int i = 0; i < 2; i++) {
        const int32_t size[2] = {SIDE, SIDE}, width = SIDE;
        const float cell = 1;
        unsigned char *grid = bytes + (size_t)i * ORO_GRID_BYTES;
        memcpy(grid, size, sizeof size);
        memcpy(grid + ORO_GRID_WINDOW - sizeof cell, &cell, sizeof cell);
        memcpy(grid + ORO_GRID_WINDOW, &width, sizeof width);
    }
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof bytes, bytes, GL_STATIC_DRAW);
}

static void bind_buffers(const GLuint *buffers)
{
    static const unsigned char zeros[BUFFER_BYTES];
    GLint most = 0;
    glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &most);
    for (GLuint i = 0; i < ORO_BUFFERS_MAX && (GLint)i < most; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof zeros, zeros, GL_STATIC_DRAW);
    }
}

/* Drivers compile some of it only when it runs. */
static void run(GLuint program)
{
    GLuint buffers[ORO_BUFFERS_MAX + 1];
    glGenBuffers(ORO_BUFFERS_MAX + 1, buffers);
    bind_constants(buffers[ORO_BUFFERS_MAX]);
    bind_buffers(buffers);
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    glFinish();
    glUseProgram(0);
    glDeleteBuffers(ORO_BUFFERS_MAX + 1, buffers);
}

/* ---- The programs of the last kernels ---- */

enum { KEPT = 64 };
static struct {
    struct oro_hash digest;
    GLuint program;
} kept[KEPT];

static GLuint find_program(const char *text)
{
    struct oro_hash digest = oro_hash_of(text, strlen(text));
    for (size_t i = 0; i < KEPT; i++)
        if (kept[i].program && oro_hash_equal(kept[i].digest, digest))
            return kept[i].program;
    return 0;
}

static void keep_program(const char *text, GLuint program)
{
    static size_t next;
    size_t at = next++ % KEPT;
    if (kept[at].program)
        glDeleteProgram(kept[at].program);
    kept[at].program = program;
    kept[at].digest = oro_hash_of(text, strlen(text));
}

/* ---- Trials ---- */

/* Puts what came of it into the answer. A program that is not wanted there will run here. */
static void try_kernel(struct oro_gpu *gpu, const char *text, bool wanted, struct oro_packet *answer)
{
    char *log = NULL;
    void *binary = NULL;
    uint32_t format = 0;
    size_t size = 0;
    GLuint program = oro_gpu_compile(gpu, text, &log, NULL);
    if (program) {
        run(program);
        binary = wanted ? oro_gpu_hand_out(gpu, program, &format, &size) : NULL;
        if (wanted)
            glDeleteProgram(program);
        else
            keep_program(text, program);
    }
    while (glGetError() != GL_NO_ERROR && !gpu->lost)
        oro_gpu_check(gpu, "try a kernel", NULL);
    oro_packet_begin(answer, ORO_TRIAL_DONE);
    oro_put_int(answer, program != 0);
    oro_put_text(answer, log);
    oro_put_int(answer, format);
    oro_put_bytes(answer, binary, size);
    oro_free(binary);
    oro_free(log);
}

/* ---- Runs ---- */

struct run {
    int64_t first_x, first_y, columns, rows;
    const char *constants;
    size_t constants_size;
    unsigned written;
    int count;
    size_t bytes[ORO_BUFFERS_MAX];
    char *memory;
};

static bool take_run(struct oro_packet *packet, struct run *run)
{
    size_t all = 1;
    run->first_x = oro_take_int(packet);
    run->first_y = oro_take_int(packet);
    run->columns = oro_take_int(packet);
    run->rows = oro_take_int(packet);
    run->constants = oro_take_bytes(packet, &run->constants_size);
    run->written = (unsigned)oro_take_int(packet);
    run->count = (int)oro_take_int(packet);
    for (int i = 0; i < run->count && i < ORO_BUFFERS_MAX; i++)
        all += run->bytes[i] = (size_t)oro_take_int(packet);
    if (!oro_packet_is_whole(packet) || run->count > ORO_BUFFERS_MAX)
        return false;
    void *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, packet->file, 0);
    run->memory = memory == MAP_FAILED ? NULL : memory;
    close(packet->file);
    packet->file = -1;
    return run->memory;
}

static void launch(GLuint program, const struct run *run)
{
    GLint limit[2] = {65535, 65535}, place = glGetUniformLocation(program, "oro_first_group");
    for (GLuint axis = 0; axis < 2; axis++)
        glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, axis, &limit[axis]);
    for (int64_t y = 0; y < run->rows; y += limit[1])
        for (int64_t x = 0; x < run->columns; x += limit[0]) {
            int64_t columns = run->columns - x < limit[0] ? run->columns - x : limit[0];
            int64_t rows = run->rows - y < limit[1] ? run->rows - y : limit[1];
            if (place >= 0)
                glUniform2i(place, (GLint)(run->first_x + x), (GLint)(run->first_y + y));
            glDispatchCompute((GLuint)columns, (GLuint)rows, 1);
        }
}

/* False: the driver has no more memory. */
static bool take_back(const GLuint *buffers, const struct run *run)
{
    char *to = run->memory;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    for (int i = 0; i < run->count; i++, to += run->bytes[i - 1]) {
        if (!(run->written >> i & 1) || run->bytes[i] == 0)
            continue;
        glBindBuffer(GL_COPY_READ_BUFFER, buffers[i]);
        const void *from =
            glMapBufferRange(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)run->bytes[i], GL_MAP_READ_BIT);
        if (!from)
            return false;
        memcpy(to, from, run->bytes[i]);
        glUnmapBuffer(GL_COPY_READ_BUFFER);
    }
    return true;
}

static bool run_all(GLuint program, const struct run *run)
{
    GLuint buffers[ORO_BUFFERS_MAX + 1];
    const char *from = run->memory;
    glGenBuffers(ORO_BUFFERS_MAX + 1, buffers);
    for (int i = 0; i < run->count; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)i, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)run->bytes[i], from, GL_DYNAMIC_COPY);
        from += run->bytes[i];
    }
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[ORO_BUFFERS_MAX]);
    static unsigned char constants[CONSTANTS_MAX];
    memcpy(constants, run->constants,
           run->constants_size < CONSTANTS_MAX ? run->constants_size : CONSTANTS_MAX);
    glBufferData(GL_UNIFORM_BUFFER, sizeof constants, constants, GL_STATIC_DRAW);
    glUseProgram(program);
    launch(program, run);
    bool ok = take_back(buffers, run);
    glDeleteBuffers(ORO_BUFFERS_MAX + 1, buffers);
    return ok && glGetError() == GL_NO_ERROR;
}

/* A program that was tried is not compiled again to run. */
static GLuint program_of(struct oro_gpu *gpu, const char *text)
{
    GLuint program = find_program(text);
    if (!program && (program = oro_gpu_program(gpu, text, NULL, "kernel", NULL)))
        keep_program(text, program);
    return program;
}

static bool run_kernel(struct oro_gpu *gpu, const char *text, struct oro_packet *packet)
{
    struct run run = {0};
    GLuint program = program_of(gpu, text);
    if (!program || !take_run(packet, &run))
        return false;
    bool ok = run_all(program, &run);
    size_t all = 1;
    for (int i = 0; i < run.count; i++)
        all += run.bytes[i];
    munmap(run.memory, all);
    return ok;
}

/* ---- Serving ---- */

static bool send_answer(int socket, const struct oro_packet *packet)
{
    return oro_packet_send(socket, packet, NULL) == ORO_PACKET_DONE;
}

/* Receives a request and sends what came of it. False: this was the last one. */
static bool serve(struct oro_gpu *gpu, int socket, struct oro_packet *packet)
{
    if (oro_packet_receive(socket, packet, NULL) != ORO_PACKET_DONE)
        return false;
    char *text = oro_copy_text(oro_take_text(packet)); /* which the answer replaces */
    bool ok = text;
    if (ok && packet->kind == ORO_TRIAL_RUN) {
        ok = run_kernel(gpu, text, packet);
        oro_packet_begin(packet, ORO_TRIAL_DONE);
    } else if (ok) {
        try_kernel(gpu, text, oro_take_int(packet), packet);
    }
    oro_free(text);
    return ok && !gpu->lost && send_answer(socket, packet);
}

int oro_gpu_serve_trials(int socket)
{
    static struct oro_gpu gpu;
    struct oro_packet packet = {.file = -1};
    if (oro_packet_receive(socket, &packet, NULL) != ORO_PACKET_DONE || packet.kind != ORO_TRIAL_OPEN)
        return EXIT_FAILURE;
    const char *candidate = oro_take_text(&packet), *renderer = oro_take_text(&packet);
    if (!candidate || !renderer || !open_device(&gpu, candidate, renderer) || !oro_confine_driver() ||
        !send_answer(socket, &(struct oro_packet){.kind = ORO_TRIAL_READY, .file = -1}))
        return EXIT_FAILURE;
    while (serve(&gpu, socket, &packet))
        continue;
    oro_packet_free(&packet);
    return EXIT_SUCCESS;
}
