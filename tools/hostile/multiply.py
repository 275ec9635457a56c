"""Finds costs that grow faster than the input: multiplies the parts of small files.

usage: multiply.py [--pairs|--long] SANDBOXC FOLDER FILE...

Each list, each map and each document of a file is repeated `COUNT` times, as equal copies, with different names, and
with different values; with `--pairs` two of them at once; with `--long` one of them, and another string or key of the
file gets `LENGTH` bytes. Prints those whose `COMMAND` is slow for its size, with the
time for half the repetitions. Parts that look the same in several files are measured `SAMPLES` times. `COMMAND` is
`check {}` by default; `{object}` in it is the last object that `build` prints: `COMMAND='why {} {object}'`.
"""

import collections
import copy
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import yaml

LENGTH = int(os.environ.get("LENGTH", "500000"))
COUNT, SAMPLES = int(os.environ.get("COUNT", "10000")), int(os.environ.get("SAMPLES", "2"))
SECONDS, SECONDS_PER_MB = 0.15, 0.25
COMMAND = os.environ.get("COMMAND", "check {}").split()
NAMES = {"name", "key", "mountPath", "devicePath", "containerPort", "port", "host", "path", "ip", "id"}
WAYS = os.environ.get("WAYS", "equal names values").split()
TEXT, NUMBER, REPEATED, LONG = "\x01", "\x02", "\x03", "\x04"
KEY = "\x05"


class Loader(yaml.CSafeLoader):
    """Dates stay strings."""


Loader.yaml_implicit_resolvers = {
    first: [it for it in resolvers if it[0] != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def parts(node, path=()):
    """The paths of all maps and lists with content."""
    if isinstance(node, (dict, list)) and node:
        yield path
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from parts(value, (*path, key))


def strings(node, path=()):
    """The paths of all strings, and of all keys with `KEY` as their last step."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(node, dict):
            yield (*path, key, KEY)
        if isinstance(value, (dict, list)):
            yield from strings(value, (*path, key))
        elif isinstance(value, str):
            yield (*path, key)


def lengthened(node, path):
    """Marks a string or key of a document, which is written with `LENGTH` more bytes."""
    if path[-1] != KEY:
        at(node, path[:-1])[path[-1]] += LONG
        return
    container = at(node, path[:-2])
    entries = [(f"{key}{LONG}" if key == path[-2] else key, value) for key, value in container.items()]
    container.clear()
    container.update(entries)


def is_within(path, part, document):
    """Whether a string is in the item that is repeated."""
    if part is None:
        return True
    container = at(document, part)
    last = len(container) - 1 if isinstance(container, list) else list(container)[-1]
    return path[: len(part) + 1] == (*part, last)


def at(node, path):
    for step in path:
        node = node[step]
    return node


def varied(node, way, is_varied):
    """The node with marks in its strings and numbers, of all fields or only of names."""
    if isinstance(node, dict):
        return {
            key: value if key in ("kind", "apiVersion") else varied(value, way, way == "values" or key in NAMES)
            for key, value in node.items()
        }
    if isinstance(node, list):
        return [varied(it, way, is_varied) for it in node]
    if not is_varied or isinstance(node, bool) or node is None:
        return node
    return f"{node}{TEXT}" if isinstance(node, str) else f"{NUMBER}{int(node)}{NUMBER}"


def repeated(node, path, way):
    """Puts a marked copy of the last item into the list or map at `path`."""
    container = at(node, path)
    if isinstance(container, list):
        container.append({REPEATED: varied(container[-1], way, way != "equal") if way != "equal" else container[-1]})
    else:
        key, value = list(container.items())[-1]
        container[REPEATED] = {f"{key}{TEXT}": value if way == "equal" else varied(value, way, way == "values")}


def numbered(text, number):
    pieces = text.split(NUMBER)
    pieces[1::2] = [str(int(it) + number) for it in pieces[1::2]]
    return "".join(pieces).replace(TEXT, str(number))


def written(node, count, is_reversed=False):
    """JSON; the marked item is written `count` times, with consecutive numbers."""
    text = json.dumps(node, default=str).replace(r"\u0001", TEXT).replace(r"\u0003", REPEATED)
    text = text.replace(r"\u0004", "x" * LENGTH)
    text = text.replace(r'"\u0002', NUMBER).replace(r'\u0002"', NUMBER)
    while REPEATED in text:
        start = text.index(f'"{REPEATED}"')
        is_item = text[start - 1] == "{"
        content = text.index(": ", start) + 2
        _, length = json.JSONDecoder(strict=False).raw_decode(text[content:].replace(NUMBER, " "))
        item = text[content : content + length]
        item = item if is_item else item[1:-1]
        items = [numbered(item, it) for it in range(count)]
        if is_reversed:
            items.reverse()
        joined = ",\n".join(items)
        text = text[: start - is_item] + joined + text[content + length + is_item :]
    return text


def last_object(program, file):
    built = subprocess.run([program, "build", str(file)], capture_output=True, text=True).stdout
    names = re.findall(r"^kind: (\w+)\nmetadata:\n  name: (\S+)$", built, re.MULTILINE)
    return "/".join(names[-1]) if names else "Pod/absent"


def measured(program, file, text):
    file.write_text(text)
    command = [it.replace("{}", str(file)) for it in COMMAND]
    if "{object}" in command:
        command = [it.replace("{object}", last_object(program, file)) for it in command]
    process = subprocess.Popen(
        [program, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), errors


def stream(documents, chosen, way, count, is_reversed=False, long=None):
    """The documents; `chosen` has the number of a document and a path below it, which is absent for the document."""
    if long:
        documents = [copy.deepcopy(it) if number == long[0] else it for number, it in enumerate(documents)]
        lengthened(documents[long[0]], long[1])
    texts = []
    for index, document in enumerate(documents):
        paths = [path for number, path in chosen if number == index]
        document = copy.deepcopy(document)
        for path in sorted((it for it in paths if it is not None), key=len, reverse=True):
            repeated(document, path, way)
        if None in paths:
            marked = {REPEATED: varied(document, way, False) if way != "equal" else document}
            text = written([marked], count, is_reversed)[1:-1]
            texts.append(text.replace(",\n{", "\n---\n{"))
        else:
            texts.append(written(document, count))
    return "\n---\n".join(texts) + "\n"


def shape(documents, chosen):
    """What two parts have in common that look the same."""
    def one(number, path):
        document = documents[number]
        kind = document.get("kind") if isinstance(document, dict) else None
        below = at(document, path or ())
        item = below[-1] if isinstance(below, list) else list(below.values())[-1] if path is not None else None
        return kind, path and tuple("*" if isinstance(it, int) else it for it in path), str(sorted(item)) if isinstance(item, dict) else type(item).__name__
    return tuple(one(*it) for it in chosen)


def selections(documents, places, is_paired, is_long):
    """What is repeated together, and the string that is long."""
    if is_long:
        texts = [(number, path) for number, it in enumerate(documents) for path in strings(it)]
        for (number, part), (other, path) in itertools.product(places, texts):
            is_key_on_path = path[-1] == KEY and part is not None and part[: len(path) - 1] == path[:-1]
            if number != other or not is_key_on_path and not is_within(path, part, documents[number]):
                yield ((number, part),), (other, path)
    elif is_paired:
        for one, other in itertools.combinations(places, 2):
            yield (one, other), None
    else:
        for it in places:
            yield (it,), None


def main():
    arguments = sys.argv[1:]
    is_paired, is_long = "--pairs" in arguments, "--long" in arguments
    program, folder, *files = [it for it in arguments if not it.startswith("--")]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    seen = collections.Counter()
    for file in files:
        try:
            documents = [it for it in yaml.load_all(pathlib.Path(file).read_text(), Loader) if isinstance(it, dict)]
            places = [(number, path) for number, it in enumerate(documents) for path in (None, *parts(it))]
        except (yaml.YAMLError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        for chosen, long in selections(documents, places, is_paired, is_long):
            if is_paired and chosen[0][0] == chosen[1][0]:
                one, other = chosen[0][1], chosen[1][1]
                if one is None or other is None or one[: len(other)] == other or other[: len(one)] == one:
                    continue
            key = shape(documents, chosen)
            if long:
                document = documents[long[0]]
                key = (*key, document.get("kind"), *("*" if isinstance(it, int) else it for it in long[1]))
            seen[key] += 1
            if seen[key] > SAMPLES:
                continue
            for way in WAYS:
                try:
                    text = stream(documents, chosen, way, COUNT, long=long)
                except (ValueError, OverflowError, RecursionError):
                    continue
                count = COUNT
                while len(text) > 9_000_000:
                    count //= 2
                    text = stream(documents, chosen, way, count, long=long)
                seconds, memory, status, errors = measured(program, folder / "input.yaml", text)
                is_broken = status not in (0, 1, 2) or b"panicked at" in errors
                if is_broken or memory > 700 or seconds > SECONDS + SECONDS_PER_MB * len(text) / 1e6:
                    half = measured(program, folder / "input.yaml", stream(documents, chosen, way, count // 2, long=long))[0]
                    print(
                        f"{'BROKEN' if is_broken else '':6} {seconds:6.2f} s, half {half:6.2f} s {memory:5.0f} MiB"
                        f" {len(text) / 1e6:5.1f} MB {file} {way} {chosen} {long} {key}",
                        flush=True,
                    )
    print(f"{len(seen)} shapes", file=sys.stderr)


if __name__ == "__main__":
    main()
