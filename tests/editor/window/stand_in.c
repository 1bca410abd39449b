/* Stands in for the editor in the tests of the driver: a window with a button, a box that can be dragged and
 * a text, and the description of it. --slow: every frame takes long. --crash: ends when the button is
 * pressed. */
#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const SDL_Rect button = {20, 20, 120, 40};
static SDL_Rect box = {200, 120, 80, 60};
static struct {
    int clicks, doubles, rights, undone, zoom, x, y;
    long inputs, frame;
    bool held, quit, crash;
    char text[100], last[1200];
} seen;

static bool inside(const SDL_Rect *rect)
{
    const SDL_Point point = {seen.x, seen.y};
    return SDL_PointInRect(&point, rect);
}

static void take_press(const SDL_MouseButtonEvent *event)
{
    bool left = event->button == SDL_BUTTON_LEFT;
    seen.x = event->x;
    seen.y = event->y;
    seen.held = left && inside(&box);
    seen.clicks += left && inside(&button);
    seen.doubles += left && inside(&button) && event->clicks == 2;
    seen.rights += event->button == SDL_BUTTON_RIGHT && (SDL_GetModState() & KMOD_CTRL) != 0;
    if (seen.crash && seen.clicks)
        abort();
}

static void take(const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        seen.quit = true;
        break;
    case SDL_MOUSEMOTION:
        if (seen.held) {
            box.x += event->motion.x - seen.x;
            box.y += event->motion.y - seen.y;
        }
        seen.x = event->motion.x;
        seen.y = event->motion.y;
        break;
    case SDL_MOUSEBUTTONDOWN:
        take_press(&event->button);
        break;
    case SDL_MOUSEBUTTONUP:
        seen.held = false;
        break;
    case SDL_MOUSEWHEEL:
        seen.zoom += event->wheel.y;
        break;
    case SDL_KEYDOWN:
        seen.undone += event->key.keysym.sym == SDLK_z && (event->key.keysym.mod & KMOD_CTRL) != 0;
        break;
    case SDL_TEXTINPUT:
        strncat(seen.text, event->text.text, sizeof seen.text - strlen(seen.text) - 1);
        break;
    default:
        break;
    }
    seen.inputs += event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP ||
                   event->type == SDL_MOUSEWHEEL || event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
}

static void escape(const char *text, char *out)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *out++ = '\\';
        *out++ = *text;
    }
    *out = '\0';
}

static void describe(const char *path)
{
    char now[1200], text[220], temporary[300];
    escape(seen.text, text);
    snprintf(
        now, sizeof now,
        "\"idle\": true, \"state\": {\"clicks\": \"%d\", \"doubles\": \"%d\", \"rights\": \"%d\", "
        "\"undone\": \"%d\", \"zoom\": \"%d\", \"text\": \"%s\", \"pointer\": \"%d %d\", \"inputs\": "
        "\"%ld\"}, \"items\": [{\"name\": \"button:One\", \"x\": 20, \"y\": 20, \"w\": 120, \"h\": 40, "
        "\"on\": true}, {\"name\": \"node:box\", \"x\": %d, \"y\": %d, \"w\": 80, \"h\": 60, \"on\": true}, "
        "{\"name\": \"button:Off\", \"x\": 0, \"y\": 0, \"w\": 1, \"h\": 1, \"on\": false}]",
        seen.clicks, seen.doubles, seen.rights, seen.undone, seen.zoom, text, seen.x, seen.y, seen.inputs,
        box.x, box.y);
    if (strcmp(now, seen.last) == 0)
        return;
    snprintf(seen.last, sizeof seen.last, "%s", now);
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *file = fopen(temporary, "w");
    if (file) {
        fprintf(file, "{\"frame\": %ld, %s}\n", seen.frame, now);
        fclose(file);
        rename(temporary, path);
    }
}

static void draw(SDL_Window *window)
{
    SDL_Surface *surface = SDL_GetWindowSurface(window);
    SDL_FillRect(surface, NULL, SDL_MapRGB(surface->format, 30, 60, 90));
    SDL_FillRect(surface, &button, SDL_MapRGB(surface->format, 200, 100, 50));
    SDL_FillRect(surface, &box, SDL_MapRGB(surface->format, 10, 220, 120));
    SDL_UpdateWindowSurface(window);
    seen.frame++;
}

int main(int argc, char **argv)
{
    const char *path = "description.json";
    int width = 640, height = 480;
    bool slow = false;
    for (int i = 1; i < argc; i++) {
        slow |= strcmp(argv[i], "--slow") == 0;
        seen.crash |= strcmp(argv[i], "--crash") == 0;
        if (strcmp(argv[i], "--describe") == 0 && i + 1 < argc)
            path = argv[i + 1];
        if (strcmp(argv[i], "--size") == 0 && i + 2 < argc) {
            width = (int)strtol(argv[i + 1], NULL, 10);
            height = (int)strtol(argv[i + 2], NULL, 10);
        }
    }
    SDL_Init(SDL_INIT_VIDEO);
    SDL_Window *window = SDL_CreateWindow("stand-in", 0, 0, width, height, 0);
    while (window && !seen.quit) {
        SDL_Event event;
        for (bool any = SDL_WaitEventTimeout(&event, 50); any; any = SDL_PollEvent(&event))
            take(&event);
        if (slow)
            SDL_Delay(150);
        draw(window);
        describe(path);
    }
    SDL_Quit();
    return window ? 0 : 1;
}
