/* The wrapper around Dear ImGui, and the only C++ file: calls of ImGui, names for tests, and the theme. */
extern "C" {
#include "editor/ui/ui.h"
#include "editor/ui/describe.h"
}

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <GLES3/gl31.h>
#include <SDL2/SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "editor/ui/ui.h"

enum { FOCUS_FRAMES = 4, PATH_PLACES_MAX = 1024 };

enum { UI_LETTERS_MAX = 2048 }; /* more are not shown: the texture of all letters has its limits */

static struct {
    ImFont *fonts[UI_FONTS];
    float sizes[UI_FONTS];
    uint32_t colours[UI_COLOURS];
    float scale;
    bool light;
    char name[300]; /* of the next widget */
    ImVec2 mouse;   /* as the last event said */
    bool has_mouse;
    bool held[3];                          /* its buttons, likewise: left, right, middle */
    struct ui_place path[PATH_PLACES_MAX]; /* where it was dragged since the last frame */
    int path_count;
    float pressure;
    bool had_popup;               /* when this frame began */
    char walked[64];              /* the panel whose widgets are walked by keys; "": none */
    int popups;                   /* how many were open when this frame began */
    bool walk_asked;              /* it has not got the keyboard yet */
    bool walking;                 /* a panel's widgets, or a menu's entries */
    int focusing;                 /* frames that a field may still take to get the keyboard */
    int focus_asked;              /* frame in which one asked for it last */
    uint32_t known[0x10000 / 32]; /* letters that the fonts were asked for, a bit each */
    uint32_t letters[UI_LETTERS_MAX];
    size_t letter_count;
    bool letters_asked;
    bool focus_area; /* the next text area takes the keyboard */
} ui;

static ImVec2 vec(struct ui_vec v)
{
    return ImVec2(v.x, v.y);
}

static struct ui_vec from(ImVec2 v)
{
    struct ui_vec out = {v.x, v.y};
    return out;
}

static struct ui_rect rect_of(ImVec2 low, ImVec2 high)
{
    struct ui_rect rect = {low.x, low.y, high.x - low.x, high.y - low.y};
    return rect;
}

static ImDrawList *list(struct ui_draw *draw)
{
    return reinterpret_cast<ImDrawList *>(draw);
}

/* ---- Letters ---- */

/* The letters that the fonts are made with at first. */
static const ImWchar first_letters[] = {0x20,   0xff,   0x100,  0x17f,  0x2b0,  0x2ff,  0x370,  0x3ff, 0x2010,
                                        0x2044, 0x2070, 0x209f, 0x2190, 0x21ff, 0x2200, 0x22ff, 0};

static bool is_known(unsigned letter)
{
    return (ui.known[letter >> 5] >> (letter & 31) & 1) != 0;
}

static void know(unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++)
        ui.known[i >> 5] |= 1u << (i & 31);
}

static void ask_letter(unsigned letter)
{
    for (const ImWchar *range = first_letters; range[0]; range += 2)
        know(range[0], range[1]);
    if (is_known(letter) || ui.letter_count == UI_LETTERS_MAX)
        return;
    if (letter < 0x2000) /* alphabets come whole */
        know(letter & ~0xffu, letter | 0xffu);
    else
        know(letter, letter);
    ui.letters[ui.letter_count++] = letter;
    ui.letters_asked = true;
}

/* Notes letters that the fonts do not have yet; called for every text that is shown. */
static const char *seen(const char *text)
{
    for (const char *s = text; s && *s;) {
        unsigned letter = (unsigned char)*s;
        if (letter < 0x80) {
            s++;
            continue;
        }
        int length = ImTextCharFromUtf8(&letter, s, nullptr);
        s += length > 0 ? length : 1;
        if (letter > 0x7f && letter < 0x10000 && !is_known(letter))
            ask_letter(letter);
    }
    return text;
}

/* A formatted text, valid until the next call. */
static const char *written(const char *format, va_list args)
{
    static char text[4096];
    if (std::strcmp(format, "%s") == 0)
        return seen(va_arg(args, const char *));
    std::vsnprintf(text, sizeof text, format, args);
    return seen(text);
}

bool ui_letters_asked(void)
{
    bool asked = ui.letters_asked;
    ui.letters_asked = false;
    return asked;
}

const uint32_t *ui_letters(size_t *count, size_t *readable)
{
    *count = ui.letter_count;
    *readable = 0;
    for (size_t i = 0; i < ui.letter_count; i++)
        *readable += ui.fonts[UI_NORMAL]->FindGlyphNoFallback((ImWchar)ui.letters[i]) != nullptr;
    return ui.letters;
}

/* ---- Names of widgets ---- */

void ui_name(const char *format, ...)
{
    if (!ed_describing())
        return;
    va_list args;
    va_start(args, format);
    std::vsnprintf(ui.name, sizeof ui.name, format, args);
    va_end(args);
}

static void describe_rect(const char *kind, const char *label, ImVec2 low, ImVec2 high, bool on)
{
    if (!ed_describing())
        return;
    char name[300];
    const char *hash = std::strstr(label, "##");
    if (ui.name[0])
        std::snprintf(name, sizeof name, "%s", ui.name);
    else if (hash == label)
        std::snprintf(name, sizeof name, "%s:%s", kind, label + 2);
    else
        std::snprintf(name, sizeof name, "%s:%.*s", kind, hash ? (int)(hash - label) : 250, label);
    ui.name[0] = '\0';
    ed_describe_item(name, low.x, low.y, high.x - low.x, high.y - low.y, on);
}

static bool described(const char *kind, const char *label, bool result)
{
    seen(label);
    if (ed_describing()) {
        ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        bool on = ImGui::IsItemVisible() && ImGui::GetStyle().Alpha > 0.7f;
        describe_rect(kind, label, low, high, on);
    }
    return result;
}

/* ---- Theme ---- */

static const uint32_t dark_colours[UI_COLOURS] = {
    0xff1a1816, 0xff24211e, 0xff262320, 0xff35312d, 0xff46403b, 0xff131110, 0xffe8e4e0,
    0xff9b948d, 0xffd6904a, 0xfff0b478, 0xff7cc46a, 0xff4cb4ec, 0xff5a5ae6, 0x90000000,
};
static const uint32_t light_colours[UI_COLOURS] = {
    0xffe4e2df, 0xffd5d2ce, 0xfff4f3f1, 0xffffffff, 0xffe3ecf5, 0xffbdb8b2, 0xff2a2622,
    0xff77706a, 0xffb8702a, 0xffd08a3c, 0xff4e9a3c, 0xff1e82d2, 0xff3c3cc8, 0x50000000,
};

static ImVec4 blend(uint32_t a, uint32_t b, float t)
{
    ImVec4 from_colour = ImGui::ColorConvertU32ToFloat4(a), to = ImGui::ColorConvertU32ToFloat4(b);
    return ImVec4(from_colour.x + (to.x - from_colour.x) * t, from_colour.y + (to.y - from_colour.y) * t,
                  from_colour.z + (to.z - from_colour.z) * t, from_colour.w + (to.w - from_colour.w) * t);
}

static void style_sizes(ImGuiStyle &style)
{
    style = ImGuiStyle();
    style.WindowRounding = 6;
    style.ChildRounding = 4;
    style.FrameRounding = 4;
    style.PopupRounding = 6;
    style.GrabRounding = 3;
    style.ScrollbarRounding = 6;
    style.TabRounding = 4;
    style.ScrollbarSize = 11;
    style.GrabMinSize = 9;
    style.WindowPadding = ImVec2(10, 10);
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 5);
    style.ItemInnerSpacing = ImVec2(6, 4);
    style.IndentSpacing = 14;
    style.WindowBorderSize = 1;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.WindowTitleAlign = ImVec2(0.02f, 0.5f);
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.DisabledAlpha = 0.45f;
    style.ScaleAllSizes(ui.scale);
}

static void style_colours(ImGuiStyle &style)
{
    const uint32_t *c = ui.colours;
    ImVec4 accent = ImGui::ColorConvertU32ToFloat4(c[UI_ACCENT]), soft = accent, faint = accent;
    soft.w = 0.55f;
    faint.w = 0.28f;
    ImVec4 *to = style.Colors;
    to[ImGuiCol_Text] = ImGui::ColorConvertU32ToFloat4(c[UI_TEXT]);
    to[ImGuiCol_TextDisabled] = ImGui::ColorConvertU32ToFloat4(c[UI_MUTED]);
    to[ImGuiCol_WindowBg] = to[ImGuiCol_MenuBarBg] = ImGui::ColorConvertU32ToFloat4(c[UI_PANEL]);
    to[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
    to[ImGuiCol_PopupBg] = blend(c[UI_PANEL], c[UI_RAISED], 0.35f);
    to[ImGuiCol_Border] = to[ImGuiCol_Separator] = ImGui::ColorConvertU32ToFloat4(c[UI_BORDER]);
    to[ImGuiCol_FrameBg] =
        ui.light ? blend(c[UI_PANEL], c[UI_BORDER], 0.35f) : ImGui::ColorConvertU32ToFloat4(c[UI_BACKGROUND]);
    to[ImGuiCol_FrameBgHovered] = ImGui::ColorConvertU32ToFloat4(c[UI_HOVERED]);
    to[ImGuiCol_FrameBgActive] = ImGui::ColorConvertU32ToFloat4(c[UI_HOVERED]);
    to[ImGuiCol_TitleBg] = to[ImGuiCol_TitleBgActive] = to[ImGuiCol_TitleBgCollapsed] =
        blend(c[UI_PANEL], c[UI_RAISED], 0.6f);
    to[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    to[ImGuiCol_ScrollbarGrab] = blend(c[UI_RAISED], c[UI_MUTED], 0.25f);
    to[ImGuiCol_ScrollbarGrabHovered] = to[ImGuiCol_ScrollbarGrabActive] =
        blend(c[UI_RAISED], c[UI_MUTED], 0.5f);
    to[ImGuiCol_CheckMark] = to[ImGuiCol_SliderGrab] = to[ImGuiCol_SliderGrabActive] = accent;
    to[ImGuiCol_Button] = ImGui::ColorConvertU32ToFloat4(c[UI_RAISED]);
    to[ImGuiCol_ButtonHovered] = ImGui::ColorConvertU32ToFloat4(c[UI_HOVERED]);
    to[ImGuiCol_ButtonActive] = soft;
    to[ImGuiCol_Header] = faint;
    to[ImGuiCol_HeaderHovered] = ImGui::ColorConvertU32ToFloat4(c[UI_HOVERED]);
    to[ImGuiCol_HeaderActive] = soft;
    to[ImGuiCol_Tab] = ImGui::ColorConvertU32ToFloat4(c[UI_PANEL]);
    to[ImGuiCol_TabUnfocused] = to[ImGuiCol_Tab];
    to[ImGuiCol_TabHovered] = ImGui::ColorConvertU32ToFloat4(c[UI_HOVERED]);
    to[ImGuiCol_TabActive] = to[ImGuiCol_TabUnfocusedActive] = ImGui::ColorConvertU32ToFloat4(c[UI_RAISED]);
    to[ImGuiCol_PlotHistogram] = accent;
    to[ImGuiCol_TextSelectedBg] = faint;
    to[ImGuiCol_NavHighlight] = soft;
    to[ImGuiCol_TableHeaderBg] = ImGui::ColorConvertU32ToFloat4(c[UI_RAISED]);
    to[ImGuiCol_TableBorderStrong] = to[ImGuiCol_TableBorderLight] =
        ImGui::ColorConvertU32ToFloat4(c[UI_BORDER]);
    to[ImGuiCol_TableRowBgAlt] = ui.light ? ImVec4(0, 0, 0, 0.03f) : ImVec4(1, 1, 1, 0.03f);
    to[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.45f);
    to[ImGuiCol_ResizeGrip] = ImVec4(0, 0, 0, 0);
}

static ImFont *add_font(const char *file, float size, const ImWchar *ranges)
{
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.SizePixels = size;
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    FILE *there = file ? std::fopen(file, "rb") : nullptr;
    if (!there)
        return atlas->AddFontDefault(&config);
    std::fclose(there);
    ImFont *font = atlas->AddFontFromFileTTF(file, size, &config, ranges);
    return font ? font : atlas->AddFontDefault(&config);
}

/* Files of fonts, each read once for all sizes. */
struct more_fonts {
    void *data[UI_MORE_FONTS];
    size_t sizes[UI_MORE_FONTS];
    int faces[UI_MORE_FONTS];
};

static void read_more(const struct ui_options *options, struct more_fonts *more)
{
    for (int i = 0; i < UI_MORE_FONTS; i++) {
        const struct ui_font_file *file = &options->more[i];
        more->data[i] = file->path ? ImFileLoadToMemory(file->path, "rb", &more->sizes[i]) : nullptr;
        more->faces[i] = file->face;
    }
}

/* Letters that the font added last lacks. */
static void add_more(const struct more_fonts *more, float size, const ImWchar *ranges)
{
    for (int i = 0; i < UI_MORE_FONTS; i++) {
        ImFontConfig config;
        config.MergeMode = true;
        config.FontDataOwnedByAtlas = false;
        config.FontNo = more->faces[i];
        if (more->data[i])
            ImGui::GetIO().Fonts->AddFontFromMemoryTTF(more->data[i], (int)more->sizes[i], size, &config,
                                                       ranges);
    }
}

static bool build_fonts(const struct ui_options *options, const struct more_fonts *more)
{
    static const float sizes[UI_FONTS] = {15, 15, 13, 18, 28, 14};
    const char *bold = options->bold ? options->bold : options->font;
    const char *files[UI_FONTS] = {options->font, bold, options->font,
                                   bold,          bold, options->mono ? options->mono : options->font};
    ImVector<ImWchar> all, added;
    ImFontGlyphRangesBuilder builder;
    for (unsigned i = 0; i < 0x10000; i++)
        if (is_known(i))
            builder.AddChar((ImWchar)i);
    if (ui.letter_count > 0)
        builder.BuildRanges(&added);
    builder.AddRanges(first_letters);
    builder.BuildRanges(&all);
    ImGui::GetIO().Fonts->Clear();
    for (int i = 0; i < UI_FONTS; i++) {
        ui.sizes[i] = (float)(int)(sizes[i] * ui.scale + 0.5f);
        ui.fonts[i] = add_font(files[i], ui.sizes[i], all.Data);
        if (more && ui.letter_count > 0)
            add_more(more, ui.sizes[i], added.Data);
    }
    return ImGui::GetIO().Fonts->Build();
}

static void make_fonts(const struct ui_options *options)
{
    struct more_fonts more;
    read_more(options, &more);
    if (!build_fonts(options, &more))
        build_fonts(options, nullptr); /* one of the files could not be read */
    for (void *data : more.data)
        ImGui::MemFree(data);
}

static void restyle(const struct ui_options *options)
{
    ui.scale = options->scale > 0 ? options->scale : 1;
    ui.light = options->light;
    std::memcpy(ui.colours, ui.light ? light_colours : dark_colours, sizeof ui.colours);
    style_sizes(ImGui::GetStyle());
    style_colours(ImGui::GetStyle());
    make_fonts(options);
}

/* ---- The window ---- */

bool ui_open(struct SDL_Window *window, void *gl_context, const struct ui_options *options,
             struct oro_error *err)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;
    ImGui::GetIO().ConfigInputTextCursorBlink = !ed_describing();
    restyle(options);
    if (ImGui_ImplSDL2_InitForOpenGL(window, gl_context) && ImGui_ImplOpenGL3_Init("#version 300 es"))
        return true;
    return oro_fail(err, ORO_E_DEVICE, "the user interface could not be set up for this window");
}

void ui_close(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
}

bool ui_restyle(const struct ui_options *options, struct oro_error *err)
{
    restyle(options);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    return ImGui_ImplOpenGL3_CreateFontsTexture() ||
           oro_fail(err, ORO_E_DEVICE, "the fonts could not be drawn");
}

static void hold(unsigned button, bool down)
{
    if (button == SDL_BUTTON_LEFT)
        ui.held[0] = down;
    else if (button == SDL_BUTTON_RIGHT)
        ui.held[1] = down;
    else if (button == SDL_BUTTON_MIDDLE)
        ui.held[2] = down;
}

/* SDL makes events of the mouse out of those of pens and fingers, and sends them first: the pressure is that
 * of the place before. */
static void follow_pressure(const union SDL_Event *event)
{
    bool moved = event->type == SDL_MOUSEMOTION && event->motion.which != SDL_TOUCH_MOUSEID;
    bool pressed = event->type == SDL_MOUSEBUTTONDOWN && event->button.which != SDL_TOUCH_MOUSEID;
    if (moved || pressed)
        ui.pressure = 1;
    if (event->type != SDL_FINGERDOWN && event->type != SDL_FINGERMOTION)
        return;
    float told = event->tfinger.pressure;
    ui.pressure = told > 0 && told <= 1 ? told : 1; /* 0: the device does not tell */
    if (ui.path_count > 0)
        ui.path[ui.path_count - 1].pressure = ui.pressure;
}

/* The backend polls where the mouse is now and which buttons are held. A frame must rather use the state that
 * its own events tell. */
static void follow_mouse(const union SDL_Event *event)
{
    if (event->type == SDL_MOUSEMOTION) {
        ui.mouse = ImVec2((float)event->motion.x, (float)event->motion.y);
        for (unsigned i = SDL_BUTTON_LEFT; i <= SDL_BUTTON_RIGHT; i++)
            hold(i, (event->motion.state & SDL_BUTTON(i)) != 0);
        if (ui.held[0] && ui.path_count < PATH_PLACES_MAX)
            ui.path_count++;
        if (ui.held[0])
            ui.path[ui.path_count - 1] = {{ui.mouse.x, ui.mouse.y}, ui.pressure, event->motion.timestamp};
    } else if (event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP) {
        ui.mouse = ImVec2((float)event->button.x, (float)event->button.y);
        hold(event->button.button, event->type == SDL_MOUSEBUTTONDOWN);
    }
    bool told = event->type == SDL_MOUSEMOTION || event->type == SDL_MOUSEBUTTONDOWN ||
                event->type == SDL_MOUSEBUTTONUP;
    bool left = event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_LEAVE;
    if (told || left)
        ui.has_mouse = told;
}

static void tell_key(const SDL_Event *event)
{
    ImGuiIO &io = ImGui::GetIO();
    ImGui_ImplSDL2_ProcessEvent(event);
    io.KeyCtrl = (event->key.keysym.mod & KMOD_CTRL) != 0; /* at the time of the event, not now */
    io.KeyShift = (event->key.keysym.mod & KMOD_SHIFT) != 0;
    io.KeyAlt = (event->key.keysym.mod & KMOD_ALT) != 0;
}

void ui_event(const union SDL_Event *event)
{
    /* Events tell which clicks are double: ImGui would go by the times of frames, which may be slow. */
    if (event->type == SDL_MOUSEBUTTONDOWN)
        ImGui::GetIO().MouseDoubleClickTime = event->button.clicks > 1 ? 60.0f : 0.0f;
    follow_pressure(event);
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP)
        tell_key(event);
    else
        ImGui_ImplSDL2_ProcessEvent(event);
    follow_mouse(event);
}

static bool is_open_as(const ImGuiPopupData &popup, ImGuiWindowFlags flag)
{
    return popup.Window && (popup.Window->Flags & flag) != 0;
}

/* Escape closes the popup, menu or list that was opened last, unless a field has the keyboard. */
static void close_popup_by_key(void)
{
    const ImVector<ImGuiPopupData> &open = ImGui::GetCurrentContext()->OpenPopupStack;
    ui.had_popup = open.Size > 0;
    if (!ui.had_popup || ui_typing() || !ImGui::IsKeyPressed(SDL_SCANCODE_ESCAPE, false))
        return;
    int last = open.Size - 1;
    while (!ui.walking && last > 0 && is_open_as(open[last], ImGuiWindowFlags_ChildMenu))
        last--; /* closes the menu that it is in, too: under the pointer, the popup would open again */
    if (open[last].Window && !is_open_as(open[last], ImGuiWindowFlags_Modal)) /* dialogs wait for an answer */
        ImGui::ClosePopupToLevel(last, true);
}

/* ImGui's own walk by keys is on only while a menu or a panel is walked: elsewhere its keys mean other
 * things. A menu is walked once an arrow key is pressed, and a dialog never, as Enter is its answer. */
static void choose_walking(void)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    ImGuiIO &io = ImGui::GetIO();
    bool popup = g.OpenPopupStack.Size > 0;
    ui.popups = g.OpenPopupStack.Size;
    bool modal = popup && is_open_as(g.OpenPopupStack.back(), ImGuiWindowFlags_Modal);
    bool arrow = io.KeysDown[SDL_SCANCODE_UP] || io.KeysDown[SDL_SCANCODE_DOWN] ||
                 io.KeysDown[SDL_SCANCODE_LEFT] || io.KeysDown[SDL_SCANCODE_RIGHT];
    ui.walking = !modal && !ui_typing() && (popup ? ui.walking || arrow : ui.walked[0] != '\0');
    if (ui.walking)
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    else
        io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    if (!ui.walking)
        g.NavDisableHighlight = true;
}

/* A frame of ImGui, in which Escape closes nothing by itself, and keys with modifiers press no entry. */
static void new_frame(void)
{
    ImGuiIO &io = ImGui::GetIO();
    int escape = io.KeyMap[ImGuiKey_Escape], space = io.KeyMap[ImGuiKey_Space];
    static bool blocked; /* until the key is up: the modifier may be released first */
    blocked = io.KeyCtrl || io.KeyShift || io.KeyAlt ||
              (blocked && (io.KeysDown[SDL_SCANCODE_SPACE] || io.KeysDown[SDL_SCANCODE_RETURN]));
    bool plain = !blocked;
    io.KeyMap[ImGuiKey_Escape] = -1;
    io.KeyMap[ImGuiKey_Space] = plain ? space : SDL_SCANCODE_UNKNOWN;
    bool enter = io.KeysDown[SDL_SCANCODE_RETURN] || io.KeysDown[SDL_SCANCODE_KP_ENTER];
    if (ui.walking && ui.walked[0] == '\0' && enter && plain)
        io.NavInputs[ImGuiNavInput_Activate] = 1; /* ImGui's own key for it is Space */
    ImGui::NewFrame();
    io.KeyMap[ImGuiKey_Escape] = escape;
    io.KeyMap[ImGuiKey_Space] = space;
}

void ui_frame_begin(void)
{
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGuiIO &io = ImGui::GetIO();
    if (ui.has_mouse)
        io.MousePos = ui.mouse;
    for (int i = 0; i < 3; i++)
        io.MouseDown[i] = ui.held[i];
    choose_walking();
    new_frame();
    close_popup_by_key();
    if (ui.focusing > 0)
        ui.focusing = ImGui::GetIO().WantTextInput ? 0 : ui.focusing - 1;
    ui.name[0] = '\0';
    ed_describe_begin();
}

void ui_frame_end(void)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    ui.path_count = 0;
}

bool ui_typing(void)
{
    /* ImGui keeps text input on for a frame after a field was left. */
    return ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive();
}

void ui_typing_end(void)
{
    ImGui::ClearActiveID();
}

/* Each is one call. */
/* clang-format off */
bool ui_focusing(void) { return ui.focusing > 0; }
float ui_scale(void) { return ui.scale; }
float ui_frame_rate(void) { return ImGui::GetIO().Framerate; }
float ui_delta(void) { return ImGui::GetIO().DeltaTime; }
uint32_t ui_colour(enum ui_colour colour) { return ui.colours[colour]; }
bool ui_is_light(void) { return ui.light; }
void ui_font_push(enum ui_font font) { ImGui::PushFont(ui.fonts[font]); }
void ui_font_pop(void) { ImGui::PopFont(); }
float ui_font_size(enum ui_font font) { return ui.sizes[font]; }
/* clang-format on */

/* ---- Windows and places ---- */

static ImGuiWindowFlags window_flags(int flags)
{
    ImGuiWindowFlags out = ImGuiWindowFlags_None;
    out |= flags & UI_NO_SCROLL ? ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse : 0;
    return ui.walking ? out : out | ImGuiWindowFlags_NoNavInputs;
}

void ui_walk(const char *panel)
{
    std::snprintf(ui.walked, sizeof ui.walked, "%s", panel ? panel : "");
    ui.walk_asked = panel != nullptr;
}

bool ui_walking(void)
{
    return ui.walking;
}

/* Gives the keyboard to the panel that was begun, if it is to be walked. */
static void begin_walk(const char *id)
{
    if (!ui.walk_asked || !ui.walking || std::strcmp(id, ui.walked) != 0)
        return;
    ImGui::SetWindowFocus();
    ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
    ui.walk_asked = false;
}

bool ui_panel_begin(const char *id, struct ui_rect rect, int flags)
{
    ImGui::SetNextWindowPos(ImVec2(rect.x, rect.y));
    ImGui::SetNextWindowSize(ImVec2(rect.w, rect.h));
    const ImGuiStyle &style = ImGui::GetStyle();
    ImGui::PushStyleColor(ImGuiCol_WindowBg,
                          style.Colors[flags & UI_POPUP ? ImGuiCol_PopupBg : ImGuiCol_WindowBg]);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, flags & UI_POPUP ? style.PopupRounding : 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, flags & UI_BORDERED ? 1.0f : 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1)); /* else heads are too high */
    if (flags & UI_NO_PADDING)
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    bool shown = ImGui::Begin(id, nullptr,
                              window_flags(flags) | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                                  (flags & UI_ALWAYS_ON_TOP ? 0 : ImGuiWindowFlags_NoBringToFrontOnFocus));
    ImGui::PopStyleVar(flags & UI_NO_PADDING ? 4 : 3);
    ImGui::PopStyleColor();
    begin_walk(id);
    return shown;
}

void ui_panel_end(void)
{
    ImGui::End();
}

/* Escape closes the window that was used last; the next Escape, another one that is open. */
static void close_by_key(const char *title, bool *open)
{
    static char front[64];
    static int front_at = -1, closed_at = -1; /* frames */
    int frame = ImGui::GetFrameCount();
    bool gone = front_at < frame - 1;
    if (gone || ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows))
        std::snprintf(front, sizeof front, "%s", title);
    if (std::strcmp(front, title) != 0)
        return;
    front_at = frame;
    if (closed_at == frame || ImGui::IsAnyItemActive() || ui_any_popup() ||
        !ImGui::IsKeyPressed(SDL_SCANCODE_ESCAPE, false))
        return;
    *open = false;
    closed_at = frame;
}

/* Brings the current window back that lies partly outside, such as after the program's own window was made
 * smaller. */
static void keep_inside(ImVec2 all)
{
    ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImVec2 most(all.x - size.x, all.y - size.y);
    ImVec2 to(at.x < most.x ? at.x : most.x, at.y < most.y ? at.y : most.y);
    float bar = ImGui::GetFrameHeight(); /* of the menus, which would lie over its title */
    to = ImVec2(to.x > 0 ? to.x : 0, to.y > bar ? to.y : bar);
    if ((to.x != at.x || to.y != at.y) && !ImGui::IsMouseDown(ImGuiMouseButton_Left))
        ImGui::SetWindowPos(to);
}

bool ui_window_begin(const char *title, bool *open, float width, float height, int flags)
{
    ImVec2 all = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(all.x * 0.5f, all.y * 0.5f), ImGuiCond_Appearing, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(width < all.x ? width : all.x, height < all.y ? height : all.y),
                             ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(all.x, all.y - ImGui::GetFrameHeight()));
    char id[160]; /* the id includes the scale, since each scale needs its own size */
    std::snprintf(id, sizeof id, "%s###%s %.3f", title, title, (double)ui_scale());
    bool shown = ImGui::Begin(id, open, window_flags(flags) | ImGuiWindowFlags_NoCollapse);
    if (flags & UI_ALWAYS_ON_TOP && ImGui::IsWindowAppearing())
        ImGui::SetWindowFocus();
    if (open)
        close_by_key(title, open);
    keep_inside(all);
    ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    describe_rect("window", title, at, ImVec2(at.x + size.x, at.y + size.y), true);
    if (open && ed_describing()) {
        float side = ImGui::GetFrameHeight();
        ui_name("close:%s", title);
        describe_rect("", "", ImVec2(at.x + size.x - side, at.y), ImVec2(at.x + size.x, at.y + side), true);
    }
    return shown;
}

void ui_window_end(void)
{
    ImGui::End();
}

bool ui_child_begin(const char *id, float width, float height, int flags)
{
    if (flags & UI_NO_PADDING)
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    bool shown = ImGui::BeginChild(id, ImVec2(width, height), (flags & UI_BORDERED) != 0,
                                   window_flags(flags) | (ui.walking ? ImGuiWindowFlags_NavFlattened : 0));
    if (flags & UI_NO_PADDING)
        ImGui::PopStyleVar();
    return shown;
}

void ui_child_end(void)
{
    ImGui::EndChild();
}

struct ui_vec ui_window_size(void)
{
    return from(ImGui::GetIO().DisplaySize);
}

struct ui_rect ui_content(void)
{
    ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    struct ui_rect rect = {at.x, at.y, size.x, size.y};
    return rect;
}

/* Each is one call. */
/* clang-format off */
struct ui_vec ui_cursor(void) { return from(ImGui::GetCursorScreenPos()); }
void ui_cursor_set(struct ui_vec at) { ImGui::SetCursorScreenPos(vec(at)); }
void ui_same_line(float gap) { ImGui::SameLine(0, gap); }
void ui_spacing(void) { ImGui::Spacing(); }
void ui_separator(void) { ImGui::Separator(); }
void ui_dummy(float width, float height) { ImGui::Dummy(ImVec2(width, height)); }
void ui_item_width(float width) { ImGui::SetNextItemWidth(width); }
void ui_align_text(void) { ImGui::AlignTextToFramePadding(); }
void ui_group_begin(void) { ImGui::BeginGroup(); }
void ui_group_end(void) { ImGui::EndGroup(); }
void ui_disabled_begin(bool disabled) { ImGui::BeginDisabled(disabled); }
void ui_disabled_end(void) { ImGui::EndDisabled(); }
void ui_id_push(const char *id) { ImGui::PushID(id); }
void ui_id_push_index(int index) { ImGui::PushID(index); }
void ui_id_pop(void) { ImGui::PopID(); }
float ui_scroll_y(void) { return ImGui::GetScrollY(); }
void ui_scroll_to(float y) { ImGui::SetScrollY(y); }
void ui_scroll_here(void) { ImGui::SetScrollHereY(); }
float ui_line_height(void) { return ImGui::GetTextLineHeight(); }
float ui_widget_height(void) { return ImGui::GetFrameHeight(); }
/* clang-format on */

void ui_focus_next(void)
{
    ImGui::SetKeyboardFocusHere();
    int frame = ImGui::GetFrameCount();
    if (frame > ui.focus_asked + 1) /* a request repeated in every frame is not waited for again */
        ui.focusing = FOCUS_FRAMES;
    ui.focus_asked = frame;
}

/* ---- Widgets ---- */

void ui_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ImGui::TextUnformatted(written(format, args));
    va_end(args);
}

void ui_text_wrapped_coloured(uint32_t colour, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ui_text_wrapped(text);
    ImGui::PopStyleColor();
}

void ui_text_wrapped(const char *text)
{
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(seen(text));
    ImGui::PopTextWrapPos();
}

void ui_text_coloured(uint32_t colour, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(written(format, args));
    ImGui::PopStyleColor();
    va_end(args);
}

bool ui_button(const char *label, float width, float height)
{
    return described("button", label, ImGui::Button(label, ImVec2(width, height)));
}

bool ui_button_strong(const char *label, float width, float height)
{
    ImVec4 accent = ImGui::ColorConvertU32ToFloat4(ui.colours[UI_ACCENT]);
    ImGui::PushStyleColor(ImGuiCol_Button, accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::ColorConvertU32ToFloat4(ui.colours[UI_SELECTED]));
    ImGui::PushStyleColor(ImGuiCol_Text, ui.light ? ImVec4(1, 1, 1, 1) : ImVec4(0.06f, 0.06f, 0.07f, 1));
    bool pressed = ImGui::Button(label, ImVec2(width, height));
    ImGui::PopStyleColor(3);
    return described("button", label, pressed);
}

bool ui_small_button(const char *label)
{
    return described("button", label, ImGui::SmallButton(label));
}

bool ui_square_button(const char *id, bool on, const char *tooltip, struct ui_rect *rect, uint32_t *colour)
{
    float side = ImGui::GetFrameHeight();
    bool pressed = ImGui::InvisibleButton(id, ImVec2(side, side));
    bool hovered = ImGui::IsItemHovered();
    ImVec2 at = ImGui::GetItemRectMin();
    float alpha = ImGui::GetStyle().Alpha;
    if (on || hovered)
        ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + side, at.y + side),
                                                  on ? ui_faded(ui.colours[UI_ACCENT], 0.45f * alpha)
                                                     : ui.colours[UI_HOVERED],
                                                  ImGui::GetStyle().FrameRounding);
    *rect = (struct ui_rect){at.x, at.y, side, side};
    *colour = ui_faded(ui.colours[on || hovered ? UI_TEXT : UI_MUTED], alpha);
    described("button", id, pressed);
    if (tooltip)
        ui_tooltip("%s", tooltip);
    return pressed;
}

bool ui_link(const char *label)
{
    const char *end = std::strstr(label, "##");
    ImVec2 size = ImGui::CalcTextSize(label, end), at = ImGui::GetCursorScreenPos();
    bool pressed = ImGui::InvisibleButton(label, ImVec2(size.x > 1 ? size.x : 1, size.y > 1 ? size.y : 1));
    bool hovered = ImGui::IsItemHovered();
    uint32_t colour = ui.colours[hovered ? UI_SELECTED : UI_ACCENT];
    ImGui::GetWindowDrawList()->AddText(at, colour, label, end);
    if (hovered) {
        ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, at.y + size.y), ImVec2(at.x + size.x, at.y + size.y),
                                            colour);
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    return described("link", label, pressed);
}

bool ui_selectable(const char *label, bool selected, float height)
{
    return described("item", label, ImGui::Selectable(label, selected, 0, ImVec2(0, height)));
}

bool ui_checkbox(const char *label, bool *on)
{
    return described("check", label, ImGui::Checkbox(label, on));
}

bool ui_radio(const char *label, bool on)
{
    return described("radio", label, ImGui::RadioButton(label, on));
}

bool ui_combo_begin(const char *label, const char *shown)
{
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImVec2 end(at.x + ImGui::CalcItemWidth(), at.y + ImGui::GetFrameHeight());
    bool open = ImGui::BeginCombo(label, seen(shown), ImGuiComboFlags_HeightLarge);
    if (!open)
        described("combo", label, false);
    else /* then the last item is its list */
        describe_rect("combo", label, at, end, true);
    ui.name[0] = '\0';
    return open;
}

void ui_combo_end(void)
{
    ImGui::EndCombo();
}

bool ui_combo(const char *label, int *index, const char *const *items, int count)
{
    bool changed = false;
    if (!ui_combo_begin(label, *index >= 0 && *index < count ? items[*index] : ""))
        return false;
    for (int i = 0; i < count; i++)
        if (ui_selectable(items[i], i == *index, 0)) {
            changed = *index != i;
            *index = i;
        }
    ui_combo_end();
    return changed;
}

static ImGuiSliderFlags slider_flags(int flags)
{
    return (flags & UI_LOGARITHMIC ? ImGuiSliderFlags_Logarithmic : 0) |
           (flags & UI_CLAMP ? ImGuiSliderFlags_AlwaysClamp : 0) |
           (flags & UI_WHOLE ? ImGuiSliderFlags_NoRoundToFormat : 0);
}

static double whole(double value)
{
    return std::round(value);
}

static double share_of(double value, double low, double high, int flags)
{
    if (!(high > low))
        return 0;
    double share = flags & UI_LOGARITHMIC && low > 0 ? std::log(value / low) / std::log(high / low)
                                                     : (value - low) / (high - low);
    return std::fmin(std::fmax(share, 0), 1);
}

/* A bar below the number, since a knob would hide it. */
static void draw_share(double share)
{
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImVec2 end(at.x + ImGui::CalcItemWidth(), at.y + ImGui::GetFrameHeight());
    bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end);
    float rounding = ImGui::GetStyle().FrameRounding, width = (end.x - at.x) * (float)share;
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, end, ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                        rounding);
    uint32_t tint = ui_faded(ui_colour(UI_ACCENT), hovered ? 0.62f : ui.light ? 0.38f : 0.48f);
    if (width > 1)
        list->AddRectFilled(at, ImVec2(at.x + width, end.y), tint, std::fmin(rounding, width / 2));
}

bool ui_slider(const char *label, double *value, double low, double high, const char *format, int flags)
{
    static const ImGuiCol hidden[] = {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                                      ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive};
    draw_share(share_of(*value, low, high, flags));
    for (ImGuiCol colour : hidden)
        ImGui::PushStyleColor(colour, 0u);
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, 1.0f);
    bool changed =
        ImGui::SliderScalar(label, ImGuiDataType_Double, value, &low, &high, format, slider_flags(flags));
    ImGui::PopStyleVar();
    ImGui::PopStyleColor((int)(sizeof hidden / sizeof hidden[0]));
    if (changed && flags & UI_WHOLE)
        *value = whole(*value);
    return described("slider", label, changed);
}

bool ui_drag(const char *label, double *value, double speed, double low, double high, const char *format,
             int flags)
{
    bool changed = ImGui::DragScalar(label, ImGuiDataType_Double, value, (float)speed, &low, &high, format,
                                     slider_flags(flags));
    if (changed && flags & UI_WHOLE)
        *value = whole(*value);
    return described("slider", label, changed);
}

static ImGuiInputTextFlags input_flags(int flags)
{
    return (flags & UI_ENTER ? ImGuiInputTextFlags_EnterReturnsTrue : 0) |
           (flags & UI_SELECT_ALL ? ImGuiInputTextFlags_AutoSelectAll : 0) |
           (flags & UI_READ_ONLY ? ImGuiInputTextFlags_ReadOnly : 0) |
           (flags & UI_TAB ? ImGuiInputTextFlags_AllowTabInput : 0);
}

bool ui_input(const char *label, const char *hint, char *text, size_t size, int flags)
{
    seen(text);
    return described("input", label,
                     ImGui::InputTextWithHint(label, seen(hint ? hint : ""), text, size, input_flags(flags)));
}

struct completion {
    void (*complete)(char *text, size_t size, void *user);
    void *user;
    size_t size;
};

static int complete_text(ImGuiInputTextCallbackData *data)
{
    const struct completion *to = static_cast<const struct completion *>(data->UserData);
    char text[4096];
    std::snprintf(text, sizeof text, "%s", data->Buf);
    to->complete(text, to->size < sizeof text ? to->size : sizeof text, to->user);
    if (std::strcmp(text, data->Buf) != 0) {
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, text);
    }
    return 0;
}

bool ui_input_completed(const char *label, const char *hint, char *text, size_t size, int flags,
                        void (*complete)(char *text, size_t size, void *user), void *user)
{
    struct completion to = {complete, user, size};
    seen(text);
    return described("input", label,
                     ImGui::InputTextWithHint(label, seen(hint ? hint : ""), text, size,
                                              input_flags(flags) | ImGuiInputTextFlags_CallbackCompletion,
                                              complete_text, &to));
}

bool ui_input_area(const char *label, char *text, size_t size, float width, float height, int flags)
{
    seen(text);
    return described("input", label,
                     ImGui::InputTextMultiline(label, text, size, ImVec2(width, height), input_flags(flags)));
}

bool ui_colour_picker(const char *label, float rgba[4], bool alpha)
{
    ImGuiColorEditFlags flags = ImGuiColorEditFlags_NoSidePreview | ImGuiColorEditFlags_NoLabel;
    flags |= ImGuiColorEditFlags_DisplayRGB | ImGuiColorEditFlags_DisplayHSV | ImGuiColorEditFlags_DisplayHex;
    return described("picker", label,
                     alpha ? ImGui::ColorPicker4(label, rgba,
                                                 flags | ImGuiColorEditFlags_AlphaBar |
                                                     ImGuiColorEditFlags_AlphaPreviewHalf)
                           : ImGui::ColorPicker3(label, rgba, flags));
}

void ui_progress(float share, float width, float height, const char *text)
{
    if (share < 0)
        share = 0;
    ImGui::ProgressBar(share, ImVec2(width, height), seen(text ? text : ""));
}

bool ui_area(const char *id, float width, float height)
{
    bool pressed =
        ImGui::InvisibleButton(id, ImVec2(width > 1 ? width : 1, height > 1 ? height : 1),
                               ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                                   ImGuiButtonFlags_MouseButtonMiddle);
    ImGui::SetItemAllowOverlap();
    return described("area", id, pressed);
}

static ImGuiID text_area_active;

bool ui_text_area(const char *id, float width, float height)
{
    ImGuiWindow *window = ImGui::GetCurrentWindow();
    ImGuiContext &context = *ImGui::GetCurrentContext();
    ImGuiID key = window->GetID(id);
    ImVec2 at = window->DC.CursorPos;
    ImRect box(at, ImVec2(at.x + width, at.y + height));
    ImGui::ItemSize(box);
    ImGui::ItemAdd(box, key);
    bool hovered = ImGui::ItemHoverable(box, key), clicked = context.IO.MouseClicked[0];
    if (hovered)
        ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if ((hovered && clicked) || ui.focus_area) {
        ImGui::SetActiveID(key, window);
        ImGui::SetFocusID(key, window);
        ImGui::FocusWindow(window);
        ui.focus_area = false;
    } else if (context.ActiveId == key && clicked)
        ImGui::ClearActiveID();
    bool active = context.ActiveId == key;
    if (active) {
        context.ActiveIdAllowOverlap = !context.IO.MouseDown[0];
        context.WantTextInputNextFrame = 1;
        text_area_active = key;
    }
    return described("area", id, active);
}

void ui_text_area_focus(void)
{
    ui.focus_area = true;
}

bool ui_in_text_area(void)
{
    return text_area_active != 0 && ImGui::GetCurrentContext()->ActiveId == text_area_active;
}

const char *ui_typed(void)
{
    static char text[256];
    size_t length = 0;
    const ImGuiIO &io = ImGui::GetIO();
    for (ImWchar letter : io.InputQueueCharacters) {
        char bytes[5];
        const char *utf8 = ImTextCharToUtf8(bytes, letter);
        size_t count = std::strlen(utf8);
        if (letter < 0x20 || letter == 0x7f || (io.KeyCtrl && !io.KeyAlt) || length + count + 1 > sizeof text)
            continue;
        std::memcpy(text + length, utf8, count);
        length += count;
    }
    text[length] = '\0';
    return seen(text);
}

bool ui_header(const char *label, bool open_at_first)
{
    ImGui::PushStyleColor(ImGuiCol_Header, blend(ui.colours[UI_PANEL], ui.colours[UI_RAISED], 0.75f));
    ImGui::PushFont(ui.fonts[UI_BOLD]);
    bool open = ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopFont();
    ImGui::PopStyleColor();
    return described("header", label, open);
}

bool ui_tabs_begin(const char *id)
{
    return ImGui::BeginTabBar(id);
}

bool ui_tab_begin(const char *label, bool *open)
{
    return described("tab", label, ImGui::BeginTabItem(label, open));
}

void ui_tab_end(void)
{
    ImGui::EndTabItem();
}

void ui_tabs_end(void)
{
    ImGui::EndTabBar();
}

bool ui_table_begin(const char *id, int columns, int flags)
{
    return ImGui::BeginTable(id, columns,
                             (flags & UI_TABLE_ROWS ? ImGuiTableFlags_RowBg : 0) |
                                 (flags & UI_TABLE_LINES ? ImGuiTableFlags_BordersInnerH : 0));
}

void ui_table_column(const char *label, float width)
{
    ImGui::TableSetupColumn(
        label, width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch, width);
}

void ui_table_headers(void)
{
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
}

/* Each is one call. */
/* clang-format off */
void ui_table_row(void) { ImGui::TableNextRow(); }
void ui_table_next(void) { ImGui::TableNextColumn(); }
void ui_table_end(void) { ImGui::EndTable(); }
/* clang-format on */

/* ---- Menus and popups ---- */

/* Each is one call. */
/* clang-format off */
bool ui_menu_bar_begin(void) { return ImGui::BeginMainMenuBar(); }
void ui_menu_bar_end(void) { ImGui::EndMainMenuBar(); }
float ui_bar_height(void) { return ImGui::GetWindowHeight(); }
/* clang-format on */

bool ui_menu_begin(const char *label, bool enabled)
{
    bool open = ImGui::BeginMenu(label, enabled);
    if (!open)
        described("menu", label, false);
    else if (ed_describing()) /* while the menu is open, the last item is in the menu's own window */
        ui.name[0] = '\0';
    return open;
}

bool ui_bar_menu_begin(const char *label, bool letter, bool open)
{
    float left = std::floor(ImGui::GetStyle().ItemSpacing.x * 0.5f), size = ImGui::GetFontSize();
    ImVec2 at = ImGui::GetCursorScreenPos();
    if (letter) {
        float width = ImGui::CalcTextSize(label, label + 1).x;
        float y = at.y + ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset + size;
        ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x + left, y), ImVec2(at.x + left + width, y),
                                            ui.colours[UI_TEXT], ui.scale);
    }
    if (open) {
        ImGui::OpenPopup(label);
        ui.walking = true;
        ImGui::GetCurrentContext()->NavDisableHighlight = false;
    }
    return ui_menu_begin(label, true);
}

int ui_bar_step(void)
{
    if (!ui.walking || ui.popups != 1 || ImGui::GetCurrentContext()->OpenPopupStack.Size > 1)
        return 0;
    int turn = (int)ImGui::IsKeyPressed(SDL_SCANCODE_RIGHT) - (int)ImGui::IsKeyPressed(SDL_SCANCODE_LEFT);
    if (turn != 0)
        ImGui::NavMoveRequestCancel(); /* ImGui would go to the bar, and close the menu */
    return turn;
}

void ui_menu_end(void)
{
    ImGui::EndMenu();
}

bool ui_menu_item(const char *label, const char *keys, bool selected, bool enabled)
{
    return described("menu", label, ImGui::MenuItem(label, keys, selected, enabled));
}

void ui_popup_open(const char *id)
{
    ImGui::OpenPopup(id);
}

bool ui_popup_begin(const char *id)
{
    return ImGui::BeginPopup(id);
}

bool ui_modal_begin(const char *title, bool *open, float width)
{
    ImVec2 all = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(all.x * 0.5f, all.y * 0.45f), ImGuiCond_Appearing, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width > 0 ? width : all.x, all.y * 0.92f));
    return ImGui::BeginPopupModal(title, open,
                                  ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
}

/* Each is one call. */
/* clang-format off */
void ui_popup_end(void) { ImGui::EndPopup(); }
void ui_popup_close(void) { ImGui::CloseCurrentPopup(); }
bool ui_popup_is_open(const char *id) { return ImGui::IsPopupOpen(id); }
/* clang-format on */

bool ui_any_popup(void)
{
    return ui.had_popup || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void ui_tooltip_begin(void)
{
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24);
}

void ui_tooltip_end(void)
{
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void ui_tooltip(const char *format, ...)
{
    static ImGuiID over;
    static double since;
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        return;
    ImVec2 at = ImGui::GetItemRectMin();
    ImGuiID id = (ImGuiID)(int)(at.x * 7919 + at.y); /* identifies the widget by its place */
    if (id != over) {
        over = id;
        since = ImGui::GetTime();
    }
    if (ImGui::GetTime() - since < 0.4)
        return;
    va_list args;
    va_start(args, format);
    ui_tooltip_begin();
    ImGui::TextUnformatted(written(format, args));
    ui_tooltip_end();
    va_end(args);
}

/* ---- The last widget ---- */

/* Each is one call. */
/* clang-format off */
bool ui_item_hovered(void) { return ImGui::IsItemHovered(); }
bool ui_item_active(void) { return ImGui::IsItemActive(); }
bool ui_item_began(void) { return ImGui::IsItemActivated(); }
bool ui_item_ended(void) { return ImGui::IsItemDeactivated(); }
bool ui_item_ended_edit(void) { return ImGui::IsItemDeactivatedAfterEdit(); }
bool ui_item_clicked(int button) { return ImGui::IsItemClicked(button); }
struct ui_rect ui_item_rect(void) { return rect_of(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }
/* clang-format on */

/* ---- Mouse and keys ---- */

/* Whether the window that is drawn lies within the topmost dialog, if there is one. */
static bool keys_reach_here(void)
{
    const ImGuiWindow *modal = ImGui::GetTopMostPopupModal(),
                      *window = ImGui::GetCurrentContext()->CurrentWindow;
    while (modal && window && window != modal)
        window = window->ParentWindow;
    return !modal || window;
}

void ui_key_take(int scancode)
{
    float &held = ImGui::GetIO().KeysDownDuration[scancode];
    held = held == 0 ? 1e-6f : held;
}

static bool answered(int scancode)
{
    static int answered_at = -1; /* frame */
    const ImVector<ImGuiPopupData> &open = ImGui::GetCurrentContext()->OpenPopupStack;
    const ImGuiWindow *window = ImGui::GetCurrentContext()->CurrentWindow;
    int frame = ImGui::GetFrameCount();
    if (open.Size == 0 || open.back().Window != window || open.back().OpenFrameCount >= frame ||
        answered_at == frame || !ImGui::IsKeyPressed(scancode, false))
        return false;
    answered_at = frame;
    return true;
}

struct ui_vec ui_mouse(void)
{
    return from(ImGui::GetIO().MousePos);
}

struct ui_vec ui_mouse_moved(void)
{
    return from(ImGui::GetIO().MouseDelta);
}

const struct ui_place *ui_mouse_path(int *count)
{
    *count = ui.path_count;
    return ui.path;
}

float ui_mouse_pressure(void)
{
    return ui.pressure > 0 ? ui.pressure : 1;
}

/* Each is one call. */
/* clang-format off */
bool ui_mouse_down(int button) { return ImGui::IsMouseDown(button); }
bool ui_mouse_pressed(int button) { return ImGui::IsMouseClicked(button); }
bool ui_mouse_double(int button) { return ImGui::IsMouseDoubleClicked(button); }
bool ui_mouse_released(int button) { return ImGui::IsMouseReleased(button); }
struct ui_vec ui_mouse_pressed_at(int button) { return from(ImGui::GetIO().MouseClickedPos[button]); }
bool ui_mouse_dragging(int button) { return ImGui::IsMouseDragging(button, 4); }
float ui_wheel(void) { return ImGui::GetIO().MouseWheel; }
bool ui_ctrl(void) { return ImGui::GetIO().KeyCtrl; }
bool ui_shift(void) { return ImGui::GetIO().KeyShift; }
bool ui_alt(void) { return ImGui::GetIO().KeyAlt; }
bool ui_key_down(int scancode) { return keys_reach_here() && ImGui::IsKeyDown(scancode); }
bool ui_key_pressed(int scancode) { return keys_reach_here() && ImGui::IsKeyPressed(scancode, false); }
bool ui_key_repeated(int scancode) { return keys_reach_here() && ImGui::IsKeyPressed(scancode, true); }
bool ui_answered_yes(void) { return answered(SDL_SCANCODE_RETURN) || answered(SDL_SCANCODE_KP_ENTER); }
bool ui_answered_no(void) { return answered(SDL_SCANCODE_ESCAPE); }
/* clang-format on */

bool ui_window_hovered(void)
{
    return ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
}

bool ui_window_focused(void)
{
    return ImGui::IsWindowFocused();
}

void ui_pointer(enum ui_pointer pointer)
{
    static const ImGuiMouseCursor shapes[] = {ImGuiMouseCursor_Arrow,     ImGuiMouseCursor_Hand,
                                              ImGuiMouseCursor_ResizeAll, ImGuiMouseCursor_ResizeEW,
                                              ImGuiMouseCursor_ResizeNS,  ImGuiMouseCursor_Arrow,
                                              ImGuiMouseCursor_NotAllowed};
    ImGui::SetMouseCursor(shapes[pointer]);
}

/* ---- Drawing ---- */

struct ui_draw *ui_draw_here(void)
{
    return reinterpret_cast<struct ui_draw *>(ImGui::GetWindowDrawList());
}

struct ui_draw *ui_draw_above(void)
{
    return reinterpret_cast<struct ui_draw *>(ImGui::GetForegroundDrawList());
}

struct ui_draw *ui_picture_begin(void)
{
    ImDrawList *made = IM_NEW(ImDrawList)(ImGui::GetDrawListSharedData());
    made->_ResetForNewFrame();
    made->PushClipRectFullScreen();
    made->PushTextureID(ImGui::GetIO().Fonts->TexID);
    return reinterpret_cast<struct ui_draw *>(made);
}

/* Windows have row 0 at their lower edge: everything is flipped, so that the picture has row 0 at its top. */
static void mirror_vertically(ImDrawList *draw, float sum)
{
    for (ImDrawVert &vertex : draw->VtxBuffer)
        vertex.pos.y = sum - vertex.pos.y;
    for (ImDrawCmd &command : draw->CmdBuffer) {
        float upper = command.ClipRect.y;
        command.ClipRect.y = sum - command.ClipRect.w;
        command.ClipRect.w = sum - upper;
    }
}

void ui_picture_end(struct ui_draw *draw, unsigned framebuffer, struct ui_rect part, float scale)
{
    ImDrawList *made = list(draw);
    ImDrawData data;
    made->_PopUnusedDrawCmd();
    mirror_vertically(made, 2 * part.y + part.h);
    data.Valid = true;
    data.CmdListsCount = 1;
    data.CmdLists = &made;
    data.TotalVtxCount = made->VtxBuffer.Size;
    data.TotalIdxCount = made->IdxBuffer.Size;
    data.DisplayPos = ImVec2(part.x, part.y);
    data.DisplaySize = ImVec2(part.w, part.h);
    data.FramebufferScale = ImVec2(scale, scale);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    IM_DELETE(made);
}

void ui_clip_push(struct ui_draw *draw, struct ui_rect rect)
{
    list(draw)->PushClipRect(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.w, rect.y + rect.h), true);
}

void ui_clip_pop(struct ui_draw *draw)
{
    list(draw)->PopClipRect();
}

void ui_line(struct ui_draw *draw, struct ui_vec a, struct ui_vec b, uint32_t colour, float width)
{
    list(draw)->AddLine(vec(a), vec(b), colour, width);
}

void ui_rect_fill(struct ui_draw *draw, struct ui_rect rect, uint32_t colour, float rounding)
{
    list(draw)->AddRectFilled(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.w, rect.y + rect.h), colour,
                              rounding);
}

void ui_rect_fill_top(struct ui_draw *draw, struct ui_rect rect, uint32_t colour, float rounding)
{
    list(draw)->AddRectFilled(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.w, rect.y + rect.h), colour,
                              rounding, ImDrawFlags_RoundCornersTop);
}

void ui_rect_line(struct ui_draw *draw, struct ui_rect rect, uint32_t colour, float rounding, float width)
{
    list(draw)->AddRect(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.w, rect.y + rect.h), colour, rounding, 0,
                        width);
}

void ui_rect_shade(struct ui_draw *draw, struct ui_rect rect, uint32_t upper, uint32_t lower)
{
    list(draw)->AddRectFilledMultiColor(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.w, rect.y + rect.h),
                                        upper, upper, lower, lower);
}

void ui_circle_fill(struct ui_draw *draw, struct ui_vec centre, float radius, uint32_t colour)
{
    list(draw)->AddCircleFilled(vec(centre), radius, colour);
}

void ui_circle_line(struct ui_draw *draw, struct ui_vec centre, float radius, uint32_t colour, float width)
{
    list(draw)->AddCircle(vec(centre), radius, colour, 0, width);
}

void ui_triangle_fill(struct ui_draw *draw, struct ui_vec a, struct ui_vec b, struct ui_vec c,
                      uint32_t colour)
{
    list(draw)->AddTriangleFilled(vec(a), vec(b), vec(c), colour);
}

void ui_convex_fill(struct ui_draw *draw, const struct ui_vec *points, int count, uint32_t colour)
{
    list(draw)->AddConvexPolyFilled(reinterpret_cast<const ImVec2 *>(points), count, colour);
}

void ui_polyline(struct ui_draw *draw, const struct ui_vec *points, int count, uint32_t colour, float width,
                 bool closed)
{
    list(draw)->AddPolyline(reinterpret_cast<const ImVec2 *>(points), count, colour,
                            closed ? ImDrawFlags_Closed : 0, width);
}

void ui_draw_text(struct ui_draw *draw, enum ui_font font, float size, struct ui_vec at, uint32_t colour,
                  const char *text, const char *end)
{
    list(draw)->AddText(ui.fonts[font], size > 0 ? size : ui.sizes[font], vec(at), colour, seen(text), end);
}

struct ui_vec ui_text_extent(enum ui_font font, float size, const char *text, float wrap)
{
    return from(ui.fonts[font]->CalcTextSizeA(size > 0 ? size : ui.sizes[font], 3e38f, wrap, seen(text)));
}

float ui_text_width(enum ui_font font, const char *text, const char *end)
{
    return ui.fonts[font]->CalcTextSizeA(ui.sizes[font], 3e38f, 0, text, end).x;
}

const char *ui_text_at(enum ui_font font, const char *text, const char *end, float x)
{
    const char *at = text;
    for (float left = 0; at < end;) {
        unsigned letter = 0;
        int length = ImTextCharFromUtf8(&letter, at, end);
        float width =
            ui.fonts[font]->GetCharAdvance((ImWchar)letter) * ui.sizes[font] / ui.fonts[font]->FontSize;
        if (left + width / 2 > x || length <= 0)
            break;
        left += width;
        at += length;
    }
    return at;
}

void ui_draw_text_wrapped(struct ui_draw *draw, enum ui_font font, float size, struct ui_vec at,
                          uint32_t colour, const char *text, float wrap)
{
    list(draw)->AddText(ui.fonts[font], size > 0 ? size : ui.sizes[font], vec(at), colour, seen(text),
                        nullptr, wrap);
}

float ui_draw_text_in(struct ui_draw *draw, enum ui_font font, float size, struct ui_rect rect, float align,
                      uint32_t colour, const char *text)
{
    ImFont *face = ui.fonts[font];
    size = size > 0 ? size : ui.sizes[font];
    const char *rest = nullptr, *dots = "\xe2\x80\xa6";
    float y = rect.y + (rect.h - size) * 0.5f, width = face->CalcTextSizeA(size, 3e38f, 0, seen(text)).x;
    if (width <= rect.w) {
        list(draw)->AddText(face, size, ImVec2(rect.x + (rect.w - width) * align, y), colour, text);
        return width;
    }
    float tail = face->CalcTextSizeA(size, 3e38f, 0, dots).x;
    width = face->CalcTextSizeA(size, rect.w > tail ? rect.w - tail : 1, 0, text, nullptr, &rest).x;
    list(draw)->AddText(face, size, ImVec2(rect.x, y), colour, text, rest);
    list(draw)->AddText(face, size, ImVec2(rect.x + width, y), colour, dots);
    return width + tail;
}

void ui_draw_image_part(struct ui_draw *draw, unsigned texture, struct ui_rect rect, struct ui_rect part,
                        uint32_t tint, float rounding)
{
    list(draw)->AddImageRounded(reinterpret_cast<ImTextureID>((intptr_t)texture), ImVec2(rect.x, rect.y),
                                ImVec2(rect.x + rect.w, rect.y + rect.h), ImVec2(part.x, part.y),
                                ImVec2(part.x + part.w, part.y + part.h), tint, rounding);
}

void ui_draw_image(struct ui_draw *draw, unsigned texture, struct ui_rect rect, bool upside_down)
{
    list(draw)->AddImage(reinterpret_cast<ImTextureID>((intptr_t)texture), ImVec2(rect.x, rect.y),
                         ImVec2(rect.x + rect.w, rect.y + rect.h), ImVec2(0, upside_down ? 1.0f : 0.0f),
                         ImVec2(1, upside_down ? 0.0f : 1.0f));
}
