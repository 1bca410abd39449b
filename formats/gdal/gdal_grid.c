/*
 * Which cells are read of a raster: those that it has, where they are squares of metres; else it is warped to
 * such cells. Degrees become the metres of the zone of UTM that the raster's centre lies in, or of UPS near
 * the poles.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/gdal/gdal_private.h"

/* Cells whose sides differ by no more than this part are squares. */
static const double square = 1e-4;

/* A zone of UTM is 6 degrees wide, and its scale is 0.4 % off at 10 degrees from its middle. */
static const double widest = 20;

static bool advise_size(const struct oro_gdal_source *source, double width, double height,
                        struct oro_error *err)
{
    return oro_fail(
        err, ORO_E_FILE,
        "'%s' has %.0f x %.0f cells to read, and at most %d a side are read: choose a window of it, "
        "or a size (convert: --window, --size)",
        source->call->path, width, height, ORO_HEIGHTFIELD_SIDE_MAX);
}

/* Rounds the sides to cells, or refuses them before anything is allocated. */
static bool set_sides(const struct oro_gdal_source *source, struct oro_gdal_grid *grid, double width,
                      double height, struct oro_error *err)
{
    width = fmax(1, floor(width + 0.5));
    height = fmax(1, floor(height + 0.5));
    double most = source->by_windows ? ORO_RASTER_SIDE_MAX : ORO_HEIGHTFIELD_SIDE_MAX;
    if (!(width <= most) || !(height <= most))
        return advise_size(source, width, height, err);
    grid->width = (int)width;
    grid->height = (int)height;
    return true;
}

/* ---- Cells as they are ---- */

/* The part of the source that lies in the window, rounded to cells. */
static bool clip_to_window(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                           struct oro_error *err)
{
    const struct oro_map_window *window = &source->options->window;
    const double *at = source->transform;
    if (!window->given)
        return true;
    if (!source->has_transform)
        return oro_fail(err, ORO_E_USAGE, "'%s' does not say where it lies, and a window needs that",
                        source->call->path);
    double left = floor((window->west - at[0]) / at[1] + 0.5),
           right = floor((window->east - at[0]) / at[1] + 0.5);
    double top = floor((window->north - at[3]) / at[5] + 0.5),
           bottom = floor((window->south - at[3]) / at[5] + 0.5);
    left = fmax(left, 0);
    top = fmax(top, 0);
    right = fmin(right, source->width);
    bottom = fmin(bottom, source->height);
    if (!(left < right) || !(top < bottom))
        return oro_fail(err, ORO_E_USAGE,
                        "the part that is wanted, from %.10g %.10g to %.10g %.10g, lies outside '%s', which "
                        "is from %.10g "
                        "%.10g to %.10g %.10g",
                        window->west, window->south, window->east, window->north, source->call->path, at[0],
                        at[3] + source->height * at[5], at[0] + source->width * at[1], at[3]);
    grid->first_x = left;
    grid->first_y = top;
    grid->cells_x = right - left;
    grid->cells_y = bottom - top;
    return true;
}

static bool plain_grid(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                       struct oro_error *err)
{
    const double *at = source->transform;
    int most = source->options->max_side;
    grid->cells_x = source->width;
    grid->cells_y = source->height;
    if (!clip_to_window(source, grid, err))
        return false;
    double longer = fmax(grid->cells_x, grid->cells_y);
    grid->coarser = most > 0 && longer > most ? longer / most : 1;
    if (!set_sides(source, grid, grid->cells_x / grid->coarser, grid->cells_y / grid->coarser, err))
        return false;
    grid->west = at[0] + grid->first_x * at[1];
    grid->north = at[3] + grid->first_y * at[5];
    grid->cell = at[1] * grid->cells_x / grid->width;
    grid->cell_south = -at[5] * grid->cells_y / grid->height;
    return true;
}

/* ---- Warped cells ---- */

static void *make_transformer(const struct oro_gdal_source *source, OGRSpatialReferenceH crs)
{
    char *from = NULL, *to = NULL, **options = NULL;
    oro_gdal.OSRExportToWktEx(source->crs, &from, (const char *const[]){"FORMAT=WKT2_2018", NULL});
    oro_gdal.OSRExportToWktEx(crs, &to, (const char *const[]){"FORMAT=WKT2_2018", NULL});
    options = oro_gdal.CSLSetNameValue(options, "SRC_SRS", from);
    options = oro_gdal.CSLSetNameValue(options, "DST_SRS", to);
    void *transformer = oro_gdal.GDALCreateGenImgProjTransformer2(source->set, NULL, options);
    oro_gdal.CSLDestroy(options);
    oro_gdal.VSIFree(from);
    oro_gdal.VSIFree(to);
    return transformer;
}

/* The size of the source's cells around a point of the target, in metres along their diagonal, as GDAL
 * chooses the size for a whole raster; 0: the point is not on the source. */
static double cell_around(const struct oro_gdal_source *source, void *transformer, double x, double y)
{
    double px[5] = {x}, py[5] = {y}, pz[5] = {0};
    int known[5] = {0};
    if (!oro_gdal.GDALGenImgProjTransform(transformer, TRUE, 1, px, py, pz, known) || !known[0] ||
        !(px[0] >= 0 && px[0] <= source->width && py[0] >= 0 && py[0] <= source->height))
        return 0;
    for (int k = 4; k >= 0; k--) {
        px[k] = px[0] + (k == 1 ? -0.5 : k == 2 ? 0.5 : 0);
        py[k] = py[0] + (k == 3 ? -0.5 : k == 4 ? 0.5 : 0);
    }
    if (!oro_gdal.GDALGenImgProjTransform(transformer, FALSE, 5, px, py, pz, known) || !known[1] ||
        !known[2] || !known[3] || !known[4])
        return 0;
    double east = hypot(px[2] - px[1], py[2] - py[1]), south = hypot(px[4] - px[3], py[4] - py[3]);
    return hypot(east, south) / sqrt(2);
}

/* The least of some points of the window: one may lie on a pole, where degrees have no length, or beside the
 * source. 0: all do. */
static double cell_within(const struct oro_gdal_source *source, void *transformer)
{
    const struct oro_map_window *window = &source->options->window;
    double least = 0;
    for (int i = 0; i < 9; i++) {
        double u = 0.1 + 0.4 * (i % 3), v = 0.1 + 0.4 * (i / 3);
        double cell = cell_around(source, transformer, window->west + u * (window->east - window->west),
                                  window->south + v * (window->north - window->south));
        if (cell > 0 && (least <= 0 || cell < least))
            least = cell;
    }
    return least;
}

/* All of the source, with the size of cells that GDAL takes for it. */
static bool whole_extent(const struct oro_gdal_source *source, void *transformer, struct oro_gdal_grid *grid,
                         double edges[4], struct oro_error *err)
{
    double transform[6];
    int width = 0, height = 0;
    if (oro_gdal.GDALSuggestedWarpOutput2(source->set, oro_gdal.GDALGenImgProjTransform, transformer,
                                          transform, &width, &height, edges, 0) != CE_None)
        return oro_gdal_fail(source->call, ORO_E_FILE, "place", err);
    grid->cell = transform[1];
    edges[0] = transform[0];
    edges[1] = transform[3] - height * transform[1];
    edges[2] = transform[0] + width * transform[1];
    edges[3] = transform[3];
    return true;
}

/* West, south, east and north of what is read, and the size of cells that loses nothing. */
static bool warped_extent(const struct oro_gdal_source *source, void *transformer, struct oro_gdal_grid *grid,
                          double edges[4], struct oro_error *err)
{
    const struct oro_map_window *window = &source->options->window;
    grid->cell = window->given ? cell_within(source, transformer) : 0;
    /* The whole may have no extent where its window has one: the poles on a map of Mercator's. */
    if (grid->cell <= 0 && !whole_extent(source, transformer, grid, edges, err))
        return false;
    if (!window->given)
        return true;
    if (edges[0] < edges[2] && (window->east <= edges[0] || window->west >= edges[2] ||
                                window->north <= edges[1] || window->south >= edges[3]))
        return oro_fail(err, ORO_E_USAGE,
                        "the part that is wanted, from %.10g %.10g to %.10g %.10g, lies outside '%s', which "
                        "is from %.10g %.10g to %.10g %.10g",
                        window->west, window->south, window->east, window->north, source->call->path,
                        edges[0], edges[1], edges[2], edges[3]);
    memcpy(edges, (const double[4]){window->west, window->south, window->east, window->north},
           4 * sizeof *edges);
    return true;
}

static bool warped_grid(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                        struct oro_error *err)
{
    int most = source->options->max_side;
    double edges[4] = {0};
    void *transformer = make_transformer(source, grid->crs);
    if (!transformer)
        return oro_gdal_fail(source->call, ORO_E_FILE, "place", err);
    bool ok = warped_extent(source, transformer, grid, edges, err);
    oro_gdal.GDALDestroyGenImgProjTransformer(transformer);
    if (!ok)
        return false;
    double across = edges[2] - edges[0], down = edges[3] - edges[1], own = grid->cell;
    if (most > 0 && fmax(across, down) / grid->cell > most)
        grid->cell = fmax(across, down) / most;
    if (source->options->window.given) /* whole cells across */
        grid->cell = across / fmax(1, floor(across / grid->cell + 0.5));
    grid->coarser = fmax(1, grid->cell / own);
    grid->cell_south = grid->cell;
    grid->west = edges[0];
    grid->north = edges[3];
    return set_sides(source, grid, across / grid->cell, down / grid->cell, err);
}

/* ---- Which of both, and in what system ---- */

/* The zone of UTM of a place in degrees, for a raster that spans so many. */
static bool choose_zone(const struct oro_gdal_source *source, double east, double north, double across,
                        struct oro_gdal_grid *grid, struct oro_error *err)
{
    if (!(fabs(north) <= 90) || !(fabs(east) <= 720))
        return oro_fail(err, ORO_E_FILE, "'%s' says that it lies at %g %g degrees, which is nowhere",
                        source->call->path, east, north);
    if (across > widest && fabs(north) < 80)
        return oro_fail(
            err, ORO_E_FILE,
            "'%s' spans %.4g degrees, too much for one zone of UTM: choose a system in metres for it "
            "(convert: --crs EPSG:N), and a window where it is too large",
            source->call->path, across);
    east -= 360 * floor((east + 180) / 360);
    int zone = (int)floor((east + 180) / 6) % 60 + 1;
    char name[32];
    snprintf(name, sizeof name, "EPSG:%d",
             north > 84    ? 32661
             : north < -80 ? 32761
             : north >= 0  ? 32600 + zone
                           : 32700 + zone);
    grid->crs = oro_gdal_crs(name);
    return grid->crs || oro_gdal_fail(source->call, ORO_E_FILE, "place", err);
}

static void centre_of(const struct oro_gdal_source *source, double *x, double *y)
{
    *x = source->transform[0] + source->transform[1] * source->width / 2;
    *y = source->transform[3] + source->transform[5] * source->height / 2;
}

/* That of the part that is wanted, if it lies in the raster. */
static void centre_of_part(const struct oro_gdal_source *source, double *x, double *y)
{
    const struct oro_map_window *window = &source->options->window;
    const double *at = source->transform;
    double east = (window->west + window->east) / 2, north = (window->south + window->north) / 2;
    centre_of(source, x, y);
    if (!window->given || fabs(east - *x) > at[1] * source->width / 2 ||
        fabs(north - *y) > -at[5] * source->height / 2)
        return;
    *x = east;
    *y = north;
}

static bool zone_of_degrees(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                            struct oro_error *err)
{
    double degrees = oro_gdal.OSRGetAngularUnits(source->crs, NULL) * 180 / M_PI, x, y;
    centre_of(source, &x, &y);
    return choose_zone(source, x * degrees, y * degrees, fabs(source->transform[1] * source->width) * degrees,
                       grid, err);
}

/* What is wrong with the metres of a system, at a place in it. */
struct scale {
    double factor; /* metres of the system in one of ground, the one of the worse direction; 1: unknown */
    double east, north; /* degrees */
};

/* Metres of ground between two points in degrees that lie near each other, on the ellipsoid of WGS 84. */
static double ground_between(const double *east, const double *north, int a, int b)
{
    const double radius = 6378137, e2 = 0.00669437999014, degree = M_PI / 180;
    double s = sin(north[a] * degree), w = sqrt(1 - e2 * s * s);
    double across = radius / w * cos(north[a] * degree) * remainder(east[b] - east[a], 360) * degree;
    return hypot(across, radius * (1 - e2) / (w * w * w) * (north[b] - north[a]) * degree);
}

static struct scale scale_at(OGRSpatialReferenceH crs, double x, double y)
{
    const double step = 100;
    double xs[3] = {x, x + step, x}, ys[3] = {y, y, y + step};
    OGRSpatialReferenceH degrees = oro_gdal_crs("EPSG:4326");
    OGRCoordinateTransformationH way = degrees ? oro_gdal.OCTNewCoordinateTransformation(crs, degrees) : NULL;
    struct scale scale = {1, 0, 0};
    if (way && oro_gdal.OCTTransform(way, 3, xs, ys, NULL)) {
        double along = step / ground_between(xs, ys, 0, 1), up = step / ground_between(xs, ys, 0, 2);
        double factor = fabs(log(along)) > fabs(log(up)) ? along : up;
        scale = (struct scale){isfinite(factor) && factor > 0 ? factor : 1, xs[0], ys[0]};
    }
    if (way)
        oro_gdal.OCTDestroyCoordinateTransformation(way);
    oro_gdal_crs_free(degrees);
    return scale;
}

static bool is_off(double factor)
{
    return factor > 1.01 || factor < 1 / 1.01;
}

/* Metres of the raster's own system are none on the ground. */
static void account_for_warping(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                                double factor, struct oro_account *account)
{
    char *from = oro_gdal_crs_text(source->crs), *to = oro_gdal_crs_text(grid->crs);
    account->factor = factor;
    snprintf(account->system_name, sizeof account->system_name, "%.47s", from ? from : "its system");
    snprintf(account->warped_to, sizeof account->warped_to, "%.47s", to ? to : "UTM");
    oro_free(from);
    oro_free(to);
}

/* Of a graph's world, whose system may be what was chosen for this very file, and nobody's wish. */
static void account_for_world(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                              struct oro_account *account)
{
    double x, y;
    if (!source->options->where_known || !source->crs || !oro_gdal.OSRIsProjected(source->crs) ||
        !oro_gdal_in_metres(source->crs))
        return;
    centre_of(source, &x, &y);
    double factor = scale_at(source->crs, x, y).factor;
    if (is_off(factor))
        account_for_warping(source, grid, factor, account);
}

/* The user's system, unless its metres are not those of the ground where the raster lies. */
static bool take_asked(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                       struct oro_account *account, struct oro_error *err)
{
    double x, y;
    grid->crs = oro_gdal_metric_crs(source->options->crs, err);
    if (!grid->crs || !source->has_transform)
        return grid->crs;
    centre_of(source, &x, &y);
    OGRCoordinateTransformationH way =
        source->crs ? oro_gdal.OCTNewCoordinateTransformation(source->crs, grid->crs) : NULL;
    if (source->crs && (!way || !oro_gdal.OCTTransform(way, 1, &x, &y, NULL)))
        x = y = (double)INFINITY; /* told later, when it is warped */
    if (way)
        oro_gdal.OCTDestroyCoordinateTransformation(way);
    double factor = isfinite(x) && isfinite(y) ? scale_at(grid->crs, x, y).factor : 1;
    account_for_world(source, grid, account);
    return !is_off(factor) ||
           oro_fail(
               err, ORO_E_USAGE,
               "'%s': %.4g m of %.60s are 1 m of ground there: choose a system of true metres, such as a "
               "zone of UTM (EPSG:326xx, EPSG:327xx)",
               source->call->path, factor, source->options->crs);
}

/* Metres that are none on the ground, as those of web mercator, are warped as degrees are. */
static bool take_own(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                     struct oro_account *account, struct oro_error *err)
{
    double x, y;
    bool local = oro_gdal.OSRIsLocal(source->crs) || !source->has_transform;
    centre_of_part(source, &x, &y);
    struct scale scale = local ? (struct scale){1, 0, 0} : scale_at(source->crs, x, y);
    if (!is_off(scale.factor)) {
        grid->crs = oro_gdal.OSRClone(source->crs);
        return grid->crs || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->call->path);
    }
    double across = source->transform[1] * source->width / scale.factor / 111320 /
                    fmax(cos(scale.north * M_PI / 180), 1e-3);
    if (!choose_zone(source, scale.east, scale.north, across, grid, err))
        return false;
    account_for_warping(source, grid, scale.factor, account);
    return true;
}

/* The system of the cells, in grid->crs. */
static bool choose_crs(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                       struct oro_account *account, struct oro_error *err)
{
    const char *unit = NULL;
    if (source->options->crs)
        return take_asked(source, grid, account, err);
    if (!source->crs)
        return true;
    if (oro_gdal.OSRIsGeographic(source->crs))
        return zone_of_degrees(source, grid, err);
    oro_gdal.OSRGetLinearUnits(source->crs, (char **)&unit);
    if (!oro_gdal_in_metres(source->crs))
        return oro_fail(err, ORO_E_FILE,
                        "'%s' lies in a system whose unit is %s: choose one in metres that it is warped to "
                        "(convert: --crs EPSG:N)",
                        source->call->path, unit ? unit : "unknown");
    return take_own(source, grid, account, err);
}

/* Few cells of a huge raster are averages of all it has, unless it brings overviews. */
static bool check_work(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                       struct oro_error *err)
{
    double most = 2.0 * ORO_HEIGHTFIELD_SIDE_MAX, by_overview = 1;
    for (int i = 0; i < oro_gdal.GDALGetOverviewCount(source->band); i++) {
        double ratio = (double)source->width /
                       oro_gdal.GDALGetRasterBandXSize(oro_gdal.GDALGetOverview(source->band, i));
        if (ratio <= grid->coarser * 1.01)
            by_overview = fmax(by_overview, ratio);
    }
    double factor = grid->coarser / by_overview;
    if (source->by_windows || grid->width * factor * (grid->height * factor) <= most * most)
        return true;
    return oro_fail(
        err, ORO_E_FILE,
        "'%s' has too many cells to average them: 'gdaladdo -r average' gives it overviews, or choose "
        "a window of it (convert: --window)",
        source->call->path);
}

bool oro_gdal_choose_grid(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                          struct oro_account *account, struct oro_error *err)
{
    const double *at = source->transform;
    *grid = (struct oro_gdal_grid){0};
    if (!choose_crs(source, grid, account, err))
        return false;
    bool squares = fabs(at[1] + at[5]) <= square * fabs(at[1]); /* of equal sides, rows south */
    bool same = !source->crs || oro_gdal.OSRIsSame(source->crs, grid->crs);
    bool fills = source->options->window.given && source->options->window.whole;
    grid->warped = grid->crs && source->has_transform && source->crs && (!squares || !same || fills);
    if (!grid->warped && !squares)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' has cells of %g x %g and no coordinate system: gdalwarp -tr makes them square",
                        source->call->path, at[1], at[5]);
    return (grid->warped ? warped_grid(source, grid, err) : plain_grid(source, grid, err)) &&
           check_work(source, grid, err);
}
