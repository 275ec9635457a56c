#!/usr/bin/env python3
"""The cases in Markdown files as files, for programs that read files.

usage: cases.py FOLDER [NAME...]

Writes the inputs of tests/rules/*.md to FOLDER/diag, and those of fixtures/**/cases.md to the same folders below FOLDER.
With names only those that start with one of them: `cases.py /tmp/a diag/host-port`. tests/support/cases.rs describes
the form of the files.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent


def blocks(text):
    """The code blocks of a text: the heading of the section, the words after the fence, the code."""
    heading, fence, info, code = None, None, None, []
    for line in text.split("\n"):
        opened = re.match("(`{3,})(.*)", line)
        if fence is not None and line == fence:
            yield heading, info, "".join(f"{it}\n" for it in code)
            fence = None
        elif fence is not None:
            code.append(line)
        elif opened:
            fence, info, code = opened[1], opened[2], []
        elif line.startswith("## "):
            heading = line[3:]


def unescaped(code):
    """The bytes of a block of escapes."""

    def escape(match):
        word = match[1]
        if word.startswith("U+"):
            return chr(int(word[2:], 16)).encode()
        if word.startswith("0x"):
            return bytes([int(word[2:], 16)])
        text, times = word.rsplit(", ", 1)
        return text.encode() * int(times.removesuffix(" times"))

    parts = re.split("<([^>]*)>", code.split("<end>")[0])
    return b"".join(escape((None, it)) if at % 2 else it.encode() for at, it in enumerate(parts))


def files(text):
    """The path and the bytes of each file of the cases."""
    for heading, info, code in blocks(text):
        language, _, words = info.partition(" ")
        if words == "escaped":
            yield f"{heading}.{language}", unescaped(code)
        elif words:
            yield f"{heading}/{words}", code.encode()
        elif language != "text":
            yield f"{heading}.{language}", code.encode()


def inputs():
    """The path and the bytes of each input of the repository that is in a Markdown file."""
    for page in sorted((ROOT / "tests/rules").glob("*.md")):
        for name, data in files(page.read_bytes().decode()):
            yield f"diag/{page.stem}/{name}", data
    fixtures = ROOT / "fixtures"
    for page in sorted(fixtures.rglob("cases.md")):
        for name, data in files(page.read_bytes().decode()):
            yield (page.parent.relative_to(fixtures) / name).as_posix(), data


def main():
    folder, *names = sys.argv[1:]
    for name, data in inputs():
        if name.startswith(tuple(names or [""])):
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


main()
