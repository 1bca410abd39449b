// Copies a rectangle of words from buffer to buffer (devices/spread/window.c, which declares them): no arithmetic
// that could change a bit.
void main()
{
    ivec2 p = oro_cell();
    if (p.x < columns && p.y < rows)
        to[to_first + p.y * to_stride + p.x] = from[from_first + p.y * from_stride + p.x];
}
