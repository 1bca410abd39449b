/* What became of kernels that were tried (devices/gpu/trial.h): those that compile and did no harm are kept
 * on the disk, beside the cache's results, for later programs; those that did, as long as the program runs.
 * One thread at a time. */
#ifndef ORO_GPU_VERDICTS_H
#define ORO_GPU_VERDICTS_H

#include "base/error.h"
#include "base/hash.h"
#include "graph/type/device.h"

/* Of the text and of the driver. */
struct oro_hash oro_verdict_digest(const struct oro_device_info *info, const char *text);

/* True: it compiles, and did no harm. False: it did, and `err` says which; or nothing is known, and `err` is
 * untouched. */
bool oro_verdict_find(struct oro_hash digest, struct oro_error *err);
/* `harm`: NULL, or the harm that it did. */
void oro_verdict_keep(struct oro_hash digest, const struct oro_error *harm);

/* The same of one that did none, with the program that the driver made of it, in a form of the driver's. */
void oro_verdict_keep_program(struct oro_hash digest, uint32_t format, const void *program, size_t size);
/* The caller frees; NULL: none is kept. */
void *oro_verdict_program(struct oro_hash digest, uint32_t *format, size_t *size);

#endif
