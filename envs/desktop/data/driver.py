"""
Starts the desktop, plays input, and tells what the screen shows. It runs in the sandbox, once for each step, and comes with
each call: nothing that lies in the sandbox can stand in for it. Arguments are one JSON object:

    start     list of {command, windows}: starts the X server and the window manager first, then each command, and waits
              until so many more windows are there. Left out: the desktop runs.
    input     arguments of xdotool; left out: no input
    keys      names of the keys among them: where one is no key, there is no input and `message` says so
    least     milliseconds without a change after which the screen is settled
    most      milliseconds after which it counts as settled

The answer is one JSON object on standard output: `message` (what xdotool said), `cursor` [x, y], `windows` (the lowest first;
each `title`, `class`, `states`, `isActive`), `isSettled`, and `picture`, a PNG in base64. Exit code 3: no X server answers.
"""
import base64
import ctypes
import json
import mmap
import os
import struct
import sys
import time
import zlib

DISPLAY = ":0"
SCREEN_FOLDER = "/tmp/.screen"
WIDTH, HEIGHT = 1024, 768
BACKGROUND = 0x3B5B7A
START_S = 20.0
NO_SERVER = 3
# Arguments of `type --delay MS --args 1 -- TEXT`.
TYPE_LENGTH = 7

x11 = ctypes.CDLL("libX11.so.6")
Pointer, Window, Atom, Long, Int = (ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_long, ctypes.c_int)


def typed(name, result, *arguments):
    function = getattr(x11, name)
    function.restype, function.argtypes = result, arguments
    return function


open_display = typed("XOpenDisplay", Pointer, ctypes.c_char_p)
root_window = typed("XDefaultRootWindow", Window, Pointer)
intern_atom = typed("XInternAtom", Atom, Pointer, ctypes.c_char_p, Int)
atom_name = typed("XGetAtomName", ctypes.c_char_p, Pointer, Atom)
free = typed("XFree", Int, Pointer)
get_property = typed(
    "XGetWindowProperty", Int, Pointer, Window, Atom, Long, Long, Int, Atom,
    *[ctypes.POINTER(kind) for kind in (Atom, Int, ctypes.c_ulong, ctypes.c_ulong, Pointer)],
)
key_symbol = typed("XStringToKeysym", ctypes.c_ulong, ctypes.c_char_p)
key_codes = typed("XDisplayKeycodes", Int, Pointer, ctypes.POINTER(Int), ctypes.POINTER(Int))
get_keys = typed(
    "XGetKeyboardMapping", ctypes.POINTER(ctypes.c_ulong), Pointer, ctypes.c_ubyte, Int, ctypes.POINTER(Int)
)
change_keys = typed("XChangeKeyboardMapping", Int, Pointer, Int, Int, ctypes.POINTER(ctypes.c_ulong), Int)
sync = typed("XSync", Int, Pointer, Int)
query_pointer = typed(
    "XQueryPointer", Int, Pointer, Window,
    *[ctypes.POINTER(kind) for kind in (Window, Window, Int, Int, Int, Int, ctypes.c_uint)],
)
# A window may go while it is asked for its properties: Xlib would end the program.
ignore_error = ctypes.CFUNCTYPE(Int, Pointer, Pointer)(lambda display, event: 0)


class Screen:
    """A connection to the X server, and the file that it draws into."""

    def __init__(self, display):
        self.display = display
        self.root = root_window(display)
        typed("XSetErrorHandler", Pointer, Pointer)(ctypes.cast(ignore_error, Pointer))
        with open(os.path.join(SCREEN_FOLDER, "Xvfb_screen0"), "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        # The format of xwd: the header's size is the first word, the number of colours the twentieth, of 12 bytes each.
        header = struct.unpack(">25I", self.memory[:100])
        self.start, self.stride = header[0] + 12 * header[19], header[12]

    def pixels(self):
        """Four bytes a pixel: blue, green, red, nothing."""
        return self.memory[self.start : self.start + self.stride * HEIGHT]

    def numbers(self, window, name):
        """A property of 32-bit numbers; empty where the window has none."""
        data, size = self._property(window, name, 32)
        return struct.unpack(f"{size}L", data) if data else ()

    def text(self, window, name):
        data, _ = self._property(window, name, 8)
        return data.decode("utf-8", "replace")

    def _property(self, window, name, bits):
        kind, format_, size, left, value = Atom(), Int(), ctypes.c_ulong(), ctypes.c_ulong(), Pointer()
        atom = intern_atom(self.display, name.encode(), 0)
        results = [ctypes.byref(each) for each in (kind, format_, size, left, value)]
        get_property(self.display, window, atom, 0, 1024, 0, 0, *results)
        if not value.value:
            return b"", 0
        width = struct.calcsize("L") if bits == 32 else 1
        data = ctypes.string_at(value.value, size.value * width) if format_.value == bits else b""
        free(value)
        return data, size.value

    def windows(self):
        active = self.numbers(self.root, "_NET_ACTIVE_WINDOW")
        return [self._window(window, active) for window in self.numbers(self.root, "_NET_CLIENT_LIST_STACKING")]

    def _window(self, window, active):
        states = [atom_name(self.display, state).decode() for state in self.numbers(window, "_NET_WM_STATE")]
        return {
            "title": self.text(window, "_NET_WM_NAME") or self.text(window, "WM_NAME"),
            "class": self.text(window, "WM_CLASS").split("\0")[0],
            "states": sorted(state.removeprefix("_NET_WM_STATE_").lower() for state in states),
            "isActive": window in active,
        }

    def cursor(self):
        windows, numbers, mask = (Window(), Window()), [Int() for _ in range(4)], ctypes.c_uint()
        query_pointer(self.display, self.root, *map(ctypes.byref, (*windows, *numbers, mask)))
        return [numbers[0].value, numbers[1].value]


class Keyboard:
    """
    Keys for characters that the keyboard lacks. xdotool would give one spare key to each in turn, and a program that reads its
    input later would find the key's last meaning. Here each character has a key of its own, which keeps it.
    """

    def __init__(self, display):
        self.display = display
        first, last, width = Int(), Int(), Int()
        key_codes(display, ctypes.byref(first), ctypes.byref(last))
        count = last.value - first.value + 1
        symbols = get_keys(display, first.value, count, ctypes.byref(width))
        rows = {first.value + at: symbols[at * width.value : (at + 1) * width.value] for at in range(count)}
        free(ctypes.cast(symbols, Pointer))
        self.keys = {symbol: key for key, row in rows.items() for symbol in row[:2] if symbol}
        self.spare = [key for key, row in rows.items() if not any(row)]
        # Both levels of a key that was bound here are the same, as of no key of the keyboard's own.
        self.bound = [key for key, (one, other, *_) in rows.items() if one == other and is_character(one)]

    @property
    def room(self):
        return len(self.spare) + len(self.bound)

    def bind(self, characters):
        """Gives a key to each of the characters, of which there are at most `room`, and leaves those that have one."""
        wanted = {symbol_of(character) for character in characters}
        kept = {self.keys[symbol] for symbol in wanted if symbol in self.keys}
        available = self.spare + [key for key in self.bound if key not in kept]
        for symbol in sorted(wanted - self.keys.keys()):
            key = available.pop(0)
            # Of one symbol alone X would make a small letter and, with Shift, a capital.
            change_keys(self.display, key, 2, (ctypes.c_ulong * 2)(symbol, symbol), 1)
            self.keys = {other: code for other, code in self.keys.items() if code != key} | {symbol: key}
            self.spare = [code for code in self.spare if code != key]
            self.bound = [*[code for code in self.bound if code != key], key]
        sync(self.display, 0)


def symbol_of(character):
    code = ord(character)
    return code if code < 0x100 else 0x1000000 | code


def is_character(symbol):
    return 0xA0 < symbol < 0x100 or symbol > 0x1000000


def is_busy():
    """Whether a process of the sandbox runs, or waits for a processor or a disk: it may be about to draw."""
    own = str(os.getpid())
    for name in os.listdir("/proc"):
        if not name.isdigit() or name == own:
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                if file.read().rpartition(b")")[2].split()[0] in (b"R", b"D"):
                    return True
        except OSError:
            pass
    return False


def settle(screen, least, most):
    """Waits until the picture has stood still, and no process was at work, for `least` seconds; for `most` at the latest."""
    start = since = time.monotonic()
    before = screen.pixels()
    while True:
        time.sleep(0.01)
        pixels, now = screen.pixels(), time.monotonic()
        if pixels != before or is_busy():
            before, since = pixels, now
        if now - since >= least:
            return pixels, True
        if now - start >= most:
            return pixels, False


def png(pixels, stride):
    """Eight bits of red, green and blue a pixel, no filter."""
    rgb = bytearray(3 * stride // 4 * HEIGHT)
    rgb[0::3], rgb[1::3], rgb[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
    line = 3 * stride // 4
    rows = b"".join(b"\0" + rgb[at : at + 3 * WIDTH] for at in range(0, line * HEIGHT, line))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 4)),
        (b"IEND", b""),
    ]
    framed = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def spawn(command):
    """A program that goes on after this one, without a terminal."""
    if os.fork() == 0:
        os.setsid()
        null = os.open("/dev/null", os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        os.execvp(command[0], command)


def wait_for(what, is_there, until):
    while True:
        found = is_there()
        if found:
            return found
        if time.monotonic() > until:
            sys.exit(f"expected {what} within {START_S:.0f} seconds, but it did not come")
        time.sleep(0.005)


def start(programs):
    until = time.monotonic() + START_S
    for folder, mode in (("/tmp/.X11-unix", 0o1777), (SCREEN_FOLDER, 0o700)):
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, mode)
    size = f"{WIDTH}x{HEIGHT}x24"
    server = ["Xvfb", DISPLAY, "-screen", "0", size, "-dpi", "96", "-nolisten", "tcp", "-extension", "GLX", "-noreset"]
    # `-r`: keys do not repeat. On a busy machine a key's release comes late, and the key would count more than once.
    spawn([*server, "-r", "-fbdir", SCREEN_FOLDER])
    screen = Screen(wait_for("an X server", lambda: open_display(DISPLAY.encode()), until))
    run(["mousemove", str(WIDTH // 2), str(HEIGHT // 2)])
    typed("XSetWindowBackground", Int, Pointer, Window, ctypes.c_ulong)(screen.display, screen.root, BACKGROUND)
    typed("XClearWindow", Int, Pointer, Window)(screen.display, screen.root)
    sync(screen.display, 0)
    # It misses windows that come while it starts, and runs the command when it has.
    ready = os.path.join(SCREEN_FOLDER, "ready")
    spawn(["openbox", "--startup", f"touch {ready}"])
    wait_for("a window manager", lambda: os.path.exists(ready), until)
    expected = 0
    for program in programs:
        spawn(program["command"])
        expected += program["windows"]
        count = lambda: len(screen.numbers(screen.root, "_NET_CLIENT_LIST")) >= expected
        wait_for(f"a window of {program['command'][0]}", count, until)
        # One after the other, so that the windows lie over each other in one order.
        settle(screen, 0.05, 2.0)
    return screen


def is_key(name):
    # The others are the X server's names, such as `a`, `Return` and `Page_Down`.
    return name in ("alt", "ctrl", "control", "meta", "shift", "super") or key_symbol(name.encode()) != 0


def play(screen, arguments):
    """Plays input, texts in pieces whose characters have keys all at once, and returns what xdotool said."""
    if all(argument.isascii() for argument in arguments):
        return run(arguments)
    keyboard = Keyboard(screen.display)
    said, waiting, characters = "", [], set()
    for command in commands_of(arguments):
        for piece, foreign in pieces_of(command, keyboard.room):
            if len(characters | foreign) > keyboard.room:
                said += run(waiting)
                # The programs read what was typed before its keys get another meaning.
                settle(screen, 0.1, 2.0)
                waiting, characters = [], set()
            waiting, characters = waiting + piece, characters | foreign
            keyboard.bind(characters)
    return said + run(waiting)


def commands_of(arguments):
    """Parts of the arguments: each `type --delay MS --args 1 -- TEXT`, and what stands between them."""
    commands, at = [], 0
    while at < len(arguments):
        if arguments[at] == "type":
            commands.append(arguments[at : at + TYPE_LENGTH])
            at += TYPE_LENGTH
        else:
            commands.append(arguments[at : at + 1])
            at += 1
    return commands


def pieces_of(command, room):
    """A command in parts that have at most `room` different characters beyond ASCII, and those characters."""
    if command[0] != "type":
        return [(command, set())]
    pieces, text, foreign = [], "", set()
    for character in command[-1]:
        added = set() if character.isascii() else {character}
        if len(foreign | added) > room:
            pieces.append((command[:-1] + [text], foreign))
            text, foreign = "", set()
        text, foreign = text + character, foreign | added
    return [*pieces, (command[:-1] + [text], foreign)]


def run(arguments):
    """Runs xdotool, if there is anything to do, and returns what it said."""
    if not arguments:
        return ""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 2)
        os.dup2(writing, 1)
        os.execvp("xdotool", ["xdotool", *arguments])
    os.close(writing)
    with open(reading, "rb") as output:
        said = output.read(2000).decode("utf-8", "replace")
    os.waitpid(child, 0)
    return said


def main():
    request = json.loads(sys.argv[1])
    if "start" in request:
        screen = start(request["start"])
    else:
        display = open_display(DISPLAY.encode())
        if not display:
            sys.exit(NO_SERVER)
        try:
            screen = Screen(display)
        except (OSError, ValueError, struct.error):
            sys.exit(NO_SERVER)
    unknown = [name for name in request.get("keys", []) if not is_key(name)]
    message = f"no key has the name {', '.join(unknown)}" if unknown else play(screen, request.get("input", []))
    pixels, is_settled = settle(screen, request["least"] / 1000, request["most"] / 1000)
    answer = {"message": message, "cursor": screen.cursor(), "windows": screen.windows(), "isSettled": is_settled}
    answer["picture"] = base64.b64encode(png(pixels, screen.stride)).decode()
    print(json.dumps(answer))


main()
