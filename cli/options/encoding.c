#include "cli/options/encoding.h"

bool cli_encoding_check(const char *out, const struct cli_encoding_options *options, struct oro_error *err)
{
    bool tiff = options->bits || options->compress || options->cog;
    bool exr = options->half || options->tiled || options->channel;
    if (!out && (tiff || exr))
        return oro_fail(
            err, ORO_E_USAGE,
            "--bits, --compress, --cog, --half, --tiled and --out-channel say how -o OUT is written");
    if (options->bits && !oro_format_takes_bits(out))
        return oro_fail(err, ORO_E_USAGE, "--bits is for GeoTIFF and Zarr: '%s' is neither", out);
    if ((options->compress || options->cog) && !oro_format_is_geotiff(out))
        return oro_fail(err, ORO_E_USAGE, "--compress and --cog are for GeoTIFF: '%s' is none", out);
    return !exr || oro_format_has_channels(out) ||
           oro_fail(err, ORO_E_USAGE, "'%s': --half, --tiled and --out-channel are for .exr files", out);
}

void cli_encoding_into(const struct cli_encoding_options *options, struct oro_write_options *write)
{
    write->bits = oro_bits_of(options->bits);
    write->zstd = options->compress == ORO_COMPRESS_ZSTD;
    write->cog = options->cog;
    write->half = options->half;
    write->tiled = options->tiled;
    write->channel = options->channel;
}

bool cli_drain_check(const struct cli_drain_options *options, struct oro_error *err)
{
    return !options->limit.given || options->how == ORO_DRAIN_STRICT ||
           oro_fail(err, ORO_E_USAGE, "--drain-limit goes with --drain strict");
}

void cli_drain_into(const struct cli_drain_options *options, struct oro_write_options *write)
{
    write->drain = (enum oro_drain)options->how;
    write->drain_limit = options->limit.given ? options->limit.value : ORO_DRAIN_LIMIT;
    write->require_drained = options->required;
}
