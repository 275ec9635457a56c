#!/usr/bin/env python3
"""Compares schemas/crds with the custom resource definitions of an agent-sandbox checkout.

usage: compare.py CHECKOUT [OURS]

CHECKOUT is a clone of kubernetes-sigs/agent-sandbox, at a release of line 0.5.
OURS is a file that `sandboxc crds --agent-sandbox 0.5` wrote, or schemas/crds/0.5.yaml.
Two definitions are equal when their YAML is the same value, whatever the order of keys; the order
of `required` does not count either. Exits with 1 where something differs that README.md does not
list.
"""

import json
import sys
from pathlib import Path

import yaml

# The annotation of upstream's generator, which does not generate ours.
KNOWN = {"metadata.annotations"}


def flatten(value, path=""):
    """Each leaf and each empty container, by path."""
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from flatten(child, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        items = sorted(value) if path.endswith(".required") else value
        for index, child in enumerate(items):
            yield from flatten(child, f"{path}[{index}]")
    else:
        yield path, json.dumps(value)


def differences(ours, theirs):
    ours, theirs = dict(flatten(ours)), dict(flatten(theirs))
    for path in sorted(ours.keys() | theirs.keys()):
        if ours.get(path) != theirs.get(path):
            yield path, ours.get(path, "absent"), theirs.get(path, "absent")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    root = Path(__file__).resolve().parents[2]
    ours_file = Path(sys.argv[2]) if len(sys.argv) == 3 else root / "schemas/crds/0.5.yaml"
    ours = {crd["metadata"]["name"]: crd for crd in yaml.safe_load_all(ours_file.read_text())}
    folder = Path(sys.argv[1]) / "k8s/crds"
    theirs = {}
    for file in sorted(folder.glob("*.yaml")):
        crd = yaml.safe_load(file.read_text())
        theirs[crd["metadata"]["name"]] = crd
    unexpected = 0
    if ours.keys() != theirs.keys():
        print(f"definitions: ours {sorted(ours)}, theirs {sorted(theirs)}")
        unexpected += 1
    for name in sorted(ours.keys() & theirs.keys()):
        size = [len(json.dumps(it, separators=(",", ":"))) for it in (ours[name], theirs[name])]
        found = list(differences(ours[name], theirs[name]))
        known = [it for it in found if any(it[0].startswith(prefix) for prefix in KNOWN)]
        print(f"{name}: {len(found)} differences, {len(known)} of them known;"
              f" compact JSON ours {size[0]} bytes, theirs {size[1]}")
        for path, our, their in found:
            print(f"  {path}\n    ours   {our}\n    theirs {their}")
        unexpected += len(found) - len(known)
    sys.exit(1 if unexpected else 0)


if __name__ == "__main__":
    main()
