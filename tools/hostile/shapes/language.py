"""The language."""

from .common import COMMANDS, definition, hostile, pod, project, stream, template


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
    return stream([project("  allow:\n" + "".join(f"  - {{rule: secret-not-found, name: x{i}, because: why not so}}\n" for i in range(n))), pod("a")])


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
    return stream(f"# sandboxc: allow secret-not-found because {i}\n" + pod(f"p{i}") for i in range(n // 2))


@hostile(100_000)
def allow_comments_in_one(n):
    return stream([pod("a") + "".join(f"# sandboxc: allow secret-not-found because {i}\n" for i in range(n))])


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


@hostile(50_000)
def expand_counts(n):
    return stream(definition("Claim", f'"c{i}-{{{{ index }}}}"', "expand: {count: 2}\nspec: {warmPool: a}\n") for i in range(n))


@hostile(60_000)
def expand_templates(n):
    return stream([definition("Template", '"t{{ index }}"', f"expand: {{count: {n}}}\nspec: {{image: 'a:1'}}\n")])


@hostile(3_000)
def expand_templates_many(n):
    """More than all `expand` of a run may create."""
    return stream(definition("Template", f'"t{i}-{{{{ index }}}}"', f"expand: {{count: {n}}}\nspec: {{image: 'a:1'}}\n") for i in range(n))


@hostile(60_000)
def expand_items(n):
    return stream([definition("Claim", '"c{{ item }}"', "expand:\n  items: [" + ", ".join(map(str, range(n))) + "]\nspec: {warmPool: a}\n")])


@hostile(60_000)
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


@hostile(2_000)
def undefined_names_in_one(n):
    """Each string has more than a thousand undefined names."""
    names = ",".join(f"{one}{other}" for one in "abcdefghijklmnopqrstuvwxyz" for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdeg")
    return stream([template("t", "spec:\n  image: a\n  args:\n" + f"  - '{{{{ [{names}] }}}}'\n" * n)])


@hostile(2_000)
def optional_names_many(n):
    """Each definition reads hundreds of undefined names that have a default, and thousands are defined."""
    values = project("  values: {" + ", ".join(f"k{i}: 1" for i in range(2_000)) + "}\n")
    texts = "".join("{{ [" + ",".join(f"values.x{48 * i + j}|d" for j in range(48)) + "] }}" for i in range(5))
    return stream([values, *(template(f"t{i}", f"spec: {{image: '{texts}'}}\n") for i in range(n))])


@hostile(100_000)
def matrix_long_key(n):
    """Each definition has the key."""
    return stream([definition("Claim", '"c{{ index }}"', f"expand:\n  matrix:\n    ? {'k' * 30 * n}\n    : [" + ", ".join(["1"] * n) + "]\nspec: {warmPool: a}\n")])


@hostile(1500)
def allow_wildcards_long_name(n):
    """Each finding is about an object whose name has megabytes, and each exception has a wildcard."""
    allow = "".join(f"  - {{rule: unknown-field, name: \"a*b*{i}*d\", because: why}}\n" for i in range(200))
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + "ab" * (n * 300) + "}\n"
    return stream([project("  allow:\n" + allow), config + "".join(f"x{i}: 1\n" for i in range(n))])


@hostile(1_000_000)
def allow_glob_long(n):
    return stream([project(f"  allow: [{{rule: unknown-field, name: '{'?*' * n}', because: why}}]\n"), pod("a")])
