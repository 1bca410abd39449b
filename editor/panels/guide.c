#include "editor/panels/guide.h"

#include <stddef.h>

const struct ed_guide_page ed_guide[] = {
    {"How terrain is made",
     "A document is a graph: nodes make terrain, change it, measure it, and write it to files. What a node "
     "gives is linked to what another one takes.\n\n"
     "- Begin with a source such as `noise`, or with an uplift: where, and how fast, the ground rises.\n"
     "- Let `stream_power` carve ranges out of an uplift, or `fluvial_erosion` valleys into any terrain.\n"
     "- `amplify` adds one level of detail at a time; each doubles the resolution.\n"
     "- Masks say where something happens: every node that changes a terrain has a `mask` input.\n"
     "- Finish with `breach`, so that water finds its way from everywhere, and `export`.\n\n"
     "What you see is computed while you work: first as a draft, then level by level. What was computed once "
     "is kept, so that going back costs nothing."},
    {"The canvas",
     "Tab, Shift+A, Space or a right click opens the search for what to add. Type a few letters and press "
     "Enter.\n\n"
     "Drag from a socket to another one to link them: only those light up that fit. A link that is dropped "
     "on "
     "empty space opens the search with what fits.\n\n"
     "- Ctrl and a right drag cut links.\n"
     "- M mutes nodes, H collapses them, L tidies them up.\n"
     "- Ctrl+G makes a group of them: a graph within the graph. Tab or a double click enters it.\n"
     "- F shows what is chosen, Home shows all.\n\n"
     "Each node shows whether it is computed, runs, waits or has failed, how long it took, and a picture of "
     "what it gives."},
    {"The views",
     "The view shows the node that was double-clicked last, or chosen and sent there with V. A pin keeps it "
     "there while you work elsewhere.\n\n"
     "From above: drag to move, wheel to zoom. The line below tells the place and the value under the "
     "pointer. Tools measure a distance, and draw a profile along a line.\n\n"
     "In depth: drag to turn, Shift and drag to move, wheel to come nearer. The sun, shadows, materials, a "
     "sea and the exaggeration of heights are in the bar.\n\n"
     "Two outputs can be compared by a wipe. Handles of uplifts and constraints are dragged in the view, and "
     "masks are painted there."},
    {"Numbers and expressions",
     "Sliders change a number within what is usual; after a click any number that is allowed can be "
     "typed.\n\n"
     "Instead of a number, an input may have an expression over the variables of the document: "
     "`relief * 0.5`, `mix(200, 900, cover)`, `max(1, world.resolution / 256)`. Variables are made in the "
     "inspector while nothing is chosen.\n\n"
     "Inputs that are drawn with a socket take a map: then each cell has a number of its own."},
    {"Groups, assets, scripts",
     "A group can be used several times in its document. What its nodes take and give to the outside is its "
     "interface; a right click on an input in the inspector exposes it.\n\n"
     "Any document with an interface can be a node in another one: those of the library, those beside your "
     "document, and those in the folders of `OROGRAPH_PATH` are in the palette.\n\n"
     "A file `NAME.lua` beside the document defines a node type: a kernel, a function of cells or fields, or "
     "a graph. It is read again when it changes."},
    {"Files and safety",
     "Saving replaces the file as a whole, or not at all. What is not saved is copied aside while you work; "
     "after a crash the start screen offers it.\n\n"
     "Undo reaches back over all that changes the document, strokes of brushes included.\n\n"
     "The build (Ctrl+B) evaluates in full and writes files, in the background. What the view shows is a "
     "prefix of it: the same, with less detail."},
    {NULL, NULL},
};
