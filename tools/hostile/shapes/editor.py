"""What editors open: the command `lsp FILE` is a session that opens the file and waits for its findings."""

from .common import hostile, keys, pod, project, stream


@hostile(14_000, "lsp {}/input.yaml")
def editor_one_line(n):
    """A finding in each Pod of one line, far from its start."""
    items = ", ".join(f"{{apiVersion: v1, kind: Pod, metadata: {{name: a{i}}}, spec: {{containers: [{{name: a, imag: é}}]}}}}" for i in range(n))
    return {"input.yaml": f"{{apiVersion: v1, kind: List, items: [{items}]}}\n"}


@hostile(10_000, "lsp {}/input.yaml")
def editor_findings(n):
    """More findings than an editor shows, each on its own line."""
    return stream(pod(f"a{i}", "containers: [{name: a, image: b:1, imagePullPolic: x}]") for i in range(n))


@hostile(3_000, "check --all-environments {}", "build --all-environments -o {}/built {}")
def environments_many(n):
    """Each environment is a run of its own, and no run reads all of them."""
    environments = "".join(f"    e{i}: {{values: {{a: {i}}}}}\n" for i in range(n))
    objects = (f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{i}}}\ndata: {{k: v}}\n" for i in range(3))
    return {"sandboxc.yaml": project("  values: {a: 1}\n  environments:\n" + environments), **stream(objects)}


@hostile(5_000, "graph {}/input.yaml", "graph --to dot {}/input.yaml")
def graph_labels(n):
    """Every Service selects every Pod, the labels of each of which are its own."""
    services = (f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec: {{selector: {{a: b}}, ports: [{{port: 80}}]}}\n" for i in range(n))
    return stream([*services, *(pod(f"p{i}", "containers: [{name: a, image: b:1}]", f", labels: {{a: b, own: p{i}, {keys(5)}}}") for i in range(n))])
