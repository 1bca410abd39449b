// Values at some places of a buffer: read from there to a list, written there, or written where they are less.
#define READ 0
#define WRITE 1
#define LEAST 2

void main()
{
    ivec2 p = oro_cell();
    int i = p.y * grid.size.x + p.x;
    if (!oro_inside(p) || i >= int(pass.count))
        return;
#if HOW == READ
    list[i] = buffer_of[places[i]];
#elif HOW == WRITE
    buffer_of[places[i]] = list[i];
#else
    buffer_of[places[i]] = min(buffer_of[places[i]], list[i]);
#endif
}
