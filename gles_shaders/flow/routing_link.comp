// Every component chooses the one across its lowest saddle; of two that choose the same, the lower number stays a root.
// level[] then says which basin of the component the saddle leaves from, for routing_exits.comp.
#include "lib/tiles.glsl"

void main()
{
    uint own = own_slot();
    if (component[own] != own)
        return;
    uint chosen = number[own], a = basin[saddle_first(chosen)], b = basin[saddle_second(chosen)];
    bool from_a = a != NONE && component[a] == own;
    uint beyond = from_a ? b : a, other = beyond == NONE ? NONE : component[beyond];
    bool mutual = other != NONE && number[other] == chosen;
    link[own] = mutual && own < other ? own : other;
    level[own] = rim[from_a ? a : b];
}
