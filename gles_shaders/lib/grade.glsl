// Grades: how high a channel lies above its outlet, as numbers that stay the same along a channel with the least gradient
// wanted (terrain/hydrology/grade.h has the meaning, and the same arithmetic). A drop, and a rise, is the result of a
// dispatch of its own: within one, a device might fuse the product and a sum, which rounds otherwise.
#include "lib/steps.glsl"

const int GRADE_NONE = 0x7fffffff;
const int GRADE_COMES = 0x7ffffffe; // a way comes in here, without a grade so far
const int GRADE_BITS = 24;
const int GRADE_FULL = 1 << GRADE_BITS;
const float GRADE_DEEPEST = -1e30;

const uint WAY_STRAIGHT = 12u;
const uint WAY_ACROSS = 17u;

int grade_of(float height, float base, float drop)
{
    float above = plain_height(height) - base;
    if (base < GRADE_DEEPEST)
        return GRADE_NONE;
    if (above >= drop)
        return floatBitsToInt(above - drop);
    int share = 0;
    for (int i = 0; i < GRADE_BITS; i++) {
        above += above;
        share += share;
        if (above >= drop) {
            above -= drop;
            share++;
        }
    }
    return share + (above > 0.0 ? 1 : 0) - GRADE_FULL;
}

float grade_rise(int grade, float drop)
{
    return grade < 0 ? float(grade + GRADE_FULL) * (1.0 / 16777216.0) * drop : drop;
}

float grade_height(int grade, float base, float rise)
{
    return base + rise + (grade > 0 ? intBitsToFloat(grade) : 0.0);
}
