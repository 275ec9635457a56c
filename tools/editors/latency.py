#!/usr/bin/env python3
"""Measures the time from a key to its findings, and to the completions at the cursor:
tools/editors/latency.py target/dist/sandboxc [OBJECTS[/FILES] ...]

The project has so many Deployments, in so many files; by default one file for each ten. One of them is edited, a key at
a time. After each key completions are requested, and both answers are awaited. Prints medians and maxima.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

KEYS = 30
DEPLOYMENT = """---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web-{0}}}
spec:
  selector: {{matchLabels: {{app: web-{0}}}}}
  template:
    metadata: {{labels: {{app: web-{0}}}}}
    spec:
      containers:
        - name: web
          image: registry.example/web:1.{0}
          ports: [{{containerPort: 8080}}]
          resources: {{requests: {{cpu: 100m, memory: 64Mi}}}}
"""


class Client:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def send(self, method, params, request=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request is not None:
            message["id"] = request
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) != b"":
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def await_all(self, uri, version, request=None):
        """The times at which the findings of a version and the answer to a request arrive."""
        findings = answer = None
        while findings is None or (request is not None and answer is None):
            message = self.receive()
            params = message.get("params") or {}
            if params.get("uri") == uri and params.get("version") == version:
                findings = time.monotonic()
            if "method" not in message and message.get("id") == request:
                answer = time.monotonic()
        return findings, answer


def measure(program, objects, files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {}\n"
        (root / "sandboxc.yaml").write_text(project)
        size = -(-objects // files)
        for first in range(0, objects, size):
            texts = [DEPLOYMENT.format(number) for number in range(first, min(first + size, objects))]
            (root / f"{first:06}.yaml").write_text("".join(texts))
        path = root / "000000.yaml"
        client = Client(program)
        client.send("initialize", {"rootUri": root.as_uri(), "capabilities": {}}, request=1)
        client.receive()
        client.send("initialized", {})
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 0, "text": path.read_text()}
        client.send("textDocument/didOpen", {"textDocument": document})
        client.await_all(uri, 0)
        times = {"findings": [], "completions": []}
        for version in range(1, KEYS + 1):
            # Each key makes a finding or removes it, so that findings are sent.
            column = len("  selecto")
            end = column + (version - 1) % 2
            change = {
                "range": {
                    "start": {"line": 5, "character": column},
                    "end": {"line": 5, "character": end},
                },
                "text": "x" if version % 2 else "",
            }
            start = time.monotonic()
            client.send(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
            )
            place = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": column}}
            client.send("textDocument/completion", place, request=version + 1)
            findings, answer = client.await_all(uri, version, version + 1)
            times["findings"].append((findings - start) * 1000)
            times["completions"].append((answer - start) * 1000)
        client.process.kill()
        return times


def main():
    program, *numbers = sys.argv[1:]
    for number in numbers or ["1000", "10000", "10000/1"]:
        objects, _, files = number.partition("/")
        objects, files = int(objects), int(files or -(-int(objects) // 10))
        for what, times in measure(program, objects, files).items():
            median, maximum = statistics.median(times), max(times)
            print(f"{objects} objects in {files} files, {what}: median {median:.0f} ms, maximum {maximum:.0f} ms")


main()
