// What slides at the corner between four cells, alike in all directions. Cells around a corner must come to the same numbers.

// x but for its last bit: a product that no compiler may contract with the sum that it goes into.
float product(float x)
{
    return uintBitsToFloat(floatBitsToUint(x) & 0xfffffffeu);
}

// The slope as a drop per cell width, from the differences along the four sides. Its square is the mean over two sides each
// way, so that furrows and bumps of one cell count as well.
float corner_drop(float north, float south, float west, float east)
{
    float squares = (product(north * north) + product(south * south)) + (product(west * west) + product(east * east));
    return sqrt(max(0.5 * squares, 1e-30));
}
