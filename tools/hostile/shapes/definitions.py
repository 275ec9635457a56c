"""Lists and texts of definitions."""

from .common import EFFECTIVE, claimed, crd, definition, hostile, in_namespaces, kelos_task, nodepool, pod, project, resources, stream, template, versions, volume_claims, volumes_and_mounts_reversed, widget


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


@hostile(25_000, *EFFECTIVE)
def effective_claims_of_four(n):
    """As many as `effective` creates, in objects below their limit."""
    return in_namespaces(4, effective_claims(n))


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


@hostile(1_000_000, "check {}/input.yaml", "build {}/input.yaml")
def expand_claims(n):
    """What a pool of many users needs, and no hostile input: it must work."""
    return stream([template("t"), definition("WarmPool", "w", "spec: {template: t, replicas: 0}\n"), definition("Claim", '"c{{ index }}"', f"expand: {{count: {n}}}\nspec: {{warmPool: w}}\n")])


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
