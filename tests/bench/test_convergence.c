/* orograph-bench balance --log: how terrain comes to its new balance, step by step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

#define LOG "\"" OROGRAPH_BENCH_PROGRAM "\" balance --only log --sizes 32 --threads 2 "

/* Reads a log: every curve begins far from its end, and ends there. Returns how many rows there are. */
static int read_log(const char *name, int curves[4])
{
    static const char *const names[] = {"range,implicit", "range,explicit", "valleys,implicit",
                                        "valleys,explicit"};
    FILE *file = fopen(name, "r");
    char line[128] = "", curve[32] = "";
    double difference = 0, before = 0;
    int rows = 0, at = -1;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "edit,method,step,difference_m,mean_m\n");
    while (fgets(line, sizeof line, file)) {
        char *end = strchr(strchr(line, ',') + 1, ',');
        snprintf(curve, sizeof curve, "%.*s", (int)(end - line), line);
        long step = strtol(end + 1, &end, 10);
        difference = strtod(end + 1, &end);
        assert_true(*end == ',' && isfinite(strtod(end + 1, NULL)));
        if (at < 0 || strcmp(curve, names[at]) != 0) {
            assert_true(at < 0 || before <= 0); /* the one before has come to its end */
            assert_string_equal(curve, names[++at]);
            assert_true(step == 0 && difference > 10);
        }
        curves[at]++;
        before = difference;
        rows++;
    }
    assert_true(at == 3 && before <= 0);
    fclose(file);
    return rows;
}

TEST(curves_lead_to_their_ends)
{
    int curves[4] = {0};
    expect(DONE, LOG "--log found");
    assert_true(read_log("found.csv", curves) > 40);
    for (int i = 0; i < 4; i += 2)
        assert_true(curves[i] >= 4 && curves[i + 1] > curves[i]);
}

TEST(a_log_needs_a_place)
{
    expect(FAILED, "\"" OROGRAPH_BENCH_PROGRAM "\" balance --only log --sizes 32");
    says("'--log PREFIX'");
}

TEST(a_folder_without_graphs_is_said)
{
    expect(FAILED, "\"" OROGRAPH_BENCH_PROGRAM "\" balance --only figures --examples nowhere --repeats 1");
    says("nowhere/uplift-tree.oro");
}

TEST_GROUP(make_folder, remove_folder);
