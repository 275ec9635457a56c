"""Names that are nearly alike, and long."""

from .common import crd, definition, hostile, pod, project, stream, template, widget


@hostile(20)
def near_long_names(n):
    name = "a" * 200_000
    return stream(d for i in range(n) for d in (template(f"{name}{i}"), definition("WarmPool", f"w{i}", f"spec: {{template: {name}x{i}, replicas: 1}}\n")))


@hostile(2_000)
def near_names_of_253(n):
    name = "a" * 200
    return stream(d for i in range(n) for d in (template(f"{name}{i}"), definition("WarmPool", f"w{i}", f"spec: {{template: {name}x{i}, replicas: 1}}\n")))


@hostile(40)
def near_long_keys(n):
    key = "imagePullPolicy" * 8_000
    return stream(pod(f"a{i}", f"containers: [{{name: a, image: b, {key}: x}}], {key}: y") for i in range(n))


@hostile(100)
def near_long_anchors(n):
    name = "a" * 40_000
    return {"input.yaml": "".join(f"---\nx: &{name}{i} 1\ny: *{name}\n" for i in range(n))}


@hostile(100)
def near_long_enums(n):
    value = "x" * 45_000
    return stream([crd(f"          spec: {{type: array, items: {{type: string, enum: [{value}a, {value}b]}}}}\n"), widget("spec: [" + ", ".join([value + "c"] * n) + "]\n")])


@hostile(100)
def near_long_values(n):
    value = "x" * 30_000
    return stream([project("  values: {" + ", ".join(f"{value}{i}: 1" for i in range(n)) + "}\n"), *(template(f"t{i}", f"spec: {{image: 'a:{{{{ values.{'x' * 4000}{i} }}}}'}}\n") for i in range(n))])


@hostile(1_000)
def findings_dense(n):
    """As many findings as fit into each document."""
    return stream(f"{{apiVersion: v1, kind: Pod, metadata: {{name: p{i}}}, spec: {{" + ",".join(f"x{j:x}: 1" for j in range(1_000)) + "}}\n" for i in range(n))
