#!/usr/bin/env python3
"""Writes schemas/kubernetes-descriptions.json: the descriptions of the types in schemas/kubernetes.json and of their
fields, from the OpenAPI documents of Kubernetes. Each is that of the newest version that has one.

It requires Go and the Go module proxy: the module `k8s.io/kubernetes` contains the documents.
"""

import json
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SCHEMAS = HERE.parents[1] / "schemas"


def minor(folder):
    return [int(part) for part in folder.name.split(".")]


def document(folder):
    """The OpenAPI document of the version that a directory pins."""
    release = re.search(r"k8s\.io/api v0\.(\S+)", (folder / "go.mod").read_text())[1]
    module = f"k8s.io/kubernetes@v1.{release}"
    command = ["go", "mod", "download", "-json", module]
    module = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd="/").stdout)
    return json.loads((pathlib.Path(module["Dir"]) / "api/openapi-spec/swagger.json").read_text())


def main():
    types = json.loads((SCHEMAS / "kubernetes.json").read_text())["definitions"]
    descriptions = {name: {} for name in sorted(types)}
    for folder in sorted((HERE / "versions").iterdir(), key=minor):
        for name, definition in document(folder)["definitions"].items():
            if name in descriptions:
                # The description of the type itself has an empty name.
                parts = {"": definition, **definition.get("properties", {})}
                found = {part: it["description"].strip() for part, it in parts.items() if it.get("description")}
                descriptions[name].update(found)
    lines = (
        f"{json.dumps(name)}:{json.dumps(dict(sorted(parts.items())), ensure_ascii=False, separators=(',', ':'))}"
        for name, parts in descriptions.items()
    )
    (SCHEMAS / "kubernetes-descriptions.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
