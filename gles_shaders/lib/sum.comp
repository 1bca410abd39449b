// Sums blocks of 256 values, in sixteen runs of sixteen, so that rounding does not pile up.

void main()
{
    ivec2 p = oro_cell();
    int block = p.y * grid.size.x + p.x;
    int cells = int(pass.cells_high) * 65536 + int(pass.cells_low);
    if (p.x >= grid.size.x || block * 256 >= cells)
        return;
    float sum = 0.0;
    for (int run = 0; run < 16; run++) {
        float part = 0.0;
        for (int i = 0; i < 16; i++) {
            int index = block * 256 + run * 16 + i;
            part += index < cells ? values[index] : 0.0;
        }
        sum += part;
    }
    sums[block] = sum;
}
