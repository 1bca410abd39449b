// Where a cell lies among blocks of pass.side cells (nodes/lib/blocks.h), for values that are known at the blocks' centres.
#include "lib/bicubic.glsl"

struct among_blocks {
    ivec2 first; // of the 4 x 4 blocks around the cell
    vec2 offset; // from the centre of the second of them, 0..1
};

among_blocks find_among_blocks(ivec2 p)
{
    vec2 place = (vec2(p) + 0.5) / pass.side - 0.5, whole = floor(place);
    return among_blocks(ivec2(whole) - 1, place - whole);
}
