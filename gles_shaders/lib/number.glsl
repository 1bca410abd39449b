/* False for NaN. Looks at the bits: a compiler may turn comparisons round, and clamp() of NaN may be anything. */
bool is_number(float v)
{
    return (floatBitsToUint(v) & 0x7fffffffu) <= 0x7f800000u;
}
