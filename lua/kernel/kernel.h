/*
 * Script kernels before they run: checks that need no device, and what the planner must know. The evaluation
 * itself is oro_script_eval_kernel (lua/script/script.h).
 */
#ifndef ORO_LUA_KERNEL_KERNEL_H
#define ORO_LUA_KERNEL_KERNEL_H

#include "lua/script/script.h"

/* Makes the kernels of all passes harmless (lua/glsl/glsl.h), finds out what they use, and sets
 * script->kernels, in the script's arena. Every output must be set by one, and every buffer that is read.
 * Fails with ORO_E_KERNEL, "FILE:LINE: ...", or ORO_E_MEMORY. */
bool oro_script_prepare(struct oro_script *script, struct oro_error *err);

/* For .scratch_fields of the type, once it is prepared: buffers, and second copies of what a pass both reads
 * and sets. Where a resumed state must stay as it is, its copies come on top for a moment. */
int oro_script_scratch_fields(const struct oro_script *script);

#endif
