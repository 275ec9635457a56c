"""Commands."""

from .common import definition, hostile, in_namespaces, kelos_task, pod, project, stream, template


@hostile(30_000, "check --report sarif={}/sarif --report junit={}/junit --report github={}/github --report json={}/json --all {}/input.yaml", "check --all {}/input.yaml", "check --format github {}/input.yaml", "check --format json {}/input.yaml", "check --format sarif --all {}/input.yaml", "check --format junit --all {}/input.yaml")
def reports(n):
    return stream(pod(f"a{i}", f"serviceAccountName: s{i}, containers: [{{name: a, image: b, imagePullPolic: x, envFrom: [{{secretRef: {{name: s{i}}}}}]}}]") for i in range(n))


@hostile(30_000, "check --report sarif={}/sarif --report junit={}/junit --report github={}/github --report json={}/json --all {}/input.yaml", "check --all {}/input.yaml", "check --format github --all {}/input.yaml")
def reports_one_line(n):
    """Findings on one line of 10 MB."""
    items = ", ".join(f"{{apiVersion: v1, kind: Pod, metadata: {{name: a{i}}}, spec: {{containers: [{{name: a, image: b, imagePullPolic: x, envFrom: [{{secretRef: {{name: s{i}}}}}]}}]}}}}" for i in range(n))
    return {"input.yaml": f"{{apiVersion: v1, kind: List, items: [{items}]}}\n"}


@hostile(10_000, "check --report sarif={}/sarif --report junit={}/junit --report github={}/github --report json={}/json --all {}", "check --all {}")
def reports_files(n):
    return {f"d{i % 100}/f{i}.yaml": pod(f"a{i}", f"serviceAccountName: s{i}, containers: [{{name: a, image: b, imagePullPolic: x}}]") for i in range(n)}


@hostile(300_000, "check --format human {}/input.yaml", "check --format json {}/input.yaml", "check --format sarif {}/input.yaml")
def report_wide(n):
    """A finding on a line of wide and invisible characters."""
    return stream([pod("a", meta=", annotations: {a: '" + "\u202e\u4e2d\u200b" * n + "'}, unknown: x")])


@hostile(50_000, "check --diff {}/input.yaml", "check --diff --unsafe {}/input.yaml")
def fix_many(n):
    return stream(pod(f"a{i}", "containers: [{name: a, image: b, imagePullPolic: Always}]") for i in range(n))


@hostile(50_000, "check --diff {}/input.yaml", "check --diff --unsafe {}/input.yaml")
def fix_definitions(n):
    return stream(template(f"t{i}", f"spec: {{image: a, replica: 3, enviroment: [], comand: [a]}}\n") for i in range(n))


@hostile(100_000, "check --diff {}/input.yaml", "check --diff --unsafe {}/input.yaml")
def fix_quotes(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(f"  a{i}: {i}\n" for i in range(n))])


@hostile(60_000, "check --diff {}/input.yaml", "check --diff --unsafe {}/input.yaml")
def fix_expanded(n):
    return stream([definition("Claim", "c-{{ index }}", f"expand: {{count: {n}}}\nspec: {{warmPol: a}}\n")])


@hostile(5_000, "check --diff {}", "check --diff --unsafe {}")
def fix_files(n):
    return {f"d{i % 100}/f{i}.yaml": pod(f"a{i}", "containers: [{name: a, image: b, imagePullPolic: Always}]") for i in range(n)}


@hostile(100_000, "check --diff {}/input.yaml")
def fix_tabs(n):
    return {"input.yaml": "---\na:\n\tb: c\n" * n}


@hostile(100_000, "why {}/input.yaml ConfigMap/a", "why {}/input.yaml ConfigMap/a data.a7", "why {}/input.yaml ConfigMap/a data.b", "build --annotate {}/input.yaml")
def why_object(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(f"  a{i}: b\n" for i in range(n))])


@hostile(50_000, "why {}/input.yaml SandboxTemplate/t", "why {}/input.yaml SandboxTemplate/t spec.podTemplate.spec.containers[0].env[77].value", "why {}/input.yaml SandboxTemplate/t spec.podTemplate.spec.containers[0].envs", "build --annotate {}/input.yaml")
def why_template(n):
    return stream([template("t", "spec:\n  image: a:1\n  env:\n" + "".join(f"  - {{name: E{i}, value: x}}\n" for i in range(n)))])


@hostile(30_000, "why {}/input.yaml SandboxTemplate/t7", "why {}/input.yaml SandboxTemplate/t7 spec.podTemplate.spec.containers[0].image", "build --annotate {}/input.yaml", "why {}/input.yaml SandboxTemplate/none", "why {}/input.yaml SandboxTemplate/t7 spec.podTemplate.spec.hostNetwork")
def why_many(n):
    return stream(template(f"t{i}", "spec: {image: a:1}\n") for i in range(n))


@hostile(30_000, "effective {}/input.yaml", "graph {}/input.yaml", "graph --to svg {}/input.yaml", "graph --to dot {}/input.yaml", "build --target agent-sandbox=pods {}/input.yaml")
def claims(n):
    return stream([template("t"), definition("WarmPool", "w", f"spec: {{template: t, replicas: {n}}}\n"), *(definition("Claim", f"c{i}", "spec: {warmPool: w}\n") for i in range(n))])


@hostile(2_000, "effective {}/input.yaml", "graph {}/input.yaml", "graph --to svg {}/input.yaml", "graph --to dot {}/input.yaml", "build --target agent-sandbox=pods {}/input.yaml")
def claims_own(n):
    """A template, a pool and a claim each."""
    return stream(d for i in range(n) for d in (template(f"t{i}"), definition("WarmPool", f"w{i}", f"spec: {{template: t{i}, replicas: 2}}\n"), definition("Claim", f"c{i}", f"spec: {{warmPool: w{i}}}\n")))


@hostile(100, "effective {}/input.yaml", "build --target agent-sandbox=pods {}/input.yaml", "graph --to svg {}/input.yaml")
def pool_of_big_template(n):
    env = "".join(f"  - {{name: E{i}, value: '{'x' * 900}'}}\n" for i in range(n * 100))
    return stream([template("t", "spec:\n  image: a:1\n  env:\n" + env), definition("WarmPool", "w", "spec: {template: t, replicas: 50000}\n")])


@hostile(100_000, "effective {}/input.yaml", "build --target agent-sandbox=pods {}/input.yaml")
def replicas(n):
    return stream(["apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {completions: 99999, parallelism: 99999, template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}\n"])


@hostile(2_000, "graph {}/input.yaml", "graph --to svg {}/input.yaml", "graph --to dot {}/input.yaml")
def graph_services(n):
    """Every Service selects every Pod."""
    services = (f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec: {{selector: {{a: b}}, ports: [{{port: {i + 1}}}]}}\n" for i in range(n))
    return stream([*services, *(pod(f"p{i}", f"serviceAccountName: s{i}, containers: [{{name: a, image: b}}]", ", labels: {a: b}") for i in range(n))])


@hostile(3_000, "graph {}/input.yaml", "graph --to svg {}/input.yaml")
def graph_chain(n):
    return stream(kelos_task(f"t{i}", f", dependsOn: [t{i + 1}]") for i in range(n))


@hostile(5_000, "graph {}/input.yaml", "graph --to svg {}/input.yaml")
def graph_secrets(n):
    return stream(pod(f"p{i}", f"containers: [{{name: a, image: b, envFrom: [{{secretRef: {{name: s{i}}}}}, {{secretRef: {{name: s{i + 1}}}}}, {{configMapRef: {{name: c{i % 7}}}}}]}}]") for i in range(n))


@hostile(100_000, "graph {}/input.yaml", "graph --to svg {}/input.yaml")
def graph_one(n):
    return stream([pod("p", "containers: [{name: a, image: b, envFrom: [" + ", ".join(f"{{secretRef: {{name: s{i}}}}}" for i in range(n)) + "]}]")])


@hostile(96_000, "graph {}/input.yaml", "graph --to svg {}/input.yaml")
def graph_three(n):
    return in_namespaces(3, graph_one(n))


@hostile(9_000_000, "graph {}/input.yaml", "graph --to svg {}/input.yaml", "graph --to dot {}/input.yaml", "effective {}/input.yaml")
def graph_long_name(n):
    return stream([pod("p" * n, "containers: [{name: a, image: " + "b" * 1000 + "}]")])


@hostile(600_000, "split {}/input.yaml", "split -0 {}/input.yaml")
def split_many(n):
    return {"input.yaml": "---\nkind: A\nmetadata: {name: b}\n" * (n // 2)}


@hostile(30_000, "split -o {}/out {}/input.yaml", "build -o {}/out2 {}/input.yaml", "build -o {}/out2 {}/input.yaml")
def split_to_directory(n):
    return stream(pod(f"p{i}") for i in range(n))


@hostile(30_000, "split -o {}/out {}/input.yaml", "build -o {}/out2 {}/input.yaml")
def split_same_name(n):
    return stream(pod(f"p{'x' * 200}", meta=f", namespace: n{i}") for i in range(n))


@hostile(1, "explain " + "a." * 60_000, "explain " + "x" * 120_000, "explain Template." + "podOverrides." * 9_000)
def explain_long(n):
    return {"a.yaml": ""}


@hostile(1, "check --set " + "a." * 60_000 + "b=1 {}", "check --set a=" + "[" * 120_000 + " {}", "check --set a=" + "x" * 120_000 + " {}")
def set_long(n):
    return {"a.yaml": pod("a")}


@hostile(20_000, "check --values {}/values {}/input.yaml", "build --values {}/values --values {}/values {}/input.yaml")
def values_file(n):
    return {"values": "".join(f"v{i}:\n" + "".join(f"  w{j}: 1\n" for j in range(40)) for i in range(n)), "input.yaml": project("  values: {a: 1}\n") + "---\n" + template("t", "spec: {image: 'a:{{ values.v1.w1 }}'}\n")}


@hostile(80, "check --values {}/values {}/input.yaml", "check --values {}/values --values {}/values {}/input.yaml")
def values_deep(n):
    return {"values": ("v: " + "{a: " * n + "1" + "}" * n + "\n"), "input.yaml": project("  values: {a: 1}\n") + "---\n" + template("t", "spec: {image: 'a:{{ values.v.a }}'}\n")}


@hostile(1_000, "check " + " ".join(f"--set a.b{i}=c" for i in range(4_000)) + " {}", "check " + " ".join(f"--exclude x{i}*" for i in range(4_000)) + " {}", "check " + "{}/a.yaml " * 3_000, "check {}/" + "{a," * 1000 + "}" * 1000)
def many_options(n):
    return {"a.yaml": pod("a")}


@hostile(35_000, "why {}/input.yaml Sandbox/s spec.podTemplate.metadata.annotations", "build --annotate {}/input.yaml")
def why_map_of_expression(n):
    """Each line has the comment of one expression, which reads the whole map. More keys do not fit into annotations."""
    values = project("  values: {a: {" + ", ".join(f"k{i}: '1'" for i in range(n)) + "}}\n")
    return stream([values, definition("Sandbox", "s", "spec: {image: 'a:1', podMetadata: {annotations: '{{ values.a }}'}}\n")])


@hostile(900, "why {}/input.yaml Sandbox/s", "why --to json {}/input.yaml Sandbox/s", "build --annotate {}/input.yaml")
def why_reads_large_value(n):
    """Each field reads one large map."""
    values = project("  values: {a: {" + ", ".join(f"k{i}: {'x' * 1000}" for i in range(5 * n)) + "}}\n")
    return stream([values, definition("Sandbox", "s", "spec:\n  image: 'a:1'\n  args:\n" + "  - \"{{ 'x' if values.a else 'y' }}\"\n" * n)])


@hostile(300_000, "why {}/input.yaml Widget/a spec." + "z" * 100_000)
def why_long_key(n):
    """Each field of the map has a note with the path of the map."""
    return stream(["apiVersion: e.io/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  ? " + "z" * 100_000 + "\n  :\n" + "".join(f"    k{i}: 1\n" for i in range(n))])


@hostile(4_000_000, "check --all --format sarif {}/input.yaml")
def findings_of_long_name(n):
    """The fingerprint of each finding has the name of its object."""
    return stream([f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {'n' * n}}}\nspec:\n  containers: [{{name: a, image: b}}]\n" + "".join(f"  k{i}: 1\n" for i in range(1_990))])


@hostile(100_000, "check --diff {}/input.yaml")
def fix_adds_lines(n):
    """No line occurs once, so none is an anchor of a diff."""
    return {"input.yaml": "--- apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" * n}
