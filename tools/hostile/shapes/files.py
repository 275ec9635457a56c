"""Files and YAML."""

from .common import hostile, pod, stream


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


@hostile(900_000)
def kustomization_in_a_deep_folder(n):
    """Each path is joined to that of the folder."""
    folder = "/".join(["d" * 200] * 15)
    return {"a.yaml": pod("a"), folder + "/a.yaml": pod("b"), folder + "/kustomization.yaml": "resources: [" + "a," * n + "]\n"}
