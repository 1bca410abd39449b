// The cells that lakes spill over: their marks, which are the lakes' numbers by now.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    label[i] = float(mark[i]);
}
