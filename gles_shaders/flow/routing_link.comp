// Every component chooses the one across its lowest saddle; of two that choose the same, the lower number stays a root.
// level[] then says which basin of the component the saddle leaves from, for routing_exits.comp.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    uint own = cell_number(p);
    if (!oro_inside(p) || component[own] != own)
        return;
    uint chosen = number[own], a = saddle_first(chosen), b = saddle_second(chosen);
    bool from_a = component[a] == own;
    uint other = component[from_a ? b : a];
    bool mutual = other != NONE && number[other] == chosen;
    link[own] = mutual && own < other ? own : other;
    level[own] = basin[from_a ? a : b];
}
