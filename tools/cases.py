#!/usr/bin/env python3
"""The cases in Markdown files as files, for programs that read files, and the files that they write as recordings.

usage: cases.py FOLDER [NAME...]
       cases.py --update FOLDER NAME
       cases.py --collect FOLDER NAME RECORDING

Writes the inputs of docs/rules/*.md to FOLDER/diag, and those of fixtures/**/cases.md to the same folders below FOLDER.
With names only those that start with one of them: `cases.py /tmp/a diag/host-port`. tests/support/cases.rs describes
the form of the files.

`--update` replaces the inputs of fixtures/NAME/cases.md by the files below FOLDER/NAME. `--collect` replaces the line of
each case of fixtures/NAME/RECORDING.jsonl for which FOLDER/NAME/<case>/RECORDING.json exists.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"


def blocks(text, level="## "):
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
        elif line.startswith(level):
            heading = line.removeprefix(level)


def unescaped(code):
    """The bytes of a block of escapes."""

    def escape(word):
        if word.startswith("U+"):
            return chr(int(word[2:], 16)).encode()
        if word.startswith("0x"):
            return bytes([int(word[2:], 16)])
        text, times = word.rsplit(", ", 1)
        return text.encode() * int(times.removesuffix(" times"))

    parts = re.split("<([^>]*)>", code.split("<end>")[0])
    return b"".join(escape(it) if at % 2 else it.encode() for at, it in enumerate(parts))


def is_plain(character):
    return character in "\n\t" or character.isprintable()


def block(language, name, data):
    """The code block of a file."""
    text = data.decode()
    words = [language, name]
    if not text.endswith("\n") or not all(map(is_plain, text)):
        text = "".join(it if is_plain(it) and it != "<" else f"<U+{ord(it):04X}>" for it in text)
        text = text if text.endswith("\n") else f"{text}<end>\n"
        words = [language, "escaped", name]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{' '.join(it for it in words if it)}\n{text}{fence}\n"


def path_of(heading, info):
    """The path of the file of a block, or None if it is an output."""
    language, _, words = info.partition(" ")
    name = words.removeprefix("escaped").lstrip()
    if info == "text":
        return None
    return f"{heading}/{name}" if name else f"{heading}.{language}"


def files(text, level="## "):
    """The path and the bytes of each file of the cases."""
    for heading, info, code in blocks(text, level):
        path = path_of(heading, info)
        if path:
            is_escaped = info.partition(" ")[2].startswith("escaped")
            yield path, unescaped(code) if is_escaped else code.encode()


def inputs():
    """The path and the bytes of each input of the repository that is in a Markdown file."""
    for page in sorted((ROOT / "docs/rules").glob("*.md")):
        _, _, tests = page.read_bytes().decode().partition("\n## Tests\n")
        for name, data in files(tests, "### "):
            yield f"diag/{page.stem}/{name}", data
    for page in sorted(FIXTURES.rglob("cases.md")):
        for name, data in files(page.read_bytes().decode()):
            yield (page.parent.relative_to(FIXTURES) / name).as_posix(), data


def write(folder, names):
    for name, data in inputs():
        if name.startswith(tuple(names or [""])):
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def update(folder, name):
    page = FIXTURES / name / "cases.md"
    parts = re.split("(?m)^(?=## )", page.read_bytes().decode())
    for at, section in enumerate(parts):
        for heading, info, code in blocks(section):
            path = pathlib.Path(folder) / name / (path_of(heading, info) or "")
            if path.is_file():
                language, _, words = info.partition(" ")
                new = block(language, words.removeprefix("escaped").lstrip(), path.read_bytes())
                old = re.compile(f"(?m)^(`{{3,}}){re.escape(info)}\n{re.escape(code)}\\1\n")
                parts[at] = old.sub(lambda _: new, parts[at], count=1)
    page.write_bytes("".join(parts).encode())


def collect(folder, name, recording):
    path = FIXTURES / name / f"{recording}.jsonl"
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    recorded = {line["case"]: line["recorded"] for line in known}
    for file in (pathlib.Path(folder) / name).glob(f"*/{recording}.json"):
        recorded[file.parent.name] = json.loads(file.read_text())
    cases = {heading for heading, _, _ in blocks((FIXTURES / name / "cases.md").read_bytes().decode())}
    lines = [{"case": it, "recorded": recorded[it]} for it in sorted(cases & recorded.keys())]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def main():
    if sys.argv[1] == "--update":
        update(*sys.argv[2:])
    elif sys.argv[1] == "--collect":
        collect(*sys.argv[2:])
    else:
        write(sys.argv[1], sys.argv[2:])


main()
