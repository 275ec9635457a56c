"""Comments, folders, commands that ask, and reports."""

from .common import definition, hostile, in_namespaces, kelos_task, pod, project, stream, template


@hostile(60_000, "build {}/input.yaml", "build -o {}/out {}/input.yaml")
def generated_names(n):
    """Objects without a name, which are ordered by their content."""
    return stream(f"apiVersion: v1\nkind: Pod\nmetadata: {{generateName: a-}}\nspec: {{containers: [{{name: a, image: 'b:{i}'}}]}}\n" for i in range(n))


@hostile(40_000, "check {}")
def folders_of_charts_without_templates(n):
    return {f"c{i}/Chart.yaml": "" for i in range(n)}


@hostile(20_000, "check {}")
def folders_of_kustomizations(n):
    return {f"c{i}/{name}": "" for i in range(n) for name in ("kustomization.yaml", "a.yaml")}


@hostile(20_000, "check {}")
def folders_of_charts(n):
    return {f"c{i}/{name}": "" for i in range(n) for name in ("Chart.yaml", "templates/a.yaml")}


def listed_pods(n):
    pods = ", ".join(f"{{apiVersion: v1, kind: Pod, metadata: {{name: a{i}}}, spec: {{containers: [{{name: a, image: b, envFrom: [{{secretRef: {{name: s{i}}}}}]}}]}}}}" for i in range(n))
    return f"{{apiVersion: v1, kind: List, items: [{pods}]}}\n"


@hostile(30_000, "check {}/input.yaml")
def allow_comments_of_document(n):
    """As many exceptions for a document as it has findings."""
    return stream(["# sandboxc: allow secret-not-found because x\n" * (3 * n) + listed_pods(n)])


@hostile(30_000, "check {}/input.yaml")
def allow_comment_of_line(n):
    return stream(["a: b\n", "# a\n--- {}\n# b\n" + "---\n{apiVersion: v1, kind: List, items: [\n# sandboxc: allow " + "secret-not-found, " * (3 * n) + " because x\n" + listed_pods(n)[42:]])


@hostile(30_000, "import {}/input.yaml", "import --lossy {}/input.yaml")
def import_projects(n):
    return stream(project(f"  values: {{a{i}: 1}}\n") for i in range(n))


@hostile(4_500_000, "graph {}/input.yaml", "graph --to svg {}/input.yaml", "graph --to dot {}/input.yaml")
def graph_mixed_names(n):
    return stream([pod("a1" * (n // 2)), pod("a1" * (n // 2 - 1) + "b")])


@hostile(1_000_000, "check {}/input.yaml", "build {}/input.yaml")
def secrets_nested(n):
    """Credentials in each level."""
    inner = "{" + ", ".join(f"a{i}: b" for i in range(n // 2)) + "}"
    return stream(["apiVersion: e.io/v1\nkind: Thing\nmetadata: {name: A}\nspec: " + "{name: token, a: " * 90 + inner + "}" * 90 + "\n"])


@hostile(1_000_000, "check {}/input.yaml", "build {}/input.yaml")
def secrets_nested_values(n):
    inner = "{" + ", ".join(f"a{i}: b" for i in range(n // 2)) + "}"
    return stream(["apiVersion: e.io/v1\nkind: Thing\nmetadata: {name: A}\nspec: " + "{name: token, value: " * 90 + inner + "}" * 90 + "\n"])


@hostile(400_000, "check {}/input.yaml", "build {}/input.yaml")
def secrets_nested_lines(n):
    inner = " " * 90 + "a:\n" + "".join(" " * 91 + "- value: b\n" for i in range(min(n, 90_000)))
    outer = "".join(" " * i + "name: token\n" + " " * i + "a:\n" for i in range(1, 90))
    return stream(["apiVersion: e.io/v1\nkind: Thing\nmetadata: {name: A}\nspec:\n" + outer + inner])


def thing(name, rest):
    return f"apiVersion: e.io/v1\nkind: Thing\nmetadata: {{name: {name}}}\nspec:\n{rest}"


def reads(n):
    return "  a: '" + "".join(f"{{{{ values.a{i} }}}}" for i in range(n)) + "'\n"


@hostile(300_000, "why {}/input.yaml Thing/a", "why {}/input.yaml Thing/a spec.a", "build --annotate {}/input.yaml")
def why_reads(n):
    return stream([thing("a", reads(n))])


@hostile(200_000, "why {}/input.yaml Thing/a spec.a", "build --annotate {}/input.yaml")
def why_reads_set(n):
    return stream([project("  values:\n" + "".join(f"    a{i}: b\n" for i in range(n))), thing("a", reads(n))])


@hostile(300, "why {}/input.yaml Thing/a spec.a")
def why_reads_long_name(n):
    """A column as wide as its widest row."""
    long = "k" * 40_000
    return stream([project(f"  values:\n    ? {long}\n    : b\n" + "".join(f"    a{i}: b\n" for i in range(n * 100))), thing("a", f"  b: '{{{{ values.{long} }}}}'\n" + reads(n * 100).replace("}}'", "}}{{ values." + long + " }}'"))])


@hostile(150_000, "why {}/input.yaml Thing/b", "build --annotate {}/input.yaml")
def why_merged(n):
    """The entries of a map are not in the order of the source."""
    merged = "".join(f"    a{i}: b\n" for i in range(n))
    own = "".join(f"    b{i}: b\n" for i in range(n))
    return stream([thing("b", "  x: &a\n" + merged + "  y:\n" + own + "    <<: *a\n")])


@hostile(60_000, "why {}/input.yaml Thing/b -n n0", "build --annotate {}/input.yaml")
def why_merged_of_four(n):
    return in_namespaces(4, why_merged(n))


@hostile(900, "why {}/input.yaml SandboxTemplate/t", "build --annotate {}/input.yaml")
def why_large_texts(n):
    return stream([template("t", "spec:\n  image: a:1\n  env:\n" + "".join(f"  - {{name: E{i}, value: '{'x' * 9000}'}}\n" for i in range(n)))])


@hostile(60_000, "why {}/input.yaml SandboxTemplate/t0 spec.podTemplate.spec.containers[0].image")
def why_many_names(n):
    """Each definition refers to the next one."""
    return stream(template(f"t{i}", f"spec: {{image: a:1, env: [{{name: A, value: t{i + 1}}}]}}\n") for i in range(n))


@hostile(1, "check --fix {}/input.yaml", "check --fix --unsafe {}/input.yaml")
def fix_small_and_costly(n):
    """A small file that is costly to compile, with several suggestions in several levels."""
    return stream([definition("Template", '"t-{{ index }}"', "expand: {count: 60000}\nspec: {image: a, imagePullPolic: Always, podsecuritycontext: {runAsUsr: 1}, resource: {limit: {cpu: 1}}}\n")])


@hostile(20_000, "check --fix {}", "check --fix --unsafe {}")
def fix_tiny_files(n):
    return {f"d{i % 100}/f{i}.yaml": "kind: Pod\napiVersion: v1\nmetaData: {name: a}\n" for i in range(n)}


@hostile(200, "check {}", "build {}")
def kustomizations_of_aliases(n):
    """A million values in each, of which only the lists of files are read."""
    levels = "".join(f"x{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 10)}]\n" for i in range(1, 6))
    return {f"c{i}/kustomization.yaml": "x0: &x0 [a, a, a, a, a, a]\n" + levels for i in range(n)}


def bomb(rest=""):
    """A document of almost a million values."""
    levels = "".join(f"x{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 10)}]\n" for i in range(1, 6))
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\nx0: &x0 [a, a, a, a, a, a]\n{levels}{rest}"


@hostile(500_000, "check {}/input.yaml")
def pasted_fences(n):
    """Each document searches the start of the file."""
    return {"input.yaml": "\n" * 8_192 + "```\nkind: a\n---\n" * n}


@hostile(1_000, "check {}/input.yaml", "build {}/input.yaml", "check --diff {}/input.yaml")
def aliases_near_secrets(n):
    return stream(bomb("password: a\n") for _ in range(n))


@hostile(1_000, "check {}/input.yaml", "build {}/input.yaml")
def aliases_with_exceptions(n):
    return stream(bomb("y: 1 # sandboxc: allow secret-not-found because x\n") for _ in range(n))


@hostile(1_000, "import {}/input.yaml", "split {}/input.yaml", "split -0 {}/input.yaml")
def aliases_in_other_commands(n):
    return stream(bomb() for _ in range(n))


@hostile(1_000, "check {}", "build {}", "why {} ConfigMap/a")
def aliases_of_values(n):
    return {"a.yaml": pod("a"), **{f"b{i}.yaml": bomb("c: sandboxc.dev/v1alpha1\n") for i in range(n)}}


@hostile(1_000, "check {}")
def aliases_of_projects(n):
    return {f"a{i}.yaml": bomb("crds: sandboxc.dev/v1alpha1 Project\n") for i in range(n)}


@hostile(60_000, "build --annotate {}/input.yaml", "why {}/input.yaml SandboxTemplate/t7 spec.podTemplate.spec.containers[0].image")
def annotate_values(n):
    return stream([*(template(f"t{i}", f"spec: {{image: 'a:{{{{ values.v{i} }}}}'}}\n") for i in range(n)), project("  values:\n" + "".join(f"    v{i}: a\n" for i in range(n)))])


@hostile(20_000, "build --summary {}/input.yaml")
def summary_wide(n):
    """A column as wide as its widest row."""
    tasks = (kelos_task(f"t{i}", "") for i in range(n))
    return stream([*tasks, kelos_task("all", ", dependsOn: [" + ", ".join(f"t{i}" for i in range(n)) + "]")])


@hostile(60_000, "graph --to svg {}/input.yaml", "graph {}/input.yaml", "graph --to dot {}/input.yaml")
def graph_namespaces(n):
    """A frame and a reference for each node."""
    return stream(pod(f"p{i}", "containers: [{name: a, image: b, envFrom: [{secretRef: {name: s}}]}]", f", namespace: n{i}") for i in range(n))


@hostile(250, "graph --to svg {}/input.yaml")
def graph_namespaces_drawn(n):
    return graph_namespaces(n)


@hostile(75_000, "effective {}/input.yaml", "effective --to json {}/input.yaml")
def claims_of_external_pool(n):
    """Each has a finding of its own."""
    external = "  external:\n  - {apiVersion: extensions.agents.x-k8s.io/v1beta1, kind: SandboxWarmPool, name: w, because: there}\n"
    return stream([project(external), *(definition("Claim", f"c{i}", "spec: {warmPool: w}\n") for i in range(n))])


@hostile(80_000, "why {}/input.yaml Thing/a", "why --to json {}/input.yaml Thing/a", "build --annotate {}/input.yaml")
def why_long_key(n):
    """The path of each field repeats the key."""
    return stream([thing("a", f"  ? {'k' * 5_000_000}\n  :\n" + "".join(f"    a{i}: b\n" for i in range(n)))])
