#include "formats/measure.h"

#include <math.h>
#include <stdio.h>

void oro_measure_values(const struct oro_heightfield *field, struct oro_measure *measure)
{
    *measure = (struct oro_measure){.width = field->width, .height = field->height, .cell = field->cell};
    if (field->width <= 0 || field->height <= 0)
        return;
    float low = INFINITY, high = -INFINITY;
    double sum = 0;
    size_t ground = 0;
    for (int y = 0; y < field->height; y++) {
        size_t row = (size_t)y * (size_t)field->width;
        double row_sum = 0;
        for (size_t i = row; i < row + (size_t)field->width; i++) {
            if (field->sea && field->sea[i] > 0.5f)
                continue;
            low = field->data[i] < low ? field->data[i] : low;
            high = field->data[i] > high ? field->data[i] : high;
            row_sum += (double)field->data[i];
            ground++;
        }
        sum += row_sum;
    }
    measure->sea = (size_t)field->width * (size_t)field->height - ground;
    if (ground == 0)
        return;
    measure->low = (double)low;
    measure->high = (double)high;
    measure->mean = sum / (double)ground;
}

struct oro_ground oro_heightfield_ground(const struct oro_heightfield *field)
{
    return (struct oro_ground){
        .width = field->width, .height = field->height, .z = field->data, .sea = field->sea};
}

bool oro_measure(const struct oro_heightfield *field, struct oro_measure *measure, struct oro_error *err)
{
    struct oro_ground ground = oro_heightfield_ground(field);
    oro_measure_values(field, measure);
    return field->width <= 0 || field->height <= 0 || oro_certify(&ground, &measure->drainage, err);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

const char *oro_drainage_text(const struct oro_certificate *drainage, char out[ORO_DRAINAGE_TEXT])
{
    if (drainage->depressions > 0)
        snprintf(out, ORO_DRAINAGE_TEXT, "%zu closed depression%s (%zu cell%s)", drainage->depressions,
                 plural(drainage->depressions), drainage->undrained, plural(drainage->undrained));
    else if (drainage->pits > 0)
        snprintf(out, ORO_DRAINAGE_TEXT, "drains across %zu flat cell%s", drainage->pits,
                 plural(drainage->pits));
    else
        snprintf(out, ORO_DRAINAGE_TEXT, "drains");
    return out;
}
