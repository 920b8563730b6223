"""An X server in memory whose screen can be read and whose keys can be pressed, with nothing but Xvfb itself."""

import os
import shutil
import socket
import struct
import subprocess
import threading
import time

import numpy as np

from tests.patience import PATIENCE_S

HAS_XVFB = shutil.which("Xvfb") is not None
KEY_PRESS, KEY_RELEASE = 2, 3
KEYSYMS = {"space": 0x20, "question": 0x3F, "escape": 0xFF1B, "return": 0xFF0D, "shift": 0xFFE1, "ctrl": 0xFFE3}


def wait_until(condition, timeout_s, what):
    """Ask again and again until `condition` returns something true; return it."""
    answer = comes_true(condition, timeout_s)
    assert answer, f"waited {timeout_s} s for {what}"
    return answer


def comes_true(condition, timeout_s=5):
    """Ask for as long as that; return what `condition` returned last."""
    pause = threading.Event()
    deadline = time.monotonic() + timeout_s
    while True:
        answer = condition()
        if answer or time.monotonic() >= deadline:
            return answer
        pause.wait(0.05)


class XServer:
    """Xvfb with its frame buffer in a file (option -fbdir, in the format of xwd)."""

    def __init__(self, folder, size="1280x800"):
        self._folder = folder
        reading, writing = os.pipe()
        self._process = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(writing),
                "-fbdir",
                str(folder),
                "-screen",
                "0",
                f"{size}x24",
                "-nolisten",
                "tcp",
            ],
            pass_fds=(writing,),
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        self.display = f":{number}"
        self.keyboard = Keyboard(number)

    def screen(self):
        """What is on the screen, uint8 (H, W, 3) BGR."""
        raw = (self._folder / "Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", raw[:100])
        height, row_bytes, width = header[5], header[12], header[4]
        offset = header[0] + 12 * header[19]  # behind the header and the colour map
        rows = np.frombuffer(raw, np.uint8, height * row_bytes, offset).reshape(height, row_bytes // 4, 4)
        return rows[:, :width, :3].copy()

    def close(self):
        self.keyboard.close()
        self._process.terminate()
        self._process.wait(PATIENCE_S)


class Keyboard:
    """Presses keys through the extension XTEST, in the X11 protocol itself (requests of the core protocol manual)."""

    def __init__(self, number):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(f"/tmp/.X11-unix/X{number}")
        self._socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        accepted, extra = struct.unpack("<B5xH", self._read(8))
        assert accepted == 1, "the X server refuses the connection"
        setup = self._read(4 * extra)
        vendor, formats = struct.unpack("<H", setup[16:18])[0], setup[21]
        (self._root,) = struct.unpack_from("<I", setup, 32 + vendor + -vendor % 4 + 8 * formats)
        self._first_code, last_code = setup[26], setup[27]
        self._sent = 0
        self._opcode = self._extension(b"XTEST")
        self._codes = self._mapping(last_code - self._first_code + 1)

    def _read(self, count):
        data = b""
        while len(data) < count:
            part = self._socket.recv(count - len(data))
            assert part, "the X server hung up"
            data += part
        return data

    def _send(self, request):
        self._socket.sendall(request)
        self._sent += 1

    def _reply(self):
        """The answer to the last request, None where it was refused: a window may be gone by then."""
        while True:
            head = self._read(32)
            if head[0] == 1:
                return head, self._read(4 * struct.unpack("<I", head[4:8])[0])
            # Anything else is an event, such as that the keyboard has another layout, or tells of an earlier request.
            if head[0] == 0 and struct.unpack("<H", head[2:4])[0] == self._sent & 0xFFFF:
                return None

    def _extension(self, name):
        padded = name + bytes(-len(name) % 4)
        self._send(struct.pack("<BxHHxx", 98, 2 + len(padded) // 4, len(name)) + padded)
        head, _ = self._reply()
        assert head[8], f"the X server has no extension {name.decode()}"
        return head[9]

    def _mapping(self, count):
        self._send(struct.pack("<BxHBBxx", 101, 2, self._first_code, count))
        head, body = self._reply()
        per_code = head[1]
        symbols = struct.unpack(f"<{count * per_code}I", body)
        codes = {}
        for index, symbol in enumerate(symbols):
            shifted = index % per_code == 1
            codes.setdefault(symbol, (self._first_code + index // per_code, shifted))
        return codes

    def _fake(self, kind, code):
        # FakeInput: the event's type and detail, no delay, no window, no position.
        self._send(struct.pack("<BBHBBHIIQhhQ", self._opcode, 2, 9, kind, code, 0, 0, 0, 0, 0, 0, 0))

    def windows(self):
        """The windows that are seen, the one on top last; no pop-ups."""
        self._send(struct.pack("<BxHI", 15, 2, self._root))  # QueryTree
        head, body = self._reply()
        everything = struct.unpack(f"<{struct.unpack('<H', head[16:18])[0]}I", body)
        seen = []
        for window in everything:
            self._send(struct.pack("<BxHI", 3, 2, window))  # GetWindowAttributes
            answer = self._reply()
            if answer is not None and answer[0][26] == 2 and not answer[0][27]:  # viewable, and no pop-up
                seen.append(window)
        return seen

    def _focus(self):
        """Give the keyboard to the window on top, as a window manager would."""
        for window in self.windows()[-1:]:
            self._send(struct.pack("<BBHII", 42, 1, 3, window, 0))  # SetInputFocus

    def press(self, keys):
        """Press and release a key by its name or character, with what is held meanwhile: "S", "escape", "ctrl+p"."""
        self._focus()
        *held, key = keys.split("+") if len(keys) > 1 else [keys]
        code, shifted = self._codes[KEYSYMS.get(key) or ord(key)]
        down = [self._codes[KEYSYMS[name]][0] for name in (*held, *(["shift"] if shifted else []))]
        for other in down:
            self._fake(KEY_PRESS, other)
        self._fake(KEY_PRESS, code)
        self._fake(KEY_RELEASE, code)
        for other in reversed(down):
            self._fake(KEY_RELEASE, other)

    def type(self, text):
        """Write a text, letter by letter."""
        for letter in text:
            self.press(letter)

    def close(self):
        self._socket.close()
