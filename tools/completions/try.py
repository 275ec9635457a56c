#!/usr/bin/env python3
"""Tries the completion scripts in real shells, as a person would: with the Tab key, in a terminal.

    tools/completions/try.py target/debug/sandboxc [SHELL]...

The shells are bash, zsh, fish, elvish and pwsh; without names, those that are installed. It requires `pyte` from PyPI,
an emulator of a terminal.
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import pyte

SETUP = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source ./bash"),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -D; source ./zsh"),
    "fish": (["fish", "--no-config", "-i"], "source ./fish"),
    "elvish": (["elvish", "-norc"], "eval (slurp < ./elvish)"),
    "pwsh": (["pwsh", "-NoProfile", "-NoLogo"], ". ./powershell.ps1"),
}
PROJECT = """\
apiVersion: sandboxc.dev/v1alpha1
kind: Project
metadata: {name: p}
spec:
  environments: {staging: {}, production: {}}
"""
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: team}\ndata: {key: a}\n"
# What is typed before the Tab key, and what the line contains then.
CASES = [
    ("sandboxc compl", "sandboxc completions"),
    ("sandboxc check --fail", "sandboxc check --fail-on"),
    ("sandboxc check --deny unknown-fie", "unknown-field"),
    ("sandboxc build --environment stag", "--environment staging"),
    ("sandboxc build --environment=prod", "--environment=production"),
    ("sandboxc why ConfigMap/te", "ConfigMap/team/web"),
    ("sandboxc why ConfigMap/team/web data.k", "data.key"),
    ("sandboxc explain Template.network.eg", "Template.network.egress"),
    ("sandboxc check object-a", "object-a.yaml"),
]


class Terminal:
    """A shell in a terminal, and what the terminal shows."""

    def __init__(self, command, folder, environment):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
        self.screen = pyte.Screen(200, 40)
        self.stream = pyte.Stream(self.screen)

    def write(self, text):
        os.write(self.file, text.encode())

    def shows(self, text, seconds):
        """Whether a text appears in some seconds. Questions about the terminal are answered."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not select.select([self.file], [], [], 0.1)[0]:
                continue
            data = os.read(self.file, 65536).decode(errors="replace")
            if "\x1b[6n" in data:
                self.write("\x1b[1;1R")
            if "\x1b[c" in data or "\x1b[0c" in data:
                self.write("\x1b[?62c")
            # Keyboard protocols, which the emulator does not know.
            self.stream.feed(re.sub(r"\x1b\[[<>=?][0-9;]*[um]", "", data))
            if text is not None and any(text in line for line in self.screen.display):
                return True
        return False

    def end(self):
        os.close(self.file)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def try_case(shell, folder, environment, typed, expected):
    command, setup = SETUP[shell]
    terminal = Terminal(command, folder, environment)
    try:
        terminal.shows(None, 1.5)
        terminal.write(f"{setup}; echo re'ad'y\r")
        if not terminal.shows("ready", 60):
            return "the script could not be loaded"
        terminal.shows(None, 1)
        terminal.write(f"{typed}\t")
        return None if terminal.shows(expected, 20) else f"`{typed}` is not completed to `{expected}`"
    finally:
        terminal.end()


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    shells = sys.argv[2:] or [it for it in SETUP if shutil.which(SETUP[it][0][0])]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "bin").mkdir()
        (folder / "bin/sandboxc").symlink_to(program)
        (folder / "sandboxc.yaml").write_text(PROJECT)
        (folder / "object-a.yaml").write_text(OBJECT)
        for shell in ["bash", "zsh", "fish", "elvish"]:
            (folder / shell).write_bytes(subprocess.check_output([program, "completions", shell]))
        script = subprocess.check_output([program, "completions", "powershell"])
        (folder / "powershell.ps1").write_bytes(script)
        environment = {
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "TERM": "xterm",
            "COLUMNS": "200", "LANG": "C.UTF-8", "PS1": "> ",
        }
        for shell in shells:
            for typed, expected in CASES:
                problem = try_case(shell, folder, environment, typed, expected)
                failures += problem is not None
                print(f"{shell}: {problem or f'ok: {expected}'}", flush=True)
    sys.exit(failures > 0)


main()
