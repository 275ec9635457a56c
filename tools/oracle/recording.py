#!/usr/bin/env python3
"""One recording of several minor versions: each line once, and the versions that it applies to.

    recording.py put FILE MINOR < LINES      replaces the lines of a version
    recording.py get FILE MINOR > LINES      prints the lines of a version

The first line of the file lists its versions. A line that does not apply to all of them starts with `versions`.
Each line has an `id`, and the lines of one id are next to each other.
"""

import json
import os
import sys

START = '{"versions":'


def minor_of(version):
    return int(version.split(".")[1])


def header(versions):
    return json.dumps({"versions": versions}, separators=(",", ":"))


def read(path):
    """The versions of a file, and for each id its lines with the versions that they apply to."""
    if not os.path.exists(path):
        return [], {}
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    versions, documents = json.loads(lines[0])["versions"], {}
    for line in lines[1:]:
        applies = versions
        if line.startswith(START):
            applies = json.loads(line)["versions"]
            line = "{" + line[line.index("],") + 2 :]
        documents.setdefault(json.loads(line)["id"], []).append((line, set(applies)))
    return versions, documents


def write(path, versions, documents):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(header(versions) + "\n")
        for lines in documents.values():
            for line, applies in lines:
                if applies != set(versions):
                    line = header([it for it in versions if it in applies])[:-1] + "," + line[1:]
                file.write(line + "\n")
    os.replace(path + ".new", path)


def put(path, version, recorded):
    versions, documents = read(path)
    # The order is that of the lines just recorded.
    merged = {}
    for line in recorded:
        merged.setdefault(json.loads(line)["id"], []).append((line, {version}))
    merged.update({id: merged.get(id, []) for id in documents})
    for id, lines in documents.items():
        for line, applies in lines:
            applies = applies - {version}
            known = [it for it in merged[id] if it[0] == line]
            if known:
                known[0][1].update(applies)
            elif applies:
                merged[id].append((line, applies))
    for lines in merged.values():
        lines.sort(key=lambda it: min(minor_of(version) for version in it[1]))
    write(path, sorted({*versions, version}, key=minor_of), {id: it for id, it in merged.items() if it})


def main():
    match sys.argv[1:]:
        case ["put", path, version]:
            put(path, version, sys.stdin.read().splitlines())
        case ["get", path, version]:
            versions, documents = read(path)
            if version not in versions:
                sys.exit(f"{path} has no recording of {version}")
            for lines in documents.values():
                for line, applies in lines:
                    if version in applies:
                        print(line)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
