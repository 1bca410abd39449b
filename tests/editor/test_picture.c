/* Pictures: ownership, places, thumbnails. */
#include <pthread.h>

#include "editor/live/thumbnail.h"
#include "tests/editor/live_support.h"

static struct ed_picture *picture_of(int width, int height, int channels, const float *values)
{
    size_t count = (size_t)width * (size_t)height * (size_t)channels;
    float *data = oro_alloc(count, sizeof *data);
    assert_non_null(data);
    memcpy(data, values, count * sizeof *data);
    struct ed_picture like = {.type = channels == 1   ? ORO_FIELD
                                      : channels == 2 ? ORO_VECTOR
                                                      : ORO_IMAGE,
                              .grid = {width, height, 10, 100, 200},
                              .channels = channels};
    struct ed_picture *picture = ed_picture_create(&like, data, NULL);
    assert_non_null(picture);
    return picture;
}

TEST(ranges_and_serials)
{
    const float values[] = {3, NAN, -2, INFINITY};
    const float none[] = {NAN, NAN};
    struct ed_picture *a = picture_of(2, 2, 1, values), *b = picture_of(2, 1, 1, none);
    assert_true(a->low == -2 && a->high == 3);
    assert_true(b->low == 0 && b->high == 0);
    assert_true(a->serial != b->serial);
    const struct ed_picture as = {.revision = 9, .level = 128, .draft = true};
    struct ed_picture *again = ed_picture_again(a, &as), *third = ed_picture_again(again, &as);
    assert_true(again->data == a->data && again->serial == a->serial && again->revision == 9 && again->draft);
    ed_picture_release(a);
    ed_picture_release(again);
    assert_true(third->data[0] == 3); /* it keeps the cells alive */
    ed_picture_release(third);
    ed_picture_release(b);
    ed_picture_release(NULL);
    assert_null(ed_picture_retain(NULL));
}

TEST(places)
{
    const float values[] = {0, 1, 2, 3, 4, 5};
    struct ed_picture *picture = picture_of(3, 2, 1, values);
    float value = -1;
    assert_true(ed_picture_at(picture, 100, 200, 0, &value) && value == 0);
    assert_true(ed_picture_at(picture, 129.9, 219.9, 0, &value) && value == 5);
    assert_false(ed_picture_at(picture, 130, 210, 0, &value));
    assert_false(ed_picture_at(picture, 99.9, 210, 0, &value));
    assert_false(ed_picture_at(picture, 110, 210, 1, &value));
    assert_false(ed_picture_at(picture, NAN, 210, 0, &value));
    assert_true(fabsf(ed_picture_sample(picture, 110, 205, 0) - 0.5F) < 1e-6F);
    assert_true(fabsf(ed_picture_sample(picture, 105, 210, 0) - 1.5F) < 1e-6F);
    assert_true(ed_picture_sample(picture, -1e9, -1e9, 0) == 0); /* held at the border */
    assert_true(ed_picture_sample(picture, 1e9, 1e9, 0) == 5);
    ed_picture_release(picture);
}

static void *pass_on(void *user)
{
    for (int i = 0; i < 10000; i++) {
        struct ed_picture *own = ed_picture_retain(user);
        ed_picture_release(own);
    }
    ed_picture_release(user);
    return NULL;
}

TEST(many_owners)
{
    const float values[] = {1};
    struct ed_picture *picture = picture_of(1, 1, 1, values);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        ed_picture_retain(picture);
        assert_int_equal(pthread_create(&threads[i], NULL, pass_on, picture), 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_true(picture->data[0] == 1);
    ed_picture_release(picture);
}

/* ---- Thumbnails ---- */

TEST(small_raster)
{
    enum { WIDTH = 300, HEIGHT = 100 };
    static float values[WIDTH * HEIGHT];
    static struct ed_thumbnail thumbnail;
    struct oro_error err;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        values[i] = i % WIDTH < WIDTH / 2 ? 0.25F : NAN;
    struct ed_picture *picture = picture_of(WIDTH, HEIGHT, 1, values);
    assert_true(ed_thumbnail_draw(picture, &thumbnail, &err));
    assert_int_equal(thumbnail.width, 96);
    assert_int_equal(thumbnail.height, 32);
    assert_int_equal(thumbnail.rgba[0], 64); /* a mask is shown as it is */
    assert_int_equal(thumbnail.rgba[3], 255);
    assert_int_equal(thumbnail.rgba[4 * 95 + 3], 0); /* no number */
    ed_picture_release(picture);
}

TEST(small_terrain)
{
    enum { SIDE = 64 };
    static float values[SIDE * SIDE];
    static struct ed_thumbnail thumbnail;
    struct oro_error err;
    for (int i = 0; i < SIDE * SIDE; i++) /* a hill */
        values[i] = 100 * expf(-(powf((float)(i % SIDE - 32), 2) + powf((float)(i / SIDE - 32), 2)) / 200);
    struct ed_picture *picture = picture_of(SIDE, SIDE, 1, values);
    picture->terrain = true;
    assert_true(ed_thumbnail_draw(picture, &thumbnail, &err));
    const uint8_t *lit = thumbnail.rgba + 4 * (26 * SIDE + 26), *dark = thumbnail.rgba + 4 * (38 * SIDE + 38);
    assert_true(lit[0] > dark[0] + 30); /* the light comes from the north-west */
    ed_picture_release(picture);
}

TEST(small_network)
{
    static struct ed_thumbnail thumbnail;
    struct oro_error err;
    struct oro_network *network = oro_network_parse("1000 1000, 3000 1000; 2000 500, 2000 1500", &err);
    assert_non_null(network);
    const struct ed_picture like = {.type = ORO_NETWORK};
    struct ed_picture *picture = ed_picture_create(&like, NULL, network);
    assert_true(ed_thumbnail_draw(picture, &thumbnail, &err));
    const uint8_t *middle = thumbnail.rgba + 4 * (48 * 96 + 20), *empty = thumbnail.rgba + 4 * (10 * 96 + 10);
    assert_true(middle[2] > empty[2] + 50);
    assert_int_equal(empty[3], 255);
    ed_picture_release(picture);
}

TEST_GROUP(begin_tests, end_tests);
