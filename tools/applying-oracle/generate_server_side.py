#!/usr/bin/env python3
"""Prints random cases of server-side apply: the requests of several managers, and the form that one of them applies then.

generate_server_side.py COUNT SEED.
"""
import copy
import json
import random
import sys

from generate import base, edit

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def part(r, form):
    """A part of an object, as a manager applies that owns a few fields."""
    def some(value):
        if isinstance(value, dict):
            kept = {key: some(inner) for key, inner in value.items() if r.random() < 0.7 or key in
                    ("apiVersion", "kind", "metadata", "name", "port", "protocol", "containerPort", "mountPath", "uid",
                     "topologyKey", "whenUnsatisfiable", "ip", "key")}
            return kept
        if isinstance(value, list):
            return [some(item) for item in value if r.random() < 0.7]
        return value
    return some(form)


KEYS = {"env": ["name"], "volumeMounts": ["mountPath"], "volumes": ["name"], "hostAliases": ["ip"], "containers": ["name"],
        "topologySpreadConstraints": ["topologyKey", "whenUnsatisfiable"], "initContainers": ["name"],
        "imagePullSecrets": ["name"], "ownerReferences": ["uid"], "list": ["name"], "finalizers": None,
        "ports": ["port", "containerPort", "protocol"]}


def unique(value, key=""):
    """A form without items that server-side apply takes for one."""
    if isinstance(value, dict):
        return {name: unique(inner, name) for name, inner in value.items()}
    if not isinstance(value, list) or key not in KEYS:
        return value
    known = {}
    for item in value:
        item = unique(item)
        names = KEYS[key]
        step = item if names is None else tuple(item.get(name, "TCP") for name in names)
        known.setdefault(step, item)
    return list(known.values())


def annotated(form):
    form = copy.deepcopy(form)
    form["metadata"].setdefault("annotations", {})[LAST_APPLIED] = json.dumps(form, separators=(",", ":"), sort_keys=True)
    return form


def main():
    for index in range(int(sys.argv[1])):
        r = random.Random(f"{sys.argv[2]}-{index}")
        is_unique = r.random() < 0.85
        changed = lambda form: unique(edit(r, form)) if is_unique else edit(r, form)
        first = changed(changed(base(r)))
        steps, manager = [], r.choice(["a", "a", "kubectl"])
        way = r.random()
        if manager == "kubectl" and way < 0.7:
            steps.append({"manager": "kubectl-client-side-apply", "update": True, "form": annotated(first)})
        elif way < 0.9:
            steps.append({"manager": manager, "force": True, "form": first})
        else:
            steps.append({"manager": "creator", "update": True, "form": first})
        form = first
        for _ in range(r.randint(0, 3)):
            form = changed(form)
            if r.random() < 0.5:
                steps.append({"manager": r.choice("bc"), "force": r.random() < 0.8, "form": part(r, form)})
            else:
                sent = annotated(form) if manager == "kubectl" and r.random() < 0.7 else form
                steps.append({"manager": r.choice("bde"), "update": True, "form": sent})
        new = changed(form if r.random() < 0.4 else first)
        if r.random() < 0.3:
            new = part(r, new)
        case = {"name": f"{sys.argv[2]}-{index}", "steps": steps, "manager": manager, "force": r.random() < 0.4, "new": new}
        print(json.dumps(case, separators=(",", ":")))


if __name__ == "__main__":
    main()
