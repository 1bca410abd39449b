/*
 * Sizes that programs expect; cells along one side:
 *   as_is                  any
 *   power_of_two           2^n, 1..32768
 *   power_of_two_plus_one  2^n + 1, 2..16385
 *   unreal                 127, 253, 505, 1009, 2017, 4033, 8129
 *   unity                  2^n + 1, 33..4097
 *   godot                  2^n, 64..16384: whole regions of Terrain3D, whose sides are 64..2048
 *
 * (Godot's older HTerrain wants 2^n + 1, 513..4097: power_of_two_plus_one.) Gives the preset's size nearest
 * to `size`, the larger of two as near; `size` itself for as_is; 0: unknown preset.
 */
#ifndef ORO_FORMATS_SIZES_H
#define ORO_FORMATS_SIZES_H

int oro_size_preset(const char *preset, int size);
extern const char *const oro_size_presets[]; /* ends with NULL */

#endif
