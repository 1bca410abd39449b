/* Directions of the arrow keys. */
#ifndef ED_CANVAS_DIRECTION_H
#define ED_CANVAS_DIRECTION_H

enum ed_walk { ED_WALK_LEFT, ED_WALK_RIGHT, ED_WALK_UP, ED_WALK_DOWN };

#endif
