/* Inside formats/: compressing blocks of OpenEXR files. */
#ifndef ORO_FORMATS_EXR_EXR_ZIP_H
#define ORO_FORMATS_EXR_EXR_ZIP_H

#include <stdbool.h>

#include <openexr.h>

struct libdeflate_compressor;

/* What a coder needs for floats, or for half floats. NULL: memory is out. */
struct libdeflate_compressor *oro_exr_zip_begin(bool half);
void oro_exr_zip_end(struct libdeflate_compressor *compressor); /* NULL is allowed */

/* The compress_fn of a coder of a part with EXR_COMPRESSION_ZIP, whose encoding_user_data is a compressor of
 * its own. Memory comes from oro_alloc, and the library frees it with the coder: its context's free_fn is
 * oro_free. */
exr_result_t oro_exr_zip(exr_encode_pipeline_t *coder);

#endif
