#!/usr/bin/env python3
"""Sends the recorded updates to a running API server, and prints those with another answer:

    replay.py SERVER TOKEN CORPUS MINOR

Each object is created by server-side apply, with its status; its changes are then applied in dry runs. Requires PyYAML.
"""

import collections
import http.client
import json
import pathlib
import re
import ssl
import subprocess
import sys
import time

import yaml

SERVER, TOKEN, CORPUS, MINOR = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
APPLY = "fieldManager=oracle&force=true&fieldValidation=Strict"


class Loader(yaml.SafeLoader):
    """Reads timestamps as strings, as the API server does."""


Loader.yaml_implicit_resolvers = {
    first: [it for it in all if it[0] != "tag:yaml.org,2002:timestamp"]
    for first, all in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class Live:
    def __init__(self):
        self.connect()
        self.kinds = {}

    def connect(self):
        context = ssl._create_unverified_context()
        self.http = http.client.HTTPSConnection(SERVER.removeprefix("https://"), context=context, timeout=60)

    def request(self, method, path, body=None, kind="application/json"):
        headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": kind}
        text = None if body is None else json.dumps(body)
        try:
            self.http.request(method, path, text, headers)
            answer = self.http.getresponse()
        except (http.client.HTTPException, OSError):
            self.connect()
            self.http.request(method, path, text, headers)
            answer = self.http.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")

    def path(self, root):
        version, kind = root["apiVersion"], root["kind"]
        base = f"/apis/{version}" if "/" in version else f"/api/{version}"
        if (version, kind) not in self.kinds:
            for it in self.request("GET", base)[1].get("resources", []):
                if "/" not in it["name"]:
                    self.kinds[version, it["kind"]] = it["name"], it["namespaced"]
        name, is_namespaced = self.kinds[version, kind]
        if is_namespaced:
            base += "/namespaces/" + root["metadata"].get("namespace", "default")
        return f"{base}/{name}/{root['metadata']['name']}"

    def create(self, root):
        """Applies an object and sets its status; returns its path, or why it is not created."""
        namespace = root["metadata"].get("namespace", "default")
        self.request("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}})
        path = self.path(root)
        for attempt in range(20):
            code, answer = self.request("PATCH", f"{path}?{APPLY}", root, "application/apply-patch+yaml")
            if code != 404:
                break
            time.sleep(0.2)
        if code not in (200, 201):
            return path, answer.get("message", "")
        status = root.get("status")
        if root["kind"] == "PersistentVolumeClaim" and not status:
            status = {"phase": "Bound", "capacity": root["spec"]["resources"]["requests"]}
        if status:
            patch = {"status": status}
            self.request("PATCH", path + "/status", patch, "application/merge-patch+json")
        if root["kind"] == "CustomResourceDefinition":
            self.until_served(path)
        return path, None

    def until_served(self, path):
        for _ in range(50):
            _, found = self.request("GET", path)
            conditions = (found.get("status") or {}).get("conditions") or []
            if any(it["type"] == "Established" and it["status"] == "True" for it in conditions):
                return
            time.sleep(0.1)

    def remove(self, path):
        self.request("PATCH", path, {"metadata": {"finalizers": None}}, "application/merge-patch+json")
        self.request("DELETE", path + "?gracePeriodSeconds=0")
        for _ in range(50):
            if self.request("GET", path)[0] == 404:
                return
            time.sleep(0.1)


def documents():
    found = {}
    files = sorted(CORPUS.glob("cases/**/*.yaml")) + sorted(CORPUS.glob("updates/*.yaml"))
    for path in files:
        name = path.relative_to(CORPUS).with_suffix("").as_posix()
        for part in ("\n" + path.read_text()).split("\n--- # ")[1:]:
            head, text = part.split("\n", 1)
            text = re.sub(r"«(.*?)\*(\d+)»", lambda it: it[1] * int(it[2]), text)
            try:
                case = head.split()[0]
                found[case if "#" in case else f"{name}#{case}"] = yaml.load(text, Loader)
            except yaml.YAMLError:
                pass
    return found


def patched(root, change):
    root = json.loads(json.dumps(root))
    *above, last = [it.replace("~1", "/").replace("~0", "~") for it in change["path"].split("/")[1:]]
    owner = root
    for step in above:
        owner = owner[int(step)] if isinstance(owner, list) else owner[step]
    if isinstance(owner, list) and last != "-":
        last = int(last)
    if change["op"] == "remove":
        del owner[last]
    elif last == "-":
        owner.append(change.get("value"))
    else:
        owner[last] = change.get("value")
    return root


def main():
    all = documents()
    changes = {}
    for file in sorted(CORPUS.glob("updates/*.jsonl")):
        for line in file.read_text().splitlines():
            change = json.loads(line)
            changes[change["id"]] = change
    recording = ["./recording.py", "get", CORPUS / "recorded/updates.jsonl", MINOR]
    lines = subprocess.run(recording, check=True, capture_output=True, text=True).stdout
    by_base = collections.defaultdict(list)
    for verdict in map(json.loads, lines.splitlines()):
        by_base[verdict["id"].split("@")[0]].append(verdict)
    live, count, different, skipped = Live(), 0, 0, []
    for base, verdicts in by_base.items():
        definition = all.get(base.split("#")[0] + "#definition")
        of_definition = live.create(definition)[0] if definition else None
        path, failure = live.create(all[base])
        if failure:
            skipped.append(f"{base}: {failure[:150]}")
            verdicts = []
        for verdict in verdicts:
            new = patched(all[base], changes[verdict["id"]])
            code, answer = live.request(
                "PATCH", f"{path}?{APPLY}&dryRun=All", new, "application/apply-patch+yaml"
            )
            count += 1
            if (code == 200) != (verdict["stage"] == "accepted"):
                different += 1
                print(f"{verdict['id']}: {verdict['stage']}, but {code}: {answer.get('message', '')[:200]}", flush=True)
        # The objects of other streams may be in a namespace.
        if all[base]["kind"] != "Namespace":
            live.remove(path)
        if of_definition:
            live.remove(of_definition)
    print(f"{different} of {count} updates differ; not created: {len(skipped)}")
    print(*skipped, sep="\n")


main()
