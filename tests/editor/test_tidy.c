/* Tidy layout: no overlaps, links to the right, frames around what they held, fast. */
#include "tests/editor/project_support.h"

#include <math.h>
#include <time.h>

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return below ? (*seed >> 8) % below : 0;
}

/* A size of each node's own. */
static void size_of(void *user, const char *node, double *width, double *height)
{
    (void)user;
    unsigned hash = 0;
    for (const char *c = node; *c; c++)
        hash = hash * 31 + (unsigned char)*c;
    *width = 90 + hash % 120;
    *height = 30 + hash / 7 % 150;
}
static const struct ed_sizes sizes = {.size = size_of};

struct rectangle {
    double left, top, right, bottom;
};

static struct rectangle rectangle_of(const struct oro_doc_node *node)
{
    double width, height;
    size_of(NULL, node->id, &width, &height);
    return (struct rectangle){node->x, node->y, node->x + width, node->y + height};
}

static bool overlap(const struct rectangle *a, const struct rectangle *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static void expect_no_overlap(const struct oro_document *doc)
{
    size_t count = oro_document_node_count(doc);
    for (size_t i = 0; i < count; i++) {
        const struct rectangle a = rectangle_of(oro_document_node(doc, i));
        for (size_t k = 0; k < i; k++) {
            const struct rectangle b = rectangle_of(oro_document_node(doc, k));
            if (overlap(&a, &b))
                fail_msg("'%s' lies on '%s'", oro_document_node(doc, i)->id, oro_document_node(doc, k)->id);
        }
    }
}

static void expect_rightwards(const struct oro_document *doc)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = 0; k < node->input_count; k++)
            if (node->inputs[k].from_node)
                assert_true(rectangle_of(oro_document_find(doc, node->inputs[k].from_node)).right < node->x);
    }
}

/* Links lead from earlier nodes to later ones, near ones more often. */
static struct ed_project *random_graph(size_t count, uint32_t seed)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    struct oro_document *doc = ed_edit_begin(p, "make", &err);
    char id[32], from[32], input[8];
    for (size_t i = 0; i < count; i++) {
        snprintf(id, sizeof id, "n%zu", i);
        OK(oro_edit_add_node(doc, id, "combine", 1, chance(&seed, 4000), chance(&seed, 3000), &err));
        for (uint32_t k = 0, links = i ? chance(&seed, 4) : 0; k < links; k++) {
            size_t back = 1 + chance(&seed, (uint32_t)(chance(&seed, 8) ? (i < 20 ? i : 20) : i));
            snprintf(from, sizeof from, "n%zu", i - back);
            snprintf(input, sizeof input, "i%u", k);
            OK(oro_edit_connect(doc, id, input, from, "field", &err));
        }
    }
    OK(ed_edit_end(p, true, &err));
    return p;
}

TEST(random_graphs)
{
    struct oro_error err = {0};
    const struct ed_names all = {0};
    for (uint32_t seed = 1; seed <= 40; seed++) {
        struct ed_project *p = random_graph(1 + seed * 5, seed);
        OK(ed_tidy(p, &all, &sizes, &err));
        expect_no_overlap(ed_project_root(p));
        expect_rightwards(ed_project_root(p));
        char *text = text_of(p);
        OK(ed_project_undo(p, &err));
        OK(ed_tidy(p, &all, &sizes, &err));
        expect_text(p, text); /* the same again */
        oro_free(text);
        ed_project_destroy(p);
    }
}

TEST(fast)
{
    struct oro_error err = {0};
    const struct ed_names all = {0};
    double best = 1e9;
    struct ed_project *p = random_graph(1000, 7);
    for (int i = 0; i < 5; i++) {
        clock_t begin = clock();
        OK(ed_tidy(p, &all, &sizes, &err));
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        best = seconds < best ? seconds : best;
        OK(ed_project_undo(p, &err));
    }
    print_message("1000 nodes: %.1f ms\n", best * 1000);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(best < 0.05);
#endif
    ed_project_destroy(p);
}

/* One of the frames holds the other; a third is held by nothing. */
TEST(frames)
{
    struct oro_error err = {0};
    const struct ed_names all = {0};
    struct ed_project *p = random_graph(30, 3);
    struct oro_document *doc = ed_edit_begin(p, "frames", &err);
    char id[32];
    for (int i = 0; i < 30; i++) {
        snprintf(id, sizeof id, "n%d", i);
        OK(oro_edit_move(doc, id, i % 10 * 250, i / 10 * 400, &err));
    }
    const struct oro_doc_frame frames[] = {
        {.title = (char *)"outer", .x = -10, .y = -10, .width = 1000, .height = 800},
        {.title = (char *)"inner", .x = 240, .y = 390, .width = 500, .height = 300},
        {.title = (char *)"last", .x = 1990, .y = 790, .width = 600, .height = 300},
    };
    for (int i = 0; i < 3; i++)
        OK(oro_edit_add_frame(doc, &frames[i], &err));
    OK(ed_edit_end(p, true, &err));
    bool held[3][30];
    for (int round = 0; round < 2; round++) {
        for (int f = 0; f < 3; f++) {
            const struct oro_doc_frame *frame = oro_document_frame(ed_project_root(p), (size_t)f);
            for (int i = 0; i < 30; i++) {
                const struct oro_doc_node *node = oro_document_node(ed_project_root(p), (size_t)i);
                const struct rectangle r = rectangle_of(node);
                bool in = node->x >= frame->x && node->x < frame->x + frame->width && node->y >= frame->y &&
                          node->y < frame->y + frame->height;
                if (round == 1) {
                    assert_int_equal(in, held[f][i]);
                    assert_true(!in ||
                                (r.right < frame->x + frame->width && r.bottom < frame->y + frame->height));
                }
                held[f][i] = in;
            }
        }
        if (round == 0)
            OK(ed_tidy(p, &all, &sizes, &err));
    }
    expect_no_overlap(ed_project_root(p));
    assert_true(oro_document_frame(ed_project_root(p), 1)->x > oro_document_frame(ed_project_root(p), 0)->x);
    ed_project_destroy(p);
}

/* Links as documents may hold them: in cycles, from a node to itself, from nowhere. */
TEST_WITH(circles, NULL, remove_test_folder)
{
    struct oro_error err = {0};
    struct ed_project *p = new_project();
    const struct ed_names all = {0};
    static const char text[] = "<orograph version=\"1\" xmlns=\"urn:orograph:1\">"
                               "<node id=\"a\" type=\"blur\"><in name=\"x\" from=\"c.f\"/></node>"
                               "<node id=\"b\" type=\"blur\"><in name=\"x\" from=\"a.f\"/></node>"
                               "<node id=\"c\" type=\"blur\"><in name=\"x\" from=\"b.f\"/></node>"
                               "<node id=\"d\" type=\"blur\"><in name=\"x\" from=\"d.f\"/></node>"
                               "<node id=\"e\" type=\"blur\"><in name=\"x\" from=\"none.f\"/></node>"
                               "</orograph>";
    char path[128];
    snprintf(path, sizeof path, "%s/circles.oro", test_folder());
    OK(oro_file_write(path, text, strlen(text), &err));
    OK(ed_project_open(p, path, NULL, &err));
    OK(ed_tidy(p, &all, &sizes, &err));
    expect_no_overlap(ed_project_root(p));
    ed_project_destroy(p);
}

/* Others stay where they are. */
TEST(some)
{
    struct oro_error err = {0};
    struct ed_project *p = random_graph(20, 5);
    struct ed_names some = NAMES("n3", "n4", "n5");
    double x = oro_document_find(ed_project_root(p), "n10")->x;
    OK(ed_tidy(p, &some, &sizes, &err));
    assert_true(oro_document_find(ed_project_root(p), "n10")->x == x);
    assert_false(ed_tidy(p, &(struct ed_names){(char *[]){(char *)"nobody"}, 1, 1}, &sizes, &err));
    ed_names_free(&some);
    ed_project_destroy(p);
}

/* Outputs near the upper edge, inputs near the lower one. */
static double socket_of(void *user, const char *node, const char *socket, bool output)
{
    (void)user;
    (void)node;
    (void)socket;
    return output ? 0.2 : 0.7;
}

/* Links of a chain are level where sockets are, and not where their nodes' middles are. */
TEST(sockets)
{
    struct oro_error err = {0};
    const struct ed_names all = {0};
    const struct ed_sizes with_sockets = {.size = size_of, .socket = socket_of};
    struct ed_project *p = new_project();
    struct oro_document *doc = ed_edit_begin(p, "make", &err);
    char id[32], from[32];
    for (int i = 0; i < 12; i++) {
        snprintf(id, sizeof id, "n%d", i);
        snprintf(from, sizeof from, "n%d", i - 1);
        OK(oro_edit_add_node(doc, id, "combine", 1, 0, 0, &err));
        OK(i == 0 || oro_edit_connect(doc, id, "a", from, "field", &err));
    }
    OK(ed_edit_end(p, true, &err));
    OK(ed_tidy(p, &all, &with_sockets, &err));
    for (size_t i = 1; i < 12; i++) {
        const struct rectangle a = rectangle_of(oro_document_node(ed_project_root(p), i - 1)),
                               b = rectangle_of(oro_document_node(ed_project_root(p), i));
        double output = a.top + 0.2 * (a.bottom - a.top), input = b.top + 0.7 * (b.bottom - b.top);
        assert_true(output - input < 1.01 && input - output < 1.01);
    }
    ed_project_destroy(p);
}

/* An input below the other one. */
static double socket_below(void *user, const char *node, const char *socket, bool output)
{
    (void)user;
    (void)node;
    return output ? 0.2 : strcmp(socket, "a") == 0 ? 0.4 : 0.8;
}

/* Nodes that follow one another by their first inputs stand in a row, whatever else they are linked to. */
TEST(no_stairs)
{
    enum { COUNT = 6 };
    static const struct ed_sizes with_sockets = {.size = size_of, .socket = socket_below};
    struct oro_error err = {0};
    const struct ed_names all = {0};
    struct ed_project *p = new_project();
    struct oro_document *doc = ed_edit_begin(p, "chain", &err);
    char id[32], before[32] = "first";
    OK(oro_edit_add_node(doc, "side", "noise", 1, 0, 0, &err));
    OK(oro_edit_add_node(doc, "first", "noise", 1, 0, 0, &err));
    for (int i = 0; i < COUNT; i++) {
        snprintf(id, sizeof id, "next%d", i);
        OK(oro_edit_add_node(doc, id, "combine", 1, 0, 0, &err));
        OK(oro_edit_connect(doc, id, "a", before, "field", &err));
        OK(oro_edit_connect(doc, id, "b", "side", "field", &err));
        snprintf(before, sizeof before, "%s", id);
    }
    OK(ed_edit_end(p, true, &err));
    OK(ed_tidy(p, &all, &with_sockets, &err));
    const struct oro_document *root = ed_project_root(p);
    expect_no_overlap(root);
    for (int i = 1; i < COUNT; i++) {
        char last[32];
        double width, height, last_height;
        snprintf(id, sizeof id, "next%d", i);
        snprintf(last, sizeof last, "next%d", i - 1);
        size_of(NULL, id, &width, &height);
        size_of(NULL, last, &width, &last_height);
        double end = oro_document_find(root, id)->y + height * socket_below(NULL, id, "a", false);
        double start =
            oro_document_find(root, last)->y + last_height * socket_below(NULL, last, "field", true);
        assert_true(fabs(end - start) < 1.01); /* places are whole numbers */
    }
    ed_project_destroy(p);
}

TEST_GROUP(set_up_registry, tear_down_registry);
