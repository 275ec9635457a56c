#!/usr/bin/env python3
"""Compares the schema verdicts of sandboxc with those of kubernetes-validate. README.md has the details.

usage: compare.py path/to/sandboxc [1.33 ...]
"""

import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import kubernetes_validate

POD_SPEC = {
    "restartPolicy": "Never",
    "terminationGracePeriodSeconds": 30,
    "hostNetwork": False,
    "nodeSelector": {"kubernetes.io/os": "linux"},
    "securityContext": {"runAsUser": 1000, "fsGroup": 1000},
    "tolerations": [{"key": "a", "operator": "Exists"}],
    "volumes": [{"name": "data", "emptyDir": {"sizeLimit": "1Gi"}}],
    "containers": [
        {
            "name": "main",
            "image": "busybox:1.37",
            "command": ["sleep"],
            "env": [{"name": "A", "value": "b"}],
            "ports": [{"containerPort": 80, "protocol": "TCP"}],
            "resources": {"limits": {"memory": "1Gi"}},
            "volumeMounts": [{"name": "data", "mountPath": "/data"}],
            "livenessProbe": {"httpGet": {"path": "/", "port": 80}, "periodSeconds": 5},
        }
    ],
}
LABELS = {"app": "a"}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": POD_SPEC}
SERVER_SPEC = {**POD_SPEC, "restartPolicy": "Always"}
OBJECTS = [
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": LABELS}, "spec": POD_SPEC},
    {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "a"},
        "spec": {"backoffLimit": 1, "template": TEMPLATE},
    },
    {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "a"},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": LABELS},
            "strategy": {"rollingUpdate": {"maxSurge": "25%"}},
            "template": {"metadata": {"labels": LABELS}, "spec": SERVER_SPEC},
        },
    },
]
OTHER_VALUES = ["text", 7, 1.5, True, ["text"], {"key": "value"}, [{"key": "value"}]]

# The rules that the JSON schemas have, too.
RULES = {"unknown-field", "field-not-in-version", "wrong-type", "field-missing", "kind-unknown"}


def places(node, path=()):
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def parent_of(root, path):
    for key in path[:-1]:
        root = root[key]
    return root


def variants(original):
    yield "as it is", original
    for path in places(original):
        if not path or path[0] in ("apiVersion", "kind"):
            continue
        name = ".".join(map(str, path))
        for value in OTHER_VALUES:
            changed = copy.deepcopy(original)
            parent_of(changed, path)[path[-1]] = value
            yield f"{name} = {json.dumps(value)}", changed
        changed = copy.deepcopy(original)
        del parent_of(changed, path)[path[-1]]
        yield f"{name} removed", changed
        if isinstance(path[-1], str):
            changed = copy.deepcopy(original)
            parent = parent_of(changed, path)
            parent[path[-1] + "x"] = parent.pop(path[-1])
            yield f"{name} misspelled", changed


def their_verdict(data, version):
    try:
        kubernetes_validate.validate(data, version, strict=True)
        return True
    except kubernetes_validate.ValidationError:
        return False


def our_verdicts(program, folder, version):
    """The names of the files with a finding about the schema."""
    command = [program, "check", "--kubernetes", version, "--format", "json", str(folder)]
    output = subprocess.run(command, capture_output=True, text=True, check=False)
    text = output.stdout or output.stderr
    refused = {}
    for finding in json.loads(text)["diagnostics"]:
        if finding["rule"] in RULES:
            refused.setdefault(Path(finding["file"]).name, finding["message"])
    return refused


def main():
    program, versions = sys.argv[1], sys.argv[2:] or ["1.33", "1.34", "1.35", "1.36", "1.37"]
    every = [(o["kind"], *it) for o in OBJECTS for it in variants(o)]
    with tempfile.TemporaryDirectory() as folder:
        for number, (_, _, data) in enumerate(every):
            # Names differ, so that the objects do not collide.
            Path(folder, f"{number:05}.yaml").write_text(json.dumps(data))
        for version in versions:
            refused = our_verdicts(program, folder, version)
            differ = 0
            for number, (kind, what, data) in enumerate(every):
                ours = f"{number:05}.yaml" not in refused
                theirs = their_verdict(data, version)
                if ours != theirs:
                    differ += 1
                    said = refused.get(f"{number:05}.yaml", "")
                    print(f"{version} {kind} {what}: sandboxc {ours}, schemas {theirs} {said}")
            print(f"{version}: {len(every)} variants, {differ} differences")


main()
