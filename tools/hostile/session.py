"""A session of the language server that opens a file: session.py SANDBOXC FILE

Ends when the server has answered a request for the findings of the file, and one for its symbols. Prints the number of
findings.
"""

import json
import pathlib
import subprocess
import sys


def main():
    program, file = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    server = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        server.stdin.flush()

    def answer(number):
        while True:
            length = 0
            while line := server.stdout.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                sys.exit("the server has ended")
            message = json.loads(server.stdout.read(length))
            if message.get("id") == number and "method" not in message:
                return message.get("result")

    def ask(method, params, number):
        send(method, params, number)
        return answer(number)

    document = {"uri": file.as_uri()}
    ask("initialize", {"processId": None, "rootUri": file.parent.as_uri(), "capabilities": {}}, 1)
    send("initialized", {})
    send("textDocument/didOpen", {"textDocument": {**document, "languageId": "yaml", "version": 1, "text": file.read_text()}})
    report = ask("textDocument/diagnostic", {"textDocument": document}, 2)
    ask("textDocument/documentSymbol", {"textDocument": document}, 3)
    ask("shutdown", None, 4)
    send("exit", None)
    server.stdin.close()
    print(len(report["items"]), "findings", file=sys.stderr)
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
