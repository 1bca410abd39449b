/* The parts of hydraulic erosion one by one: slides, water at rest and in channels, limits, switches. */
#include "tests/nodes/erosion/basin.h"
#include "tests/support/test.h"

enum { SIDE = 48, CELLS = SIDE * SIDE };
#define DRY IN("rain", "0")
#define STILL DRY IN("borders", "walls") /* water stays, and nothing comes */

static void assert_same(const float *a, const float *b)
{
    assert_memory_equal(a, b, CELLS * sizeof *a);
}

/* ---- Slides ---- */

#define SLIDES IN("flow", "false") IN("slide_rate", "20") IN("talus_bias", "0.3") IN("talus_hardness", "0.8")

/* Steepest of the slopes at corners between four cells of some columns. */
static double steepest(const float *ground, int from, int to)
{
    double most = 0;
    for (int y = 0; y < SIDE - 1; y++)
        for (int x = from; x < to - 1; x++) {
            const float *nw = &ground[SIDE * y + x], *sw = nw + SIDE;
            double north = (double)(nw[1] - nw[0]), south = (double)(sw[1] - sw[0]);
            double west = (double)(sw[0] - nw[0]), east = (double)(sw[1] - nw[1]);
            most = fmax(most, hypot(hypot(north, south), hypot(west, east)) * sqrt(0.5) / 20);
        }
    return most;
}

TEST(slopes_end_at_the_talus_angle)
{
    need_device();
    float *rough = site_rough(SIDE, SIDE, 12, 400, 0, 21), *hardness = site_uniform(SIDE, SIDE, 0.25);
    for (int i = 0; i < CELLS; i++)
        hardness[i] = i % SIDE < SIDE / 2 ? 0.25f : 0.75f;
    struct site site = site_start(&h, SIDE, SIDE, 20);
    site_raster(&site, "ground", rough);
    site_raster(&site, "hardness", hardness);
    add_erosion(&site, LINK("hardness", "hardness.terrain") SLIDES IN("iterations", "4000"));
    float *after = site_take(&site, "n", "terrain");
    double soft = steepest(after, 0, SIDE / 2), hard = steepest(after, SIDE / 2, SIDE);
    print_message("slopes %.6f of 0.5 and %.6f of 0.9; before %.3g\n", soft, hard, steepest(rough, 0, SIDE));
    assert_true(steepest(rough, SIDE / 2, SIDE) > 1.2);
    assert_true(soft <= 0.5 * (1 + 1e-4) && soft > 0.49); /* which slides approach from above */
    assert_true(hard <= 0.9 * (1 + 1e-4) && hard > 0.8);
    double moved = 0, sum = 0;
    for (int i = 0; i < CELLS; i++) {
        moved += fabs((double)after[i] - (double)rough[i]) / 2;
        sum += (double)after[i] - (double)rough[i];
    }
    assert_near(sum, 0, 1e-6 * moved);
    oro_free(after);
    oro_free(rough);
    oro_free(hardness);
}

TEST(gentle_slopes_do_not_slide)
{
    need_device();
    float *plane = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) /* 0.68 along rows, 0.696 in all, of 0.7 */
        plane[i] = (float)(13.6 * (i % SIDE) + 3.7 * sin(0.8 * (i / SIDE)));
    float *after = eroded(plane, SIDE, SIDE, SLIDES, "terrain");
    assert_same(plane, after);
    oro_free(after);
    after = eroded(plane, SIDE, SIDE, SLIDES IN("hardness", "0.45"), "terrain");
    assert_true(site_difference(plane, after, CELLS) > 0.01); /* softer ground would */
    oro_free(after);
    oro_free(plane);
}

/* ---- Water at rest ---- */

/* A bowl whose depths are whole numbers of steps. */
static float *make_bowl(void)
{
    float *bowl = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        bowl[i] = floorf((float)hypot(i % SIDE - 23.5, i / SIDE - 23.5) * 160) / 64;
    return bowl;
}

/* Of waves a few cells long: squares of the surface's Laplacian, within the lake. */
static double unevenness(const float *surface)
{
    double sum = 0;
    for (int y = 12; y < SIDE - 12; y++)
        for (int x = 12; x < SIDE - 12; x++) {
            const float *at = &surface[SIDE * y + x];
            double bend =
                4 * (double)at[0] - (double)at[1] - (double)at[-1] - (double)at[SIDE] - (double)at[-SIDE];
            sum += bend * bend;
        }
    return sum;
}

static void add(float *to, const float *more)
{
    for (int i = 0; i < CELLS; i++)
        to[i] += more[i];
}

/* A lake in the bowl up to 50 m, with waves as high as `waves`. */
static struct site make_lake(const float *bowl, double waves, const char *inputs)
{
    struct site site = site_start(&h, SIDE, SIDE, 20);
    float *water = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        water[i] = fmaxf(50 - bowl[i] + (float)(waves * (site_random(4, i) - 0.5)), 0);
    site_raster(&site, "ground", bowl);
    site_raster(&site, "water", water);
    oro_free(water);
    add_erosion(&site, format(LINK("water", "water.terrain") STILL IN("thermal", "false") "%s", inputs));
    return site;
}

TEST(waves_die_down)
{
    need_device();
    for (int k = 0; k < 4; k++) {
        float *bowl = make_bowl();
        double first = 0, last = INFINITY;
        for (int iterations = 0; iterations <= 640; iterations = iterations ? 2 * iterations : 5) {
            struct site site = make_lake(bowl, 1,
                                         format(IN("neighbours", "%d") IN("friction", "0") IN("erosion", "%s")
                                                    IN("iterations", "%d"),
                                                k % 2 ? 8 : 4, k / 2 ? "true" : "false", iterations));
            float *surface = site_take(&site, "n", "water"), *bottom = site_take(&site, "n", "terrain");
            add(surface, bottom);
            double energy = unevenness(surface);
            first = iterations ? first : energy;
            if (!(energy < last))
                fail_msg("%g after %d iterations, was %g", energy, iterations, last);
            last = energy;
            oro_free(surface);
            oro_free(bottom);
        }
        print_message("unevenness %.3g is left of %.3g\n", last, first);
        assert_true(last < 1e-4 * first);
        oro_free(bowl);
    }
}

/* Waves with erosion leave no ripples on the bottom: eq. 12c and 13c. */
TEST(no_ripples_on_the_bottom)
{
    need_device();
    float *bowl = make_bowl();
    struct site site = make_lake(bowl, 1, IN("iterations", "600") IN("erosion_depth", "100"));
    float *bottom = site_take(&site, "n", "terrain"), *change = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        change[i] = bottom[i] - bowl[i];
    double moved = site_difference(bottom, bowl, CELLS);
    print_message("ripples of %.2g m rms on the bottom, where %.2g m moved\n", sqrt(unevenness(change) / 576),
                  moved);
    assert_true(sqrt(unevenness(change) / 576) < 0.01);
    oro_free(bowl);
    oro_free(bottom);
    oro_free(change);
}

TEST(a_level_lake_stays_level)
{
    need_device();
    float *bowl = make_bowl();
    for (int k = 0; k < 2; k++) {
        const char *neighbours = format(IN("neighbours", "%d"), k ? 8 : 4);
        struct site start = make_lake(bowl, 0, format("%s" IN("iterations", "0"), neighbours));
        struct site end = make_lake(bowl, 0, format("%s" IN("iterations", "300"), neighbours));
        float *before = site_take(&start, "n", "water"), *after = site_take(&end, "n", "water");
        float *bottom = site_take(&end, "n", "terrain");
        assert_true(before[SIDE * 24 + 24] > 40);
        assert_same(before, after);
        assert_same(bowl, bottom);
        oro_free(before);
        oro_free(after);
        oro_free(bottom);
    }
    oro_free(bowl);
}

/* ---- Water in channels ---- */

/* A plane that falls by 0.02 to the east, between banks; turned by quarters. */
static int place_of(int along, int across, int turn)
{
    int x = along, y = across;
    for (int i = 0; i < turn; i++) {
        int was = x;
        x = SIDE - 1 - y;
        y = was;
    }
    return SIDE * y + x;
}

static void make_channel(struct site *site, int turn, const char *inputs)
{
    float *ground = site_uniform(SIDE, SIDE, 0), *rain = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        int along = i % SIDE, across = i / SIDE;
        bool bank = across < 18 || across > 29;
        ground[place_of(along, across, turn)] = (float)(100 - 0.02 * 20 * along + (bank ? 60 : 0));
        rain[place_of(along, across, turn)] = bank ? 0 : 0.01f;
    }
    *site = site_start(&h, SIDE, SIDE, 20);
    site_raster(site, "ground", ground);
    site_raster(site, "rain", rain);
    add_erosion(site, format(LINK("rain", "rain.terrain") IN("thermal", "false") "%s", inputs));
    oro_free(ground);
    oro_free(rain);
}

/* Chezy: v = sqrt(g d s / friction). The flux grows by the rain on the way. */
TEST(channels_follow_chezy)
{
    need_device();
    for (int turn = 0; turn < 4; turn++) { /* two of them with eight neighbours */
        int neighbours = turn % 3 ? 4 : 8;
        struct site site;
        make_channel(&site, turn,
                     format(IN("erosion", "false") IN("friction", "0.05") IN("time_step", "0.045")
                                IN("neighbours", "%d") IN("iterations", "1600"),
                            neighbours));
        float *water = site_take(&site, "n", "water"), *velocity = site_take(&site, "n", "velocity"),
              *flux = site_take(&site, "n", "flux"), *ground = site_take(&site, "n", "terrain");
        double worst[3] = {0}, first = 0;
        for (int along = 10; along < SIDE - 10; along++) {
            int i = place_of(along, 24, turn), next = place_of(along + 1, 24, turn),
                before = place_of(along - 1, 24, turn), axis = turn % 2;
            double slope = ((double)ground[before] + (double)water[before] - (double)ground[next] -
                            (double)water[next]) /
                           40;
            double sign = turn == 0 || turn == 1 ? 1 : -1;
            double speed = sign * (double)velocity[2 * i + axis], depth = (double)water[i];
            double expected = sqrt(9.81 * depth * slope / 0.05);
            /* A second of the inputs is sqrt(20) seconds. */
            double rained = 0.01 * 20 / sqrt(20) * 400 * (along - 10),
                   flow = sign * (double)flux[2 * i + axis];
            first = along == 10 ? flow : first;
            worst[0] = fmax(worst[0], fabs(speed / expected - 1));
            worst[1] = fmax(worst[1], fabs((double)velocity[2 * i + 1 - axis]) / expected);
            worst[2] = fmax(worst[2], fabs((flow - first - rained) / flow));
        }
        print_message("channel, %d neighbours: speed within %.2g, across %.2g, flux within %.2g\n",
                      neighbours, worst[0], worst[1], worst[2]);
        assert_true(worst[0] < 0.03 && worst[1] < 0.01 && worst[2] < 0.02);
        oro_free(water);
        oro_free(velocity);
        oro_free(flux);
        oro_free(ground);
    }
}

/* ---- Erosion ---- */

static double deepest_erosion(const char *inputs)
{
    struct site site;
    make_channel(&site, 0, format("%s" IN("iterations", "200"), inputs));
    float *depth = site_take(&site, "n", "eroded");
    double most = 0;
    for (int x = 10; x < SIDE - 10; x++)
        most = fmax(most, (double)depth[SIDE * 24 + x]);
    oro_free(depth);
    return most;
}

TEST(deep_water_does_not_erode)
{
    need_device();
    double limited = deepest_erosion(IN("erosion_depth", "0.0001")),
           unlimited = deepest_erosion(IN("erosion_depth", "0.0001") IN("limit_depth", "false")),
           shallow = deepest_erosion(IN("erosion_depth", "10"));
    print_message("eroded %.3g m; %.3g m without the limit, %.3g m with a high one\n", limited, unlimited,
                  shallow);
    assert_true(unlimited > 0.01 && limited < 0.01 * unlimited);
    assert_true(shallow > 0.5 * unlimited && shallow < unlimited);
}

/* Water runs down a slope onto a flat: with collision it digs at the slope's foot, not on it. */
TEST(water_digs_where_it_meets_ground)
{
    need_device();
    float *ground = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        ground[i] = (float)fmax(100 - 8 * (i % SIDE), 100 - 8 * 24);
    double share[2];
    for (int k = 0; k < 2; k++) {
        float *depth = eroded(ground, SIDE, SIDE,
                              format(IN("thermal", "false") IN("iterations", "60") IN("least_slope", "0.5")
                                         IN("collision", "%d"),
                                     k),
                              "eroded");
        share[k] = (double)depth[SIDE * 24 + 24] / (double)depth[SIDE * 24 + 20];
        oro_free(depth);
    }
    print_message("at the foot of a slope, over that on it: %.3g; with collision %.3g\n", share[0], share[1]);
    assert_true(share[1] > 3 * share[0]);
    oro_free(ground);
}

/* One step of still water with sediment in its western half: eq. 13 and 14 by hand. */
TEST(what_settles_softens)
{
    need_device();
    float *flat = site_uniform(SIDE, SIDE, 64), *sediment = site_uniform(SIDE, SIDE, 0),
          *water = site_uniform(SIDE, SIDE, 4);
    for (int i = 0; i < CELLS; i++)
        sediment[i] = i % SIDE < 24 ? 2 : 0;
    for (int k = 0; k < 2; k++) {
        struct site site = site_start(&h, SIDE, SIDE, 20);
        site_raster(&site, "ground", flat);
        site_raster(&site, "water", water);
        site_raster(&site, "sediment", sediment);
        add_erosion(&site, format(LINK("water", "water.terrain") LINK("sediment", "sediment.terrain")
                                      STILL IN("iterations", "1") IN("capacity", "0") IN("deposition", "2")
                                          IN("softening", "8") IN("hardness", "0.6") IN("exchange", "%s"),
                                  k ? "true" : "false"));
        float *hardness = site_take(&site, "n", "hardness"), *terrain = site_take(&site, "n", "terrain"),
              *depth = site_take(&site, "n", "water");
        for (int i = 0; i < CELLS; i++) {
            double settled = 0.02 * 2 * (double)sediment[i];
            assert_near(terrain[i], 64 + settled, 3e-5);
            assert_near(hardness[i], 0.6 - 8 * settled / 20, 1e-6);
            assert_near(depth[i], 4 - (k ? settled : 0), 3e-5); /* eq. 13c */
            assert_true(sediment[i] > 0 || hardness[i] == hardness[CELLS - 1]);
        }
        oro_free(hardness);
        oro_free(terrain);
        oro_free(depth);
    }
    oro_free(flat);
    oro_free(sediment);
    oro_free(water);
}

TEST(water_evaporates)
{
    need_device();
    float *flat = site_uniform(SIDE, SIDE, 64), *water = site_uniform(SIDE, SIDE, 3),
          *sediment = site_uniform(SIDE, SIDE, 1);
    static const struct {
        double rate;
        int iterations;
    } cases[] = {{0.5, 80}, {20, 900}};
    for (int k = 0; k < 2; k++) {
        struct site site = site_start(&h, SIDE, SIDE, 20);
        site_raster(&site, "ground", flat);
        site_raster(&site, "water", water);
        site_raster(&site, "sediment", sediment);
        add_erosion(&site,
                    format(LINK("water", "water.terrain") LINK("sediment", "sediment.terrain")
                               STILL IN("erosion", "false") IN("evaporation", "%g") IN("iterations", "%d"),
                           fmin(cases[k].rate, 10), cases[k].iterations));
        float *depth = site_take(&site, "n", "water"), *carried = site_take(&site, "n", "sediment"),
              *terrain = site_take(&site, "n", "terrain");
        double left = k ? 0 : 1 + 2 * pow(1 - 0.02 * cases[k].rate, cases[k].iterations);
        for (int i = 0; i < CELLS; i++) {
            assert_near(depth[i], left, 1e-3);
            assert_near(carried[i], k ? 0 : 1, 1e-6); /* is dropped when the water is gone */
            assert_near(terrain[i], k ? 65 : 64, 1e-5);
        }
        oro_free(depth);
        oro_free(carried);
        oro_free(terrain);
    }
    oro_free(flat);
    oro_free(water);
    oro_free(sediment);
}

TEST(ground_is_start_less_eroded_and_deposited)
{
    need_device();
    float *rough = site_rough(SIDE, SIDE, 16, 200, 0, 31);
    struct site site = basin(rough, SIDE, SIDE, 20, IN("iterations", "150") IN("capacity", "2"));
    float *after = site_take(&site, "n", "terrain"), *dug = site_take(&site, "n", "eroded"),
          *laid = site_take(&site, "n", "deposited");
    for (int i = 0; i < CELLS; i++) {
        assert_near(after[i], (double)rough[i] - (double)dug[i] + (double)laid[i], 1e-4);
        assert_true(dug[i] >= 0 && laid[i] >= 0);
    }
    assert_true(site_sum(dug, CELLS) > 100 && site_sum(laid, CELLS) > 10);
    oro_free(rough);
    oro_free(after);
    oro_free(dug);
    oro_free(laid);
}

/* ---- Switches ---- */

TEST(parts_switch_off)
{
    need_device();
    static const struct {
        const char *inputs, *output;
        bool same; /* as before */
    } cases[] = {
        {"", "terrain", false},
        {IN("flow", "false"), "terrain", false}, /* slides */
        {IN("flow", "false") IN("thermal", "false"), "terrain", true},
        {IN("erosion", "false"), "terrain", false}, /* slides */
        {IN("thermal", "false"), "terrain", false}, /* is washed away */
        {IN("erosion", "false") IN("thermal", "false"), "terrain", true},
        {IN("flow", "false"), "water", true},
        {IN("erosion", "false"), "water", false},
        {IN("mask", "0"), "terrain", true},
        {IN("iterations", "0"), "terrain", true},
        {IN("hardness", "1") IN("capacity", "0") IN("softening", "0"), "terrain", true},
    };
    float *rough = site_rough(SIDE, SIDE, 16, 400, 0, 33), *water = site_uniform(SIDE, SIDE, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct site site = site_start(&h, SIDE, SIDE, 20);
        site_raster(&site, "ground", rough);
        site_raster(&site, "water", water);
        add_erosion(&site, format(LINK("water", "water.terrain") "%s", cases[i].inputs));
        float *after = site_take(&site, "n", cases[i].output);
        const float *before = cases[i].output[0] == 't' ? rough : water;
        if ((site_difference(before, after, CELLS) == 0) != cases[i].same)
            fail_msg("%s: %s %s", cases[i].inputs, cases[i].output, cases[i].same ? "changed" : "stayed");
        oro_free(after);
    }
    oro_free(rough);
    oro_free(water);
}

/* Muddy water that comes to where the mask is 0, and dries up there, leaves nothing. */
TEST(masked_ground_stays)
{
    need_device();
    float *slope = site_uniform(SIDE, SIDE, 0), *mask = site_uniform(SIDE, SIDE, 1),
          *water = site_uniform(SIDE, SIDE, 3);
    for (int i = 0; i < CELLS; i++) {
        slope[i] = 8.0F * (float)(SIDE - i % SIDE) + 3.0F * (float)(i / SIDE % 2);
        mask[i] = i % SIDE < SIDE / 2 ? 1 : 0;
    }
    struct site site = site_start(&h, SIDE, SIDE, 20);
    site_raster(&site, "ground", slope);
    site_raster(&site, "mask", mask);
    site_raster(&site, "water", water);
    add_erosion(&site, IN("iterations", "300") IN("evaporation", "2") IN("rain", "0")
                           LINK("water", "water.terrain") LINK("mask", "mask.terrain"));
    float *after = site_take(&site, "n", "terrain");
    double changed = 0;
    for (int i = 0; i < CELLS; i++)
        if (mask[i] > 0)
            changed = fmax(changed, fabs((double)after[i] - (double)slope[i]));
        else
            assert_true(after[i] == slope[i]);
    assert_true(changed > 0.1);
    oro_free(slope);
    oro_free(mask);
    oro_free(water);
    oro_free(after);
}

TEST_GROUP(open_harness, close_harness);
