"""Prints streams with sandboxc, gives them to the peers, and counts what they say.

usage: validate.py SANDBOXC FOLDER   (run.sh does)

Exits with 1 where a peer refuses a document, reads another number of documents than PyYAML does,
or accepts one of refused.yaml.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import yaml

import schemas

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Kubernetes and agent-sandbox.
TARGETS = [("1.33", "0.5"), ("1.34", "0.5"), ("1.35", "0.5"), ("1.36", "0.5"), ("1.37", "0.5"), ("1.37", "1.0")]
# The newest version that kubectl-validate includes. It gets the output for our oldest version.
KUBECTL_VALIDATE = "1.30"
# No peer may find a cluster.
QUIET = {**os.environ, "KUBECONFIG": os.devnull}


def run(*command):
    return subprocess.run([str(it) for it in command], capture_output=True, text=True, env=QUIET)


def documents(path):
    return [it for it in yaml.safe_load_all(path.read_text()) if it is not None]


def inputs():
    fixtures = ROOT / "fixtures"
    yield "quickstart", ROOT / "examples/quickstart"
    for path in [*sorted(fixtures.glob("compile/**/*.yaml")), *sorted(fixtures.glob("crd/**/ok_*.yaml"))]:
        yield path.relative_to(fixtures).with_suffix("").as_posix().replace("/", "."), path


def pods(objects):
    """Each Pod template as a Pod, because no peer recognizes it as a Pod template."""
    for it in objects:
        if is_built_in(it) or "podTemplate" not in it["spec"]:
            continue
        template = it["spec"]["podTemplate"]
        metadata = {**template.get("metadata", {}), "name": it["metadata"]["name"]}
        yield {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}


def is_built_in(it):
    return "agents.x-k8s.io" not in it["apiVersion"]


def print_streams(sandboxc, kubernetes, line, folder):
    """Two streams per input, as printed and its pods; returns the files and the inputs with errors."""
    target = ["--kubernetes", kubernetes, "--agent-sandbox", line]
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "streams").mkdir(parents=True)
    (folder / "crds").mkdir()
    (folder / "crds/crds.yaml").write_text(run(sandboxc, "crds", *target).stdout)
    files, failed = [], []
    for name, path in inputs():
        built = run(sandboxc, "build", *target, path)
        if built.returncode:
            failed.append(name)
            continue
        stream = folder / "streams" / f"{name}.yaml"
        stream.write_text(built.stdout)
        files.append(stream)
        if found := list(pods(documents(stream))):
            files.append(stream.with_suffix(".pods.yaml"))
            files[-1].write_text(yaml.safe_dump_all(found))
    # Of the built-in kinds as well: the definitions are documents that are applied.
    return [*files, folder / "crds/crds.yaml"], failed


def kubeconform(folder, kubernetes, files):
    """(accepted, refused with their messages)"""
    location = f"{folder}/schemas/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json"
    version = f"{kubernetes}.0"
    out = run(folder.parents[1] / "bin/kubeconform", "-strict", "-n", "1", "-verbose", "-output", "json",
              "-kubernetes-version", version, "-schema-location", location, *files)
    results = [it for it in json.loads(out.stdout)["resources"] if it["status"] != "statusEmpty"]
    refused = [f"{it['kind']} {it['name']}: {it['msg']}" for it in results if it["status"] != "statusValid"]
    return len(results) - len(refused), refused


def kubectl_validate(folder, _kubernetes, files):
    out = run(folder.parents[1] / "bin/kubectl-validate", "--version", KUBECTL_VALIDATE, "--local-crds",
              folder / "crds", "-o", "json", *files)
    try:
        results = [it for found in json.loads(out.stdout).values() for it in found]
    except ValueError:
        return 0, [out.stderr.strip() or out.stdout.strip()]
    refused = [it.get("message", str(it)) for it in results if it["status"] != "Success"]
    return len(results) - len(refused), refused


def kubernetes_validate_package(_folder, kubernetes, files):
    """Only supports built-in kinds."""
    accepted, refused = 0, []
    for it in built_in(files):
        try:
            kubernetes_validate.validate(it, kubernetes, strict=True)
            accepted += 1
        except kubernetes_validate.ValidationError as error:
            refused.append(f"{it['kind']} {it['metadata']['name']}: {error.message}")
    return accepted, refused


def built_in(files):
    return [it for path in files for it in documents(path) if is_built_in(it)]


def kustomize(folder, _kubernetes, files):
    """Reads and prints: the values must not change."""
    accepted, refused = 0, []
    for path in files:
        base = folder / "kustomize" / path.stem
        base.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, base / "stream.yaml")
        (base / "kustomization.yaml").write_text("resources: [stream.yaml]\n")
        out = run("kubectl", "kustomize", base)
        if out.returncode:
            refused.append(f"{path.stem}: {out.stderr.strip()}")
            continue
        left = [json.dumps(it, sort_keys=True) for it in yaml.safe_load_all(out.stdout)]
        for it in documents(path):
            text = json.dumps(it, sort_keys=True)
            if text in left:
                left.remove(text)
                accepted += 1
            else:
                refused.append(f"{path.stem}: reads {it['kind']} {it['metadata']['name']} differently")
    return accepted, refused


PEERS = {
    "kubeconform": kubeconform,
    "kubectl-validate": kubectl_validate,
    "kubernetes-validate": kubernetes_validate_package,
    "kubectl kustomize": kustomize,
}


def expected(peer, files):
    return len(built_in(files)) if peer == "kubernetes-validate" else sum(len(documents(it)) for it in files)


def applies(peer, kubernetes):
    if peer == "kubectl-validate":
        return kubernetes == TARGETS[0][0]
    return peer != "kubectl kustomize" or (kubernetes == TARGETS[-1][0] and shutil.which("kubectl"))


def judge(folder, kubernetes, line, files):
    """Prints one row per peer; returns the number of complaints."""
    complaints = 0
    broken = HERE / "refused.yaml"
    known = [it for path in [*files, broken] for it in documents(path)]
    package = Path(kubernetes_validate.__file__).parent
    definitions = documents(folder / "crds/crds.yaml")
    schemas.write(package, kubernetes, definitions, known, folder / "schemas")
    for peer, ask in PEERS.items():
        if not applies(peer, kubernetes):
            continue
        accepted, refused = ask(folder, kubernetes, files)
        count = expected(peer, files)
        print(f"| {kubernetes} | {line} | {peer} | {count} | {accepted} | {len(refused)} |", flush=True)
        complaints += len(refused) + (count != accepted + len(refused))
        for message in refused:
            print(f"{peer}, {kubernetes}: {message}", file=sys.stderr)
        if peer != "kubectl kustomize":
            wrongly, refused = ask(folder, kubernetes, [broken])
            complaints += wrongly + (len(refused) != expected(peer, [broken]))
            if wrongly:
                print(f"{peer}, {kubernetes}: accepts {wrongly} of refused.yaml", file=sys.stderr)
    return complaints


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sandboxc, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    complaints, without = 0, set()
    print("| Kubernetes | agent-sandbox | Peer | Documents | Accepted | Refused |")
    print("|---|---|---|--:|--:|--:|")
    for kubernetes, line in TARGETS:
        folder = work / "output" / f"{kubernetes}-{line}"
        files, failed = print_streams(sandboxc, kubernetes, line, folder)
        without |= {f"{name} ({kubernetes}, {line})" for name in failed}
        complaints += judge(folder, kubernetes, line, files)
    print(f"\nInputs with errors, left out: {', '.join(sorted(without)) or 'none'}")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
