/*
 * Script kernels: checks that need no device, what the planner must know, and the evaluation.
 */
#ifndef ORO_LUA_KERNEL_KERNEL_H
#define ORO_LUA_KERNEL_KERNEL_H

#include "lua/script/script.h"

/* Makes the kernels of all passes harmless (lua/glsl/glsl.h), finds out what they use, and sets
 * script->prepared, type.kernels and type.scratch_fields, in the script's arena. Every output, and every
 * buffer that is read, must be set by some kernel. Fails with ORO_E_KERNEL, "FILE:LINE: ...", or
 * ORO_E_MEMORY. */
bool oro_script_prepare(struct oro_script *script, struct oro_error *err);

bool oro_script_eval_kernel(struct oro_eval *eval, const void *params);

#endif
