#include "base/memory.h"
#include "gpu/internal.h"
#include "gpu/verdicts.h"

/* Puts the driver's messages, rewritten, into `err`, and all of them into the log. */
static void report(struct oro_gpu *gpu, const char *log, const struct oro_source *source, const char *file,
                   struct oro_error *err)
{
    static const struct oro_source none = {0};
    struct oro_text lines = {0}, summary = {0};
    oro_driver_log(&lines, source ? source : &none, log);
    oro_driver_log_summary(&summary, lines.data ? lines.data : "");
    oro_note(gpu->log, ORO_DEBUG, "kernel '%s': %s", file, lines.data ? lines.data : "no message");
    oro_fail(err, ORO_E_KERNEL, "kernel '%s' does not compile: %s", file, summary.data ? summary.data : "");
    oro_text_free(&lines);
    oro_text_free(&summary);
}

static void report_log(struct oro_gpu *gpu, GLuint object, bool is_shader, const struct oro_source *source,
                       const char *file, struct oro_error *err)
{
    GLint length = 0;
    if (is_shader)
        glGetShaderiv(object, GL_INFO_LOG_LENGTH, &length);
    else
        glGetProgramiv(object, GL_INFO_LOG_LENGTH, &length);
    char *log = length > 0 ? oro_alloc((size_t)length + 1, 1) : NULL;
    if (log && is_shader)
        glGetShaderInfoLog(object, length, NULL, log);
    else if (log)
        glGetProgramInfoLog(object, length, NULL, log);
    report(gpu, log ? log : "", source, file, err);
    oro_free(log);
}

static GLuint compile(struct oro_gpu *gpu, const char *text, const struct oro_source *source,
                      const char *file, struct oro_error *err)
{
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    bool ok = oro_gpu_check(gpu, "compile a kernel", err);
    if (ok && good)
        return shader;
    if (ok)
        report_log(gpu, shader, true, source, file, err);
    glDeleteShader(shader);
    return 0;
}

GLuint oro_gpu_program(struct oro_gpu *gpu, const char *text, const struct oro_source *source,
                       const char *file, struct oro_error *err)
{
    GLuint shader = compile(gpu, text, source, file, err);
    if (!shader)
        return 0;
    GLuint program = glCreateProgram();
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    bool ok = oro_gpu_check(gpu, "link a kernel", err);
    if (ok && good)
        return program;
    if (ok)
        report_log(gpu, program, false, source, file, err);
    glDeleteProgram(program);
    return 0;
}

/* ---- Programs that are kept ---- */

static GLuint load(struct oro_gpu *gpu, struct oro_hash digest)
{
    size_t size = 0;
    uint32_t format = 0;
    void *binary = oro_verdict_program(digest, &format, &size);
    if (!binary)
        return 0;
    GLuint program = glCreateProgram();
    GLint good = GL_FALSE;
    glProgramBinary(program, format, binary, (GLsizei)size);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    oro_free(binary);
    if (oro_gpu_check(gpu, "take a program back", NULL) && good)
        return program;
    glDeleteProgram(program);
    return 0;
}

static void keep(struct oro_gpu *gpu, struct oro_hash digest, GLuint program)
{
    GLint formats = 0, size = 0;
    GLenum format = 0;
    GLsizei got = 0;
    glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    void *binary = formats > 0 && size > 0 ? oro_alloc((size_t)size, 1) : NULL;
    if (binary)
        glGetProgramBinary(program, size, &got, &format, binary);
    if (oro_gpu_check(gpu, "hand a program out", NULL) && binary && got > 0)
        oro_verdict_keep_program(digest, format, binary, (size_t)got);
    oro_free(binary);
}

GLuint oro_gpu_kept_program(struct oro_gpu *gpu, const char *text, const struct oro_source *source,
                            const char *file, struct oro_error *err)
{
    struct oro_hash digest = oro_verdict_digest(&gpu->device.info, text);
    GLuint program = load(gpu, digest);
    if (program)
        return program;
    program = oro_gpu_program(gpu, text, source, file, err);
    if (program)
        keep(gpu, digest, program);
    return program;
}
