"""Compares the YAML files of two folders, before and after `sandboxc fmt`, as PyYAML reads them: layout.py BEFORE AFTER"""

import pathlib
import sys

import yaml


class Loader(yaml.CSafeLoader):
    """Reads values with tags of other programs as they are."""


def tagged(loader, suffix, node):
    construct = {yaml.ScalarNode: loader.construct_scalar, yaml.SequenceNode: loader.construct_sequence}
    value = construct.get(type(node), loader.construct_mapping)(node)
    return f"{suffix} {value!r}"


Loader.add_multi_constructor("!", tagged)
Loader.add_multi_constructor("tag:", tagged)


def values(text):
    try:
        return repr(list(yaml.load_all(text, Loader)))
    except Exception:
        return None


def main():
    before, after = map(pathlib.Path, sys.argv[1:])
    formatted = different = 0
    for path in sorted(it for it in before.rglob("*.y*ml") if it.is_file() and not it.is_symlink()):
        old, new = path.read_bytes(), (after / path.relative_to(before)).read_bytes()
        if old == new:
            continue
        formatted += 1
        if values(old) != values(new):
            different += 1
            print(f"{path.relative_to(before)}: PyYAML reads other values")
    print(f"{formatted} files formatted, {different} differences")
    sys.exit(1 if different else 0)


main()
