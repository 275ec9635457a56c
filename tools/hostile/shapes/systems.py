"""The systems."""

from .common import COMMANDS, definition, hostile, kelos_task, keys, many, nodepool, project, stream, template


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


OF_KELOS = project("  kelos: {target: resources}\n")
SERVER = "name: m{}, type: http, url: 'http://a'"


@hostile(200_000)
def kelos_reads_and_dependencies(n):
    """Each value that the prompt reads can be that of a dependency."""
    reads = "{% raw %}" + "{{.Deps.zz}}" * n + "{% endraw %}"
    spec = f"agent: codex, credentials: {{type: none}}, prompt: '{reads}', dependsOn: {many(n, lambda i: f't{i}')}"
    return stream([OF_KELOS, definition("Task", "t", f"spec: {{{spec}}}\n")])


@hostile(90_000)
def kelos_volumes(n):
    volumes, mounts = many(n, lambda i: f"{{name: v{i}, emptyDir: {{}}}}"), many(n, lambda i: f"{{name: v{n - 1 - i}, mountPath: /a{i}}}")
    return stream([kelos_task("t", f", volumes: {volumes}, volumeMounts: {mounts}")])


@hostile(40_000)
def kelos_config_of_resources(n):
    """The controller copies the configuration to each Job."""
    servers = many(n, lambda i: "{" + SERVER.format(i) + "}")
    return stream([OF_KELOS, definition("AgentConfig", "c", f"spec: {{mcpServers: {servers}}}\n"), *(kelos_task(f"t{i}", ", agentConfigs: [c]") for i in range(n))])


@hostile(30_000)
def kelos_config_of_manifests(n):
    head = "apiVersion: kelos.dev/v1alpha2\nkind: {}\nmetadata: {{name: {}}}\n"
    servers = many(n, lambda i: "{" + SERVER.format(i) + "}")
    task = "spec: {worker: {type: codex, credentials: {type: none}, agentConfigRefs: [{name: c}]}, prompt: a}\n"
    return stream([head.format("AgentConfig", "c") + f"spec: {{mcpServers: {servers}}}\n", *(head.format("Task", f"t{i}") + task for i in range(n))])


@hostile(300_000)
def nodepool_dynamic_labels(n):
    return nodepool(f"{{name: ci, labels: [{{name: l, type: namespace, labels: {{{keys(n)}}}, dynamicLabels: {{{keys(n, prefix='d')}}}}}]}}")


@hostile(100_000)
def nodepool_nodes_unknown(n):
    labels, nodes = many(n, lambda i: f"{{name: l{i}, type: namespace}}"), many(n, lambda i: f"{{label: x{i}}}")
    return stream([definition("NodePool", "p", f"spec: {{pools: [{{name: ci, labels: {labels}}}], nodes: {nodes}}}\n")])


@hostile(100_000)
def nodepool_needs_and_tenants(n):
    """Each tenant allows fewer cores than the label needs."""
    tenants = many(n, lambda i: f"{{tenantName: t{i}, maxCores: 1}}")
    needs = ", ".join(f"x.io/r{i}: 1" for i in range(n))
    pool = f"{{name: ci, labels: [{{name: l, type: pod, image: 'a:1', resources: {{requests: {{cpu: 10, {needs}}}}}}}]}}"
    return stream([project(f"  nodepool: {{labels: [{{name: l}}], tenantResourceLimits: {tenants}}}\n"), definition("NodePool", "p", f"spec: {{pools: [{pool}]}}\n")])


@hostile(50_000, "check {}/input.yaml", "build {}/input.yaml", "check --format sarif --all {}/input.yaml")
def nodepool_ready_and_limits(n):
    """Each of many limits is too low for the nodes of all labels."""
    labels = many(n, lambda i: f"{{name: l{i}, type: pod, image: 'a:1', extraResources: {{x.io/r{i}: 1}}}}")
    limits = ", ".join(f"x.io/r{i}: 0" for i in range(n))
    declared = many(n, lambda i: f"{{name: l{i}, minReady: 1}}")
    pool = f"{{name: ci, maxResources: {{{limits}}}, labels: {labels}}}"
    return stream([project(f"  nodepool: {{labels: {declared}}}\n"), definition("NodePool", "p", f"spec: {{pools: [{pool}], nodes: []}}\n")])


@hostile(20_000)
def nodepool_request_text(n):
    """The value of each node would be the whole text."""
    pool = "{name: ci, labels: [{name: l, type: namespace, dynamicLabels: {a: '{request.tenant_name}'}}]}"
    nodes = ", ".join("{label: l}" for _ in range(n))
    settings = project(f"  nodepool: {{labels: [{{name: l}}], request: {{tenantName: {'x' * n * 200}}}}}\n")
    return stream([settings, definition("NodePool", "p", f"spec: {{pools: [{pool}], nodes: [{nodes}]}}\n")])


@hostile(150_000)
def nodepool_format_fields(n):
    """A format string that repeats a long text."""
    pool = f"{{name: ci, labels: [{{name: l, type: namespace, dynamicLabels: {{a: '{'{request.tenant_name}' * n}'}}}}]}}"
    settings = project(f"  nodepool: {{labels: [{{name: l}}], request: {{tenantName: {'x' * n * 20}}}}}\n")
    return stream([settings, definition("NodePool", "p", f"spec: {{pools: [{pool}]}}\n")])


@hostile(100_000)
def nodepool_undeclared(n):
    labels, declared = many(n, lambda i: f"{{name: l{i}, type: namespace}}"), many(n, lambda i: f"{{name: x{i}}}")
    return stream([project(f"  nodepool: {{labels: {declared}}}\n"), definition("NodePool", "p", f"spec: {{pools: [{{name: ci, labels: {labels}}}], nodes: []}}\n")])


@hostile(40_000)
def osa_runner_shared(n):
    """Each hook reads the Runner."""
    secrets = many(n, lambda i: f"{{name: s{i}}}")
    runner = f"spec: {{backend: kubernetes, dataVolumeClaim: d, s3: {{bucket: b}}, imagePullSecrets: {secrets}}}\n"
    return stream([definition("Runner", "r", runner), *(definition("Hook", f"h{i}", "spec: {runner: r, image: a, digest: 'sha256:" + "0" * 64 + "'}\n") for i in range(n))])


@hostile(40_000)
def idegym_settings(n):
    """The names are invalid, so no server copies the setting."""
    endpoint = project(f"  idegym: {{tracing: {{endpoint: 'http://{'x' * n * 100}'}}}}\n")
    return stream([endpoint, *(definition("Server", f"1s{i}", "spec: {image: a}\n") for i in range(n))])
