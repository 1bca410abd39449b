#version 310 es
precision highp float;
precision highp int;
layout(local_size_x = 16, local_size_y = 16) in;
layout(std140, set = 1, binding = 0) uniform block {
    ivec2 size;
    int reach, stride;
};
layout(std430, binding = 0) restrict readonly buffer b0 { float values[]; };
layout(std430, binding = 1) restrict writeonly buffer b1 { float results[]; };

const float STEPS[4] = float[](-4.0, -1.0, 2.0, 5.0);

/* A loop that is written out, which cells leave one by one. */
float step_of(float value)
{
    for (int i = 1; i < 4; i++)
        if (value < STEPS[i])
            return STEPS[i - 1] + float(i);
    return 100.0;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= size.x || p.y >= size.y)
        return;
    float here = values[p.y * size.x + p.x];
    int found = -1, tries = 0;
    for (int i = 0; i < reach; i++) { /* some cells stop early, others skip what comes last */
        tries++;
        float there = values[p.y * size.x + (p.x + i * stride) % size.x];
        if (there > 6.0) {
            found = i;
            break;
        }
        if (there < here)
            continue;
        tries += 2;
    }
    int halves = 0;
    for (float rest = abs(here); rest > 0.5; rest *= 0.5) {
        if (halves == 3)
            break;
        halves++;
    }
    results[p.y * size.x + p.x] = step_of(here) + float(found * 1000 + tries * 10 + halves);
}
