/* Networks: their bytes, their literal form, stream orders and distances. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/network.h"
#include "tests/support/test.h"

static struct oro_network *parse(const char *text)
{
    struct oro_error err = {0};
    struct oro_network *network = oro_network_parse(text, &err);
    if (!network)
        fail_msg("'%s': %s", text, err.text);
    return network;
}

TEST(literal)
{
    struct oro_network *n = parse(" 0 0 100, 1e3 -5.5 ;\n1000 -5.5 250 40,\t7 8; 3 3;");
    const struct oro_vertex *v = oro_network_vertices(n);
    const uint32_t *starts = oro_network_starts(n), *indices = oro_network_indices(n);
    static const uint32_t wanted_starts[] = {0, 2, 4, 6}, wanted_indices[] = {0, 1, 1, 2, 3, 3};
    assert_int_equal(n->vertex_count, 4);
    assert_int_equal(n->line_count, 3);
    assert_memory_equal(starts, wanted_starts, sizeof wanted_starts);
    assert_memory_equal(indices, wanted_indices, sizeof wanted_indices);
    assert_true(v[0].elevation == 100 && isnan(v[0].width) && isnan(v[0].drainage));
    /* The vertex that both lines name knows what the second says of it. */
    assert_true(v[1].x == 1000 && v[1].y == -5.5f && v[1].elevation == 250 && v[1].width == 40);
    assert_true(isnan(v[2].elevation));
    assert_ptr_equal(oro_network_of(n, oro_network_bytes(n), NULL), n);
    oro_free(n);
}

TEST(empty)
{
    static const char *const texts[] = {"", "  ", ";", " ;\n; "};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct oro_network *n = parse(texts[i]);
        assert_int_equal(n->vertex_count + n->line_count + n->index_count, 0);
        assert_true(oro_network_check_tree(n, NULL) && oro_network_strahler(n, NULL, NULL));
        assert_true(isnan(oro_network_distance(n, n, 1)));
        oro_free(n);
    }
}

/* A vertex upon itself is dropped; a line that stays where it is becomes a point. */
TEST(joined)
{
    static const uint32_t wanted[] = {0, 0, 1, 2, 3, 2, 2};
    struct oro_network *n = parse("5 5, 5 5, 5 5; 1 1, 1 1, 2 2, -0 0, 0 -0; 2 2, 2 2");
    assert_int_equal(n->vertex_count, 4);
    assert_int_equal(n->line_count, 3);
    assert_int_equal(n->index_count, 7);
    assert_memory_equal(oro_network_indices(n), wanted, sizeof wanted);
    oro_free(n);
}

TEST(wrong_literals)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"1", "vertex 1 of the network has one number"},
        {"1 2, 3", "vertex 2"},
        {"1 2,", "vertex 2 of the network is missing"},
        {",1 2", "missing"},
        {"1 2,,3 4", "missing"},
        {"1 2 3 4 5", "more than 4"},
        {"1 2 3 -4", "width"},
        {"1 x", "'x'"},
        {"nan 2", "'nan'"},
        {"1 inf", "'inf'"},
        {"1e10 0", "1e9"},
        {"1,5 2", "one number"},
        {"0x10 2", "'0x10'"},
        {"1 1111111111111111111111111111111111111111111111111111111111111", "is not a number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct oro_error err = {0};
        assert_null(oro_network_parse(wrong[i].text, &err));
        assert_int_equal(err.code, ORO_E_DOCUMENT);
        if (!strstr(err.text, wrong[i].says))
            fail_msg("'%s': %s", wrong[i].text, err.text);
    }
}

TEST(literal_limit)
{
    char text[4097 * 4 + 1] = "";
    struct oro_error err = {0};
    for (int i = 0; i < 4097; i++)
        memcpy(text + (ptrdiff_t)4 * i, "1 2;", 5);
    assert_null(oro_network_parse(text, &err));
    assert_non_null(strstr(err.text, "4096"));
    text[4096 * 4] = '\0';
    struct oro_network *n = parse(text);
    assert_int_equal(n->vertex_count, 1);
    assert_int_equal(n->line_count, 4096);
    oro_free(n);
}

/* Bytes that are damaged anywhere are refused, or are still a network that can be read. */
TEST(damaged)
{
    struct oro_network *n = parse("0 0 1, 1 1 2, 2 5; 1 1, 4 4 2 2");
    size_t bytes = oro_network_bytes(n);
    unsigned char *copy = oro_alloc(bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(copy, n, bytes);
            copy[i] ^= (unsigned char)(1 << bit);
            const struct oro_network *read = oro_network_of(copy, bytes, NULL);
            if (i < 20) /* the header */
                assert_null(read);
            if (read) {
                uint32_t order[5];
                oro_network_strahler(read, order, NULL);
            }
        }
    assert_null(oro_network_of(n, bytes - 1, NULL));
    assert_null(oro_network_of(n, 3, NULL));
    assert_null(oro_network_of(NULL, 0, NULL));
    oro_free(copy);
    oro_free(n);
}

TEST(wrong_vertices)
{
    struct oro_vertex wrong[6], good = oro_vertex_at(1, 2);
    for (int i = 0; i < 6; i++)
        wrong[i] = good;
    wrong[0].y = NAN;
    wrong[1].elevation = -INFINITY;
    wrong[2].drainage = -1;
    wrong[3].width = INFINITY;
    wrong[4].prominence = -1;
    wrong[5].kind = 6;
    for (int i = 0; i < 6; i++) {
        struct oro_network_builder b = {0};
        struct oro_error err = {0};
        oro_network_add_vertex(&b, good);
        uint32_t bad = oro_network_add_vertex(&b, wrong[i]);
        oro_network_add_line(&b, (uint32_t[]){0, bad}, 2);
        assert_null(oro_network_finish(&b, &err));
        assert_int_equal(err.code, ORO_E_EVALUATE);
        assert_non_null(strstr(err.text, "vertex 2"));
    }
    good.prominence = INFINITY;
    struct oro_network_builder b = {0};
    uint32_t missing[] = {oro_network_add_vertex(&b, good), 1};
    oro_network_add_line(&b, missing, 2);
    assert_null(oro_network_finish(&b, NULL));
    missing[1] = oro_network_add_vertex(&b, good);
    oro_network_add_line(&b, missing, 1); /* no line */
    struct oro_network *n = oro_network_finish(&b, NULL);
    assert_int_equal(n->line_count, 0);
    oro_free(n);
}

TEST(trees)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"0 0, 1 0, 2 0; 1 0, 1 1; 9 9, 8 8; 5 5", NULL},
        {"0 0, 1 0, 1 1, 0 0", "line 1"},
        {"0 0, 1 0; 1 0, 1 1; 7 7, 1 1, 0 0", "line 3 closes one near 0, 0 m"},
        {"0 0, 1 0; 0 0, 1 0", "line 2"},
        {"0 0, 1 0, 0 0", "near 0, 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct oro_error err = {0};
        struct oro_network *n = parse(cases[i].text);
        uint32_t order[16];
        bool tree = cases[i].says == NULL;
        assert_int_equal(oro_network_check_tree(n, &err), tree);
        assert_int_equal(oro_network_strahler(n, order, NULL), tree);
        if (!tree && !strstr(err.text, cases[i].says))
            fail_msg("%s", err.text);
        oro_free(n);
    }
}

/* Two streams of order 2 meet, one of 1 comes in further down; lines in no particular order. */
TEST(strahler)
{
    struct oro_network *n = parse("40 0, 50 0; 0 0, 10 5, 20 5; 0 9, 10 5; 0 20, 10 15, 20 5; 0 25, 10 15;"
                                  "20 5, 30 5, 40 0; 40 10, 40 0; 90 90; 50 0, 60 0; 45 45, 50 0");
    const struct oro_vertex *v = oro_network_vertices(n);
    uint32_t order[16] = {0};
    assert_true(oro_network_strahler(n, order, NULL));
    for (uint32_t i = 0; i < n->vertex_count; i++) {
        bool source = v[i].x == 0 || v[i].x == 45 || v[i].x == 90 || v[i].y == 10;
        uint32_t wanted = source ? 1 : v[i].x == 10 ? 2 : 3;
        if (order[i] != wanted)
            fail_msg("%g %g: %u", (double)v[i].x, (double)v[i].y, order[i]);
    }
    oro_free(n);
}

TEST(distance)
{
    struct oro_network *a = parse("0 0, 100 0"), *b = parse("-50 3, 200 3"), *point = parse("50 4");
    struct oro_network *far = parse("0 1000, 100 1000; 0 -20, 100 -20; 400 0, 400 500");
    assert_true(oro_network_distance(a, a, 7) < 1e-9);
    assert_true(fabs(oro_network_distance(a, b, 7) - 3) < 1e-9);
    assert_true(oro_network_distance(point, a, 7) == 4);
    assert_true(oro_network_distance(point, point, 7) == 0);
    assert_true(fabs(oro_network_distance(a, far, 7) - 20) < 1e-9);
    /* Mean of |x - 50| over 0..100 without the offset: sqrt((x - 50)^2 + 16), by its integral. */
    double half = 50 * sqrt(2500 + 16) / 2 + 8 * asinh(50 / 4.0);
    assert_true(fabs(oro_network_distance(a, point, 0.1) - half / 50) < 1e-4);
    assert_true(isnan(oro_network_distance(a, b, 0)) && isnan(oro_network_distance(a, b, NAN)));
    assert_true(isnan(oro_network_distance(a, b, INFINITY)));
    assert_true(fabs(oro_network_distance(a, b, 1e-12) - 3) < 1e-9); /* ends soon */
    oro_free(a);
    oro_free(b);
    oro_free(point);
    oro_free(far);
}

static float noise(uint32_t cell)
{
    uint32_t x = cell * 747796405u + 2891336453u;
    x = (x >> (x >> 28)) ^ x;
    x *= 277803737u;
    return (float)(x >> 8) / 16777216.0f;
}

/* Single segments here and there, and points, against looking at all of them. */
TEST(distance_by_hand)
{
    enum { COUNT = 300 };
    struct oro_network_builder lines = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        float x = noise(4 * i) * 1000, y = noise(4 * i + 1) * (i % 2 ? 1000 : 1);
        uint32_t line[2] = {oro_network_add_vertex(&lines, oro_vertex_at(x, y))};
        line[1] = oro_network_add_vertex(&lines,
                                         oro_vertex_at(x + 40 * noise(4 * i + 2), y + 40 * noise(4 * i + 3)));
        oro_network_add_line(&lines, line, 2);
    }
    struct oro_network *b = oro_network_finish(&lines, NULL);
    const struct oro_vertex *v = oro_network_vertices(b);
    for (uint32_t k = 0; k < 50; k++) {
        struct oro_network_builder one = {0};
        struct oro_vertex p = oro_vertex_at(noise(k + 7777) * 1200 - 100, noise(k + 9999) * 1200 - 100);
        uint32_t at = oro_network_add_vertex(&one, p);
        oro_network_add_line(&one, (uint32_t[]){at, at}, 2);
        struct oro_network *a = oro_network_finish(&one, NULL);
        double least = INFINITY;
        for (uint32_t i = 0; i < COUNT; i++) {
            double ax = (double)v[2 * i].x, ay = (double)v[2 * i].y;
            double dx = (double)v[2 * i + 1].x - ax, dy = (double)v[2 * i + 1].y - ay;
            double t = (((double)p.x - ax) * dx + ((double)p.y - ay) * dy) / (dx * dx + dy * dy);
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            least = fmin(least, hypot((double)p.x - ax - t * dx, (double)p.y - ay - t * dy));
        }
        assert_true(fabs(oro_network_distance(a, b, 1) - least) < 1e-9);
        oro_free(a);
    }
    oro_free(b);
}

/* A hundred thousand points on one place, and on one line: no case is slow. */
TEST(many)
{
    enum { COUNT = 100000 };
    struct oro_network_builder same = {0}, row = {0};
    uint32_t *line = oro_alloc(COUNT, sizeof *line);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t at = oro_network_add_vertex(&same, oro_vertex_at(1, 1));
        oro_network_add_line(&same, (uint32_t[]){at, at}, 2);
        line[i] = oro_network_add_vertex(&row, oro_vertex_at((float)i, 0));
    }
    oro_network_add_line(&row, line, COUNT);
    struct oro_network *a = oro_network_finish(&same, NULL), *b = oro_network_finish(&row, NULL);
    assert_true(oro_network_distance(a, b, 1) == 1);
    assert_true(oro_network_distance(b, a, 1) > 40000);
    assert_true(oro_network_check_tree(b, NULL));
    oro_free(line);
    oro_free(a);
    oro_free(b);
}

TEST(no_memory)
{
    for (size_t n = 1;; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        struct oro_network *network = oro_network_parse("0 0, 1 1, 2 2; 1 1, 5 5", &err);
        uint32_t order[4];
        bool ok = network && oro_network_strahler(network, order, &err);
        oro_memory_fail_at(0);
        oro_free(network);
        if (ok)
            break;
        assert_int_equal(err.code, ORO_E_MEMORY);
        assert_true(n < 100);
    }
}
