#include "base/memory.h"
#include "devices/gpu/internal.h"

void oro_gpu_report(struct oro_gpu *gpu, const char *log, const struct oro_source *source, const char *file,
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

/* What the driver says of it. NULL: ORO_E_MEMORY. */
static char *log_of(GLuint object, bool is_shader, struct oro_error *err)
{
    GLint length = 0;
    if (is_shader)
        glGetShaderiv(object, GL_INFO_LOG_LENGTH, &length);
    else
        glGetProgramiv(object, GL_INFO_LOG_LENGTH, &length);
    char *log = oro_alloc((size_t)(length > 0 ? length : 0) + 1, 1);
    if (log && length > 0 && is_shader)
        glGetShaderInfoLog(object, length, NULL, log);
    else if (log && length > 0)
        glGetProgramInfoLog(object, length, NULL, log);
    if (!log)
        oro_fail(err, ORO_E_MEMORY, "no memory for what the driver says of a kernel");
    return log;
}

static GLuint compile(struct oro_gpu *gpu, const char *text, char **log, struct oro_error *err)
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
        *log = log_of(shader, true, err);
    glDeleteShader(shader);
    return 0;
}

GLuint oro_gpu_compile(struct oro_gpu *gpu, const char *text, char **log, struct oro_error *err)
{
    *log = NULL;
    GLuint shader = compile(gpu, text, log, err);
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
        *log = log_of(program, false, err);
    glDeleteProgram(program);
    return 0;
}

GLuint oro_gpu_program(struct oro_gpu *gpu, const char *text, const struct oro_source *source,
                       const char *file, struct oro_error *err)
{
    char *log = NULL;
    GLuint program = oro_gpu_compile(gpu, text, &log, err);
    if (log)
        oro_gpu_report(gpu, log, source, file, err);
    oro_free(log);
    return program;
}

/* ---- Programs in the driver's own form ---- */

bool oro_gpu_hands_out(void)
{
    GLint formats = 0;
    glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    return formats > 0;
}

void *oro_gpu_hand_out(struct oro_gpu *gpu, GLuint program, uint32_t *format, size_t *size)
{
    GLint length = 0;
    GLenum form = 0;
    GLsizei got = 0;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &length);
    void *binary = oro_gpu_hands_out() && length > 0 ? oro_alloc((size_t)length, 1) : NULL;
    if (binary)
        glGetProgramBinary(program, length, &got, &form, binary);
    if (oro_gpu_check(gpu, "hand a program out", NULL) && got > 0) {
        *format = form;
        *size = (size_t)got;
        return binary;
    }
    oro_free(binary);
    return NULL;
}

GLuint oro_gpu_take_back(struct oro_gpu *gpu, uint32_t format, const void *binary, size_t size)
{
    GLuint program = glCreateProgram();
    GLint good = GL_FALSE;
    glProgramBinary(program, format, binary, (GLsizei)size);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (oro_gpu_check(gpu, "take a program back", NULL) && good)
        return program;
    glDeleteProgram(program);
    return 0;
}
