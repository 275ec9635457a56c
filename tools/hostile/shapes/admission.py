"""Admission, policies, and what else the API server decides."""

from .common import CERTIFICATE, binding, crd, hostile, keys, pod, policy, policy_of_text, project, resources, stream, template, widget


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


@hostile(100, "explain " + "x" * 100_000, "explain secret-not-found", "completions bash")
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
