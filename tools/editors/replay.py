#!/usr/bin/env python3
"""Edits files at random in one session: tools/editors/replay.py target/release/sandboxc [EDITS [SEED]]

After some edits it requests an answer of each kind. After each thousand it compares the findings and symbols with
those of the same text in a new document. Fails if the server ends, answers with an error, or complains.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

WORDS = ["", "x", "\n", "  ", "\n  ", ": ", "- ", "[", "]", "{", "}", '"', "'", "&a ", "*a", "{{ ", " }}", "é😀", "\t",
         "#", "|\n", "---\n", "name: ", "spec:\n  ", "kind: Pod\n", "extends: base", "# sandboxc: allow ", "null", "1e9"]
METHODS = ["completion", "hover", "definition", "references", "documentHighlight", "prepareRename", "documentSymbol",
           "foldingRange", "selectionRange", "documentLink", "inlayHint", "formatting", "codeAction"]
ROUND = 1000
LONGEST = 20_000


class Session:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.requests = 0
        capabilities = {"general": {"positionEncodings": ["utf-8"]}, "textDocument": {"diagnostic": {}}}
        self.ask("initialize", {"rootUri": folder.as_uri(), "capabilities": capabilities})
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.requests += 1
        self.send({"id": self.requests, "method": method, "params": params})
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length == 0:
                sys.exit(f"the server has ended with {self.process.wait()} in {method}")
            message = json.loads(self.process.stdout.read(length))
            if message.get("method") == "window/logMessage":
                sys.exit(f"the server complains: {message['params']}")
            if message.get("id") == self.requests and "method" not in message:
                # A name that cannot be renamed is an error by design, and is not requested here.
                if "error" in message:
                    sys.exit(f"{method} fails: {message['error']}")
                return message["result"]

    def open(self, uri, text):
        document = {"uri": uri, "languageId": "yaml", "version": 0, "text": text.decode()}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def state(self, uri):
        document = {"textDocument": {"uri": uri}}
        answers = [self.ask(f"textDocument/{it}", document) for it in ["diagnostic", "documentSymbol"]]
        return json.dumps(answers).replace(uri, "URI")


def boundary(text, at):
    while at < len(text) and text[at] & 0xC0 == 0x80:
        at += 1
    return at


def position(text, at):
    before = text[:at]
    line = before.count(b"\n")
    return {"line": line, "character": at - (before.rfind(b"\n") + 1)}


def params(method, uri, place, chance):
    end = {"line": place["line"] + chance.randrange(20), "character": 0}
    span = {"start": place, "end": end} if end["line"] > place["line"] else {"start": place, "end": place}
    return {
        "textDocument": {"uri": uri}, "position": place, "positions": [place], "range": span,
        "context": {"diagnostics": [], "includeDeclaration": True}, "options": {"tabSize": 2, "insertSpaces": True},
    }


def main():
    program, *rest = sys.argv[1:]
    edits, seed = [int(it) for it in rest + ["100000", "1"][len(rest):]]
    chance = random.Random(seed)
    examples = pathlib.Path(__file__).parents[2] / "examples"
    sources = [it.read_bytes() for it in sorted(examples.rglob("*.yaml"))]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        session = Session(program, folder)
        done = 0
        while done < edits:
            text = chance.choice(sources)
            uri, fresh = (folder / "x" / "a.yaml").as_uri(), (folder / "y" / "a.yaml").as_uri()
            session.open(uri, text)
            for version in range(1, ROUND + 1):
                done += 1
                at = boundary(text, chance.randrange(len(text) + 1))
                end = boundary(text, min(at + chance.choice([0, 0, 0, 1, 3, 30]), len(text)))
                new = chance.choice(WORDS).encode() if len(text) < LONGEST else b""
                # A position cannot be between the two characters of a line break; there are none here.
                change = {"range": {"start": position(text, at), "end": position(text, end)}, "text": new.decode()}
                session.notify("textDocument/didChange", {
                    "textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
                text = text[:at] + new + text[end:]
                if version % 5 == 0:
                    method = chance.choice(METHODS)
                    place = position(text, boundary(text, min(at + len(new), len(text))))
                    session.ask(f"textDocument/{method}", params(method, uri, place, chance))
            after_edits = session.state(uri)
            session.close(uri)
            session.open(fresh, text)
            at_once = session.state(fresh)
            session.close(fresh)
            if after_edits != at_once:
                pathlib.Path("replay-failure.yaml").write_bytes(text)
                sys.exit(f"after {done} edits the state is not that of replay-failure.yaml")
        assert session.ask("shutdown", None) is None
        session.notify("exit", None)
        status = session.process.wait()
        print(f"{done} edits, {session.requests} requests, status {status}")
        sys.exit(status)


main()
