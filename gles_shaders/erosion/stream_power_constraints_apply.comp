// The uplift that constraints add: each around its place, as far as its radius.
#include "lib/constraints.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
#if STARTED
    float sum = start[oro_index(p)];
#else
    float sum = 0.0;
#endif
    int block = block_of(p);
    sharing all = sharing_at(p);
    for (uint k = reach[block], end = reach[block + 1]; k < end; k++)
        sum += added_by(int(reach[k])) * worth_at(int(reach[k]), p, all);
    correction[oro_index(p)] = sum;
}
