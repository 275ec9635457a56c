"""Import."""

from .common import hostile, pod, stream


@hostile(50_000, "import {}/input.yaml", "import --lossy {}/input.yaml")
def import_kelos(n):
    return stream(f"apiVersion: kelos.dev/v1alpha2\nkind: Task\nmetadata: {{name: t{i}}}\nspec: {{prompt: a, dependsOn: [t{i + 1}], worker: {{type: codex, credentials: {{type: none}}}}, unknown{i}: 3}}\n" for i in range(n))


@hostile(100_000, "import {}/input.yaml", "import --lossy {}/input.yaml")
def import_nodepool(n):
    return {"input.yaml": "labels:\n" + "".join(f"- name: l{i}\n" for i in range(n)) + "providers:\n- name: lab\n  driver: kubernetes\n  pools:\n  - name: ci\n    labels:\n" + "".join(f"    - {{name: l{i}, type: pod, image: a, cpuu: 1}}\n" for i in range(n))}


@hostile(50_000, "import {}/input.yaml", "import --lossy {}/input.yaml")
def import_nodepool_pools(n):
    return {"input.yaml": "labels:\n- name: a\nproviders:\n" + "".join(f"- name: lab{i}\n  driver: kubernetes\n  pools:\n  - {{name: ci, labels: [{{name: a, type: pod, image: a}}]}}\n" for i in range(n))}


@hostile(40_000, "import {}/input.yaml", "import --lossy {}/input.yaml")
def import_osa(n):
    hook = "- {name: h%d, release: {image: a, digest: 'sha256:" + "0" * 64 + "'}}\n"
    return {"input.yaml": "runner: {backend: k8s, k8s: {namespace: a, data_pvc_name: b}}\nhooks:\n" + "".join(hook % i for i in range(n))}


@hostile(90, "import --system osa {}/input.json", "import --system idegym {}/input.json", "import {}/input.json", "import --system nodepool {}/input.json", "import --system kelos {}/input.json")
def import_json_deep(n):
    return {"input.json": '{"client_id": "1", "image_tag": "a", "server_name": "py", "x": ' + '{"a":' * n + "1" + "}" * n + ', "hooks": [' + ", ".join(['{"a": [' * (n // 2 - 5) + "]}" * (n // 2 - 5)] * 10_000) + "]}"}


@hostile(5_000_000, "import {}/input.json", "import --system idegym {}/input.json")
def import_json_too_deep(n):
    return {"input.json": '{"a":' * (n // 5) + "[" * n}


@hostile(100_000, "import {}/input.json", "import --lossy {}/input.json")
def import_idegym(n):
    return {"input.json": '{"client_id": "1", "image_tag": "a", "server_name": "py", "server_id": 7, "env": {' + ", ".join(f'"A{i}": "b"' for i in range(n)) + "}, " + ", ".join(f'"unknown{i}": 1' for i in range(n)) + "}"}


@hostile(50_000, "import {}/input.yaml")
def import_objects(n):
    return stream(pod(f"a{i}") for i in range(n))


@hostile(400_000, "import {}/input.yaml")
def import_nodepool_resources(n):
    resources = ", ".join(f"x.io/r{i}: 1" for i in range(n))
    pools = "[{name: ci, labels: [{name: l, type: namespace}]}]"
    return {"input.yaml": f"labels: [{{name: l}}]\nproviders:\n- name: p\n  driver: kubernetes\n  max-resources: {{{resources}}}\n  pools: {pools}\n"}


@hostile(200_000, "import {}/input.json")
def import_idegym_resources(n):
    """Each limit is compared with the request of its name."""
    quantities = ", ".join(f'"x.io/r{i}": "1"' for i in range(n))
    return {"input.json": f'{{"client_id": "1", "image_tag": "a", "server_name": "py", "resources": {{"requests": {{{quantities}}}, "limits": {{{quantities}}}}}}}'}


@hostile(90_000, "import {}/input.yaml")
def import_osa_variables(n):
    """Variables whose names differ only in case set one field, which is after many others."""
    names = ("".join(c.upper() if i >> k & 1 else c for k, c in enumerate("osa_runner__k8s__namespace")) for i in range(n))
    variables = "".join(f"  {name}: a\n" for name in names)
    settings = "".join(f"    a{i}: 1\n" for i in range(n))
    return {"input.yaml": f"environment:\n{variables}runner:\n  k8s:\n{settings}    namespace: b\n"}
