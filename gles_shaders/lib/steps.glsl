// Steps of height (terrain/hydrology/steps.h): integers that count heights in order, a micrometre apart below 8 m, one
// representable number above.

const int STEPS_UNIFORM = 8388608;
const int STEPS_BITS_OF_8 = 1090519040;
const int STEPS_LOWEST = -1056964607;

// Heights nearer to zero than the least normal float count as zero.
float plain_height(float z)
{
    return abs(z) < 1.17549435e-38 ? 0.0 : z;
}

// The highest step that is not above z.
int step_of(float z)
{
    float size = abs(z);
    if (size < 8.0)
        return int(floor(plain_height(z) * 1048576.0));
    int steps = floatBitsToInt(size) - STEPS_BITS_OF_8 + STEPS_UNIFORM;
    return z < 0.0 ? -steps : steps;
}

float step_height(int steps)
{
    int size = abs(steps);
    float height = size < STEPS_UNIFORM ? float(size) * (1.0 / 1048576.0)
                                        : intBitsToFloat(size - STEPS_UNIFORM + STEPS_BITS_OF_8);
    return steps < 0 ? -height : height;
}

// Ground carved down to a step; what is not carved keeps its bits.
float carved_height(int lowest, float z)
{
    return lowest < step_of(z) ? step_height(max(lowest, STEPS_LOWEST)) : z;
}

// An order-preserving number.
uint level_of(float z)
{
    uint bits = floatBitsToUint(plain_height(z));
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

float level_height(uint level)
{
    return uintBitsToFloat((level & 0x80000000u) != 0u ? level & 0x7fffffffu : ~level);
}
