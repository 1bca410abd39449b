#!/bin/sh
# drag.sh EDITOR GRAPH NODE INPUT [SECONDS]: drags a slider of the inspector to and fro, 60 events a second, without a window
# system, and tells how long it takes from an event to the frame that shows it, and to the picture that it leads to.
#
# The graph's node NODE must be the one that the view shows, so that a click on it opens its sliders.
set -eu
editor=$1 graph=$2 node=$3 input=$4 seconds=${5:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

{
    echo "0.5 wait"
    echo "0.1 at title:$node 0.5 0.5"
    echo "0.05 down 1"
    echo "0.05 up 1"
    echo "0.5 wait"
    echo "0.1 at input:$node.$input 0.3 0.5"
    echo "0.05 down 1"
    awk -v steps="$((seconds * 60))" -v name="input:$node.$input" 'BEGIN {
        for (i = 0; i < steps; i++)
            printf "0.016667 at %s %.4f 0.5\n", name, 0.5 + 0.3 * sin(i / 40 - 0.7297)
    }'
    echo "0.05 up 1"
    echo "1 wait"
    echo "0.1 key Ctrl+Z"
    echo "0.5 wait"
    echo "0.1 quit"
} >"$folder/events"

cp "$graph" "$folder/graph.oro"
SDL_VIDEODRIVER=offscreen HOME=$folder XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder XDG_CACHE_HOME=$folder "$editor" --size 1600 1000 \
    --no-tour --events "$folder/events" --frames "$folder/frames" "$folder/graph.oro"
[ -z "${FRAMES:-}" ] || cp "$folder/frames" "$FRAMES"
awk -f "$(dirname "$0")/frames.awk" "$folder/frames"
