"""Hostile inputs: each function returns the files of one input, of `n` repetitions.

`INPUTS` has the name, the function, and the number of repetitions that makes about 10 MB, or as many as the
shape allows. `COMMANDS` has the command lines of the inputs that are not for `check` and `build`.
"""

DEFINITION = "apiVersion: sandboxc.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\n"
INPUTS, COMMANDS = {}, {}


def hostile(count, *commands):
    """Registers an input; `{}` in a command is its folder."""

    def register(function):
        INPUTS[function.__name__] = (function, count)
        if commands:
            COMMANDS[function.__name__] = [command.split() for command in commands]
        return function

    return register


def stream(documents):
    return {"input.yaml": "---\n".join(documents)}


def definition(kind, name, rest):
    return DEFINITION.format(kind=kind, name=name) + rest


def template(name, rest="spec: {image: a}\n"):
    return definition("Template", name, rest)


def project(spec):
    return DEFINITION.format(kind="Project", name="p") + "spec:\n" + spec


def pod(name, spec="containers: [{name: a, image: b:1}]", meta=""):
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}{meta}}}\nspec: {{{spec}}}\n"


def crd(properties, name="widgets", extra=""):
    return (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        f"metadata: {{name: {name}.e.io}}\nspec:\n  group: e.io\n  scope: Namespaced\n"
        f"  names: {{plural: {name}, singular: {name[:-1]}, kind: {name[:-1].title()}, listKind: {name[:-1].title()}List}}\n"
        "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n"
        f"        type: object\n        properties:\n{properties}{extra}"
    )


def widget(rest, kind="Widget", name="a"):
    return f"apiVersion: e.io/v1\nkind: {kind}\nmetadata: {{name: {name}}}\n{rest}"


# The language.


@hostile(90_000)
def missing_extends(n):
    return stream(template(f"t{i}", f"spec: {{extends: missing-{i}}}\n") for i in range(n))


@hostile(80_000)
def missing_extends_near(n):
    """Each missing name resembles all others."""
    return stream(template(f"template-{i:06}", f"spec: {{extends: template-{i:06}x}}\n") for i in range(n))


@hostile(90_000)
def extends_one(n):
    return stream([template("base", "spec: {image: a}\n"), *(template(f"t{i}", "spec: {extends: base}\n") for i in range(n))])


@hostile(90_000)
def extends_chain(n):
    return stream(template(f"t{i}", f"spec: {{extends: t{i + 1}}}\n") for i in range(n))


@hostile(90_000)
def extends_circle(n):
    return stream(template(f"t{i}", f"spec: {{extends: t{(i + 1) % n}}}\n") for i in range(n))


@hostile(100_000)
def project_allow(n):
    return stream([project("  allow:\n" + "".join(f"  - {{rule: image-tag-latest, name: x{i}, because: why not so}}\n" for i in range(n))), pod("a")])


@hostile(60_000)
def project_allow_unknown(n):
    return stream([project("  allow:\n" + "".join(f"  - {{rule: image-tag-{i}, name: x{i}, because: why not so}}\n" for i in range(n))), pod("a")])


@hostile(30_000)
def project_allow_and_findings(n):
    """As many exceptions as findings."""
    allow = "".join(f"  - {{rule: secret-not-found, name: p{i}, file: \"**/x{i}*\", because: why not so}}\n" for i in range(n))
    return stream([project("  allow:\n" + allow), *(pod(f"p{i}", "containers: [{name: a, image: b}], volumes: [{name: v, secret: {secretName: s" + str(i) + "}}]") for i in range(n))])


@hostile(30_000)
def project_allow_globs(n):
    allow = "".join(f"  - {{rule: secret-not-found, file: \"**/*{i}*/**/{{a,b}}/*\", because: why}}\n" for i in range(n))
    return stream([project("  allow:\n" + allow), *(pod(f"p{i}", "containers: [{name: a, image: b}], volumes: [{name: v, secret: {secretName: s" + str(i) + "}}]") for i in range(n))])


@hostile(100_000)
def allow_comments(n):
    return stream(f"# sandboxc: allow image-tag-latest because {i}\n" + pod(f"p{i}") for i in range(n // 2))


@hostile(100_000)
def allow_comments_in_one(n):
    return stream([pod("a") + "".join(f"# sandboxc: allow image-tag-latest because {i}\n" for i in range(n))])


@hostile(400_000)
def project_values(n):
    return stream([project("  values:\n" + "".join(f"    v{i}: {i}\n" for i in range(n))), template("t", "spec: {image: 'a:{{ values.v1 }}'}\n")])


@hostile(60_000)
def project_values_used(n):
    return stream([project("  values:\n" + "".join(f"    v{i}: a\n" for i in range(n))), *(template(f"t{i}", f"spec: {{image: 'a:{{{{ values.v{i} }}}}'}}\n") for i in range(n))])


@hostile(30_000)
def project_values_missing(n):
    return stream([project("  values:\n" + "".join(f"    value-{i}: a\n" for i in range(n))), *(template(f"t{i}", f"spec: {{image: 'a:{{{{ values.valu{i} }}}}'}}\n") for i in range(n))])


@hostile(100_000)
def project_environments(n):
    return {"input.yaml": project("  values: {a: 1}\n  environments:\n" + "".join(f"    e{i}: {{values: {{a: {i}}}}}\n" for i in range(n)))}


COMMANDS["project_environments"] = [["check", "{}"], ["check", "--environment", "e7x", "{}"]]


@hostile(80_000)
def project_external(n):
    return stream([project("  external:\n" + "".join(f"  - {{kind: Secret, name: s{i}, because: it is there, keys: [a, b]}}\n" for i in range(n))), pod("a", "containers: [{name: a, image: b}], volumes: [{name: v, secret: {secretName: s}}]")])


@hostile(30_000)
def project_external_missing(n):
    external = "".join(f"  - {{kind: Secret, name: secret-{i}, because: it is there, keys: [a, b]}}\n" for i in range(n))
    return stream([project("  external:\n" + external), *(pod(f"p{i}", "containers: [{name: a, image: b}], volumes: [{name: v, secret: {secretName: secret-x" + str(i) + "}}]") for i in range(n))])


@hostile(20_000)
def projects(n):
    return stream(project(f"  values: {{a: {i}}}\n").replace("name: p}", f"name: p{i}}}") for i in range(n))


@hostile(10_000)
def many_project_crds(n):
    return stream([project("  crds: [" + ", ".join(f"c{i}.yaml" for i in range(n)) + "]\n"), pod("a")])


@hostile(50_000)
def unknown_fields(n):
    return stream(template(f"t{i}", f"spec: {{image: a, imag{i}: b, rplicas: 3, comand: [a]}}\n") for i in range(n))


@hostile(700_000)
def unknown_fields_in_one(n):
    return stream([template("t", "spec:\n  image: a\n" + "".join(f"  field{i}: b\n" for i in range(n))[:9_000_000] + "  z: 1\n")])


@hostile(600_000)
def unknown_fields_of_pod(n):
    return stream([pod("t").replace("spec: {", "spec: {" + "".join(f"c{i}: 1, " for i in range(n)))])


@hostile(100_000)
def unknown_kinds(n):
    return stream(f"apiVersion: sandboxc.dev/v1alpha1\nkind: Templat{i}\nmetadata: {{name: a}}\n" for i in range(n))


@hostile(100_000)
def unknown_kinds_of_cluster(n):
    return stream(f"apiVersion: x{i}.io/v1\nkind: Kind{i}\nmetadata: {{name: a}}\n" for i in range(n))


@hostile(68_000)
def expressions(n):
    return stream(template(f"t{i}", "spec: {image: '{{ \"a\" ~ 1 ~ 2 }}', args: ['{{ [1,2]|join(\"-\") }}']}\n") for i in range(n))


@hostile(900_000)
def expressions_in_one(n):
    return stream([template("t", "spec:\n  image: a\n  args:\n" + "  - '{{ 1 }}'\n" * (n - 100_000))])


@hostile(400_000)
def expressions_in_text(n):
    """One string with many expressions."""
    return stream([template("t", "spec:\n  image: a\n  args:\n  - '" + "{{ 1 }} " * n + "'\n")])


@hostile(900_000)
def percent_directives(n):
    return {"input.yaml": "%YAML 1.2\n" * n + "---\na: b\n"}


@hostile(300_000)
def percent_directives_per_document(n):
    return {"input.yaml": "%YAML 1.2\n---\na: b\n...\n" * n}


@hostile(300_000)
def unknown_directives(n):
    return {"input.yaml": "".join(f"%FOO{i} bar\n" for i in range(n)) + "---\na: b\n"}


@hostile(300_000)
def tag_directives(n):
    return {"input.yaml": "".join(f"%TAG !e{i}! tag:e{i},2000:\n" for i in range(n)) + "---\na: !e1!x b\n"}


@hostile(300_000)
def statements(n):
    return stream([template("t", "spec:\n  image: a\n  args:\n  - '" + "{% if 1 %}a{% endif %}" * n + "'\n")])


@hostile(77_000)
def statements_many(n):
    return stream(template(f"t{i}", "spec: {image: '{% if 1 %}a{% else %}b{% endif %}'}\n") for i in range(n))


@hostile(10_000_000)
def one_comment_in_expression(n):
    return stream([template("t", "spec:\n  image: '{# " + "x" * n + " #}'\n")])


@hostile(1_000_000)
def open_braces(n):
    return stream([template("t", "spec:\n  image: '" + "{{ " * n + "'\n")])


@hostile(78_000)
def expand_counts(n):
    return stream(definition("Claim", f'"c{i}-{{{{ index }}}}"', "expand: {count: 2}\nspec: {warmPool: a}\n") for i in range(n))


@hostile(100_000)
def expand_items(n):
    return stream([definition("Claim", '"c{{ item }}"', "expand:\n  items: [" + ", ".join(map(str, range(n))) + "]\nspec: {warmPool: a}\n")])


@hostile(100_000)
def expand_count_text(n):
    return stream([definition("Claim", '"c{{ index }}"', f"expand: {{count: {n}}}\nspec: {{warmPool: a, env: [{{name: A, value: '{{{{ index }}}}'}}]}}\n")])


@hostile(99_000)
def matrix_keys(n):
    return stream([definition("Claim", '"c{{ index }}"', "expand:\n  matrix:\n" + "".join(f"    k{i}: [1]\n" for i in range(n)) + "spec: {warmPool: a}\n")])


@hostile(200)
def template_big(n):
    """Big templates that many pools and claims refer to."""
    env = "".join(f"  - {{name: E{i}, value: '{i}'}}\n" for i in range(1000))
    return stream([*(template(f"t{i}", "spec:\n  image: a:1\n  env:\n" + env) for i in range(n)), *(definition("WarmPool", f"w{i}", f"spec: {{template: t{i % n}, replicas: 1}}\n") for i in range(20 * n))])


@hostile(40_000)
def template_refs(n):
    env = "".join(f"  - {{name: E{i}, value: '{i}'}}\n" for i in range(20_000))
    return stream([template("t", "spec:\n  image: a:1\n  env:\n" + env), *(definition("Sandbox", f"s{i}", "spec: {template: t}\n") for i in range(n))])


@hostile(90_000)
def sandboxes_of_missing_template(n):
    return stream(definition("Sandbox", f"s{i}", f"spec: {{template: t{i}}}\n") for i in range(n))


@hostile(90_000)
def pools_of_missing_template(n):
    return stream([*(template(f"template-{i}") for i in range(n // 2)), *(definition("WarmPool", f"w{i}", f"spec: {{template: tmplate-{i}}}\n") for i in range(n // 2))])


@hostile(90_000)
def claims_of_missing_pool(n):
    return stream(definition("Claim", f"c{i}", f"spec: {{warmPool: w{i}}}\n") for i in range(n))


@hostile(100_000)
def same_definition(n):
    return stream(template("t") for i in range(n))


@hostile(100_000)
def env_of_one_template(n):
    return stream([template("t", "spec:\n  image: a:1\n  env:\n" + "".join(f"  - {{name: E{i}, value: '$(E{i - 1})'}}\n" for i in range(n)))])


@hostile(100_000)
def mounts_of_one_template(n):
    return stream([template("t", "spec:\n  image: a:1\n  volumeMounts:\n" + "".join(f"  - {{name: v{i}, mountPath: /a/{i}}}\n" for i in range(n)) + "  volumes:\n" + "".join(f"  - {{name: v{i}, emptyDir: {{}}}}\n" for i in range(n)))])


@hostile(100_000)
def ports_of_one_template(n):
    return stream([template("t", "spec:\n  image: a:1\n  ports:\n" + "".join(f"  - {{name: p{i}, containerPort: {1 + i % 60000}}}\n" for i in range(n)))])


@hostile(40_000)
def egress_of_one_template(n):
    return stream([template("t", "spec:\n  image: a:1\n  network:\n    egress:\n" + "".join(f"    - {{to: [{{ipBlock: {{cidr: 10.{i // 65536 % 256}.{i // 256 % 256}.{i % 256}/32}}}}], ports: [{{port: {i % 65535 + 1}}}]}}\n" for i in range(n)))])


@hostile(40_000)
def overrides_of_one_template(n):
    containers = "".join(f"    - {{name: c{i}, image: b:1, env: [{{name: A, value: b}}]}}\n" for i in range(n))
    return stream([template("t", "spec:\n  image: a:1\n  podOverrides:\n    containers:\n" + containers)])


# Files and YAML.


@hostile(600_000)
def many_docs_tab(n):
    return {"input.yaml": "---\na:\tb\n\tc: d\n" * n}


@hostile(700_000)
def many_docs_tab_alone(n):
    return {"input.yaml": "---\n\ta: b\n" * n}


@hostile(700_000)
def docs_empty(n):
    return {"input.yaml": "---\n" * (3 * n)}


@hostile(700_000)
def docs_end(n):
    return {"input.yaml": "a: b\n...\n" * n}


@hostile(600_000)
def docs_broken(n):
    return {"input.yaml": "---\na: [b\n" * n}


@hostile(300_000)
def docs_broken_quotes(n):
    return {"input.yaml": "---\na: \"b\nkind: 'c\n" * n}


@hostile(300_000)
def docs_broken_alias(n):
    return {"input.yaml": "---\na: *b\nc: &d\n" * n}


@hostile(300_000)
def docs_without_space(n):
    return {"input.yaml": "---\nkind:Pod\napiVersion:v1\n" * n}


@hostile(94_000)
def docs_broken_pods(n):
    return stream(pod(f"a{i}") + "  x: [\n" for i in range(n))


@hostile(100_000)
def docs_broken_duplicate_keys(n):
    return stream(pod(f"a{i}") + "spec: {}\nkind: Pod\n" for i in range(n))


@hostile(500_000)
def duplicate_keys(n):
    return stream([pod("a") + "data:\n" + "  a: b\n" * n])


@hostile(500_000)
def carriage_returns(n):
    return {"input.yaml": "a: b\r---\r" * n}


@hostile(500_000)
def line_separators(n):
    return {"input.yaml": "a: b\u2028\u0085" * n}


@hostile(5_000_000)
def tabs_alone(n):
    return {"input.yaml": "\t" * n + "\na: b\n" + "\t\n" * (n // 4)}


@hostile(5_000_000)
def braces(n):
    return {"input.yaml": "[" * n}


@hostile(5_000_000)
def braces_closed(n):
    return {"input.yaml": "[" * n + "]" * n}


@hostile(5_000_000)
def dashes(n):
    return {"input.yaml": "- " * n}


@hostile(5_000_000)
def questions(n):
    return {"input.yaml": "? " * n}


@hostile(5_000_000)
def exclamations(n):
    return {"input.yaml": "!" * n + " a\n"}


@hostile(3_000_000)
def colons(n):
    return {"input.yaml": "a: " * n}


@hostile(2_400_000)
def quotes(n):
    return {"input.yaml": "a: " + "''" * n + "\nb: \"" + '\\"' * n}


@hostile(1_200_000)
def escapes(n):
    return stream([pod("a", meta=', annotations: {a: "' + "\\u0041\\x41" * (n // 2) + '"}')])


@hostile(3_000)
def deep_steps(n):
    """Indentation that grows with each line."""
    return {"input.yaml": "".join(" " * i + "a:\n" for i in range(n))}


@hostile(90)
def deep_many(n):
    return {"input.yaml": ("---\n" + "a: {" * n + "}" * n + "\n") * 20_000}


@hostile(9_900_000)
def scalar_plain(n):
    return stream([pod("a", meta=", annotations: {a: " + "x" * n + "}")])


@hostile(9_900_000)
def scalar_quoted(n):
    return stream([pod("a", meta=', annotations: {a: "' + "x" * n + '"}')])


@hostile(9_900_000)
def scalar_number(n):
    return stream([pod("a", meta=", annotations: {a: " + "9" * n + "}")])


@hostile(9_900_000)
def scalar_name(n):
    return stream([pod("a" * n)])


@hostile(9_900_000)
def scalar_image(n):
    return stream([pod("a", "containers: [{name: a, image: " + "a/" * (n // 2) + "}]")])


@hostile(9_900_000)
def scalar_quantity(n):
    return stream([pod("a", "containers: [{name: a, image: a, resources: {limits: {cpu: " + "1" * n + "}}}]")])


@hostile(9_900_000)
def scalar_key(n):
    return stream([pod("a", "a" * n + ": b")])


@hostile(9_900_000)
def scalar_kind(n):
    return stream([pod("a").replace("kind: Pod", "kind: " + "Pod" * (n // 3))])


@hostile(9_900_000)
def scalar_command(n):
    return stream([pod("a", "containers: [{name: a, image: b:1, command: ['" + "$(A)$$" * (n // 6) + "']}]")])


@hostile(3_300_000)
def scalar_block(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: |\n" + "    x\n" * (n // 2)])


@hostile(3_300_000)
def scalar_folded(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: >\n" + "    x\n\n" * (n // 3)])


@hostile(3_300_000)
def scalar_plain_lines(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: x\n" + "    x\n" * (n // 2)])


@hostile(500_000)
def comments(n):
    return stream([pod("a") + "# x\n" * n * 4])


@hostile(500_000)
def comments_between(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(f"  # x\n  a{i}: b\n" for i in range(n))])


@hostile(300_000)
def anchors(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(f"  a{i}: &a{i} b\n  c{i}: *a{i}\n" for i in range(n))])


@hostile(300_000)
def anchors_missing(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(f"  a{i}: &anchor{i} b\n" for i in range(n)) + "  z: *ancho\n"])


@hostile(200_000)
def anchors_missing_all(n):
    return {"input.yaml": "".join(f"---\na: &anchor{i} 1\nb: *ancho{i}\n" for i in range(n))}


@hostile(100_000)
def aliases(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: &a [1,2,3,4,5,6,7,8,9,10]\ny:\n" + "- *a\n" * n])


@hostile(20)
def alias_bomb(n):
    return {"input.yaml": "a0: &a0 x\n" + "".join(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(n))}


@hostile(20_000)
def alias_bombs(n):
    bomb = "a0: &a0 x\n" + "".join(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(6))
    return {"input.yaml": ("---\n" + bomb) * n}


@hostile(100_000)
def merge_keys(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: &a {a: 1}\ny:\n" + "- {<<: *a, b: 2}\n" * n])


@hostile(3_000)
def merge_keys_wide(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: &a {" + ", ".join(f"k{i}: 1" for i in range(n)) + "}\ny:\n" + "- {<<: *a, b: 2}\n" * n])


@hostile(300_000)
def merge_key_list(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: &a {a: 1}\ny: {<<: [" + ", ".join(["*a"] * n) + "]}\n"])


@hostile(300_000)
def merge_duplicate(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: &a {a: 1}\ny:\n" + "  <<: *a\n" * n])


@hostile(700_000)
def tags(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(f"  a{i}: !x b\n" for i in range(n))])


@hostile(500_000)
def list_of_lists(n):
    return {"input.yaml": "apiVersion: v1\nkind: List\nitems:\n" + "- apiVersion: v1\n  kind: List\n  items: []\n" * (n // 3)}


@hostile(100_000)
def list_of_pods(n):
    return {"input.yaml": "apiVersion: v1\nkind: List\nitems:\n" + "".join(f"- {{apiVersion: v1, kind: Pod, metadata: {{name: a{i}}}, spec: {{containers: [{{name: a, image: b}}]}}}}\n" for i in range(n))}


@hostile(100_000)
def list_of_broken(n):
    return {"input.yaml": "apiVersion: v1\nkind: List\nitems:\n" + "".join(f"- {{apiVersion: v1, kind: Pod, metadata: {{name: A_{i}}}, spec: {{container: [{{name: a, image: b}}]}}}}\n" for i in range(n))}


@hostile(300_000)
def json_lines(n):
    return {"input.json": '{"apiVersion": "v1"}\n' * n}


@hostile(20_000)
def files(n):
    return {f"d{i % 100}/f{i}.yaml": pod(f"a{i}") for i in range(n)}


@hostile(20_000)
def files_broken(n):
    return {f"d{i % 100}/f{i}.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: [\n" for i in range(n)}


@hostile(20_000)
def files_charts(n):
    return {f"c{i}/{name}": text for i in range(n // 3) for name, text in {"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n", "templates/a.yaml": "{{ if }}\n", "values.yaml": "a: b\n"}.items()}


@hostile(20_000)
def files_kustomizations(n):
    return {f"c{i}/kustomization.yaml": "resources: [../c" + str(i + 1) + "]\n" for i in range(n)}


@hostile(5_000)
def ignore_patterns(n):
    files = {f"d{i % 50}/f{i}.yaml": pod(f"a{i}") for i in range(n)}
    files[".sandboxcignore"] = "".join(f"**/x{i}*/{{a,b}}/**/*.y?ml\n" for i in range(n * 20))
    return files


@hostile(300_000)
def ignore_patterns_literal(n):
    return {"a.yaml": pod("a"), ".sandboxcignore": "".join(f"/x{i}/y\n" for i in range(n))}


@hostile(1_000)
def ignore_files(n):
    return {**{f"d{i}/a.yaml": pod(f"a{i}") for i in range(n)}, **{f"d{i}/.gitignore": "".join(f"x{j}\n" for j in range(1000)) for i in range(n)}}


@hostile(300)
def folders_deep(n):
    return {"/".join(["d"] * n) + "/a.yaml": pod("a")}


# Objects of Kubernetes.


@hostile(90_000)
def secrets_many(n):
    return stream(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s{i}}}\nstringData: {{password: hunter{i}}}\ndata: {{a: b}}\n" for i in range(n))


@hostile(90_000)
def secrets_bad_base64(n):
    return stream(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s{i}}}\ndata: {{password: 'hunter {i}'}}\n" for i in range(n))


@hostile(400_000)
def secret_entries(n):
    return stream(["apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n" + "".join(f"  p{i}: hunter{i}\n" for i in range(n))])


@hostile(400_000)
def secret_entries_on_a_line(n):
    return stream(["apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {" + ", ".join(f"p{i}: hunter{i}" for i in range(n)) + "}\n"])


@hostile(9_000_000)
def secret_long(n):
    return stream(["apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: '" + "x:" * (n // 2) + "'}\n"])


@hostile(100_000)
def env_secrets(n):
    env = ", ".join(f"{{name: PASSWORD_{i}, value: hunter2-{i}}}" for i in range(n))
    return stream([pod("a", "containers: [{name: a, image: b, env: [" + env + "]}]")])


@hostile(50_000)
def env_secrets_nested(n):
    return stream([pod("a", "containers: [{name: token, image: b, env: [" + "{name: TOKEN, value: {name: TOKEN, value: 1}}, " * n + "]}]")])


@hostile(60_000)
def unreadable_secrets(n):
    return stream(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s{i}}}\nstringData:\n  password: [hunter{i}\n" for i in range(n))


@hostile(30_000)
def pods_missing_all(n):
    return stream(pod(f"a{i}", f"serviceAccountName: s{i}, containers: [{{name: a, image: b, envFrom: [{{secretRef: {{name: s{i}}}}}]}}], volumes: [{{name: v, configMap: {{name: c{i}}}}}, {{name: w, persistentVolumeClaim: {{claimName: c{i}}}}}]") for i in range(n))


@hostile(60_000)
def pods_secret_near(n):
    secrets = (f"apiVersion: v1\nkind: Secret\nmetadata: {{name: secret-{i:06}}}\n" for i in range(n // 2))
    return stream([*secrets, *(pod(f"a{i}", f"containers: [{{name: a, image: b, envFrom: [{{secretRef: {{name: secre-{i:06}}}}}]}}]") for i in range(n // 2))])


@hostile(100_000)
def pods_same(n):
    return stream(pod("a") for i in range(n))


@hostile(100_000)
def containers(n):
    return stream([pod("a", "containers: [" + ", ".join(f"{{name: c{i}, image: b}}" for i in range(n)) + "]")])


@hostile(200_000)
def containers_same(n):
    return stream([pod("a", "containers: [" + ", ".join("{name: c, image: b}" for i in range(n)) + "]")])


@hostile(100_000)
def volumes_and_mounts(n):
    mounts = ", ".join(f"{{name: v{i}, mountPath: /a{i}}}" for i in range(n))
    volumes = ", ".join(f"{{name: v{i}, emptyDir: {{}}}}" for i in range(n))
    return stream([pod("a", f"containers: [{{name: a, image: b, volumeMounts: [{mounts}]}}], volumes: [{volumes}]")])


@hostile(150_000)
def mounts_without_volume(n):
    mounts = ", ".join(f"{{name: v{i}, mountPath: /a{i}}}" for i in range(n))
    return stream([pod("a", f"containers: [{{name: a, image: b, volumeMounts: [{mounts}]}}]")])


@hostile(2_000)
def mounts_times_containers(n):
    mounts = ", ".join(f"{{name: v{i}, mountPath: /a{i}}}" for i in range(30))
    volumes = ", ".join(f"{{name: v{i}, emptyDir: {{}}}}" for i in range(60_000))
    return stream([pod("a", "containers: [" + ", ".join(f"{{name: c{i}, image: b, volumeMounts: [{mounts}]}}" for i in range(n)) + f"], volumes: [{volumes}]")])


@hostile(100_000)
def tolerations(n):
    return stream([pod("a", "containers: [{name: a, image: b}], tolerations: [" + ", ".join(f"{{key: k{i}, operator: Exists}}" for i in range(n)) + "]")])


@hostile(60_000)
def services_and_pods(n):
    """Every Service selects every Pod's labels but one."""
    services = (f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec: {{selector: {{a: b, x: y{i}}}, ports: [{{port: 80}}]}}\n" for i in range(n // 2))
    return stream([*services, *(pod(f"p{i}", meta=f", labels: {{a: b, x: z{i}}}") for i in range(n // 2))])


@hostile(40_000)
def services_select_all(n):
    services = (f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec: {{selector: {{a: b}}, ports: [{{port: 80, targetPort: web}}]}}\n" for i in range(n // 2))
    return stream([*services, *(pod(f"p{i}", meta=", labels: {a: b}") for i in range(n // 2))])


@hostile(40_000)
def policies_select_all(n):
    policies = (f"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: s{i}}}\nspec: {{podSelector: {{matchExpressions: [{{key: a, operator: In, values: [b, c{i}]}}]}}, policyTypes: [Ingress]}}\n" for i in range(n // 2))
    return stream([*policies, *(pod(f"p{i}", meta=", labels: {a: b}") for i in range(n // 2))])


@hostile(40_000)
def budgets_select_all(n):
    budgets = (f"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: s{i}}}\nspec: {{selector: {{matchLabels: {{a: b}}}}, minAvailable: 1}}\n" for i in range(n // 2))
    return stream([*budgets, *(pod(f"p{i}", meta=", labels: {a: b}") for i in range(n // 2))])


@hostile(40_000)
def policy_rules(n):
    rules = "".join(f"  - {{from: [{{podSelector: {{matchLabels: {{a: b{i}}}}}}}], ports: [{{port: {i % 65000 + 1}}}]}}\n" for i in range(n))
    return stream(["apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\nspec:\n  podSelector: {}\n  ingress:\n" + rules, *(pod(f"p{i}", meta=f", labels: {{a: b{i}}}") for i in range(n))])


@hostile(50_000)
def hpas(n):
    return stream(f"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: h{i}}}\nspec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: d}}, maxReplicas: 3}}\n" for i in range(n))


@hostile(50_000)
def role_bindings(n):
    return stream(f"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{name: h{i}}}\nroleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: r{i}}}\nsubjects: [{{kind: ServiceAccount, name: a{i}}}]\n" for i in range(n))


@hostile(100_000)
def role_rules(n):
    return stream(["apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}\nrules:\n" + "".join(f"- {{apiGroups: [a{i}], resources: [x{i}, y], verbs: [gett]}}\n" for i in range(n))])


@hostile(40_000)
def namespaces_levels(n):
    return stream(d for i in range(n // 2) for d in (f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: n{i}, labels: {{pod-security.kubernetes.io/enforce: restricted}}}}\n", pod("p", meta=f", namespace: n{i}")))


@hostile(30_000)
def services_ports(n):
    return stream(["apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {a: b}\n  ports:\n" + "".join(f"  - {{name: p{i}, port: {i % 65000 + 1}, targetPort: n{i}}}\n" for i in range(n)), pod("p", "containers: [{name: a, image: b, ports: [" + ", ".join(f"{{name: q{i}, containerPort: {i % 65000 + 1}}}" for i in range(n)) + "]}]", ", labels: {a: b}")])


@hostile(20_000)
def ingresses(n):
    return stream(f"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: h{i}}}\nspec: {{rules: [{{host: a.b, http: {{paths: [{{path: /a, pathType: Prefix, backend: {{service: {{name: s{i}, port: {{number: 80}}}}}}}}]}}}}]}}\n" for i in range(n))


@hostile(60_000)
def priority_classes(n):
    return stream(f"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: h{i}}}\nvalue: {i}\nglobalDefault: true\n" for i in range(n))


@hostile(60_000)
def owners(n):
    return stream(pod(f"p{i}", meta=f", ownerReferences: [{{apiVersion: v1, kind: Pod, name: p{i + 1}, uid: a}}]") for i in range(n))


# CustomResourceDefinitions.


@hostile(40_000)
def crd_one_of_times_items(n):
    branches = ", ".join(f"{{required: [r{i}]}}" for i in range(200))
    schema = f"          spec: {{type: array, items: {{type: object, properties: {{a: {{type: string}}}}, oneOf: [{branches}]}}}}\n"
    return stream([crd(schema), widget("spec:\n" + "- {a: b}\n" * n)])


@hostile(300)
def crd_any_of_nested(n):
    schema = "{required: [a]}"
    for _ in range(12):
        schema = f"{{anyOf: [{schema}, {schema}]}}"
    return stream([crd(f"          spec: {{type: array, items: {{type: object, properties: {{a: {{type: string}}}}, allOf: [{schema}]}}}}\n"), widget("spec:\n" + "- {b: b}\n" * n)])


@hostile(200_000)
def crd_properties(n):
    return stream([crd("".join(f"          p{i}: {{type: string}}\n" for i in range(n))), widget("p1: 3\nq: 4\n")])


@hostile(100_000)
def crd_properties_unknown(n):
    return stream([crd("".join(f"          field{i}: {{type: string}}\n" for i in range(n))), widget("".join(f"feld{i}: a\n" for i in range(n)))])


@hostile(100_000)
def crd_required(n):
    return stream([crd("          spec: {type: object, properties: {a: {type: string}}, required: [" + ", ".join(f"r{i}" for i in range(n)) + "]}\n"), *(widget("spec: {}\n") for _ in range(2000))])


@hostile(200_000)
def crd_enum(n):
    return stream([crd("          spec: {type: array, items: {type: string, enum: [" + ", ".join(f"value{i}" for i in range(n)) + "]}}\n"), widget("spec: [" + ", ".join(f"valu{i}" for i in range(n)) + "]\n")])


def wide(n, more=""):
    return "{type: object, properties: {" + ", ".join(f"field{i}: {{type: string{more}}}" for i in range(n)) + "}"


@hostile(50_000)
def crd_wide_unknown(n):
    """Many objects with a fault, of a kind with many fields or values, as in the next five inputs."""
    return stream([crd(f"          spec: {wide(n)}}}\n"), *(widget(f"spec: {{feild{i}: a}}\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_inner(n):
    return stream([crd(f"          spec: {{type: object, properties: {{a: {wide(n)}}}, b: {{type: array, items: {wide(n)}}}}}}}}}\n"), *(widget(f"spec: {{q{i}: a}}\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_wrong(n):
    return stream([crd(f"          spec: {wide(n)}}}\n"), *(widget("spec: a\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_items(n):
    return stream([crd(f"          spec: {{type: array, items: {wide(n)}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [field1]}}\n"), *(widget("spec: [{field1: a, x: b}]\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_wide_defaults(n):
    rule = ", x-kubernetes-validations: [{rule: 'self.field1 == \"a\"'}]"
    return stream([crd(f"          spec: {wide(n, ', default: a')}{rule}}}\n"), *(widget("spec: {field1: a}\n", name=f"a{i}") for i in range(n))])


@hostile(50_000)
def crd_enum_of_many(n):
    return stream([crd("          spec: {type: string, enum: [" + ", ".join(f"value{i}" for i in range(n)) + "]}\n"), *(widget(f"spec: valeu{i}\n", name=f"a{i}") for i in range(n))])


@hostile(20_000)
def crd_list_map_keys(n):
    keys = ", ".join(f"k{i}" for i in range(n))
    fields = ", ".join(f"k{i}: {{type: string, default: a}}" for i in range(n))
    return stream([crd(f"          spec: {{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{keys}], items: {{type: object, properties: {{{fields}}}}}}}\n"), widget("spec:\n" + "- {k1: a}\n" * 5 * n)])


@hostile(1_000)
def crd_patterns(n):
    return stream([crd("".join(f"          p{i}: {{type: string, pattern: '^(a{{1,50}}b{{1,50}}){{1,{2 + i % 8}}}c{i}$'}}\n" for i in range(n))), widget("p1: abc\n")])


@hostile(30_000)
def crd_pattern_long(n):
    return stream([crd("          spec: {type: string, pattern: '" + "(a|b{1,100})" * n + "'}\n"), widget("spec: a\n")])


@hostile(200)
def crd_pattern_items(n):
    return stream([crd("          spec: {type: array, items: {type: string, pattern: '([a-z]{1,20}[0-9]?){1,30}x$'}}\n"), widget("spec: [" + ", ".join(["'" + "a0" * 20_000 + "'"] * n) + "]\n")])


@hostile(10_000)
def crd_rules(n):
    rules = ", ".join(f"{{rule: 'self.a > {i} && self.b.size() < 4'}}" for i in range(n))
    return stream([crd(f"          spec: {{type: object, properties: {{a: {{type: integer}}, b: {{type: string}}}}, x-kubernetes-validations: [{rules}]}}\n"), widget("spec: {a: 3, b: c}\n")])


@hostile(200_000)
def crd_rule_items(n):
    return stream([crd("          spec: {type: array, maxItems: 1000000, items: {type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: 'self.a > 3'}]}}\n"), widget("spec:\n" + "- {a: 4}\n" * n)])


@hostile(20_000)
def crd_rule_quadratic(n):
    return stream([crd("          spec: {type: array, items: {type: integer}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a + b > 0))'}]}\n"), widget("spec: [" + ", ".join(["1"] * n) + "]\n")])


@hostile(2_000)
def crd_many(n):
    return stream(d for i in range(n) for d in (crd("          spec: {type: object, properties: {a: {type: string}}}\n", f"w{i}s"), f"apiVersion: e.io/v1\nkind: W{i}\nmetadata: {{name: a}}\nspec: {{b: 1}}\n"))


@hostile(5_000)
def crd_versions(n):
    head, tail = crd("          spec: {type: string}\n").split("  versions:\n")
    return stream([head + "  versions:\n" + "".join(tail.replace("name: v1", f"name: v{i + 1}").replace("storage: true", f"storage: {str(i == 0).lower()}") for i in range(n)), widget("spec: 1\n")])


@hostile(300_000)
def crd_list_map(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {a: {type: string}}}}\n"), widget("spec:\n" + "".join(f"- {{a: k{i // 2}}}\n" for i in range(n)))])


@hostile(300_000)
def crd_list_set(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: set, items: {type: string}}\n"), widget("spec: [" + ", ".join(f"k{i // 2}" for i in range(n)) + "]\n")])


@hostile(20_000)
def crd_list_set_of_objects(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: set, items: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: object, additionalProperties: {type: string}}}}}\n"), widget("spec:\n" + "".join(f"- {{a: {{b: k{i}}}}}\n" for i in range(n)))])


@hostile(100_000)
def crd_list_set_of_numbers(n):
    return stream([crd("          spec: {type: array, x-kubernetes-list-type: set, items: {type: number}}\n"), widget("spec: [" + ", ".join(f"{i}.5" for i in range(n)) + "]\n")])


@hostile(300)
def crd_defaults(n):
    """A default that is set in many items."""
    default = "{" + ", ".join(f"k{i}: v" for i in range(1000)) + "}"
    return stream([crd("          spec: {type: array, items: {type: object, properties: {a: {type: object, additionalProperties: {type: string}, default: " + default + "}}}}\n"), widget("spec:\n" + "- {}\n" * (n * 1000))])


@hostile(80)
def crd_deep(n):
    return stream([crd("          spec: " + "{type: object, properties: {a: " * n + "{type: string}" + "}}" * n + "\n"), *(widget("spec: " + "{a: " * n + "1" + "}" * n + "\n") for _ in range(5_000))])


@hostile(3_000)
def crd_embedded(n):
    return stream([crd("          spec: {type: array, items: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}\n"), widget("spec:\n" + "- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {x: y}}\n" * (n * 20))])


@hostile(200_000)
def crd_printer_columns(n):
    return stream([crd("          spec: {type: string}\n", extra="    additionalPrinterColumns:\n" + "".join(f"    - {{name: c{i}, type: string, jsonPath: .spec.a.b{i}}}\n" for i in range(n // 2)))])


@hostile(1_000_000)
def crd_description(n):
    return stream([crd("          spec: {type: string, description: '" + "x " * n + "'}\n"), *(widget("spec: 1\n") for _ in range(10_000))])


# The systems.


def kelos_task(name, rest):
    return definition("Task", name, "spec: {agent: codex, credentials: {type: none}, prompt: a" + rest + "}\n")


@hostile(100_000)
def kelos_depends(n):
    """A Task that depends on all others, and a chain."""
    return stream([kelos_task("all", ", dependsOn: [" + ", ".join(f"t{i}" for i in range(n)) + "]"), *(kelos_task(f"t{i}", f", dependsOn: [t{i + 1}]") for i in range(n // 2))])


@hostile(60_000)
def kelos_circle(n):
    return stream(kelos_task(f"t{i}", f", dependsOn: [t{(i + 1) % n}]") for i in range(n))


@hostile(1_000)
def kelos_depends_dense(n):
    return stream(kelos_task(f"t{i}", ", dependsOn: [" + ", ".join(f"t{j}" for j in range(i)) + "]") for i in range(n))


@hostile(20_000)
def text_inherited(n):
    """A long string in many objects, as in the next six inputs."""
    return stream([template("base", f"spec: {{image: a, args: ['{'x' * 200_000}']}}\n"), *(template(f"t{i}", "spec: {extends: base}\n") for i in range(n))])


@hostile(20_000)
def text_of_workspace(n):
    text = "x" * 200_000
    workspace = definition("Workspace", "w", f"spec: {{repo: 'https://github.com/a/b.git', files: [{{path: a, content: '{text}'}}]}}\n")
    config = definition("AgentConfig", "c", f"spec: {{agentsMD: '{text}'}}\n")
    return stream([workspace, config, *(kelos_task(f"t{i}", ", workspace: w, agentConfigs: [c]") for i in range(n))])


@hostile(20_000)
def text_of_project(n):
    return stream([project(f"  values: {{a: '{'x' * 200_000}'}}\n"), *(template(f"t{i}", "spec: {image: a, args: ['{{ values.a }}']}\n") for i in range(n))])


@hostile(60_000)
def list_of_project(n):
    return stream([project(f"  values: {{a: [{', '.join('a' * n)}]}}\n"), *(template(f"t{i}", "spec: {image: a, args: '{{ values.a }}'}\n") for i in range(n))])


@hostile(60_000)
def list_of_expression(n):
    return stream(template(f"t{i}", "spec: {image: a, args: '{{ range(9000)|list }}'}\n") for i in range(n))


@hostile(5_000)
def text_around_expression(n):
    return stream([definition("Template", "'t{{ index }}'", f"expand: {{count: {n}}}\nspec: {{image: a, args: ['{'x' * 1_000_000} {{{{ index }}}}']}}\n")])


@hostile(400_000)
def text_of_aliases(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: &a '" + "x" * 200_000 + "', " + ", ".join(f"a{i}: *a" for i in range(n)) + "}\n"])


@hostile(60_000)
def kelos_branch(n):
    workspace = definition("Workspace", "w", "spec: {repo: 'https://github.com/a/b.git'}\n")
    return stream([workspace, *(kelos_task(f"t{i}", ", workspace: w, branch: x") for i in range(n))])


@hostile(300_000)
def kelos_go_template(n):
    return stream([kelos_task("a", ""), kelos_task("t", ", dependsOn: [a]").replace("prompt: a", "prompt: '{% raw %}" + "{{ .Deps.a.Results.x }}" * n + "{% endraw %}'")])


@hostile(100_000)
def kelos_go_template_deep(n):
    return stream([kelos_task("a", ""), kelos_task("t", ", dependsOn: [a]").replace("prompt: a", "prompt: '{% raw %}" + "{{ if .Deps }}" * n + "{{ end }}" * n + "{% endraw %}'")])


@hostile(1_000_000)
def kelos_go_template_parens(n):
    return stream([kelos_task("a", ""), kelos_task("t", ", dependsOn: [a]").replace("prompt: a", "prompt: '{% raw %}{{ " + "(" * n + ")" * n + " }}{% endraw %}'")])


@hostile(1_000_000)
def kelos_cron(n):
    spawner = "spec:\n  when: {cron: {schedule: '" + "1," * n + "1 * * * *'}}\n  taskTemplate: {agent: codex, credentials: {type: none}, promptTemplate: a}\n"
    return stream([definition("TaskSpawner", "t", spawner)])


@hostile(30_000)
def kelos_crons(n):
    spawner = "spec: {when: {cron: {schedule: '0 0 29 2 1'}}, taskTemplate: {agent: codex, credentials: {type: none}, promptTemplate: a}}\n"
    return stream(definition("TaskSpawner", f"t{i}", spawner) for i in range(n))


COMMANDS["kelos_crons"] = [["check", "{}"], ["build", "--summary", "{}"], ["build", "--target", "kelos=resources", "{}"], ["why", "{}", "CronJob/t1"], ["graph", "{}"]]


@hostile(30_000)
def kelos_agent_configs(n):
    return stream([*(definition("AgentConfig", f"a{i}", "spec: {agentsMD: x}\n") for i in range(n)), kelos_task("t", ", agentConfigs: [" + ", ".join(f"a{i}" for i in range(n)) + "]")])


@hostile(100)
def kelos_agent_configs_shared(n):
    config = definition("AgentConfig", "a", "spec: {agentsMD: " + "x" * 100_000 + "}\n")
    return stream([config, *(kelos_task(f"t{i}", ", agentConfigs: [a]") for i in range(n * 100))])


@hostile(100_000)
def nodepool_labels(n):
    labels = "".join(f"    - {{name: l{i}, type: pod, image: a}}\n" for i in range(n))
    settings = "".join(f"    - {{name: l{i}, minReady: 1}}\n" for i in range(n))
    return stream([project("  nodepool:\n    labels:\n" + settings), definition("NodePool", "p", "spec:\n  pools:\n  - name: ci\n    maxServers: 5\n    labels:\n" + labels)])


@hostile(50_000)
def nodepool_pools(n):
    pools = "".join(f"  - {{name: p{i}, maxServers: 1, labels: [{{name: l, type: pod, image: a}}]}}\n" for i in range(n))
    return stream([project("  nodepool: {labels: [{name: l}]}\n"), definition("NodePool", "p", "spec:\n  pools:\n" + pools)])


@hostile(50_000)
def nodepools(n):
    return stream([project("  nodepool: {labels: [{name: l}]}\n"), *(definition("NodePool", f"p{i}", "spec: {pools: [{name: ci, labels: [{name: l, type: pod, image: a}]}]}\n") for i in range(n))])


@hostile(50_000)
def nodepool_tenants(n):
    return stream([project("  nodepool:\n    labels: [{name: l}]\n    tenantResourceLimits:\n" + "".join(f"    - {{tenantName: t{i}, maxCores: 1}}\n" for i in range(n))), definition("NodePool", "p", "spec: {resourceQuota: true, pools: [{name: ci, labels: [{name: l, type: pod, image: a}]}]}\n")])


@hostile(50_000)
def osa_hooks(n):
    runner = definition("Runner", "r", "spec: {backend: kubernetes, dataVolumeClaim: d}\n")
    return stream([runner, *(definition("Hook", f"h{i}", "spec: {runner: r, image: a, digest: 'sha256:" + "0" * 64 + "'}\n") for i in range(n))])


@hostile(50_000)
def idegym_servers(n):
    return stream(definition("Server", f"s{i}", "spec: {serverName: s, image: a, snapshotId: s" + str(i + 1) + "}\n") for i in range(n))


# Import.


def importing(system=""):
    return f"import {system} {{}}/input.yaml"


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


# Commands.


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


# Names that are nearly alike, and long.


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


# Admission, policies, and what else the API server decides.


def policy(name, rest, kind="ValidatingAdmissionPolicy", resources='[""], apiVersions: [v1], operations: [CREATE], resources: [pods]'):
    return (
        f"apiVersion: admissionregistration.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n"
        f"  matchConstraints: {{resourceRules: [{{apiGroups: {resources}}}]}}\n{rest}"
    )


def binding(name, of, rest="  validationActions: [Deny]\n"):
    return (
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n"
        f"metadata: {{name: {name}}}\nspec:\n  policyName: {of}\n{rest}"
    )


@hostile(20_000)
def policies_dear(n):
    """Expensive expressions over many objects, up to the limit of a run."""
    rule = "object.spec.containers.all(c, object.spec.containers.all(d, object.spec.containers.all(e, c.name + d.name + e.name != 'x')))"
    containers = ", ".join(f"{{name: c{i}, image: b}}" for i in range(20))
    return stream([policy("p", f"  validations: [{{expression: \"{rule}\"}}]\n"), binding("b", "p"), *(pod(f"p{i}", f"containers: [{containers}]") for i in range(n // 4))])


@hostile(20_000)
def policies_cheap_steps(n):
    """Operations of one unit each."""
    rule = " && ".join("[1, 2, 3].all(i, i + 1 > 0 && i * 2 > 0)" for _ in range(200))
    return stream([policy("p", f"  validations: [{{expression: \"{rule}\"}}]\n"), binding("b", "p"), *(pod(f"p{i}") for i in range(n * 5))])


@hostile(20_000)
def policies_text(n):
    """Regular expressions and long strings."""
    rule = "object.metadata.annotations.all(k, object.metadata.annotations[k].matches('(a+)+(b|c)*$') || object.metadata.annotations[k].replace('a', 'bb').upperAscii().split('B').size() > 0)"
    return stream([policy("p", f"  validations: [{{expression: \"{rule}\"}}]\n"), binding("b", "p"), *(pod(f"p{i}", meta=", annotations: {" + ", ".join(f"k{j}: {'a' * 180}" for j in range(2)) + "}") for i in range(n))])


@hostile(3_000)
def policies_many(n):
    """Each object meets each policy."""
    return stream([*(policy(f"p{i}", "  validations: [{expression: 'true'}]\n") for i in range(n)), *(binding(f"b{i}", f"p{i}") for i in range(n)), *(pod(f"p{i}") for i in range(n))])


@hostile(20_000)
def policies_bindings(n):
    return stream([policy("p", "  validations: [{expression: 'true'}]\n"), *(binding(f"b{i}", "p") for i in range(n)), *(pod(f"p{i}") for i in range(n))])


@hostile(4_000)
def policies_selectors(n):
    """Policies that match no object, by their selectors."""
    rest = "  validationActions: [Deny]\n  matchResources: {objectSelector: {matchExpressions: [" + ", ".join(f"{{key: a{i}, operator: In, values: [b]}}" for i in range(20)) + "]}}\n"
    return stream([policy("p", "  validations: [{expression: 'true'}]\n"), *(binding(f"b{i}", "p", rest) for i in range(n)), *(pod(f"p{i}", meta=f", labels: {{{', '.join(f'a{j}: b' for j in range(19))}}}") for i in range(n * 3))])


@hostile(20_000)
def policies_parameters(n):
    """Each parameter for each object."""
    rest = "  validationActions: [Deny]\n  paramRef: {selector: {}, parameterNotFoundAction: Deny, namespace: default}\n"
    return stream([
        policy("p", "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations: [{expression: \"params.data.a == 'b'\"}]\n"), binding("b", "p", rest),
        *(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{i}, namespace: default}}\ndata: {{a: b}}\n" for i in range(n)), *(pod(f"p{i}", meta=", namespace: default") for i in range(n)),
    ])


@hostile(2_000)
def policies_mutating(n):
    rest = "  reinvocationPolicy: IfNeeded\n  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{metadata: Object.metadata{labels: {'a%d': 'b'}}}\"}}]\n"
    mutating = [policy(f"p{i}", rest % i, "MutatingAdmissionPolicy") for i in range(n)]
    bindings = [binding(f"b{i}", f"p{i}", "").replace("Validating", "Mutating") for i in range(n)]
    return stream([*mutating, *bindings, *(pod(f"p{i}") for i in range(n))])


@hostile(30_000)
def policy_variables(n):
    variables = "".join(f"  - {{name: v{i}, expression: '{f'variables.v{i - 1} + 1' if i else '1'}'}}\n" for i in range(n))
    return stream([policy("p", f"  variables:\n{variables}  validations: [{{expression: 'variables.v{n - 1} > 0'}}]\n"), binding("b", "p"), *(pod(f"p{i}") for i in range(n))])


@hostile(20_000)
def default_classes(n):
    """Several classes are the default, and each claim has none."""
    yes = "annotations: {storageclass.kubernetes.io/is-default-class: 'true'}"
    classes = (f"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: s{i}, {yes}}}\nprovisioner: a\n" for i in range(n))
    claims = (f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: c{i}}}\nspec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}\n" for i in range(n * 2))
    return stream([*classes, *claims])


@hostile(20_000)
def limit_ranges(n):
    """Each Pod has to meet each LimitRange of its namespace."""
    ranges = (f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: l{i}}}\nspec: {{limits: [{{type: Container, max: {{cpu: '1'}}, default: {{cpu: 100m}}, min: {{memory: 1Mi}}}}, {{type: Pod, max: {{cpu: '2'}}}}]}}\n" for i in range(n))
    return stream([*ranges, *(pod(f"p{i}") for i in range(n))])


@hostile(20_000)
def quotas(n):
    """Each Pod counts in each quota of its namespace."""
    all_ = (f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q{i}}}\nspec: {{hard: {{pods: '1', requests.cpu: '1', count/jobs.batch: '2'}}, scopeSelector: {{matchExpressions: [{{scopeName: PriorityClass, operator: NotIn, values: [a{i}]}}]}}}}\n" for i in range(n))
    return stream([*all_, *(pod(f"p{i}", "containers: [{name: a, image: b:1, resources: {requests: {cpu: 1m}}}]") for i in range(n))])


@hostile(3_000)
def pull_secrets(n):
    """Each Pod uses one account with all Secrets."""
    names = ", ".join(f"{{name: s{i}}}" for i in range(n))
    account = f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: a}}\nimagePullSecrets: [{names}]\n"
    return stream([account, *(pod(f"p{i}", "serviceAccountName: a, containers: [{name: a, image: b:1}]") for i in range(n * 25))])


@hostile(3_000)
def pull_secrets_missing(n):
    names = ", ".join(f"{{name: s{i}}}" for i in range(n))
    return stream(f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: a{i}}}\nimagePullSecrets: [{names}]\n" for i in range(n // 10))


@hostile(20_000)
def runtime_and_priority(n):
    classes = (f"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: c{i}}}\nvalue: {i}\nglobalDefault: true\n" for i in range(n))
    runtimes = (f"apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {{name: r{i}}}\nhandler: a\noverhead: {{podFixed: {{cpu: 1m}}}}\n" for i in range(n))
    return stream([*classes, *runtimes, *(pod(f"p{i}", f"runtimeClassName: r{i}, priorityClassName: x{i}, containers: [{{name: a, image: b:1}}]") for i in range(n * 2))])


CERTIFICATE = "MIIB" + "A" * 60


@hostile(130_000)
def pem_long(n):
    """One Secret with a long chain of certificates."""
    chain = "".join(f"    {CERTIFICATE}\n" if i % 20 else "    -----END CERTIFICATE-----\n    -----BEGIN CERTIFICATE-----\n" for i in range(1, n))
    return stream([f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ntype: kubernetes.io/tls\nstringData:\n  tls.key: a\n  tls.crt: |\n    -----BEGIN CERTIFICATE-----\n{chain}    -----END CERTIFICATE-----\n"])


@hostile(10_000)
def pem_many(n):
    """DER whose lengths are nested or wrong."""
    import base64
    def der(depth):
        body = b""
        for _ in range(depth):
            size = len(body)
            body = b"\x30" + (bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")) + body
        return base64.b64encode(body).decode()
    request = base64.b64encode(f"-----BEGIN CERTIFICATE REQUEST-----\n{der(200)}\n-----END CERTIFICATE REQUEST-----\n".encode()).decode()
    return stream(f"apiVersion: certificates.k8s.io/v1\nkind: CertificateSigningRequest\nmetadata: {{name: c{i}}}\nspec: {{signerName: a.b/c, usages: [client auth], request: {request}}}\n" for i in range(n))


@hostile(40_000, "check {}/input.yaml", "check --fix {}/input.yaml")
def fix_one_line(n):
    """Thousands of edits on one line."""
    items = ", ".join(f"{{name: a{i}, imagee: b:1}}" for i in range(n // 20))
    return stream(pod(f"p{i}", f"containers: [{items}]") for i in range(20))


@hostile(3_000, "check {}/input.yaml", "build {}/input.yaml")
def selectors_of_pods(n):
    """Each Service selects each Pod and names a port."""
    services = (f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec: {{selector: {{app: a}}, ports: [{{port: 80, targetPort: x{i}}}]}}\n" for i in range(n))
    return stream([*services, *(pod(f"p{i}", "containers: [{name: a, image: b:1, ports: [{containerPort: 80, name: y}]}]", ", labels: {app: a}") for i in range(n))])


@hostile(30_000, "check {}/input.yaml", "graph {}/input.yaml")
def selectors_different(n):
    services = (f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec: {{selector: {{app: a{i}x}}, ports: [{{port: 80}}]}}\n" for i in range(n))
    return stream([*services, *(pod(f"p{i}", meta=f", labels: {{app: a{i}}}") for i in range(n))])


@hostile(2_000)
def selectors_expressions(n):
    """Selectors without a label to look up."""
    rules = "matchExpressions: [{key: app, operator: NotIn, values: [a]}, {key: b, operator: Exists}]"
    budgets = (f"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: s{i}}}\nspec: {{minAvailable: 1, selector: {{{rules}}}}}\n" for i in range(n * 5))
    return stream([*budgets, *(pod(f"p{i}", meta=f", labels: {{app: a{i}}}") for i in range(n * 15))])


@hostile(2_000)
def crd_deep_properties(n):
    """Properties as deep as YAML may nest, in several versions."""
    deep = "{type: object, properties: {a: " * 40 + "{type: string}" + "}}" * 40
    return stream([crd(f"          spec: {deep}\n", f"widget{i}s") for i in range(n // 2)])


@hostile(40_000)
def crd_rules_of_maps(n):
    """A rule over each entry of a map, with a nested loop."""
    rules = "x-kubernetes-validations: [{rule: 'self.all(k, self[k] != k)'}, {rule: 'self.map(k, self[k]).exists_one(v, v == string(size(self)))'}]"
    schema = f"          spec: {{type: object, maxProperties: 100000, additionalProperties: {{type: string, maxLength: 10}}, {rules}}}\n"
    return stream([crd(schema), *(widget("spec: {" + ", ".join(f"k{i}: v{i}" for i in range(n)) + "}\n").replace("name: a", f"name: a{j}") for j in range(15))])


@hostile(300, "import {}/input.yaml")
def import_big_tasks(n):
    """Long prompts with what the language would evaluate."""
    prompt = "{{ .Deps.a }} {% raw %} {# x #} " * 900
    return stream(f"apiVersion: kelos.dev/v1alpha1\nkind: Task\nmetadata: {{name: t{i}}}\nspec: {{type: claude-code, prompt: '{prompt}', credentials: {{type: oauth, secretRef: {{name: s}}}}}}\n" for i in range(n))


@hostile(300_000, "why {}/input.yaml ConfigMap/c", "why {}/input.yaml ConfigMap/c data.k5", "effective {}/input.yaml", "graph {}/input.yaml", "build {}/input.yaml")
def why_config_map(n):
    return {"input.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n" + "".join(f"  k{i}: '{{{{ values.a }}}} {i}'\n" for i in range(n))}


@hostile(20_000, "why {}/input.yaml Pod/p5", "effective {}/input.yaml", "graph {}/input.yaml", "graph --to svg {}/input.yaml")
def graph_all_kinds(n):
    """Each object refers to several others."""
    return stream(d for i in range(n) for d in (
        pod(f"p{i}", f"serviceAccountName: a{i}, containers: [{{name: a, image: b:1, envFrom: [{{configMapRef: {{name: c{i}}}}}, {{secretRef: {{name: c{i + 1}}}}}]}}]", f", labels: {{app: a{i}}}"),
        f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: a{i}}}\n", f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{i}}}\n",
    ))


@hostile(400_000, "build --values {}/values.yaml {}/a.yaml", "check --values {}/values.yaml {}/a.yaml")
def values_nested_used(n):
    """Each expression reads a large list of the values."""
    return {
        "values.yaml": "all: [" + ", ".join(f"a{i}" for i in range(n)) + "]\n",
        "a.yaml": stream([project("  values: {all: [a]}\n"), *(template(f"t{i}", "spec: {image: '{{ values.all | length }}', args: ['{{ values.all | last }}']}\n") for i in range(2_000))])["input.yaml"],
    }


@hostile(30_000, "build -o {}/out {}/one", "build -o {}/out {}/two")
def update_directory(n):
    """A directory of many files of which each is replaced."""
    one = "---\n".join(pod(f"p{i}") for i in range(n))
    return {"one/a.yaml": one, "two/a.yaml": one.replace("b:1", "b:2")}


@hostile(10_000, "build -o {}/out {}/one", "build -o {}/out {}/two")
def update_directory_with_others(n):
    """A directory that cannot be exchanged: it contains another."""
    one = "---\n".join(pod(f"p{i}") for i in range(n))
    return {"one/a.yaml": one, "two/a.yaml": one.replace("b:1", "b:2"), "out/.gitkeep/x": "x"}


@hostile(100, "explain " + "x" * 100_000, "explain image-tag-latest", "completions bash")
def explain_near(n):
    return {"input.yaml": ""}


@hostile(40_000)
def json_truncated(n):
    """Schemas as in the description of an API, in a file whose end is missing."""
    schema = ",\n".join(f'      "{it}": {{\n        "type": "object",\n        "required": [\n          "a",\n          "b"\n        ]\n      }}' for it in "ab")
    items = "".join(f'    "k{i}": {{\n{schema}\n    }},\n' for i in range(n))
    return {"input.json": '{\n  "all": {\n' + items + '    "last": {\n      "a": {\n        "required": [\n'}


@hostile(300)
def selectors_long(n):
    """The last of 100 requirements decides about each Pod."""
    values = ", ".join(f"v{i}" for i in range(20))
    requirements = ", ".join(f"{{key: k{i}, operator: In, values: [{values}]}}" for i in range(99)) + ", {key: k99, operator: NotIn, values: [v19]}"
    labels = ", labels: {" + ", ".join(f"k{i}: v19" for i in range(100)) + "}"
    budget = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: b{}}}\nspec: {{minAvailable: 1, selector: {{matchExpressions: [{}]}}}}\n"
    return stream([*(budget.format(i, requirements) for i in range(n)), *(pod(f"p{i}", meta=labels) for i in range(n * 10))])


@hostile(300)
def ports_times_services(n):
    """Each Service selects all Pods, which have many ports."""
    ports = ", ".join(f"{{containerPort: {i + 1}, name: z{i}}}" for i in range(500))
    service = "apiVersion: v1\nkind: Service\nmetadata: {{name: s{}}}\nspec: {{selector: {{app: x}}, ports: [{{port: 1, targetPort: z1}}]}}\n"
    return stream([*(service.format(i) for i in range(n * 11)), *(pod(f"p{i}", f"containers: [{{name: a, image: 'b:1', ports: [{ports}]}}]", ", labels: {app: x}") for i in range(n))])


@hostile(100)
def role_groups(n):
    """Unknown resources in a group that is repeated."""
    groups, resources = ", ".join(["apps"] * 6_000), ", ".join(f"deployment{i}" for i in range(3_000))
    role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{name: r{}}}\nrules:\n- {{apiGroups: [{}], resources: [{}], verbs: [get]}}\n"
    return stream(role.format(i, groups, resources) for i in range(n))


@hostile(5_000)
def role_products(n):
    resources, verbs = ", ".join(f"res{i}" for i in range(100)), ", ".join(f"v{i}" for i in range(100))
    return stream(f"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{name: r{i}}}\nrules:\n- {{apiGroups: ['', apps], resources: [{resources}], verbs: [{verbs}]}}\n" for i in range(n))


def policy_of_text(expression, text):
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {t: '" + text + "'}\n"
    spec = f"  validations: [{{expression: \"{expression}\"}}]\n"
    return stream([policy("p", spec, resources='[""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]'), binding("b", "p"), config])


@hostile(450_000)
def policy_patterns(n):
    """A regular expression that is compiled for each item."""
    return policy_of_text("object.data.t.split(',').all(x, x.matches(x + '{1,900}'))", "a," * n)


@hostile(450_000)
def policy_sizes(n):
    """The characters of a long string are counted for each item."""
    return policy_of_text("object.data.t.split(',').all(x, object.data.t.size() > 0)", "a," * n)


@hostile(60_000)
def external_near(n):
    """Absent Secrets whose names resemble the declared ones."""
    declared = "".join(f"  - {{kind: Secret, name: secret-name-{i:06}}}\n" for i in range(n))
    return stream([project("  external:\n" + declared), *(pod(f"p{i}", f"containers: [{{name: a, image: 'b:1', envFrom: [{{secretRef: {{name: secret-name-{i:06}x}}}}]}}]") for i in range(n * 2 // 3))])


@hostile(200_000)
def anchors_used_once(n):
    keys = "".join(f"  k{i}: &a{i} v\n" for i in range(n)) + "".join(f"  l{i}: *a{n - 1 - i}\n" for i in range(n))
    return {"input.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + keys}


@hostile(30)
def extends_big_overrides(n):
    """A chain of the maximum length whose members each override a long list."""
    variables = ", ".join(f"{{name: E{i}, value: v}}" for i in range(1_500))
    overrides = f", podOverrides: {{containers: [{{name: main, env: [{variables}]}}]}}"
    chain = (template(f"t{i}", f"spec: {{extends: t{i - 1}{overrides}}}\n" if i else f"spec: {{image: a{overrides}}}\n") for i in range(n))
    return stream([*chain, *(template(f"x{i}", f"spec: {{extends: t{n - 1}}}\n") for i in range(n * 10))])


@hostile(100_000)
def tiny_files(n):
    return {f"d{i // 1000}/{i}.yaml": "a: b\n" for i in range(n)}


@hostile(30_000)
def flow_deep_many(n):
    return stream(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{i}}}\ndata: " + "{a: [" * 45 + "]}" * 45 + "\n" for i in range(n))


@hostile(80_000)
def byte_order_marks(n):
    return {"input.yaml": "---\n".join("\ufeff" + pod(f"p{i}") for i in range(n))}


# Two parts of an input that are compared with each other.


@hostile(90_000)
def same_object_in_files(n):
    return {f"d{i % 1000}/f{i}.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" for i in range(n // 4)}


@hostile(30)
def mistakes_in_large_documents(n):
    """Each repair parses the document again."""
    keys = "".join(f"  k{i}: v\n" for i in range(5_500))
    mistakes = "".join(f"  - image: x\n     name{i}: y\n" for i in range(30))
    return stream(f"data:\n{keys}x:\n{mistakes}" for _ in range(n * 5))


@hostile(160)
def tabs_in_large_documents(n):
    return stream("a:\n" + "\tb\n" * 20_000 for _ in range(n))


@hostile(1_600_000)
def dash_without_space_before_block(n):
    return {"input.yaml": "a:\n-b: c\n" + " d: e\n" * n}


@hostile(9)
def strings_not_indented(n):
    """Each is read in another round."""
    keys = "".join(f"k{i}: v\n" for i in range(80_000))
    return stream(keys + "".join(f'l{i}: "a\nb"\n' for i in range(19)) for _ in range(n))


@hostile(4_000_000)
def string_below_deep_key(n):
    return {"input.yaml": " " * 10_000 + 'a: "x\n' + "b\n" * n + 'c"\n'}


@hostile(1_000_000)
def bracket_in_long_line(n):
    return {"input.yaml": "a: [\n  [ " + "x" * 5_000_000 + "\n" + "   b,\n" * (n // 2)}


@hostile(9_000_000)
def torn_string(n):
    return {"input.yaml": 'a: "x\n---\n' + "\n" * n + '"\n'}


@hostile(400_000)
def separators_in_quotes(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(f'  a{i}: "b\u2028c"\n' for i in range(n))])


@hostile(150_000)
def placeholders_in_unreadable(n):
    """Whether the file has definitions is searched to its end."""
    return {"input.yaml": "a: {{ .Values.a }}-foo\n---\n" * n + "# " + "x" * 5_000_000 + "\nb: c\n"}


@hostile(2_500_000)
def colons_in_environment(n):
    return stream([pod("a", "unknown: 1, containers: [{name: a, image: 'b:1', env: [{name: TOKEN, xalue: '" + "x:" * n + "'}]}]")])


@hostile(90_000)
def broken_pods_and_projects(n):
    return stream([*(f"kind: Pod\napiVersion: v1\nspex: {i}\n" for i in range(n)), *("apiVersion: sandboxc.dev/v1alpha1\nkind: Project\n" for _ in range(n))])


@hostile(40_000)
def keys_of_many_alternatives(n):
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n"
    key = "containers: [{name: a, image: b:1, env: [{name: A, valueFrom: {configMapKeyRef: {name: c, key: x}}}]}]"
    return stream([*(config for _ in range(n)), *(pod(f"p{i}", key) for i in range(n))])


@hostile(35_000)
def cluster_roles_missing(n):
    rbac = "rbac.authorization.k8s.io"
    roles = (f"apiVersion: {rbac}/v1\nkind: ClusterRole\nmetadata: {{name: r{i}}}\n" for i in range(n))
    return stream([*roles, *(f"apiVersion: {rbac}/v1\nkind: ClusterRoleBinding\nmetadata: {{name: b{i}}}\nroleRef: {{apiGroup: {rbac}, kind: ClusterRole, name: x{i}}}\n" for i in range(n))])


@hostile(90_000)
def limit_ranges_same(n):
    return stream(["apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: []}\n"] * n + [pod("a")])


@hostile(50_000)
def classes_same(n):
    """Each Pod is compared with all classes of one name."""
    runtime = "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: r}\nhandler: a\n"
    priority = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: c}\nvalue: 1\n"
    spec = "runtimeClassName: r, overhead: {cpu: 1}, priorityClassName: c, priority: 7, containers: [{name: a, image: b:1}]"
    return stream([runtime, priority] * (n // 2) + [pod(f"p{i}", spec) for i in range(n // 2)])


def keys(n, value="v", prefix="k"):
    return ", ".join(f"{prefix}{i}: {value}" for i in range(n))


@hostile(350_000)
def config_map_two_fields(n):
    return stream(["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {" + keys(n) + "}\nbinaryData: {" + keys(n, prefix="j") + "}\n"])


@hostile(350_000)
def secret_two_fields(n):
    return stream(["apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {" + keys(n, "YQ==") + "}\nstringData: {" + keys(n, prefix="j") + "}\n"])


@hostile(350_000)
def selector_of_template(n):
    labels = keys(n)
    return stream(["apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {selector: {matchLabels: {" + labels + "}}, template: {metadata: {labels: {" + labels + "}}, spec: {containers: [{name: a, image: b:1}]}}}\n"])


@hostile(250_000)
def requests_and_limits(n):
    amounts = keys(n, "1", "a.b/k")
    return stream([pod("a", "containers: [{name: a, image: b:1, resources: {requests: {" + amounts + "}, limits: {" + amounts + "}}}]")])


@hostile(90_000)
def requests_limit_range_and_quota(n):
    amounts = keys(n, "1", "a.b/k")
    return stream([
        pod("a", "containers: [{name: a, image: b:1, resources: {requests: {" + amounts + "}, limits: {" + amounts + "}}}]"),
        "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {" + amounts.replace(": 1", ": 0") + "}, default: {" + amounts + "}}]}\n",
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {" + amounts.replace("a.b", "requests.a.b") + "}}\n",
    ])


@hostile(250_000)
def runtime_class_selector(n):
    return stream([
        "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: r}\nhandler: a\nscheduling: {nodeSelector: {" + keys(n) + "}}\n",
        pod("a", "runtimeClassName: r, nodeSelector: {" + keys(n, prefix="j") + "}, containers: [{name: a, image: b:1}]"),
    ])


@hostile(90_000)
def profile_annotations(n):
    annotations = ", ".join(f"container.apparmor.security.beta.kubernetes.io/c{i}: runtime/default" for i in range(n))
    return stream([pod("a", "containers: [" + ", ".join(f"{{name: c{i}, image: b:1}}" for i in range(n)) + "]", ", annotations: {" + annotations + "}")])


@hostile(150_000)
def crd_list_keys(n):
    names = ", ".join(f"k{i}" for i in range(n))
    items = "{type: object, properties: {" + keys(n, "{type: string}") + f"}}, required: [{names}]}}"
    return stream([crd(f"          spec: {{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{names}], items: {items}}}\n")])


@hostile(8_000_000)
def findings_below_long_key(n):
    """The path of each finding has the key."""
    schema = "{type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}"
    return stream([crd(f"          spec: {schema}\n"), widget("spec: {" + "x" * n + ": {" + ", ".join(f"u{i}: 1" for i in range(1_900)) + "}}\n")])


@hostile(8_000_000)
def schema_below_long_key(n):
    properties = ", ".join(f"a{i}: {{type: bad}}" for i in range(1_500))
    return stream([crd("          spec: {type: object, properties: {" + "x" * n + ": {type: object, properties: {" + properties + "}}}}\n")])


def many(n, item):
    return "[" + ", ".join(item(i) for i in range(n)) + "]"


@hostile(500_000)
def match_label_keys(n):
    term = "topologyKey: a, labelSelector: {}, matchLabelKeys: " + many(n, lambda i: f"k{i}") + ", mismatchLabelKeys: " + many(n, lambda i: f"j{i}")
    return stream([pod("a", "containers: [{name: a, image: b:1}], affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{" + term + "}]}}")])


@hostile(250_000)
def quota_scopes(n):
    return stream(["apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {scopes: " + many(n, lambda i: "Terminating") + ", hard: {" + keys(n, "1", "requests.a.b/k") + "}}\n"])


@hostile(60_000)
def claims_and_volumes(n):
    claims = many(n, lambda i: f"{{metadata: {{name: w{i}}}, spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}}}")
    template = "{metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b:1}], volumes: " + many(n, lambda i: f"{{name: v{i}, emptyDir: {{}}}}") + "}}"
    return stream(["apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a}\nspec: {serviceName: s, selector: {matchLabels: {a: b}}, template: " + template + ", volumeClaimTemplates: " + claims + "}\n"])


@hostile(150_000)
def ephemeral_and_claims(n):
    volumes = many(n, lambda i: f"{{name: v{i}, ephemeral: {{}}}}" if i % 2 else f"{{name: v{i}, persistentVolumeClaim: {{claimName: a-{i}}}}}")
    return stream([pod("a", "containers: [{name: a, image: b:1}], volumes: " + volumes)])


@hostile(250_000)
def ports_of_one_number(n):
    return stream([pod("a", "containers: [{name: a, image: b:1, ports: " + many(n, lambda i: f"{{containerPort: 80, name: p{i}}}") + "}]")])


@hostile(100_000)
def devices_and_volumes(n):
    devices, volumes = many(n, lambda i: f"{{name: w{i}, devicePath: /d{i}}}"), many(n, lambda i: f"{{name: v{i}, emptyDir: {{}}}}")
    return stream([pod("a", "containers: [{name: a, image: b:1, volumeDevices: " + devices + "}], volumes: " + volumes)])


@hostile(60_000)
def failure_rules_and_containers(n):
    rules = many(n, lambda i: f"{{action: Ignore, onExitCodes: {{containerName: x{i}, operator: In, values: [1]}}}}")
    return stream(["apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {podFailurePolicy: {rules: " + rules + "}, template: {spec: {restartPolicy: Never, containers: " + many(n, lambda i: f"{{name: c{i}, image: b:1}}") + "}}}\n"])


@hostile(60_000)
def ingress_and_ports(n):
    rules = many(n, lambda i: f"{{host: h{i}, http: {{paths: [{{path: /a, pathType: Prefix, backend: {{service: {{name: s, port: {{name: p{i}}}}}}}}}]}}}}")
    ports = many(n, lambda i: f"{{name: q{i}, port: {i + 1}}}")
    return stream(["apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec: {rules: " + rules + "}\n", "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {a: b}, ports: " + ports + "}\n"])


@hostile(400_000)
def binding_conditions(n):
    device = "{name: d, bindingConditions: " + many(n, lambda i: f"k{i}") + ", bindingFailureConditions: " + many(n, lambda i: f"j{i}") + "}"
    return stream(["apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\nspec: {driver: a.b, nodeName: n, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [" + device + "]}\n"])


# Lists and texts of definitions.


@hostile(200_000, "check --values {}/values {}/input.yaml")
def values_undeclared(n):
    """As many values are declared as given, and none is the same."""
    return {"values": "".join(f"value-x{i}: 1\n" for i in range(n)), "input.yaml": project("  values:\n" + "".join(f"    value-{i}: 1\n" for i in range(n)))}


@hostile(400_000, "check " + " ".join(f"--set value-{i + 300_000}=1" for i in range(4_000)) + " {}/input.yaml")
def values_set_many(n):
    return {"input.yaml": project("  values:\n" + "".join(f"    value-{i}: 1\n" for i in range(n)))}


@hostile(500_000)
def project_unknown_fields(n):
    return stream([project("".join(f"  field{i}: b\n" for i in range(n)))])


@hostile(270_000)
def optional_names(n):
    """A string that tests thousands of names."""
    return stream([project("  values: {a: 1}\n"), template("t", "spec:\n  image: a\n  args:\n  - '" + "".join(f"{{{{ values.x{i}|default(1) }}}}" for i in range(n)) + "'\n")])


@hostile(9_000_000)
def open_brackets(n):
    """Each bracket may contain a slice."""
    return stream([template("t", "spec:\n  image: '{{ " + "a[" * 30 + " x" * (n // 2) + "'\n")])


def volume_claims(n, name="v"):
    return ", ".join(f"{{name: {name}{i}, size: 1Gi}}" for i in range(n))


@hostile(150_000)
def claims_of_one_template(n):
    return stream([template("t", f"spec: {{image: 'a:1', volumeClaims: [{volume_claims(n)}]}}\n")])


@hostile(100_000)
def claims_beside_volumes(n):
    """The name of each claim is reserved."""
    volumes = ", ".join(f"{{name: x{i}, emptyDir: {{}}}}" for i in range(n))
    return stream([template("t", f"spec: {{image: 'a:1', volumeClaims: [{volume_claims(n)}], podOverrides: {{volumes: [{volumes}]}}}}\n")])


@hostile(100_000)
def claims_inherited(n):
    claims = volume_claims(n)
    return stream([template("b", f"spec: {{image: 'a:1', volumeClaims: [{claims}]}}\n"), template("t", f"spec: {{extends: b, volumeClaims: [{claims}]}}\n")])


def claimed(of_template, of_claim):
    return stream([template("t", f"spec: {{image: 'a:1', {of_template}}}\n"), definition("WarmPool", "w", "spec: {template: t, replicas: 1}\n"), definition("Claim", "c", f"spec: {{warmPool: w, {of_claim}}}\n")])


EFFECTIVE = "effective {}/input.yaml", "check {}/input.yaml"


@hostile(100_000, *EFFECTIVE)
def effective_variables(n):
    variables = [", ".join(f"{{name: {name}{i}, value: b}}" for i in range(n)) for name in "AB"]
    return claimed(f"claims: {{env: Allowed}}, env: [{variables[0]}]", f"env: [{variables[1]}]")


@hostile(70_000, *EFFECTIVE)
def effective_containers(n):
    containers = ", ".join(f"{{name: c{i}, image: 'b:1'}}" for i in range(n))
    variables = ", ".join(f"{{name: A, value: b, containerName: c{n - 1 - i}}}" for i in range(n))
    return claimed(f"claims: {{env: Allowed}}, podOverrides: {{containers: [{containers}]}}", f"env: [{variables}]")


@hostile(100_000, *EFFECTIVE)
def effective_claims(n):
    return claimed(f"claims: {{volumeClaims: Overrides}}, volumeClaims: [{volume_claims(n)}]", f"volumeClaims: [{volume_claims(n, 'w')}]")


@hostile(100_000, *EFFECTIVE)
def effective_volumes(n):
    volumes = ", ".join(f"{{name: z{i}, emptyDir: {{}}}}" for i in range(n))
    return stream([definition("Sandbox", "s", f"spec: {{image: 'a:1', volumeClaims: [{volume_claims(n)}], volumes: [{volumes}]}}\n")])


@hostile(300_000, *EFFECTIVE)
def effective_labels(n):
    return claimed("podMetadata: {labels: {" + ", ".join(f"x{i}/y{i}: ''" for i in range(n)) + "}}", "env: []")


@hostile(150_000)
def kelos_mcp_servers(n):
    servers = "".join(f"  - {{name: m{i}, type: http, url: 'http://a'}}\n" for i in range(n))
    return stream([definition("AgentConfig", "a", "spec:\n  mcpServers:\n" + servers), kelos_task("t", ", agentConfigs: [a]")])


@hostile(100_000)
def kelos_mcp_variables(n):
    variables = ", ".join(f"{{name: A{i}, valueFrom: {{secretKeyRef: {{name: s, key: k{i}}}}}}}" for i in range(n))
    return stream([definition("AgentConfig", "a", "spec:\n  mcpServers:\n  - {name: m, type: stdio, command: x, env: [" + variables + "]}\n"), kelos_task("t", ", agentConfigs: [a]")])


@hostile(150_000)
def kelos_skills(n):
    skills = "".join(f"  - {{source: a/b, secretRef: {{name: s{i}}}}}\n" for i in range(n))
    return stream([definition("AgentConfig", "a", "spec:\n  skills:\n" + skills), kelos_task("t", ", agentConfigs: [a]")])


@hostile(150_000)
def kelos_plugins(n):
    plugins = "".join(f"  - {{name: p{i}, skills: [{{name: s, content: c}}]}}\n" for i in range(n))
    return stream([definition("AgentConfig", "a", "spec:\n  plugins:\n" + plugins), kelos_task("t", ", agentConfigs: [a]")])


@hostile(400_000)
def kelos_config_repeated(n):
    """One Task names a large AgentConfig thousands of times."""
    return stream([definition("AgentConfig", "a", "spec: {agentsMD: " + "x" * (n * 10) + "}\n"), kelos_task("t", ", agentConfigs: [" + ", ".join(["a"] * n) + "]")])


@hostile(40_000)
def kelos_workspace_shared(n):
    workspace = definition("Workspace", "w", "spec:\n  repo: https://github.com/a/b.git\n  files:\n  - {path: a, content: " + "x" * (n * 100) + "}\n")
    return stream([workspace, *(kelos_task(f"t{i}", ", workspace: w") for i in range(n))])


@hostile(30_000)
def kelos_secret_of_all_servers(n):
    servers = "".join(f"  - {{name: m{i}, type: http, url: 'http://a', headersFrom: {{secretRef: {{name: s}}}}}}\n" for i in range(n))
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {" + ", ".join(f"B{i}: b" for i in range(n * 3)) + "}\n"
    return stream([definition("AgentConfig", "a", "spec:\n  mcpServers:\n" + servers), kelos_task("t", ", agentConfigs: [a]"), secret])


def nodepool(pool, spec=""):
    return stream([project("  nodepool: {labels: [{name: l}]}\n"), definition("NodePool", "p", f"spec:\n{spec}  pools:\n  - {pool}\n")])


def resources(n):
    return ", ".join(f"x.io/r{i}: 1" for i in range(n))


@hostile(400_000)
def nodepool_resources(n):
    return nodepool(f"{{name: ci, labels: [{{name: l, type: pod, image: a, resources: {{requests: {{{resources(n)}}}}}}}]}}", "  resourceQuota: true\n")


@hostile(100_000)
def nodepool_containers(n):
    containers = ", ".join(f"{{name: c{i}, image: a, resources: {{requests: {{x.io/r{i}: 1}}}}}}" for i in range(n))
    return nodepool(f"{{name: ci, labels: [{{name: l, type: pod, spec: {{containers: [{containers}]}}}}]}}", "  resourceQuota: true\n")


@hostile(4_000)
def nodepool_maxima(n):
    """Each pool inherits all limits of the provider but some."""
    pools = "".join(f"  - {{name: c{i}, labels: [{{name: l, type: namespace}}], maxResources: {{{resources(100)}}}}}\n" for i in range(n))
    return stream([project("  nodepool: {labels: [{name: l}]}\n"), definition("NodePool", "p", f"spec:\n  maxResources: {{{resources(n)}}}\n  pools:\n{pools}")])


@hostile(50_000)
def nodepool_defaults(n):
    """Each label has the defaults of its pool."""
    labels = ", ".join(f"{{name: l{i}, type: pod, image: a}}" for i in range(n))
    return nodepool(f"{{name: ci, defaultResources: {{requests: {{{resources(n // 5)}}}}}, labels: [{labels}]}}")


def volumes_and_mounts_reversed(n):
    volumes = ", ".join(f"{{name: v{i}, emptyDir: {{}}}}" for i in range(n))
    mounts = ", ".join(f"{{name: v{n - 1 - i}, mountPath: /a{i}}}" for i in range(n))
    return f"image: a, volumes: [{volumes}], volumeMounts: [{mounts}]"


@hostile(120_000)
def nodepool_volumes(n):
    return nodepool(f"{{name: ci, labels: [{{name: l, type: pod, {volumes_and_mounts_reversed(n)}}}]}}")


@hostile(120_000)
def idegym_volumes(n):
    return stream([definition("Server", "s", f"spec: {{serverName: s, {volumes_and_mounts_reversed(n)}}}\n")])


@hostile(200_000)
def idegym_shadowed(n):
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {" + ", ".join(f"B{i}: b" for i in range(n)) + "}\n"
    variables = ", ".join(f"{{name: A{i}, value: b}}" for i in range(n // 2))
    sources = ", ".join(f"{{prefix: P{i}, secretRef: {{name: x}}}}" for i in range(n // 10))
    return stream([definition("Server", "s-1", f"spec: {{serverName: s, image: a, envFrom: [{sources}], env: [{variables}]}}\n"), secret])


@hostile(60_000, "check --policy baseline {}/input.yaml")
def seccomp_annotations(n):
    containers = ", ".join(f"{{name: c{i}, image: 'b:1'}}" for i in range(n))
    annotations = ", ".join(f"container.seccomp.security.alpha.kubernetes.io/x{i}: unconfined" for i in range(n))
    return stream([pod("p", f"containers: [{containers}]", f", annotations: {{{annotations}}}")])


@hostile(300_000)
def alias_of_long_text(n):
    return {"input.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: &a " + "x" * (n * 13) + "\n" + "".join(f"  l{i}: *a\n" for i in range(n))}


@hostile(90_000)
def expand_of_long_text(n):
    return stream([definition("Claim", '"c{{ index }}"', f"expand: {{count: {n}}}\nspec: {{warmPool: a, env: [{{name: A, value: {'x' * (n * 50)}}}]}}\n")])


@hostile(50_000)
def extends_of_long_text(n):
    return stream([template("b", f"spec: {{image: a, env: [{{name: A, value: {'x' * (n * 80)}}}]}}\n"), *(template(f"t{i}", "spec: {extends: b}\n") for i in range(n))])


@hostile(60_000)
def values_of_long_text(n):
    return stream([project("  values: {a: " + "n" * (n * 16) + "}\n"), *(template(f"t{i}", "spec: {image: '{{ values.a }}'}\n") for i in range(n))])


@hostile(40_000)
def project_namespace_long(n):
    return stream([project("  namespace: " + "n" * (n * 100) + "\n"), *(template(f"t{i}") for i in range(n))])


def versions(n):
    more = "".join(f"  - name: v1alpha{i}\n    served: true\n    storage: false\n    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object}}}}}}}}\n" for i in range(n))
    return crd("          spec: {type: object}\n") + more


@hostile(40_000)
def crd_versions_and_objects(n):
    """Each object has another version."""
    return stream([versions(n), *(widget("spec: {}\n").replace("e.io/v1", f"e.io/v1alpha{i}").replace("name: a", f"name: a{i}") for i in range(n))])


@hostile(40_000)
def crd_versions_unknown(n):
    return stream([versions(n), *(widget("spec: {}\n").replace("e.io/v1", f"e.io/v1alpha{i}x").replace("name: a", f"name: a{i}") for i in range(n))])


@hostile(100_000)
def crd_required_and_properties(n):
    names = ", ".join(f"k{i}" for i in range(n))
    return stream([crd(f"          spec: {{type: object, required: [{names}], properties: {{{names.replace(',', ': {type: string},')}: {{type: string}}}}}}\n"), widget("spec: {" + names.replace(",", ": a,") + ": a}\n")])
