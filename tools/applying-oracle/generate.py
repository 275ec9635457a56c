#!/usr/bin/env python3
"""Prints random cases: three forms of one object, each of which is another one with some changes.

generate.py COUNT SEED. Lists have items with equal keys, as two protocols of one port, and up to 20 items.
"""
import copy
import json
import random
import sys

LABELS = {"app": "a"}


def port(r):
    return {"port": r.randint(1, 4), "protocol": r.choice(["TCP", "UDP", "SCTP"]), "name": r.choice("abcdef")}


def container_port(r):
    item = {"containerPort": r.randint(1, 4)}
    if r.random() < 0.7:
        item["protocol"] = r.choice(["TCP", "UDP"])
    if r.random() < 0.3:
        item["hostPort"] = r.randint(1, 4)
    return item


def env(r):
    item = {"name": r.choice("ABCDE")}
    if r.random() < 0.8:
        item["value"] = r.choice("123")
    else:
        item["valueFrom"] = {"secretKeyRef": {"name": "s", "key": r.choice("kl")}}
    return item


def mount(r):
    return {"name": r.choice("vw"), "mountPath": "/" + r.choice("abcd"), "readOnly": r.random() < 0.5}


def spread(r):
    return {"topologyKey": r.choice(["zone", "node"]), "maxSkew": r.randint(1, 3),
            "whenUnsatisfiable": r.choice(["DoNotSchedule", "ScheduleAnyway"])}


def volume(r):
    source = r.choice([{"emptyDir": {}}, {"emptyDir": {"medium": "Memory"}}, {"configMap": {"name": "m"}},
                       {"secret": {"secretName": "s", "items": [{"key": "a", "path": "b"}]}}])
    return {"name": r.choice("vwx"), **copy.deepcopy(source)}


def container(r):
    return {"name": r.choice("cde"), "image": r.choice(["i:1", "i:2"])}


def toleration(r):
    return {"key": r.choice("kl"), "operator": "Exists"}


def alias(r):
    return {"ip": "10.0.0." + r.choice("12"), "hostnames": [r.choice("hi")]}


def owner(r):
    return {"uid": r.choice("uv"), "name": r.choice("no"), "kind": "A", "apiVersion": "v1"}


POD_LISTS = {"topologySpreadConstraints": spread, "volumes": volume, "tolerations": toleration, "hostAliases": alias,
             "initContainers": container, "imagePullSecrets": lambda r: {"name": r.choice("st")}}
CONTAINER_LISTS = {"ports": container_port, "env": env, "volumeMounts": mount, "args": lambda r: r.choice("xyz"),
                   "envFrom": lambda r: {"configMapRef": {"name": r.choice("mn")}}}


def edit_list(r, holder, key, make):
    items = holder.get(key)
    if items is None or r.random() < 0.1:
        holder[key] = [make(r) for _ in range(r.choice([0, 1, 2, 3, 4, 6, 14, 20]))]
        return
    step = r.randrange(7)
    if step == 0:
        items.insert(r.randint(0, len(items)), make(r))
    elif step == 1 and items:
        items.pop(r.randrange(len(items)))
    elif step == 2 and items:
        items[r.randrange(len(items))] = make(r)
    elif step == 3:
        r.shuffle(items)
    elif step == 4 and items:
        items.append(copy.deepcopy(r.choice(items)))
    elif step == 5:
        holder.pop(key)
    elif items and isinstance(items[0], dict):
        r.choice(items).update(make(r))


def edit_map(r, holder, key, words):
    values = holder.setdefault(key, {})
    if r.random() < 0.4 and values:
        values.pop(r.choice(sorted(values)))
    elif r.random() < 0.1:
        holder.pop(key)
    else:
        values[r.choice(words)] = r.choice("12")


def edit_metadata(r, metadata):
    step = r.randrange(4)
    if step == 0:
        edit_list(r, metadata, "finalizers", lambda r: "example.com/" + r.choice("abcd"))
    elif step == 1:
        edit_list(r, metadata, "ownerReferences", owner)
    else:
        edit_map(r, metadata, r.choice(["labels", "annotations"]), ["app", "a/b", "c"])


def edit_pod(r, template):
    pod = template["spec"]
    if r.random() < 0.15:
        edit_map(r, template.setdefault("metadata", {}), r.choice(["labels", "annotations"]), ["app", "restartedAt"])
    elif r.random() < 0.5:
        key = r.choice(sorted(CONTAINER_LISTS))
        edit_list(r, r.choice(pod["containers"]), key, CONTAINER_LISTS[key])
    elif r.random() < 0.6:
        key = r.choice(sorted(POD_LISTS))
        edit_list(r, pod, key, POD_LISTS[key])
    elif r.random() < 0.5:
        kept = [item for item in pod["containers"]]
        edit_list(r, pod, "containers", container)
        if not pod.get("containers"):
            pod["containers"] = kept
    else:
        pod["securityContext"] = r.choice([{}, {"runAsUser": 1}, {"seccompProfile": {"type": "RuntimeDefault"}}, None])
        pod["serviceAccountName"] = r.choice("ab")


def edit(r, value):
    value = copy.deepcopy(value)
    for _ in range(r.randint(0, 4)):
        if r.random() < 0.2:
            edit_metadata(r, value["metadata"])
            continue
        kind, spec = value["kind"], value.setdefault("spec", {})
        if kind in ("Deployment", "StatefulSet"):
            if r.random() < 0.8:
                edit_pod(r, spec["template"])
            elif kind == "Deployment":
                spec["strategy"] = r.choice([{"type": "Recreate"}, {"type": "RollingUpdate"}, {},
                                             {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": r.choice([1, "10%"])}}])
            else:
                spec["replicas"] = r.choice([1, 2, 3, None])
        elif kind == "Service":
            edit_list(r, spec, "ports", port)
        elif kind == "CustomResourceDefinition":
            spec["versions"][0]["schema"]["openAPIV3Schema"]["properties"][r.choice("abc")] = {"type": r.choice(["string", "integer"])}
        else:
            edit_list(r, spec, "list", lambda r: {"name": r.choice("ab"), "v": r.randint(1, 3)})
            edit_map(r, spec, "map", "xyz")
    return value


def base(r):
    pod = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}
    crd = {"type": "object", "properties": {"a": {"type": "string"}}}
    return r.choice([
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "o"},
         "spec": {"selector": {"matchLabels": LABELS}, "template": pod}},
        {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "o"},
         "spec": {"selector": {"matchLabels": LABELS}, "template": pod}},
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "o"}, "spec": {"selector": LABELS, "ports": []}},
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "o.example.com"},
         "spec": {"group": "example.com", "versions": [{"name": "v1", "schema": {"openAPIV3Schema": crd}}]}},
        {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "o"}, "spec": {"list": [], "map": {}}}])


def main():
    for index in range(int(sys.argv[1])):
        r = random.Random(f"{sys.argv[2]}-{index}")
        last = edit(r, edit(r, json.loads(json.dumps(base(r)))))
        case = {"name": f"{sys.argv[2]}-{index}", "last": last, "new": edit(r, last), "live": edit(r, last)}
        if r.random() < 0.1:
            case["last"] = None
        print(json.dumps(case, separators=(",", ":")))


if __name__ == "__main__":
    main()
