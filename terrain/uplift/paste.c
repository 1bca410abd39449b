/* Copy and paste: the words of a PASTE, made and checked. */
#include <math.h>

#include "base/memory.h"
#include "terrain/uplift/tree_private.h"

/* ---- Words ---- */

size_t oro_region_words(uint32_t region, const uint32_t *shape)
{
    return region == ORO_REGION_ELLIPSE   ? ORO_ELLIPSE_WORDS
           : region == ORO_REGION_POLYGON ? ORO_POLYGON_HEAD + 4 * (size_t)shape[0]
                                          : ORO_MASK_HEAD + (size_t)shape[0] * shape[1];
}

struct oro_pasted oro_pasted_at(const uint32_t *words)
{
    struct oro_pasted pasted = {.words = words[0],
                                .region = words[1],
                                .method = words[2],
                                .cut = words[3],
                                .places = words[4],
                                .shape = words + ORO_PASTED_HEAD};
    pasted.affines = words + pasted.words - pasted.places * (size_t)ORO_AFFINE_WORDS;
    return pasted;
}

/* ---- Checks ---- */

static bool damaged(struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE, "this uplift tree is damaged");
}

static bool all_within(const uint32_t *words, size_t count, double most)
{
    bool within = true;
    for (size_t i = 0; i < count; i++)
        within &= fabs((double)oro_float_of(words[i])) <= most; /* false for what is not a number */
    return within;
}

static bool check_positions(const uint32_t *words, size_t count, const char *what, struct oro_error *err)
{
    return all_within(words, count, ORO_UPLIFT_POSITION_MAX) ||
           oro_fail(err, ORO_E_EVALUATE, "%s lies more than 100,000 km from the world's corner", what);
}

static bool check_ellipse(const uint32_t *shape, struct oro_error *err)
{
    double feather = (double)oro_float_of(shape[4]);
    for (int i = 2; i < 4; i++) {
        double radius = (double)oro_float_of(shape[i]);
        if (!(radius >= 1e-3 && radius <= 1e7))
            return oro_fail(err, ORO_E_EVALUATE, "region: the radius must be from 1 mm to 10,000 km");
    }
    if (!(feather >= 0 && feather <= 1))
        return oro_fail(err, ORO_E_EVALUATE, "region: the feather must be from 0 to 1, not %g", feather);
    return check_positions(shape, 2, "a region", err);
}

static bool check_polygon(const uint32_t *shape, struct oro_error *err)
{
    double feather = (double)oro_float_of(shape[1]);
    if (!(feather >= 0 && feather <= 2 * ORO_UPLIFT_POSITION_MAX))
        return damaged(err);
    return check_positions(shape + ORO_POLYGON_HEAD, 4 * (size_t)shape[0], "a region's outline", err);
}

static bool check_mask(const uint32_t *shape, struct oro_error *err)
{
    double cell = (double)oro_float_of(shape[4]);
    if (!(cell >= 1e-6 && cell <= 1e8) || !check_positions(shape + 2, 2, "a region's mask", err))
        return damaged(err);
    for (size_t i = 0; i < (size_t)shape[0] * shape[1]; i++) {
        double value = (double)oro_float_of(shape[ORO_MASK_HEAD + i]);
        if (!(value >= 0 && value <= 1))
            return oro_fail(err, ORO_E_EVALUATE, "the mask has a value that is no weight: %g", value);
    }
    return true;
}

static bool check_place(const uint32_t *affine, struct oro_error *err)
{
    return (all_within(affine + 2, 4, 2e6) || damaged(err)) &&
           check_positions(affine, 2, "where a copy goes", err) &&
           check_positions(affine + 6, 2, "where a copy comes from", err);
}

/* Whether region, places and words agree; `words`: those that are left in the instruction. */
static bool fits(const uint32_t *paste, size_t words)
{
    static const size_t heads[] = {ORO_ELLIPSE_WORDS, ORO_POLYGON_HEAD, ORO_MASK_HEAD};
    if (words < ORO_PASTED_HEAD || paste[0] > words || paste[1] > ORO_REGION_MASK ||
        paste[2] > ORO_PASTE_MAX || paste[3] > 1 || paste[4] > ORO_PLACES_MAX)
        return false;
    size_t head = ORO_PASTED_HEAD + heads[paste[1]];
    const uint32_t *shape = paste + ORO_PASTED_HEAD;
    if (paste[0] < head || (paste[1] == ORO_REGION_POLYGON && shape[0] > ORO_EDGES_MAX) ||
        (paste[1] == ORO_REGION_MASK &&
         (shape[0] - 1 >= ORO_RASTER_SIDE_MAX || shape[1] - 1 >= ORO_RASTER_SIDE_MAX)))
        return false;
    return paste[0] ==
           ORO_PASTED_HEAD + oro_region_words(paste[1], shape) + paste[4] * (size_t)ORO_AFFINE_WORDS;
}

static bool check_pasted(const struct oro_pasted *pasted, struct oro_error *err)
{
    static bool (*const checks[])(const uint32_t *shape, struct oro_error *err) = {check_ellipse,
                                                                                   check_polygon, check_mask};
    if (!checks[pasted->region](pasted->shape, err))
        return false;
    for (size_t i = 0; i < pasted->places; i++)
        if (!check_place(pasted->affines + i * ORO_AFFINE_WORDS, err))
            return false;
    return true;
}

bool oro_paste_check(const struct oro_op *op, struct oro_error *err)
{
    const uint32_t *at = op->operands, *end = at - ORO_OP_HEAD + op->length;
    if (end - at < ORO_PASTE_HEAD || at[1] < 1)
        return damaged(err);
    uint32_t count = at[1], copies = 0;
    if (count > ORO_PASTES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "%u pastes upon each other: at most %d", count, ORO_PASTES_MAX);
    at += ORO_PASTE_HEAD;
    for (uint32_t i = 0; i < count; i++) {
        if (!fits(at, (size_t)(end - at)))
            return damaged(err);
        struct oro_pasted pasted = oro_pasted_at(at);
        if (!check_pasted(&pasted, err))
            return false;
        copies += pasted.places + pasted.cut;
        at += pasted.words;
    }
    if (copies > ORO_COPIES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "%u copies of a region, and of copies of it: at most %d", copies,
                        ORO_COPIES_MAX);
    return at == end || damaged(err);
}

/* ---- Making ---- */

/* The mask without the rows and columns that are 0 all over, but for one around what is left. */
struct extent {
    int left, top, right, bottom;
};

/* Words of a paste under construction; there is room for all of them. */
struct making {
    const struct oro_paste *paste;
    double reach;         /* of a polygon: oro_polygon_reach */
    struct extent extent; /* of a mask */
    uint32_t *words;
    size_t count;
};

static void put(struct making *m, uint32_t word)
{
    m->words[m->count++] = word;
}

static void put_float(struct making *m, double value)
{
    float rounded = (float)value;
    memcpy(&m->words[m->count++], &rounded, sizeof rounded);
}

static void put_ellipse(struct making *m)
{
    for (int i = 0; i < 2; i++)
        put_float(m, m->paste->from[i]);
    for (int i = 0; i < 2; i++)
        put_float(m, m->paste->radius[i]);
    put_float(m, m->paste->feather);
}

static void put_polygon(struct making *m)
{
    const struct oro_paste *p = m->paste;
    put(m, (uint32_t)p->edge_count);
    put_float(m, p->feather * m->reach);
    for (size_t i = 0; i < 4 * p->edge_count; i++)
        put_float(m, (double)p->edges[i / 4][i % 4]);
}

static struct extent mask_extent(const struct oro_paste *p)
{
    struct extent e = {p->mask_width, p->mask_height, 0, 0};
    for (int y = 0; y < p->mask_height; y++)
        for (int x = 0; x < p->mask_width; x++)
            if (!(p->mask[(size_t)y * (size_t)p->mask_width + (size_t)x] <= 0)) {
                e.left = x - 1 < e.left ? x - 1 : e.left;
                e.top = y - 1 < e.top ? y - 1 : e.top;
                e.right = x + 2 > e.right ? x + 2 : e.right;
                e.bottom = y + 2 > e.bottom ? y + 2 : e.bottom;
            }
    if (e.right <= e.left) /* nothing is taken; a raster has a cell */
        return (struct extent){0, 0, 1, 1};
    e.left = e.left > 0 ? e.left : 0;
    e.top = e.top > 0 ? e.top : 0;
    e.right = e.right < p->mask_width ? e.right : p->mask_width;
    e.bottom = e.bottom < p->mask_height ? e.bottom : p->mask_height;
    return e;
}

static void put_mask(struct making *m)
{
    const struct extent *e = &m->extent;
    const struct oro_paste *p = m->paste;
    put(m, (uint32_t)(e->right - e->left));
    put(m, (uint32_t)(e->bottom - e->top));
    put_float(m, p->mask_corner[0] + e->left * p->mask_cell);
    put_float(m, p->mask_corner[1] + e->top * p->mask_cell);
    put_float(m, p->mask_cell);
    for (int y = e->top; y < e->bottom; y++)
        for (int x = e->left; x < e->right; x++) {
            float value = p->mask[(size_t)y * (size_t)p->mask_width + (size_t)x];
            put_float(m, value < 0   ? 0
                         : value > 1 ? 1
                                     : (double)value); /* what is no number is refused later */
        }
}

static bool put_places(struct making *m, struct oro_error *err)
{
    for (size_t i = 0; i < m->paste->place_count; i++) {
        const struct oro_paste_place *place = &m->paste->places[i];
        struct oro_affine affine = {.angle = place->angle};
        struct oro_words words = {.count = 0};
        for (int k = 0; k < 2; k++) {
            affine.centre[k] = m->paste->from[k];
            affine.move[k] = place->to[k] - m->paste->from[k];
            affine.scale[k] = place->scale[k];
        }
        if (!oro_affine_words(&affine, &words, err))
            return false;
        memcpy(m->words + m->count, words.words, words.count * sizeof words.words[0]);
        m->count += words.count;
    }
    return true;
}

static bool check_request(const struct oro_paste *p, struct oro_error *err)
{
    if (p->place_count > ORO_PLACES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "%zu places for copies: at most %d", p->place_count,
                        ORO_PLACES_MAX);
    if (!(p->feather >= 0 && p->feather <= 1))
        return oro_fail(err, ORO_E_EVALUATE, "region: the feather must be from 0 to 1, not %g", p->feather);
    if (p->region == ORO_REGION_POLYGON && p->edge_count > ORO_EDGES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "a region's outline of %zu edges: at most %d", p->edge_count,
                        ORO_EDGES_MAX);
    return p->region != ORO_REGION_MASK ||
           (p->mask_width >= 1 && p->mask_width <= ORO_RASTER_SIDE_MAX && p->mask_height >= 1 &&
            p->mask_height <= ORO_RASTER_SIDE_MAX &&
            (int64_t)p->mask_width * p->mask_height <= ORO_RASTER_CELLS_MAX) ||
           oro_fail(err, ORO_E_EVALUATE, "a mask of %d x %d cells", p->mask_width, p->mask_height);
}

/* Looks at the region once, for its words' sake. Gives how many it takes; 0: see `err`. */
static size_t measure_region(struct making *m, struct oro_error *err)
{
    const struct oro_paste *p = m->paste;
    if (p->region == ORO_REGION_ELLIPSE)
        return ORO_ELLIPSE_WORDS;
    if (p->region == ORO_REGION_MASK) {
        m->extent = mask_extent(p);
        return ORO_MASK_HEAD +
               (size_t)(m->extent.right - m->extent.left) * (size_t)(m->extent.bottom - m->extent.top);
    }
    m->reach = oro_polygon_reach(p->edges, p->edge_count);
    if (m->reach > 0)
        return ORO_POLYGON_HEAD + 4 * p->edge_count;
    oro_fail(err, ORO_E_EVALUATE, "the region's outline encloses nothing");
    return 0;
}

static bool put_paste(struct making *m, struct oro_error *err)
{
    const struct oro_paste *p = m->paste;
    const uint32_t head[] = {p->region, p->method, p->cut, (uint32_t)p->place_count};
    for (int i = 0; i < ORO_PASTED_HEAD - 1; i++)
        put(m, head[i]);
    if (p->region == ORO_REGION_ELLIPSE)
        put_ellipse(m);
    else if (p->region == ORO_REGION_POLYGON)
        put_polygon(m);
    else
        put_mask(m);
    return put_places(m, err);
}

/* The words of one paste, to be freed. NULL: see `err`. */
static uint32_t *make_words(const struct oro_paste *paste, size_t *count, struct oro_error *err)
{
    struct making m = {.paste = paste};
    size_t region = check_request(paste, err) ? measure_region(&m, err) : 0;
    if (region == 0)
        return NULL;
    *count = ORO_PASTED_HEAD + region + paste->place_count * ORO_AFFINE_WORDS;
    m.words = oro_alloc(*count, sizeof *m.words);
    if (!m.words) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a region of %zu bytes", *count * sizeof *m.words);
        return NULL;
    }
    put(&m, (uint32_t)*count);
    if (put_paste(&m, err))
        return m.words;
    oro_free(m.words);
    return NULL;
}

/* Whether a tree is one PASTE and nothing after it. */
static bool is_pasted(const struct oro_uplift *tree)
{
    return tree->code[0] == ORO_OP_PASTE &&
           (size_t)tree->code[1] + tree->code[ORO_OP_HEAD] + ORO_OP_HEAD == tree->words;
}

struct oro_uplift *oro_uplift_paste(const struct oro_uplift *tree, const struct oro_paste *paste,
                                    struct oro_error *err)
{
    enum { HEAD = ORO_OP_HEAD + ORO_PASTE_HEAD };
    size_t count = 0, old = is_pasted(tree) ? tree->code[1] - (size_t)HEAD : 0;
    uint32_t *words = make_words(paste, &count, err);
    if (!words)
        return NULL;
    size_t content = old > 0 ? tree->code[ORO_OP_HEAD] : tree->words;
    uint32_t head[HEAD] = {ORO_OP_PASTE, (uint32_t)(HEAD + old + count), (uint32_t)content,
                           old > 0 ? tree->code[ORO_OP_HEAD + 1] + 1 : 1};
    uint32_t end[ORO_OP_HEAD] = {ORO_OP_RETURN, ORO_OP_HEAD};
    struct oro_part parts[] = {{head, HEAD},
                               {tree->code + HEAD, old},
                               {words, count},
                               {old > 0 ? tree->code + HEAD + old : tree->code, content},
                               {end, ORO_OP_HEAD}};
    struct oro_uplift *pasted = oro_uplift_join(parts, 5, err);
    oro_free(words);
    return pasted;
}
