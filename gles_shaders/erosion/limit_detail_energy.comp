// The mean square of detail in every block.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int side = int(pass.side);
    ivec2 first = p * side, last = min(first + side, source.size) - 1;
    float sum = 0.0;
    for (int y = first.y; y <= last.y; y++)
        for (int x = first.x; x <= last.x; x++) {
            int i = oro_source_cell(ivec2(x, y));
            sum += detail[i] * detail[i];
        }
    ivec2 covered = last - first + 1;
    energy[oro_index(p)] = sum / float(covered.x * covered.y);
}
