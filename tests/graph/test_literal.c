/* Literals: which are accepted, messages about the others, and canonical text. */
#include "tests/graph/support.h"

#include <locale.h>
#include <math.h>

#include "graph/type/literal.h"

static const struct oro_input *input_of(const char *type, const char *name)
{
    const struct oro_input *input = oro_type_input(oro_registry_find(&fake_registry, type), name);
    assert_non_null(input);
    return input;
}

static void refused(const char *type, const char *name, const char *text, const char *message)
{
    struct oro_error err = {0};
    if (oro_literal_parse(input_of(type, name), text, NULL, &err))
        fail_msg("'%s' was accepted", text);
    if (!strstr(err.text, message))
        fail_msg("'%s' gave: %s", text, err.text);
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    assert_false(oro_literal_parse(input_of(type, name), text, NULL, NULL));
}

static void canonical(const char *type, const char *name, const char *text, const char *wanted)
{
    char *got = oro_literal_canonical(input_of(type, name), text);
    assert_string_equal(got, wanted);
    oro_free(got);
}

/* As if they had been written, to the bits and in messages. */
TEST(numbers_without_text)
{
    static const double values[] = {1500, 0.1, -0.0, 12, 2.5, 95, 1e39, 1e300, 3e9, NAN, -INFINITY, 1.0 / 3};
    static const char *const inputs[][2] = {
        {"noise", "size"}, {"noise", "height"}, {"noise", "octaves"}, {"erode", "angle"}};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const struct oro_input *input = input_of(inputs[i][0], inputs[i][1]);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            char text[ORO_NUMBER_SIZE], written[256] = "", direct[256] = "";
            struct oro_error first = {0}, second = {0};
            bool ok = oro_literal_parse(input, oro_format_number(values[k], text), written, &first);
            assert_int_equal(oro_literal_number(input, values[k], direct, &second), ok);
            assert_string_equal(second.text, first.text);
            assert_memory_equal(direct, written, sizeof direct);
        }
    }
    struct fake_noise_params p;
    struct oro_error err = {0};
    assert_false(oro_literal_number(input_of("noise", "method"), 1, &p, &err));
}

TEST(numbers)
{
    struct fake_noise_params p = {0};
    struct oro_error err = {0};
    assert_true(oro_literal_parse(input_of("noise", "size"), "1.5e3", &p, &err));
    assert_float_equal(p.size, 1500, 0);
    assert_true(oro_literal_parse(input_of("noise", "octaves"), "12", &p, &err));
    assert_int_equal(p.octaves, 12);
    assert_true(oro_literal_parse(input_of("noise", "octaves"), "1e1", &p, &err));
    assert_int_equal(p.octaves, 10);
    assert_true(oro_literal_parse(input_of("noise", "size"), "0.1", &p, &err));
    refused("noise", "size", "1,5", "'1,5' is not a number (write 1.5)");
    refused("noise", "size", " 7", "(write 7)");
    refused("noise", "size", "12 m", "'12 m' is not a number (write 12)");
    refused("noise", "size", "20 km", "'20 km' is not a number (write 20000)");
    refused("noise", "size", "1,5km ", "(write 1500)");
    refused("noise", "size", "5 ft", "(write 1.524)");
    refused("erode", "angle", "0.5 rad", "(write 28.64788975654116)");
    refused("noise", "octaves", "3 cells", "(write 3)");
    /* No advice is better than advice to write another number. */
    assert_false(oro_literal_parse(input_of("noise", "size"), "0x10", NULL, &err));
    assert_string_equal(err.text, "'0x10' is not a number");
    assert_false(oro_literal_parse(input_of("noise", "size"), "1 000", NULL, &err));
    assert_string_equal(err.text, "'1 000' is not a number");
    assert_false(oro_literal_parse(input_of("noise", "size"), "3 leagues", NULL, &err));
    assert_string_equal(err.text, "'3 leagues' is not a number");
    refused("noise", "size", "", "is empty");
    refused("noise", "size", "1e999", "'1e999' is too large for a number");
    refused("noise", "height", "1e39", "too large");
    refused("noise", "size", "nan", "'nan' is not a number");
    refused("noise", "size", "0x10", "is not a number");
    refused("noise", "size", "twelve", "'twelve' is not a number");
    refused("noise", "size", "0", "0 is below the minimum of 0.1 m");
    refused("erode", "angle", "95", "95 is above the maximum of 90 deg");
    refused("noise", "octaves", "2.5", "'2.5' is not a whole number");
    refused("noise", "octaves", "17", "17 is above the maximum of 16");
    refused("noise", "seed", "4000000000", "above the maximum");
}

TEST(locale)
{
    const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    for (size_t i = 0; i < 4; i++)
        if (setlocale(LC_ALL, names[i]))
            break;
    struct fake_noise_params p = {0};
    assert_true(oro_literal_parse(input_of("noise", "size"), "1.5", &p, NULL));
    assert_float_equal(p.size, 1.5, 0);
    refused("noise", "size", "1,5", "(write 1.5)");
    canonical("noise", "size", "1.50", "1.5");
    setlocale(LC_ALL, "C");
}

TEST(words)
{
    struct fake_noise_params p = {0};
    assert_true(oro_literal_parse(input_of("noise", "ridged"), "true", &p, NULL));
    assert_true(p.ridged);
    assert_true(oro_literal_parse(input_of("noise", "method"), "value", &p, NULL));
    assert_int_equal(p.method, 2);
    refused("noise", "ridged", "yes", "'yes' is not true or false (write true)");
    refused("noise", "ridged", "maybe", "'maybe' is not true or false");
    refused("noise", "method", "perln",
            "'perln' is not one of perlin, simplex, value, worley; did you mean 'perlin'?");
    refused("noise", "method", "", "is not one of");
    refused("blend", "terrain", "5", "takes a link");
}

TEST(shapes)
{
    struct fake_paint_params p = {0};
    assert_true(oro_literal_parse(input_of("paint", "tint"), "#00fF8080", &p, NULL));
    assert_float_equal(p.tint[1], 1, 0);
    assert_float_equal(p.tint[3], 128 / 255.0f, 1e-6f);
    assert_true(oro_literal_parse(input_of("paint", "centre"), " 10  -2.5 ", &p, NULL));
    assert_float_equal(p.centre[1], -2.5f, 0);
    assert_true(oro_literal_parse(input_of("paint", "curve"), "0 1,0.5 2 , 1 -3", &p, NULL));
    assert_int_equal(p.curve.count, 3);
    assert_float_equal(p.curve.y[2], -3, 0);
    refused("paint", "tint", "red", "is not a colour (write #rrggbb");
    refused("paint", "tint", "#12345", "is not a colour");
    refused("paint", "tint", "#12345g", "is not a colour");
    refused("paint", "centre", "10", "a point has two numbers");
    refused("paint", "centre", "1 2 3", "not more");
    refused("paint", "centre", "1, 2", "is not a number");
    refused("paint", "curve", "", "a point has two numbers");
    refused("paint", "curve", "0 0, 0 1", "rising x: 0 follows 0");
    refused("paint", "curve", "0 0,", "a point has two numbers");
    char many[33 * 8] = "0 0";
    for (int i = 1; i < 33; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",%d 0", i);
    refused("paint", "curve", many, "at most 32 points");
}

TEST(gradients)
{
    struct fake_paint_params p = {0};
    struct oro_error err = {0};
    assert_true(
        oro_literal_parse(input_of("paint", "colours"), " -1 #204020 ,0.5   #80604000,2 #FFFFFF", &p, &err));
    assert_int_equal(p.colours.count, 3);
    assert_float_equal(p.colours.position[0], -1, 0);
    assert_float_equal(p.colours.position[2], 2, 0);
    assert_float_equal(p.colours.colour[0][1], 64 / 255.0f, 0);
    assert_float_equal(p.colours.colour[0][3], 1, 0);
    assert_float_equal(p.colours.colour[1][3], 0, 0);
    refused("paint", "colours", "", "a stop has a position and a colour");
    refused("paint", "colours", "0", "a stop has a position and a colour");
    refused("paint", "colours", "#ffffff", "'#ffffff' is not a number");
    refused("paint", "colours", "0 red", "'red' is not a colour");
    refused("paint", "colours", "0 #ffffff #000000", "is not a colour");
    refused("paint", "colours", "0 1 #ffffff", "is not a colour");
    refused("paint", "colours", "0 #fffffg", "is not a colour");
    refused("paint", "colours", "0 #ffffff,", "a stop has a position and a colour");
    refused("paint", "colours", "0 #ffffff; 1 #000000", "is not a colour");
    refused("paint", "colours", "0 #ffffff, 0 #000000", "rising positions: 0 follows 0");
    refused("paint", "colours", "1 #ffffff, 0 #000000", "rising positions: 0 follows 1");
    refused("paint", "colours", "1e39 #ffffff", "too large");
    char many[33 * 16] = "0 #000000";
    for (int i = 1; i < 33; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",%d #000000", i);
    refused("paint", "colours", many, "at most 32 stops");
    many[strlen(many) - strlen(",32 #000000")] = '\0';
    assert_true(oro_literal_parse(input_of("paint", "colours"), many, &p, &err));
    assert_int_equal(p.colours.count, 32);
    canonical("paint", "colours", " 0.0 #FFFFFFFF ,0.50\n#12AbCd80, 1 #000000",
              "0 #ffffff, 0.5 #12abcd80, 1 #000000");
    assert_true(oro_literal_is_default(input_of("paint", "colours"), "0 #000000ff,1 #FFFFFF"));
    assert_false(oro_literal_is_default(input_of("paint", "colours"), "0 #000000,1 #fffffe"));
}

TEST(networks)
{
    struct fake_ridges_params p = {0};
    struct oro_error err = {0};
    const char *text = "0 0, 10 20 30; 5 5 1 2";
    assert_true(oro_literal_parse(input_of("ridges", "lines"), text, &p, &err));
    assert_ptr_equal(p.lines, text);
    assert_true(oro_literal_parse(input_of("ridges", "lines"), "", &p, &err));
    refused("ridges", "lines", "1", "");
    refused("ridges", "lines", "1 2, x 4", "'x' is not a number");
    refused("ridges", "lines", "1 2 3 4 5", "");
    refused("ridges", "lines", "1 2,, 3 4", "");
    refused("ridges", "base", "1 2", "takes a link (from=\"node.output\") to the type uplift");
    canonical("ridges", "lines", " 1.0   2e0 ,3 4\n5 ; 6 7 8 9 ", "1 2, 3 4 5; 6 7 8 9");
    canonical("ridges", "lines", "0.1 0.25;", "0.1 0.25");
    canonical("ridges", "lines", ";1 2;;3 4", "1 2; 3 4");
    canonical("ridges", "lines", " ; ", "");
    canonical("ridges", "lines", "", "");
    canonical("ridges", "lines", "1 2, x", "1 2, x");
}

TEST(canonical)
{
    canonical("noise", "size", "1.500e3", "1500");
    canonical("noise", "height", "-0", "0");
    canonical("noise", "size", "1,5", "1,5");
    canonical("noise", "octaves", "+8", "8");
    canonical("paint", "tint", "#AbCdEf", "#abcdef");
    canonical("paint", "tint", "#AbCdEfFF", "#abcdef");
    canonical("paint", "tint", "#AbCdEf80", "#abcdef80");
    canonical("paint", "centre", "  1.0   2e0", "1 2");
    canonical("paint", "curve", "0 0,1  1", "0 0, 1 1");
    canonical("paint", "caption", " as it is ", " as it is ");
}

/* NULL: nothing is stored. */
static void stores(const char *type, const char *name, const char *text, const char *wanted)
{
    char *stored = NULL;
    struct oro_error err = {0};
    if (!oro_literal_store(input_of(type, name), text, &stored, &err))
        fail_msg("'%s': %s", text, err.text);
    if (wanted)
        assert_string_equal(stored, wanted);
    else
        assert_null(stored);
    oro_free(stored);
}

/* Documents store canonical text, and nothing for the default. */
TEST(stored)
{
    char *stored = NULL;
    struct oro_error err = {0};
    stores("noise", "size", "1.500e3", "1500");
    stores("noise", "size", "2e3", NULL);
    stores("paint", "tint", "#FF8000ff", NULL);
    stores("paint", "caption", "none", NULL);
    stores("paint", "caption", "", "");
    stores("ridges", "lines", "", ""); /* it has no default */
    stores("ridges", "drawn", "10.0 20,30.50 40", NULL);
    assert_false(oro_literal_store(input_of("noise", "size"), "1,5", &stored, &err));
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    assert_null(stored);
    for (size_t n = 1; n < 3; n++) {
        oro_memory_fail_at(n);
        bool ok = oro_literal_store(input_of("paint", "tint"), "#123456", &stored, &err);
        oro_memory_fail_at(0);
        assert_false(ok);
        assert_int_equal(err.code, ORO_E_MEMORY);
        assert_null(stored);
    }
}

TEST(defaults)
{
    struct fake_noise_params noise;
    oro_params_default(&fake_noise, &noise);
    assert_float_equal(noise.size, 2000, 0);
    assert_float_equal(noise.height, 0.1f, 0);
    assert_int_equal(noise.octaves, 8);
    assert_false(noise.ridged);
    struct fake_paint_params paint;
    oro_params_default(&fake_paint, &paint);
    assert_string_equal(paint.caption, "none");
    assert_float_equal(paint.tint[0], 1, 0);
    assert_int_equal(paint.curve.count, 2);
    char *text = oro_literal_default(input_of("paint", "tint"));
    assert_string_equal(text, "#ff8000");
    oro_free(text);
    text = oro_literal_default(input_of("blend", "method"));
    assert_string_equal(text, "multiply");
    oro_free(text);
    assert_true(oro_literal_is_default(input_of("noise", "size"), "2e3"));
    assert_true(oro_literal_is_default(input_of("noise", "height"), "0.10"));
    assert_false(oro_literal_is_default(input_of("noise", "size"), "2,000"));
    assert_true(oro_literal_is_default(input_of("paint", "tint"), "#ff8000ff"));
    assert_false(oro_literal_is_default(input_of("blend", "terrain"), ""));
    struct fake_ridges_params ridges = {.lines = "before"};
    oro_params_default(&fake_ridges, &ridges);
    assert_null(ridges.lines);
    assert_null(ridges.open);
    assert_string_equal(ridges.drawn, "10 20, 30.5 40");
    assert_true(oro_literal_is_default(input_of("ridges", "drawn"), "10.0 20,30.50 40"));
    assert_false(oro_literal_is_default(input_of("ridges", "drawn"), "")); /* an empty text is a value */
    assert_false(oro_literal_is_default(input_of("ridges", "lines"), ""));
}

/* Every type's defaults are valid literals of it and read back as themselves. */
TEST(all_defaults)
{
    for (size_t i = 0; i < fake_registry.count; i++) {
        for (const struct oro_input *input = fake_registry.types[i]->inputs; input->name; input++) {
            if (!oro_input_has_default(input))
                continue;
            char *text = oro_literal_default(input);
            assert_true(oro_literal_parse(input, text, NULL, NULL));
            assert_true(oro_literal_is_default(input, text));
            oro_free(text);
        }
    }
}

TEST(registry)
{
    assert_ptr_equal(oro_registry_find(&fake_registry, "noise"), &fake_noise);
    assert_null(oro_registry_find(&fake_registry, "nois"));
    assert_string_equal(oro_registry_suggest(&fake_registry, "nois"), "noise");
    assert_null(oro_registry_suggest(&fake_registry, "volcano"));
    assert_int_equal(oro_type_input_count(&fake_blend), 4);
    assert_int_equal(oro_type_output_count(&fake_erode), 2);
    assert_null(oro_type_output(&fake_erode, "field"));
    assert_true(oro_input_accepts(input_of("blend", "amount"), ORO_FIELD));
    assert_false(oro_input_accepts(input_of("blend", "amount"), ORO_IMAGE));
    assert_false(oro_input_accepts(input_of("erode", "angle"), ORO_FIELD));
    assert_true(oro_input_accepts(input_of("paint", "picture"), ORO_IMAGE));
    assert_false(oro_input_accepts(input_of("paint", "flow"), ORO_FIELD));
    assert_true(oro_input_accepts(input_of("paint", "flow"), ORO_VECTOR));
    static const enum oro_type rasters[] = {ORO_FIELD, ORO_VECTOR, ORO_IMAGE};
    for (int i = 0; i < 3; i++) {
        assert_true(oro_is_raster(rasters[i]));
        assert_int_equal(oro_input_accepts(input_of("ridges", "base"), rasters[i]), i == 0);
        assert_int_equal(oro_input_accepts(input_of("ridges", "rate"), rasters[i]), i == 0);
        assert_false(oro_input_accepts(input_of("ridges", "lines"), rasters[i]));
    }
    assert_true(oro_input_accepts(input_of("blend", "terrain"), ORO_UPLIFT));
    assert_true(oro_input_accepts(input_of("blend", "amount"), ORO_UPLIFT));
    assert_true(oro_input_accepts(input_of("ridges", "base"), ORO_UPLIFT));
    assert_true(oro_input_accepts(input_of("ridges", "lines"), ORO_NETWORK));
    assert_false(oro_input_accepts(input_of("blend", "terrain"), ORO_NETWORK));
    assert_false(oro_input_accepts(input_of("ridges", "base"), ORO_NETWORK));
    assert_false(oro_input_accepts(input_of("ridges", "lines"), ORO_UPLIFT));
    assert_false(oro_input_accepts(input_of("paint", "picture"), ORO_UPLIFT));
    assert_true(oro_input_required(input_of("ridges", "lines")));
    assert_false(oro_input_required(input_of("ridges", "drawn")));
    assert_false(oro_input_required(input_of("ridges", "open")));
    assert_false(oro_input_required(input_of("ridges", "base")));
    assert_true(oro_input_required(input_of("blend", "terrain")));
    assert_null(oro_registry_rasterizer(&fake_registry));
    assert_string_equal(oro_type_name(ORO_UPLIFT), "uplift");
    assert_string_equal(oro_unit_name(ORO_METRE_PER_YEAR), "m/yr");
    assert_string_equal(oro_type_name(ORO_COLOUR), "colour");
    assert_string_equal(oro_unit_name(ORO_DEGREE), "deg");
}
