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

float weight_of(int i)
{
    float away = float(i) / float(reach + 1);
    return 1.0 - away * away;
}

/* Loops whose numbers are the same for all cells, one after the other, and within each other. */
void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= size.x || p.y >= size.y)
        return;
    float total = 0.0, middle = 0.0;
    for (int i = -reach; i <= reach; i++)
        total += weight_of(i);
    for (int i = -reach; i <= reach; i++)
        middle += weight_of(i) / total * float(i * i);
    float sum = 0.0;
    int seen = 0;
    for (int i = -reach; i <= reach; i++) {
        int x = clamp(p.x + i * stride, 0, size.x - 1);
        float value = values[p.y * size.x + x];
        if (value < 0.0)
            continue;
        sum += weight_of(i) * value;
        seen++;
    }
    float around = 0.0;
    for (int j = -2; j <= 2; j++)
        for (int i = -5; i <= 5; i++) {
            ivec2 q = p + ivec2(i, j);
            if (q.x >= 0 && q.y >= 0 && q.x < size.x && q.y < size.y)
                around += float(i * j) * values[q.y * size.x + q.x];
        }
    results[p.y * size.x + p.x] = sum / total + middle * float(seen) + around;
}
