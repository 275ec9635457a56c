#!/usr/bin/env python3
"""Applies changed objects to a running API server with the real programs, and compares what happens with `sandboxc diff`:

    applications.py record SERVER TOKEN COUNT SEED FILE... [--helm HELM3] [--helm4 HELM4] > applications.jsonl
    applications.py judge SANDBOXC applications.jsonl... [--crd FILE]... [--verbose]
    applications.py sample SANDBOXC COUNT applications.jsonl... > ../../fixtures/applying/applications.jsonl

FILE is YAML, or a directory of it, with the objects to change, and the definitions of custom resources. Requires PyYAML.
"""
import argparse
import base64
import collections
import concurrent.futures
import copy
import decimal
import http.client
import json
import pathlib
import random
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import yaml


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Reads timestamps as strings, as the API server does."""


Loader.yaml_implicit_resolvers = {
    first: [it for it in all if it[0] != "tag:yaml.org,2002:timestamp"]
    for first, all in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
WORKLOADS = {"Deployment", "StatefulSet", "DaemonSet"}
# Kinds that a controller in the API server changes, or that change how it answers.
SKIPPED = {"IPAddress", "ServiceCIDR", "APIService", "Event", "ComponentStatus", "Node", "FlowSchema", "Lease",
           "PriorityLevelConfiguration", "CertificateSigningRequest", "APIGroup", "Endpoints"}
COMMON = {"Deployment": 14, "Service": 8, "StatefulSet": 6, "DaemonSet": 4, "ConfigMap": 3, "Ingress": 2, "Job": 3,
          "CronJob": 3, "HorizontalPodAutoscaler": 2, "Pod": 2, "PersistentVolumeClaim": 2}
ACTORS = {"client": 30, "server": 18, "replace": 13, "helm": 13, "helm4": 7, "flux": 5, "files-client": 8,
          "files-server": 6}
MOST_OF_KIND = 60


class Server:
    """An API server; each thread has a connection of its own."""

    def __init__(self, url, token):
        self.url, self.token, self.local = url, token, threading.local()
        self.kinds = {}
        self.discover()

    def request(self, method, path, body=None, kind="application/json"):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": kind}
        text = None if body is None else json.dumps(body)
        for attempt in range(3):
            try:
                if getattr(self.local, "http", None) is None:
                    context = ssl._create_unverified_context()
                    address = self.url.removeprefix("https://")
                    self.local.http = http.client.HTTPSConnection(address, context=context, timeout=60)
                self.local.http.request(method, path, text, headers)
                answer = self.local.http.getresponse()
                text = answer.read()
                # An API group that is not served yet answers with plain text.
                return answer.status, json.loads(text) if text.startswith(b"{") else {}
            except (http.client.HTTPException, OSError):
                self.local.http = None
        raise SystemExit("the server does not answer")

    def discover(self):
        versions = ["/api/v1"]
        for group in self.request("GET", "/apis")[1]["groups"]:
            versions += ["/apis/" + version["groupVersion"] for version in group["versions"]]
        for base in versions:
            for found in self.request("GET", base)[1].get("resources", []):
                version = base.removeprefix("/apis/").removeprefix("/api/")
                key = version, found["kind"]
                if "/" in found["name"]:
                    if found["name"].endswith("/scale"):
                        plural = found["name"].split("/")[0]
                        for known in self.kinds.values():
                            if known["base"] == base and known["plural"] == plural:
                                known["scale"] = True
                elif {"get", "create", "patch", "update", "delete"} <= set(found["verbs"]):
                    self.kinds[key] = {"base": base, "plural": found["name"], "namespaced": found["namespaced"],
                                       "scale": False}

    def path(self, root, with_name=True):
        kind = self.kinds[root["apiVersion"], root["kind"]]
        space = f"/namespaces/{root['metadata']['namespace']}" if kind["namespaced"] else ""
        name = f"/{root['metadata']['name']}" if with_name else ""
        return f"{kind['base']}{space}/{kind['plural']}{name}"

    def is_valid(self, root):
        path = self.path(root, with_name=False) + "?dryRun=All&fieldValidation=Strict"
        return self.request("POST", path, root)[0] == 201

    def remove(self, root):
        path = self.path(root)
        self.request("PATCH", path, {"metadata": {"finalizers": None}}, "application/merge-patch+json")
        self.request("DELETE", path + "?gracePeriodSeconds=0&propagationPolicy=Background")
        if root["kind"] == "CustomResourceDefinition":
            self.request("PATCH", path, {"metadata": {"finalizers": None}}, "application/merge-patch+json")


# Objects

def documents(paths):
    """The objects of files, without those of templates, and the definitions of custom resources."""
    files = []
    for path in map(pathlib.Path, paths):
        files += sorted(path.glob("**/*.y*ml")) if path.is_dir() else [path]
    for path in files:
        try:
            text = path.read_text()
        except (UnicodeDecodeError, OSError):
            continue
        for part in re.split(r"(?m)^---.*$", text):
            is_definition = "CustomResourceDefinition" in part
            if "{{" in part or "kind" not in part or "«" in part or "<no value>" in part or len(part) > 60_000 and not is_definition:
                continue
            try:
                root = yaml.load(part, Loader)
                json.dumps(root, allow_nan=False)
            except (yaml.YAMLError, ValueError, TypeError, RecursionError):
                continue
            if isinstance(root, dict) and isinstance(root.get("metadata"), dict) and isinstance(root.get("kind"), str):
                yield root


def named(root, name, namespaced):
    """The object under a name of its own, in a namespace of the run."""
    root = copy.deepcopy(root)
    metadata = root["metadata"]
    for field in ("generateName", "uid", "resourceVersion", "creationTimestamp", "managedFields", "ownerReferences",
                  "generation", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"):
        metadata.pop(field, None)
    root.pop("status", None)
    metadata["name"] = name
    metadata.pop("namespace", None)
    if namespaced:
        metadata["namespace"] = "limits" if root["kind"] in ("ResourceQuota", "LimitRange") else "work"
    spec = root.get("spec") if isinstance(root.get("spec"), dict) else {}
    if root["kind"] == "CustomResourceDefinition":
        spec["group"] = f"{name}.example.com"
        metadata["name"] = f"{(spec.get('names') or {}).get('plural')}.{spec['group']}"
    if root["kind"] == "Service":
        for port in spec.get("ports") or []:
            isinstance(port, dict) and port.pop("nodePort", None)
    return harmless(root)


def harmless(root):
    """An object that does not act on the others of the run."""
    never = {"matchLabels": {"example.com/never": "selected"}}
    if root["kind"].endswith("WebhookConfiguration"):
        for hook in root.get("webhooks") or []:
            if isinstance(hook, dict):
                hook["objectSelector"] = never
    if root["kind"] in ("ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"):
        spec = root.get("spec")
        if isinstance(spec, dict) and isinstance(spec.get("matchConstraints"), dict):
            spec["matchConstraints"]["objectSelector"] = never
    return root


def pool(server, paths, seed):
    """The objects that the server accepts, by their kinds."""
    found, known = collections.defaultdict(list), set()
    roots = list(documents(paths))
    random.Random(seed).shuffle(roots)
    for root in roots:
        key = root.get("apiVersion"), root["kind"]
        if key not in server.kinds or root["kind"] in SKIPPED or len(found[key]) >= MOST_OF_KIND:
            continue
        text = json.dumps(root, sort_keys=True)
        # The server writes the annotations in another way.
        if text in known or len(text) > 60_000 or "autoscaling.alpha" in text:
            continue
        known.add(text)
        try:
            if server.is_valid(named(root, "probe", server.kinds[key]["namespaced"])):
                found[key].append(root)
        except (AttributeError, TypeError, KeyError):
            pass
    return {key: roots for key, roots in found.items() if roots}


def install_definitions(server, paths):
    """Installs the definitions of files as they are."""
    names = []
    for root in documents(paths):
        if root["kind"] == "CustomResourceDefinition" and root["apiVersion"].endswith("/v1"):
            root["metadata"].setdefault("annotations", {})["api-approved.kubernetes.io"] = "unapproved, for a test"
            (root.get("spec") or {}).pop("conversion", None)
            # Without the webhook that converts them, other versions lose fields.
            root["spec"]["versions"] = [it for it in root["spec"]["versions"] if it.get("storage")]
            names += [root] if server.request("POST", server.path(root, False), root)[0] in (201, 409) else []
    time.sleep(3)
    server.discover()
    return names


# Changes

def walk(value, path=()):
    """The paths of all values."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, path + (key,))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(inner, path + (index,))


def at(root, path):
    for step in path:
        root = root[step]
    return root


def at_or_none(root, *path):
    for step in path:
        root = root.get(step) if isinstance(root, dict) else None
    return root


def changed_text(r, key, text):
    quantity = re.fullmatch(r"(\d+)(m|Mi|Gi|Ki|M|G|)", text)
    if quantity and quantity[2]:
        number = int(quantity[1])
        same = {"m": lambda: str(decimal.Decimal(number) / 1000), "Gi": lambda: f"{number * 1024}Mi",
                "Mi": lambda: f"{number * 1024}Ki"}.get(quantity[2])
        return same() if same and r.random() < 0.4 else f"{number + r.randint(1, 9)}{quantity[2]}"
    if key == "image":
        return re.sub(r"[:@][^/]*$", "", text) + r.choice([":2.0", ":latest", "", ":1.0.1"])
    choices = {"imagePullPolicy": ["Always", "IfNotPresent"], "type": ["ClusterIP", "NodePort", "Recreate", "RollingUpdate",
               "OnDelete", "LoadBalancer"], "protocol": ["TCP", "UDP"], "pathType": ["Prefix", "Exact"],
               "whenUnsatisfiable": ["DoNotSchedule", "ScheduleAnyway"], "concurrencyPolicy": ["Allow", "Forbid", "Replace"],
               "restartPolicy": ["Never", "OnFailure", "Always"], "operator": ["Exists", "In", "Equal"]}
    return r.choice(choices.get(key, [text + "-x", text + "2", "other"]))


def change_once(r, root, donors):
    """One change at a random place; a value of another object of the kind, for fields that the object lacks."""
    spots = [path for path in walk(root) if path and path[0] not in ("apiVersion", "kind") and
             path[:2] not in (("metadata", "name"), ("metadata", "namespace")) and path != ("metadata",)]
    path = r.choice(spots)
    step = r.random()
    owner, last = at(root, path[:-1]), path[-1]
    value = owner[last]
    if step < 0.22:
        donor = copy.deepcopy(r.choice(donors))
        places = [it for it in walk(donor) if it and it[0] not in ("apiVersion", "kind", "status") and
                  it[:2] not in (("metadata", "name"), ("metadata", "namespace")) and it != ("metadata",)]
        place = r.choice(places)
        try:
            target = at(root, place[:-1])
            graft = at(donor, place)
            if isinstance(target, dict):
                target[place[-1]] = graft
            elif isinstance(target, list):
                target.insert(r.randint(0, len(target)), graft)
        except (KeyError, IndexError, TypeError):
            pass
    elif step < 0.42:
        del owner[last]
    elif step < 0.46 and isinstance(owner, dict):
        owner[last] = r.choice([None, None, {} if isinstance(value, dict) else [] if isinstance(value, list) else None])
    elif isinstance(value, bool):
        owner[last] = not value
    elif isinstance(value, int):
        owner[last] = max(0, value + r.choice([-1, 1, 2, 10]))
    elif isinstance(value, str):
        owner[last] = changed_text(r, last, value)
    elif isinstance(value, list) and value:
        act = r.randrange(4)
        if act == 0:
            r.shuffle(value)
        elif act == 1:
            value.pop(r.randrange(len(value)))
        else:
            twin = copy.deepcopy(r.choice(value))
            if isinstance(twin, dict) and twin:
                field = r.choice(sorted(twin))
                old = twin[field]
                twin[field] = old + 1 if type(old) is int else changed_text(r, field, old) if isinstance(old, str) else old
                if "protocol" in twin or "port" in twin or "containerPort" in twin:
                    twin["protocol"] = r.choice(["TCP", "UDP"])
                    twin["name"] = r.choice("abcdef") + "-port"
            elif isinstance(twin, str):
                twin = changed_text(r, "", twin)
            value.insert(r.randint(0, len(value)), twin)
    elif isinstance(value, dict) and all(isinstance(it, str) for it in value.values()):
        value[r.choice(["app.kubernetes.io/part-of", "added", "tier", "z"])] = r.choice(["a", "b"])


def typical(r, root):
    """A change that authors make often."""
    spec = root.get("spec") if isinstance(root.get("spec"), dict) else {}
    template = spec.get("template") if isinstance(spec.get("template"), dict) else {}
    pod = template.get("spec") if root["kind"] != "Pod" else spec
    containers = pod.get("containers") if isinstance(pod, dict) else None
    container = r.choice(containers) if containers else None
    act = r.randrange(9)
    if act == 0 and "replicas" in spec:
        r.choice([lambda: spec.pop("replicas"), lambda: spec.update(replicas=r.randint(0, 5))])()
    elif act == 1 and container:
        container["image"] = changed_text(r, "image", str(container.get("image")))
    elif act == 2 and container:
        env = container.setdefault("env", [])
        if isinstance(env, list):
            env.insert(r.randint(0, len(env)), {"name": r.choice(["A", "LOG_LEVEL", "PORT"]), "value": r.choice("123")})
    elif act == 3 and container:
        ports = container.setdefault("ports", [])
        if isinstance(ports, list):
            ports.append({"containerPort": r.choice([80, 8080, 53, 9090]), "protocol": r.choice(["TCP", "UDP"])})
    elif act == 4 and root["kind"] == "Service" and spec.get("ports"):
        twin = copy.deepcopy(r.choice(spec["ports"]))
        twin.update(protocol="UDP", name="udp")
        for index, port in enumerate(spec["ports"]):
            port.setdefault("name", f"p{index}")
        spec["ports"].append(twin)
    elif act == 5 and template:
        template.setdefault("metadata", {}).setdefault("annotations", {})["checksum/config"] = str(r.randint(0, 99))
    elif act == 6 and root["kind"] in ("Deployment", "DaemonSet", "StatefulSet"):
        field = "strategy" if root["kind"] == "Deployment" else "updateStrategy"
        spec[field] = {"type": r.choice(["Recreate", "RollingUpdate", "OnDelete"])}
    elif act == 7 and container:
        container["resources"] = {"requests": {"cpu": r.choice(["500m", "0.5", "1"]), "memory": r.choice(["1Gi", "1024Mi"])}}
    elif isinstance(pod, dict) and act == 8:
        pod.pop("serviceAccountName", None) or pod.update(serviceAccountName="other")


def mutated(r, root, donors, most=4):
    root = copy.deepcopy(root)
    for _ in range(r.randint(1, most)):
        try:
            typical(r, root) if r.random() < 0.3 else change_once(r, root, donors)
        except (KeyError, TypeError, AttributeError, IndexError):
            pass
    return harmless(root)


# Requests of others

def live_write(r, server, root, donors):
    """A request of a controller or a person; returns what it was."""
    path, kind = server.path(root), server.kinds[root["apiVersion"], root["kind"]]
    merge = "application/merge-patch+json"
    acts = ["labels", "edit", "apply", "status"]
    if kind["scale"]:
        acts += ["scale"] * 4
    if root["kind"] in WORKLOADS:
        acts += ["restart"] * 4
    if root["kind"].endswith("WebhookConfiguration") or root["kind"] == "CustomResourceDefinition":
        acts += ["certificate"] * 4
    if root["kind"] == "PersistentVolumeClaim":
        acts += ["bind"] * 4
    act = r.choice(acts)
    if act == "scale":
        body = {"spec": {"replicas": r.randint(0, 7)}}
        server.request("PATCH", path + "/scale?fieldManager=kube-controller-manager", body, merge)
    elif act == "restart":
        stamp = {"kubectl.kubernetes.io/restartedAt": "2026-11-29T04:00:00Z"}
        body = {"spec": {"template": {"metadata": {"annotations": stamp}}}}
        server.request("PATCH", path + "?fieldManager=kubectl-rollout", body, "application/strategic-merge-patch+json")
    elif act == "certificate":
        _, live = server.request("GET", path)
        for hook in live.get("webhooks") or []:
            hook["clientConfig"]["caBundle"] = base64.b64encode(b"-----BEGIN CERTIFICATE-----\n").decode()
        if "versions" in (live.get("spec") or {}):
            live["metadata"].setdefault("annotations", {})["cert-manager.io/inject-ca-from"] = "work/ca"
        server.request("PUT", path + "?fieldManager=cainjector", live)
    elif act == "bind":
        size = root["spec"]["resources"]["requests"]["storage"]
        server.request("PATCH", path + "?fieldManager=kube-controller-manager", {"spec": {"volumeName": "v"}}, merge)
        server.request("PATCH", path + "/status", {"status": {"phase": "Bound", "capacity": {"storage": size}}}, merge)
    elif act == "labels":
        body = {"metadata": {"labels": {"controller": "yes"}, "annotations": {"example.com/seen": "1"}}}
        if r.random() < 0.3:
            body["metadata"]["finalizers"] = ["example.com/controller"]
        server.request("PATCH", path + "?fieldManager=controller", body, merge)
    elif act == "status":
        server.request("PATCH", path + "/status?fieldManager=controller", {"status": {"observedGeneration": 1}}, merge)
    elif act == "edit":
        _, live = server.request("GET", path)
        changed = mutated(r, {it: live[it] for it in live if it != "status"}, donors, 2)
        changed["metadata"] = {**live["metadata"], **{it: changed["metadata"].get(it) or {} for it in ("labels", "annotations")}}
        changed["metadata"]["annotations"].update({it: value for it, value in (live["metadata"].get("annotations") or {}).items()
                                                   if it == LAST_APPLIED})
        changed["metadata"].pop("managedFields", None)
        server.request("PUT", path + "?fieldManager=kubectl-edit", changed)
    else:
        form = mutated(r, root, donors, 2)
        keys = ("apiVersion", "kind", "metadata", r.choice(sorted(form)))
        form = {key: form[key] for key in keys if key in form}
        force = r.choice(["true", "false"])
        server.request("PATCH", f"{path}?fieldManager=vpa&force={force}", form, "application/apply-patch+yaml")
    return act


# The programs

class Programs:
    def __init__(self, server, helm, helm4, folder):
        self.server, self.folder = server, pathlib.Path(folder)
        self.helm = {"helm": helm, "helm4": helm4}
        config = {"apiVersion": "v1", "kind": "Config", "current-context": "a",
                  "clusters": [{"name": "a", "cluster": {"server": server.url, "insecure-skip-tls-verify": True}}],
                  "users": [{"name": "a", "user": {"token": server.token}}],
                  "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a", "namespace": "default"}}]}
        (self.folder / "kubeconfig").write_text(json.dumps(config))
        self.env = {"KUBECONFIG": str(self.folder / "kubeconfig"), "HOME": str(self.folder), "PATH": "/usr/bin:/bin"}

    def run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, env=self.env, timeout=120)
        return None if done.returncode == 0 else (done.stderr + done.stdout).strip()

    def apply(self, actor, name, root, is_first):
        """Applies an object; returns the error, if there is one."""
        if actor in self.helm:
            return self.release(self.helm[actor], name, root, is_first)
        if actor == "flux":
            path = self.server.path(root) + "?fieldManager=kustomize-controller&force=true"
            code, answer = self.server.request("PATCH", path, root, "application/apply-patch+yaml")
            return None if code in (200, 201) else answer.get("message", str(code))
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(root))
        how = {"client": ["apply"], "files-client": ["apply"], "server": ["apply", "--server-side"],
               "files-server": ["apply", "--server-side"], "replace": ["create" if is_first else "replace"]}[actor]
        done = self.run("kubectl", *how, "-f", str(file))
        file.unlink()
        return done

    def release(self, helm, name, root, is_first):
        chart = self.folder / name
        (chart / "templates").mkdir(parents=True, exist_ok=True)
        (chart / "Chart.yaml").write_text(json.dumps({"apiVersion": "v2", "name": "chart", "version": "0.1.0"}))
        (chart / "object.json").write_text(json.dumps(root))
        (chart / "templates/object.yaml").write_text('{{ .Files.Get "object.json" }}\n')
        verb = ["install"] if is_first else ["upgrade", "--history-max", "2"]
        return self.run(helm, *verb, name, str(chart), "-n", "work", "--disable-openapi-validation")


def record_one(server, programs, objects, weights, seed, index):
    r = random.Random(f"{seed}-{index}")
    name = f"o{seed}-{index}"
    for _ in range(12):
        key = r.choices(list(weights), list(weights.values()))[0]
        donors = objects[key]
        old = named(r.choice(donors), name, server.kinds[key]["namespaced"])
        if r.random() < 0.4:
            old = mutated(r, old, donors)
        new = mutated(r, old, donors) if r.random() < 0.96 else copy.deepcopy(old)
        alone = copy.deepcopy(new)
        try:
            if server.is_valid(old) and server.is_valid(alone):
                break
        except (KeyError, TypeError):
            pass
    else:
        return None
    known = {it: weight for it, weight in ACTORS.items() if programs.helm.get(it, True)}
    actor = r.choices(list(known), list(known.values()))[0]
    first = actor
    if actor in ("client", "server") and r.random() < 0.12:
        first = {"client": "server", "server": "client"}[actor]
    failure = programs.apply(first, name, old, True)
    if failure is not None:
        server.remove(old)
        return {"name": name, "actor": actor, "skipped": failure[:300]}
    if old["kind"] == "CustomResourceDefinition":
        time.sleep(0.5)
    writes = []
    if not actor.startswith("files") and r.random() < 0.6:
        donors = objects[key]
        writes = [live_write(r, server, old, donors) for _ in range(r.randint(1, 2))]
    path = server.path(old)
    _, live = server.request("GET", path)
    failure = programs.apply(actor, name, new, False)
    _, result = server.request("GET", path)
    server.remove(old)
    return {"name": name, "actor": actor, "first": first, "writes": writes, "old": old, "live": live, "new": new,
            "error": failure, "result": result}


def record(options):
    server = Server(options.server, options.token)
    for namespace in ("work", "limits"):
        server.request("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}})
    install_definitions(server, options.crd)
    objects = pool(server, options.files, options.seed)
    weights = {key: COMMON.get(key[1], 1 if "." in key[0].split("/")[0] and "k8s.io" not in key[0] else 0.7)
               for key in objects}
    print(f"{sum(map(len, objects.values()))} objects of {len(objects)} kinds", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as threads:
        programs = Programs(server, options.helm, options.helm4, folder)
        work = [threads.submit(record_one, server, programs, objects, weights, options.seed, index)
                for index in range(options.count)]
        for done in concurrent.futures.as_completed(work):
            found = done.result()
            if found:
                print(json.dumps(found, separators=(",", ":")), flush=True)


# The judgement

def amount(value):
    """A scalar for comparisons: quantities by value."""
    if isinstance(value, bool) or value is None:
        return value
    found = re.fullmatch(r"([+-]?[\d.]+)(m|Ki|Mi|Gi|Ti|k|M|G|T|)", str(value))
    if not found:
        return str(value)
    try:
        unit = {"m": "0.001", "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "k": 10**3, "M": 10**6, "G": 10**9,
                "T": 10**12, "": 1}[found[2]]
        return decimal.Decimal(found[1]) * decimal.Decimal(unit)
    except decimal.InvalidOperation:
        return str(value)


def is_within(part, whole):
    """Whether a value has everything that another one has; empty and absent values are the same."""
    if part is None or part == {} or part == []:
        return True
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(is_within(value, whole.get(key)) for key, value in part.items())
    if isinstance(part, list):
        if not isinstance(whole, list):
            return False
        rest = list(whole)
        for item in part:
            found = next((index for index, it in enumerate(rest) if is_within(item, it)), None)
            if found is None:
                return False
            rest.pop(found)
        return True
    return amount(part) == amount(whole) or part in ("", 0, False) and whole is None


def stored(root):
    """An object without what only the server and kubectl set."""
    root = copy.deepcopy(root)
    root.pop("status", None)
    metadata = root["metadata"]
    for field in ("creationTimestamp", "generation", "managedFields", "resourceVersion", "uid", "selfLink"):
        metadata.pop(field, None)
    # The server keeps a deprecated field equal to the one that is written.
    for pod in (root.get("spec"), at_or_none(root, "spec", "template", "spec"),
                at_or_none(root, "spec", "jobTemplate", "spec", "template", "spec")):
        if isinstance(pod, dict) and pod.get("serviceAccount") == pod.get("serviceAccountName"):
            pod.pop("serviceAccount", None)
    # Controllers that do not run here add them again.
    finalizers = [it for it in metadata.pop("finalizers", None) or [] if not it.endswith("-protection")]
    if finalizers:
        metadata["finalizers"] = finalizers
    annotations = metadata.get("annotations") or {}
    annotations.pop(LAST_APPLIED, None)
    annotations.pop("deprecated.daemonset.template.generation", None)
    if not annotations:
        metadata.pop("annotations", None)
    return root


def keyed(items):
    """The items of a list by an identity, if there is one."""
    if items and all(isinstance(it, dict) for it in items):
        for keys in (["name"], ["containerPort", "protocol"], ["port", "protocol"], ["mountPath"], ["key"]):
            names = ["/".join(str(it.get(key)) for key in keys) for it in items]
            if all(keys[0] in it for it in items) and len(set(names)) == len(names):
                return dict(zip(names, items))
    return None


def differences(old, new, path=()):
    """The paths of values that differ, with `*` for items, and whether the values mean the same."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            yield from differences(old.get(key), new.get(key), path + (key,))
    elif isinstance(old, list) and isinstance(new, list) and old != new:
        by_old, by_new = keyed(old), keyed(new)
        if by_old and by_new:
            for key in {**by_old, **by_new}:
                yield from differences(by_old.get(key), by_new.get(key), path + ("*",))
            common = [key for key in by_old if key in by_new]
            if common != [key for key in by_new if key in by_old]:
                yield path, True
        else:
            same = len(old) == len(new) and is_within(old, new) and is_within(new, old)
            yield path, same
    elif old in ({}, [], None) and new in ({}, [], None):
        if old != new:
            yield path, True
    elif amount(old) == amount(new) and type(old) is type(new):
        # Another form of the same quantity.
        if old != new:
            yield path, True
    elif old != new:
        yield path, False


def steps_of(text):
    """The steps of a path of `diff`; items and keys in brackets."""
    found = []
    for name, key in re.findall(r"([^.\[\]]+)|\[((?:\"(?:[^\"\\]|\\.)*\"|[^\]])*)\]", text):
        found.append(name or key)
    return found


def aligned(text, *roots):
    """A path of `diff` with `*` for items."""
    steps, spots = [], list(roots)
    for step in steps_of(text):
        spots = [it for it in spots if it is not None]
        if any(isinstance(it, list) for it in spots):
            steps.append("*")
            spots = [item for it in spots if isinstance(it, list) for item in it]
        else:
            steps.append(step)
            spots = [it.get(step) for it in spots if isinstance(it, dict)]
    return tuple(steps)


def covers(one, other):
    """Whether one path is that of the other value, or of one around it."""
    return all(a == b or "*" in (a, b) for a, b in zip(one, other))


def ask(program, case, crds, folder):
    """What the program says about a case, and the difference of the live object and the result."""
    folder = pathlib.Path(folder)
    actor = case["actor"]
    applier = {"files-client": "client", "files-server": "server", "helm4": "helm"}.get(actor, actor)
    of_files = is_of_files(case)
    before = case["old"] if of_files else case["live"]
    for file, root in (("old.json", before), ("new.json", case["new"]), ("live.json", case["live"]),
                       ("last.json", case["old"]), ("result.json", case["result"])):
        (folder / file).write_text(json.dumps(root))
    definition = crds.get((case["new"]["apiVersion"].split("/")[0], case["new"]["kind"]))
    flags = ["--crd", definition] if definition else []
    last = ["--last", "last.json"] if actor == "helm" and not of_files else []

    def run(*command):
        done = subprocess.run([program, *command, *flags], capture_output=True, text=True, cwd=folder)
        return done, json.loads(done.stdout) if done.stdout.startswith("{") else None

    failed, said = run("diff", "old.json", "new.json", "--apply", applier, *last, "--format", "json")
    against, _ = run("check", "--against", "old.json", "new.json", "--apply", applier, *last, "--format", "json")
    _, real = run("diff", "live.json", "result.json", "--apply", "replace", "--format", "json")
    return said, against, real, failed.stderr


def judge_one(program, case, crds, folder):
    """The disagreements between what is said and what happened."""
    said, against, real, message = ask(program, case, crds, folder)
    if said is None or real is None:
        return [("no answer", message[:300])]
    found = []
    objects = said["objects"]
    if len(objects) > 1 or objects and objects[0]["change"] != "changed":
        return [("other object", json.dumps(objects)[:300])]
    one = objects[0] if objects else {"fields": [], "outcome": None, "findings": [], "lost": []}
    outcome = one["outcome"] or {"effect": "nothing", "text": "", "details": []}
    effect, text = outcome["effect"], outcome["text"]
    is_rejected = effect == "replaced" or any(it["severity"] == "error" for it in one["findings"])
    is_refused = case["error"] is not None
    # The input has no StorageClass, which is what is said.
    if is_refused and "the storageclass that provisions the pvc must support resize" in case["error"]:
        return found if "if its StorageClass allows" in text else [("unconditional growth", text)]
    shown = f"{effect}: {text} {outcome.get('details')}"
    if is_rejected != is_refused:
        found.append(("accepted but refused" if is_refused else "rejected but stored", f"{shown} | {(case['error'] or '')[-500:]}"))
    if (against.returncode != 0) != is_refused:
        found.append(("check --against", f"{against.returncode} {against.stderr[:200]} | {(case['error'] or '')[-300:]}"))
    if is_refused or found:
        return found
    live, result = stored(case["live"]), stored(case["result"])
    raw = list(differences(live, result))
    of_files = is_of_files(case)
    # What diff says about the stored object, compared with what it says about the real one.
    predicted = {it["path"]: it for it in one["fields"]}
    actual = {it["path"]: it for it in (real["objects"][0]["fields"] if real["objects"] else [])}
    values = lambda side: [it for value in side for it in (value["value"] if isinstance(value["value"], list) else [value["value"]])]
    predicted = split_maps(predicted, actual)
    for key, it in predicted.items():
        other = actual.get(key)
        if other is None:
            found.append(("field that does not change", f"{key} {values(it['old'])} -> {values(it['new'])}"[:400]))
        elif not (is_within(values(it["old"]), values(other["old"])) and is_within(list(filter(None, values(it["new"]))), values(other["new"]))):
            found.append(("another value", f"{key} {values(it['old'])} -> {values(it['new'])}, really {values(other['old'])} -> {values(other['new'])}"[:400]))
    for key, it in actual.items():
        steps = steps_of(key)
        is_default = not it["old"] and not has_path(case["new"], steps)
        # A default that follows from another field is only shown where it is written.
        if key not in predicted and not is_default and not (of_files and not has_path(case["old"], steps)):
            found.append(("field that is not announced", f"{key} {values(it['old'])} -> {values(it['new'])}"[:400]))
    # The same by a comparison of our own.
    paths = [aligned(it["path"], live, result, case["new"]) for it in one["fields"]]
    if not of_files:
        for path, is_order in raw:
            # What neither form has is a default.
            is_default = not has_aligned(live, path) and not has_aligned(case["new"], path)
            if not is_order and not is_default and not any(covers(path, it) for it in paths):
                found.append(("raw change that is not announced", f"{path}"))
        for path in paths:
            if not any(covers(path, it) for it, _ in raw):
                found.append(("announced without raw change", f"{path}"))
    kind = case["new"]["kind"]
    in_template = any(path[:2] == ("spec", "template") for path, _ in raw)
    restarts = effect in ("restarts", "waits") and "template" in text or effect == "restarts" or "paused" in text
    if kind in WORKLOADS and in_template != restarts:
        found.append(("a restart that does not come" if restarts else "a restart that is not announced", shown))
    scaled = re.search(r"scales from (\d+) to (\d+)", text)
    counts = [(root.get("spec") or {}).get("replicas") for root in (live, result)]
    if scaled and list(map(int, scaled.groups())) != counts:
        found.append(("a scale that does not come", f"{shown}: {counts}"))
    if kind in WORKLOADS and counts[0] != counts[1] and not any(it == ("spec", "replicas") for it in paths):
        found.append(("a scale that is not announced", f"{shown}: {counts}"))
    if not raw and one["fields"] and effect != "nothing":
        found.append(("an effect without a change", shown))
    has_all = is_within(written_form(case), case["result"])
    if bool(one.get("lost")) and has_all:
        found.append(("a loss that does not come", f"{one['lost']}"))
    if not one.get("lost") and not has_all and applier_of(case) == "client":
        found.append(("a loss that is not announced", shown))
    return found


def split_maps(predicted, actual):
    """The predicted fields, with the entries of a map in its place where those really changed: the last form can lack a map
    that the live object has, because Helm writes into it."""
    found = {}
    for key, it in predicted.items():
        below = [] if key in actual else [inner for inner in actual if re.match(r"[.\[]", inner.removeprefix(key))
                                          and inner.startswith(key)]
        for inner in below:
            name = steps_of(inner)[-1]
            found[inner] = {side: [{"value": value["value"][name]} for value in it[side]
                                   if isinstance(value["value"], dict) and value["value"].get(name) is not None]
                            for side in ("old", "new")}
        if not below:
            found[key] = it
    return found


def applier_of(case):
    return {"files-client": "client", "helm": "client"}.get(case["actor"], case["actor"])


def has_path(root, steps):
    """Whether an object has a value at a path of `diff`, in any item of a list."""
    if root is None or not steps:
        return root is not None
    if isinstance(root, list):
        # A step of its own for the item.
        return any(has_path(it, steps[1:]) for it in root)
    return isinstance(root, dict) and has_path(root.get(steps[0]), steps[1:])


def has_aligned(root, path):
    """Whether an object has a value at a path with `*` for items."""
    return has_path(root, list(path))


def written_form(case):
    """The new form without what the server moves, and what Helm writes over."""
    form = without_nulls(case["new"])
    if form["kind"] == "Secret":
        form.pop("stringData", None)
    # The server drops it.
    for endpoint in form.get("endpoints") or [] if form["kind"] == "EndpointSlice" else []:
        endpoint.pop("deprecatedTopology", None)
    if case["actor"].startswith("helm"):
        form["metadata"].get("labels", {}).pop("app.kubernetes.io/managed-by", None)
    for pod in (form.get("spec"), at_or_none(form, "spec", "template", "spec")):
        if isinstance(pod, dict) and pod.get("serviceAccountName"):
            pod.pop("serviceAccount", None)
    return form


def without_nulls(value):
    if isinstance(value, dict):
        kept = {key: without_nulls(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if inner is not None and inner != {}}
    return [without_nulls(it) for it in value] if isinstance(value, list) else value


def is_of_files(case):
    """Whether the old side is the last applied form. That of Helm is not part of a live object."""
    return case["actor"].startswith("files") or case["actor"] == "helm" and not case["writes"]


def definitions(paths, folder):
    """A file for each definition, by group and kind."""
    files = {}
    for index, root in enumerate(it for it in documents(paths) if it["kind"] == "CustomResourceDefinition"):
        file = pathlib.Path(folder) / f"{index}.json"
        file.write_text(json.dumps(root))
        files[root["spec"]["group"], root["spec"]["names"]["kind"]] = str(file)
    return files


def judge(options):
    """Prints the disagreements."""
    cases = [json.loads(line) for file in options.files for line in open(file)]
    # Helm removes `<no value>` from what a template gives.
    cases = [it for it in cases if "skipped" not in it and "<no value>" not in json.dumps(it["new"])]
    if options.only:
        cases = [it for it in cases if it["name"] in options.only]
    kept = tempfile.TemporaryDirectory()
    crds = definitions(options.crd, kept.name)

    def of_case(case):
        with tempfile.TemporaryDirectory() as folder:
            return case, judge_one(options.program, case, crds, folder)

    totals, right, classes = collections.Counter(), collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        for case, found in threads.map(of_case, cases):
            totals[case["actor"]] += 1
            right[case["actor"]] += not found
            for kind in {it[0] for it in found}:
                classes[kind] += 1
            if found and options.verbose:
                print(f"{case['name']} {case['actor']} {case['new']['kind']} {case['writes']}")
                for kind, text in found:
                    print(f"    {kind}: {text}")
    for actor in sorted(totals):
        print(f"{actor}: {right[actor]} of {totals[actor]} agree")
    count = sum(totals.values())
    print(f"all: {sum(right.values())} of {count} agree ({100 * sum(right.values()) / max(1, count):.2f} %)")
    for kind, number in classes.most_common():
        print(f"  {number} {kind}")


# The sample

def merge_patch(old, new):
    """The JSON merge patch from one value to another one."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    patch = {key: None for key in old if key not in new}
    patch.update({key: merge_patch(old.get(key), value) for key, value in new.items() if old.get(key) != value})
    return patch


def compact(case):
    """A case as the tests read it: the old side, the new side, and what happened."""
    needs_managers = case["actor"] in ("server", "flux", "helm4")
    live, result = (copy.deepcopy(case[it]) for it in ("live", "result"))
    for root in (live, result):
        if root["kind"] != "PersistentVolumeClaim":
            root.pop("status", None)
        for field in ("creationTimestamp", "resourceVersion", "generation"):
            root["metadata"].pop(field, None)
        if root is result or not needs_managers:
            root["metadata"].pop("managedFields", None)
    if needs_managers:
        result["metadata"]["managedFields"] = live["metadata"].get("managedFields")
    found = {"name": case["name"], "actor": case["actor"]}
    if case["actor"].startswith("files") or is_of_files(case):
        found["old"] = case["old"]
    found["live"] = live
    if case["actor"] == "helm" and not is_of_files(case):
        found["last"] = case["old"]
    found["new"] = case["new"]
    if case["error"] is not None:
        found["error"] = case["error"].split("\n")[0][:200]
    else:
        annotations = result["metadata"].get("annotations") or {}
        if LAST_APPLIED in annotations:
            annotations[LAST_APPLIED] = (live["metadata"].get("annotations") or {}).get(LAST_APPLIED)
        found["change"] = merge_patch(live, result)
    return found


def sample(options):
    """Prints cases that agree, of all programs and kinds, the small ones first."""
    cases = [json.loads(line) for file in options.files for line in open(file)]
    cases = [it for it in cases if "skipped" not in it]
    is_known = lambda it: "." not in it["new"]["apiVersion"].split("/")[0] or "k8s.io" in it["new"]["apiVersion"]
    cases = [it for it in cases if is_known(it) and "gateway" not in it["new"]["apiVersion"]]
    lines = {it["name"]: json.dumps(compact(it), separators=(",", ":")) for it in cases}
    chosen, counts = [], collections.Counter()
    order = lambda it: (it["name"] not in options.include, len(lines[it["name"]]), it["name"])
    for case in sorted(cases, key=order):
        key = case["actor"], case["new"]["kind"], case["error"] is None
        kind = case["actor"], case["error"] is None
        if case["name"] not in options.include and (counts[key] >= 2 or counts[kind] >= options.count // 10):
            continue
        with tempfile.TemporaryDirectory() as folder:
            said, _, real, _ = ask(options.program, case, {}, folder)
            paths = [[field["path"] for it in one["objects"] for field in it["fields"]] for one in (said, real)]
            if case["error"] is None and paths[0] != paths[1] or judge_one(options.program, case, {}, folder):
                continue
        counts[key] += 1
        counts[kind] += 1
        chosen.append(case["name"])
        if len(chosen) >= options.count:
            break
    print(*(lines[name] for name in sorted(chosen)), sep="\n")


def main():
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(required=True)
    recorder = verbs.add_parser("record")
    recorder.add_argument("server")
    recorder.add_argument("token")
    recorder.add_argument("count", type=int)
    recorder.add_argument("seed")
    recorder.add_argument("files", nargs="+")
    recorder.add_argument("--crd", action="append", default=[])
    recorder.add_argument("--helm")
    recorder.add_argument("--helm4")
    recorder.set_defaults(run=record)
    judging = verbs.add_parser("judge")
    judging.add_argument("program")
    judging.add_argument("files", nargs="+")
    judging.add_argument("--crd", action="append", default=[])
    judging.add_argument("--only", action="append")
    judging.add_argument("--verbose", action="store_true")
    judging.set_defaults(run=judge)
    sampler = verbs.add_parser("sample")
    sampler.add_argument("program")
    sampler.add_argument("count", type=int)
    sampler.add_argument("files", nargs="+")
    sampler.add_argument("--include", action="append", default=[])
    sampler.set_defaults(run=sample)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
