#include <string.h>

#include "base/memory.h"
#include "devices/gpu/internal.h"
#include "devices/gpu/trial.h"

/* ---- Kernels: one per text ---- */

static struct oro_kernel *find_kernel(const struct oro_kernel_store *library, struct oro_hash text)
{
    for (size_t i = 0; i < library->kernel_count; i++)
        if (oro_hash_equal(library->kernels[i]->text, text))
            return library->kernels[i];
    return NULL;
}

static struct oro_kernel *add_kernel(struct oro_kernel_store *library, struct oro_hash text,
                                     struct oro_error *err)
{
    void *kernels = library->kernels;
    struct oro_kernel *kernel = oro_alloc(1, sizeof *kernel);
    if (!kernel || !oro_reserve(&kernels, &library->kernel_capacity, library->kernel_count + 1,
                                sizeof *library->kernels)) {
        oro_free(kernel);
        oro_fail(err, ORO_E_MEMORY, "no memory for a kernel");
        return NULL;
    }
    library->kernels = kernels;
    library->kernels[library->kernel_count++] = kernel;
    kernel->text = text;
    return kernel;
}

/* Bytes of the uniform block at binding 0. */
static size_t constants_block_size(GLuint program)
{
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) {
        GLint binding = -1, size = 0;
        glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_BINDING, &binding);
        glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
        if (binding == 0 && size > 0)
            return (size_t)size;
    }
    return 0;
}

/* Begins using a program for a kernel, initially or after a lost context. Takes over `guest_text`. */
static void start_kernel(struct oro_gpu *gpu, struct oro_kernel *kernel, GLuint program, char *guest_text)
{
    oro_free(kernel->constants_copy);
    oro_free(kernel->guest_text);
    *kernel =
        (struct oro_kernel){.text = kernel->text,
                            .guest_text = guest_text,
                            .generation = gpu->generation,
                            .program = program,
                            .first_group = guest_text ? 0 : glGetUniformLocation(program, "oro_first_group"),
                            .block_size = guest_text ? 0 : constants_block_size(program),
                            .group_seconds = -1,
                            .next_measure = 1};
}

static struct oro_hash digest_of(const char *preamble, const struct oro_source *source)
{
    struct oro_hash parts[2] = {oro_hash_of(preamble, strlen(preamble)),
                                oro_hash_of(source->text.data, source->text.length)};
    return oro_hash_of(parts, sizeof parts);
}

/* A stranger's kernel, which the guest alone compiles where the driver hands out programs. Where it is the
 * guest's program that runs, the own one is empty. */
static GLuint compile_foreign(struct oro_gpu *gpu, const char *text, const struct oro_source *source,
                              const struct oro_kernel_source *foreign, struct oro_error *err)
{
    const char *file = source->parts[0].name;
    bool in_guest = gpu->device.info.software, wanted = !in_guest && oro_gpu_hands_out();
    struct oro_tried tried;
    GLuint program = 0;
    if (!oro_gpu_try(gpu, text, foreign->file, foreign->first_line, wanted, &tried, err))
        return 0;
    if (tried.program)
        program = oro_gpu_take_back(gpu, tried.format, tried.program, tried.size);
    if (!tried.compiles)
        oro_gpu_report(gpu, tried.log ? tried.log : "", source, file, err);
    else if (in_guest)
        program = glCreateProgram();
    else if (!program)
        program = oro_gpu_program(gpu, text, source, file, err);
    oro_tried_free(&tried);
    return program;
}

/* The kernel for a source with a preamble, compiled if necessary. `foreign`: NULL, or what is tried first. */
static struct oro_kernel *kernel_of(struct oro_gpu *gpu, const char *preamble,
                                    const struct oro_source *source, const struct oro_kernel_source *foreign,
                                    struct oro_error *err)
{
    struct oro_hash digest = digest_of(preamble, source);
    struct oro_kernel *kernel = find_kernel(&gpu->library, digest);
    if (kernel && kernel->generation == gpu->generation && kernel->program)
        return kernel;
    struct oro_text text = {0};
    size_t length = strlen(preamble);
    oro_text_addf(&text, "%s%s%s", preamble, length && preamble[length - 1] == '\n' ? "" : "\n",
                  source->text.data);
    GLuint program = 0;
    if (text.failed)
        oro_fail(err, ORO_E_MEMORY, "no memory for the source of a kernel");
    else
        program = foreign ? compile_foreign(gpu, text.data, source, foreign, err)
                          : oro_gpu_program(gpu, text.data, source, source->parts[0].name, err);
    if (program && !kernel)
        kernel = add_kernel(&gpu->library, digest, err);
    bool in_guest = foreign && gpu->device.info.software;
    if (program && kernel) {
        start_kernel(gpu, kernel, program, in_guest ? text.data : NULL);
        if (in_guest)
            text = (struct oro_text){0};
    } else if (program) {
        glDeleteProgram(program);
    }
    oro_text_free(&text);
    return program ? kernel : NULL;
}

/* ---- Modules: kernel files, reloaded on change ---- */

static void free_module(struct oro_module *module)
{
    oro_source_free(&module->good);
    oro_source_free(&module->seen);
    oro_free(module->file);
    oro_free(module);
}

static struct oro_module *add_module(struct oro_gpu *gpu, const char *file, struct oro_error *err)
{
    struct oro_kernel_store *library = &gpu->library;
    void *modules = library->modules;
    struct oro_module *module = oro_alloc(1, sizeof *module);
    if (!module || !(module->file = oro_copy_text(file)) ||
        !oro_reserve(&modules, &library->module_capacity, library->module_count + 1,
                     sizeof *library->modules)) {
        oro_fail(err, ORO_E_MEMORY, "no memory for kernel '%s'", file);
        if (module)
            free_module(module);
        return NULL;
    }
    library->modules = modules;
    if (!oro_source_assemble(&module->good, &gpu->shaders, file, err)) {
        free_module(module);
        return NULL;
    }
    module->digest = oro_hash_of(module->good.text.data, module->good.text.length);
    library->modules[library->module_count++] = module;
    return module;
}

/* Takes over a new text if it compiles with every preamble that is in use. */
static bool adopt(struct oro_gpu *gpu, struct oro_module *module, struct oro_source *fresh,
                  struct oro_error *err)
{
    struct oro_kernel_store *library = &gpu->library;
    for (size_t i = 0; i < library->variant_count; i++)
        if (library->variants[i]->module == module &&
            !kernel_of(gpu, library->variants[i]->preamble, fresh, NULL, err))
            return false;
    for (size_t i = 0; i < library->variant_count; i++)
        if (library->variants[i]->module == module)
            library->variants[i]->kernel = kernel_of(gpu, library->variants[i]->preamble, fresh, NULL, err);
    oro_source_free(&module->good);
    module->good = *fresh;
    *fresh = (struct oro_source){0};
    module->digest = oro_hash_of(module->good.text.data, module->good.text.length);
    return true;
}

/* Looks for changes on the disk. False: the context was lost meanwhile. */
static bool refresh(struct oro_gpu *gpu, struct oro_module *module, struct oro_error *err)
{
    const struct oro_source *newest = module->seen.count ? &module->seen : &module->good;
    if (gpu->lost) /* nothing can be compiled until the rebuild */
        return true;
    if (!oro_source_changed(newest, &gpu->shaders))
        return true;
    struct oro_source fresh = {0};
    struct oro_error problem = {0};
    bool ok = oro_source_assemble(&fresh, &gpu->shaders, module->file, &problem) &&
              adopt(gpu, module, &fresh, &problem);
    oro_source_free(&module->seen);
    module->seen = fresh; /* `fresh` is empty if it was adopted */
    if (gpu->lost) {
        *(err ? err : &problem) = problem;
        return false;
    }
    if (ok)
        oro_note(gpu->log, ORO_NOTICE, "kernel '%s' was reloaded", module->file);
    else
        oro_note(gpu->log, ORO_WARNING, "%s; the last good version stays in use", problem.text);
    return true;
}

static struct oro_module *module_of(struct oro_gpu *gpu, const char *file, struct oro_error *err)
{
    for (size_t i = 0; i < gpu->library.module_count; i++) {
        struct oro_module *module = gpu->library.modules[i];
        if (strcmp(module->file, file) == 0)
            return refresh(gpu, module, err) ? module : NULL;
    }
    return add_module(gpu, file, err);
}

bool oro_gpu_kernel_digest(struct oro_device *device, const char *file, struct oro_hash *digest,
                           struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    /* A failure is ignored: a text has a digest even while the context is lost, and plans are made before it
     * is rebuilt. */
    oro_gpu_ready(gpu, NULL);
    struct oro_module *module = module_of(gpu, file, err);
    if (!module)
        return false;
    *digest = module->digest;
    return true;
}

/* ---- Variants: modules with preambles ---- */

static struct oro_variant *find_variant(const struct oro_kernel_store *library,
                                        const struct oro_module *module, struct oro_hash preamble)
{
    for (size_t i = 0; i < library->variant_count; i++)
        if (library->variants[i]->module == module &&
            oro_hash_equal(library->variants[i]->preamble_digest, preamble))
            return library->variants[i];
    return NULL;
}

static bool add_variant(struct oro_kernel_store *library, struct oro_variant added, const char *preamble,
                        struct oro_error *err)
{
    void *variants = library->variants;
    struct oro_variant *variant = oro_alloc(1, sizeof *variant);
    added.preamble = oro_copy_text(preamble);
    if (!variant || !added.preamble ||
        !oro_reserve(&variants, &library->variant_capacity, library->variant_count + 1,
                     sizeof *library->variants)) {
        oro_free(added.preamble);
        oro_free(variant);
        return oro_fail(err, ORO_E_MEMORY, "no memory for kernel '%s'", added.module->file);
    }
    library->variants = variants;
    *variant = added;
    library->variants[library->variant_count++] = variant;
    return true;
}

static struct oro_kernel *kernel_of_text(struct oro_gpu *gpu, const char *preamble,
                                         const struct oro_kernel_source *source, struct oro_error *err)
{
    struct oro_source whole = {0};
    struct oro_kernel *kernel = NULL;
    if (oro_source_assemble_text(&whole, &gpu->shaders, source->file, source->text, source->first_line, err))
        kernel = kernel_of(gpu, preamble, &whole, source->foreign ? source : NULL, err);
    oro_source_free(&whole);
    return kernel;
}

struct oro_kernel *oro_gpu_kernel(struct oro_device *device, const struct oro_kernel_source *source,
                                  struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err))
        return NULL;
    const char *preamble = source->preamble ? source->preamble : "#version 310 es\n";
    if (source->text)
        return kernel_of_text(gpu, preamble, source, err);
    struct oro_module *module = module_of(gpu, source->file, err);
    if (!module)
        return NULL;
    struct oro_hash digest = oro_hash_of(preamble, strlen(preamble));
    struct oro_variant *variant = find_variant(&gpu->library, module, digest);
    if (variant && variant->kernel->generation == gpu->generation)
        return variant->kernel;
    struct oro_kernel *kernel = kernel_of(gpu, preamble, &module->good, NULL, err);
    struct oro_variant added = {.module = module, .preamble_digest = digest, .kernel = kernel};
    if (!kernel || (!variant && !add_variant(&gpu->library, added, preamble, err)))
        return NULL;
    return kernel;
}

void oro_gpu_library_destroy(struct oro_gpu *gpu)
{
    struct oro_kernel_store *library = &gpu->library;
    for (size_t i = 0; i < library->variant_count; i++) {
        oro_free(library->variants[i]->preamble);
        oro_free(library->variants[i]);
    }
    for (size_t i = 0; i < library->module_count; i++)
        free_module(library->modules[i]);
    for (size_t i = 0; i < library->kernel_count; i++) {
        oro_free(library->kernels[i]->constants_copy);
        oro_free(library->kernels[i]->guest_text);
        oro_free(library->kernels[i]);
    }
    oro_free(library->variants);
    oro_free(library->modules);
    oro_free(library->kernels);
    *library = (struct oro_kernel_store){0};
}
