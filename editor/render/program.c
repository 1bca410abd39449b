#include "editor/render/program.h"

#include <stdio.h>
#include <string.h>

#include "editor/render/shaders.h"

enum { PARTS_MAX = 16, UNITS = 9 };

static const char preamble[] = "#version 310 es\n"
                               "precision highp float;\n"
                               "precision highp int;\n"
                               "precision highp sampler2D;\n"
                               "precision highp image2D;\n";

static const struct oro_shader_file *file_of(const char *name)
{
    for (size_t i = 0; i < ed_shader_file_count; i++)
        if (!strcmp(ed_shader_files[i].name, name))
            return &ed_shader_files[i];
    return NULL;
}

static GLuint compile(GLenum stage, const char *const *parts, const char *name, struct oro_error *err)
{
    const char *texts[PARTS_MAX + 1] = {preamble};
    GLsizei count = 1;
    for (int i = 0; parts[i] && count <= PARTS_MAX; i++) {
        const struct oro_shader_file *file = file_of(parts[i]);
        if (!file)
            return oro_fail(err, ORO_E_KERNEL, "the shader %s is not in the program", parts[i]), 0;
        texts[count++] = file->text;
    }
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, count, texts, NULL);
    glCompileShader(shader);
    GLint done = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done)
        return shader;
    char log[768] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glDeleteShader(shader);
    oro_fail(err, ORO_E_KERNEL, "the shader %s does not compile: %s", name, log);
    return 0;
}

static GLuint link_shaders(const GLuint *shaders, int count, const char *name, struct oro_error *err)
{
    GLuint program = glCreateProgram();
    for (int i = 0; i < count; i++)
        glAttachShader(program, shaders[i]);
    glLinkProgram(program);
    GLint done = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done)
        return program;
    char log[768] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    glDeleteProgram(program);
    oro_fail(err, ORO_E_KERNEL, "the shader %s does not link: %s", name, log);
    return 0;
}

unsigned ed_program_create(const char *const *parts, struct oro_error *err)
{
    static const char *const full[] = {"full.vert", NULL};
    const char *name = "";
    for (int i = 0; parts[i]; i++)
        name = parts[i];
    bool computes = strstr(name, ".comp") != NULL;
    GLuint shaders[2] = {compile(computes ? GL_COMPUTE_SHADER : GL_FRAGMENT_SHADER, parts, name, err)};
    int count = 1;
    if (shaders[0] && !computes)
        shaders[count++] = compile(GL_VERTEX_SHADER, full, full[0], err);
    GLuint program = 0;
    if (shaders[0] && shaders[count - 1])
        program = link_shaders(shaders, count, name, err);
    for (int i = 0; i < count; i++)
        glDeleteShader(shaders[i]);
    return program;
}

void ed_set_int(unsigned program, const char *name, int value)
{
    glUniform1i(glGetUniformLocation(program, name), value);
}

void ed_set_int2(unsigned program, const char *name, int x, int y)
{
    glUniform2i(glGetUniformLocation(program, name), x, y);
}

void ed_set_float(unsigned program, const char *name, double value)
{
    glUniform1f(glGetUniformLocation(program, name), (float)value);
}

void ed_set_float2(unsigned program, const char *name, double x, double y)
{
    glUniform2f(glGetUniformLocation(program, name), (float)x, (float)y);
}

void ed_set_float3(unsigned program, const char *name, const double value[3])
{
    glUniform3f(glGetUniformLocation(program, name), (float)value[0], (float)value[1], (float)value[2]);
}

void ed_set_float4(unsigned program, const char *name, const float value[4])
{
    glUniform4fv(glGetUniformLocation(program, name), 1, value);
}

unsigned ed_texture_create(unsigned format, int levels, int width, int height, bool smooth)
{
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexStorage2D(GL_TEXTURE_2D, levels, format, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smooth ? GL_LINEAR : GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

void ed_set_texture(unsigned program, const char *name, int unit, unsigned texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindSampler((GLuint)unit, 0);
    ed_set_int(program, name, unit);
}

void ed_draw_full(void)
{
    glBindVertexArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ed_gl_neutral(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glUseProgram(0);
    for (int i = UNITS - 1; i >= 0; i--) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_2D, 0);
        glBindSampler((GLuint)i, 0);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}
