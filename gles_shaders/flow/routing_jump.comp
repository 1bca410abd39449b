// Every cell's pointer goes to where its pointer's pointer leads, a few times, in place: others may have moved on
// meanwhile, but the end of the chain, which is its own receiver, is the same. The flag stays up until all are there.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    uint to = jump[i];
    for (int k = 0; k < 4; k++)
        to = jump[to];
    jump[i] = to;
    if (jump[to] != to)
        flags[int(pass.flag)] = 1u;
}
