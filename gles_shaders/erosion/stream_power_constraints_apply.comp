// The uplift that constraints add: each around its place, fading smoothly to its radius. Cells are sorted into blocks, and
// every block has a list of the constraints that reach it.

const int BLOCK = 16;

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
    ivec2 blocks = (grid.size + BLOCK - 1) / BLOCK;
    int block = p.y / BLOCK * blocks.x + p.x / BLOCK;
    for (uint k = reach[block]; k < reach[block + 1]; k++) {
        int i = int(reach[k]);
        float d = length((vec2(p) + 0.5) * grid.cell - vec2(points[8 * i + 2], points[8 * i + 3])) / points[8 * i + 5];
        sum += uintBitsToFloat(control[8 + 8 * i]) * (1.0 - smoothstep(0.0, 1.0, d));
    }
    correction[oro_index(p)] = sum;
}
