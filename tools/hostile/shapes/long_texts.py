"""A string of megabytes in one object, and thousands of objects that it applies to."""

from .common import binding, crd, definition, hostile, kelos_task, pod, policy, stream, widget

LENGTH = 2_900_000  # An object of more than 3 MiB is not checked further.


def widgets(schema, n, of_version="", spec="{x: a}"):
    crd = (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.e.io}\nspec:\n"
        "  group: e.io\n  scope: Namespaced\n  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}\n"
        f"  versions:\n  - name: v1\n    served: true\n    storage: true\n{of_version}"
        f"    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {schema}}}}}}}\n"
    )
    return stream([crd, *(f"apiVersion: e.io/v1\nkind: Widget\nmetadata: {{name: a{i}}}\nspec: {spec}\n" for i in range(n))])


X = "{type: object, properties: {x: {type: string, maxLength: 10}}%s}"


@hostile(40_000)
def crd_scale_path_long(n):
    paths = "{specReplicasPath: .spec%s, statusReplicasPath: .status.a}" % (".a" * (LENGTH // 2))
    return widgets(X % "", n, f"    subresources: {{scale: {paths}}}\n")


@hostile(40_000)
def crd_deprecation_long(n):
    return widgets(X % "", n, f"    deprecated: true\n    deprecationWarning: {'a' * LENGTH}\n")


@hostile(40_000)
def crd_rule_message_long(n):
    return widgets(X % f", x-kubernetes-validations: [{{rule: \"self.x == 'b'\", message: {'a' * LENGTH}}}]", n)


@hostile(40_000)
def crd_enum_long(n):
    return widgets(f"{{type: object, properties: {{x: {{type: string, enum: [{'b' * LENGTH}]}}}}}}", n)


@hostile(40_000)
def crd_required_long(n):
    name = "b" * (LENGTH // 2)
    return widgets(f"{{type: object, properties: {{? {name}\n : {{type: string}}}}, required: [{name}]}}", n, spec="{}")


@hostile(40_000)
def policy_message_long(n):
    rest = f"  validations: [{{expression: 'false', message: {'a' * LENGTH}}}]\n"
    return stream([policy("p", rest), binding("b", "p"), *(pod(f"a{i}") for i in range(n))])


@hostile(40_000)
def crd_alternative_long(n):
    return widgets(f"{{type: object, properties: {{x: {{type: string}}}}, anyOf: [{{required: [{'b' * LENGTH}]}}]}}", n)


@hostile(40_000)
def crd_enum_of_objects_long(n):
    x = f"{{type: object, properties: {{y: {{type: string}}}}, enum: [{{y: {'b' * LENGTH}}}]}}"
    return widgets(f"{{type: object, properties: {{x: {x}}}}}", n, spec="{x: {y: a}}")


@hostile(40_000)
def crd_field_below_long(n):
    """Each object has a field that belongs in one with a long name."""
    inner = f"{{? {'b' * LENGTH}\n : {{type: object, properties: {{x: {{type: string}}}}}}}}"
    return widgets(f"{{type: object, properties: {inner}}}", n)


def pods(n, rest=""):
    return (pod(f"a{i}", rest + "containers: [{name: a, image: 'b:1'}]") for i in range(n))


@hostile(500_000, "check {}/input.yaml", "build {}/input.yaml", "graph {}/input.yaml", "import {}/input.yaml")
def type_of_list_long(n):
    """Each item gets the kind of the list."""
    return {"input.yaml": f"apiVersion: v1\nkind: {'a' * LENGTH}List\nitems:\n" + "- {}\n" * n}


@hostile(50_000, "check {}/input.yaml", "graph {}/input.yaml")
def namespace_long(n):
    """Each reference is searched in the namespace of its object."""
    sources = ", ".join(f"{{secretRef: {{name: s{i}}}}}" for i in range(n))
    return stream([pod("a", f"containers: [{{name: a, image: 'b:1', envFrom: [{sources}]}}]", f", namespace: {'n' * (LENGTH // 2)}")])


@hostile(40_000, "check {}/input.yaml", "build {}/input.yaml", "check --format sarif --all {}/input.yaml", "check --format junit --all {}/input.yaml")
def limit_range_long(n):
    limit = f"{{type: Pod, max: {{{'a' * (LENGTH // 2)}: 1}}, maxLimitRequestRatio: {{{'a' * (LENGTH // 2)}: 1}}}}"
    return stream([f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: r}}\nspec: {{limits: [{limit}]}}\n", *pods(n)])


@hostile(60_000)
def container_name_long(n):
    """Each LimitRange compares the container, and starts a message with its name."""
    ranges = (f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: r{i}}}\nspec: {{limits: [{{type: Container, min: {{cpu: 1}}}}]}}\n" for i in range(n))
    return stream([*ranges, pod("a", f"containers: [{{name: {'a' * LENGTH}, image: 'b:1'}}]")])


@hostile(40_000)
def runtime_class_selector_long(n):
    head = f"apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {{name: r}}\nhandler: a\nscheduling: {{nodeSelector: {{a: {'b' * LENGTH}}}}}\n"
    return stream([head, *pods(n, "runtimeClassName: r, nodeSelector: {a: b}, ")])


@hostile(40_000)
def port_name_long(n):
    service = f"apiVersion: v1\nkind: Service\nmetadata: {{name: s}}\nspec: {{selector: {{a: b}}, ports: [{{port: 1, name: {'a' * LENGTH}}}]}}\n"
    paths = ", ".join("{path: /, backend: {service: {name: s, port: {number: 9}}}}" for i in range(n))
    return stream([service, f"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: i}}\nspec: {{rules: [{{http: {{paths: [{paths}]}}}}]}}\n"])


@hostile(40_000)
def crd_version_long(n):
    """Each object has another version."""
    versions = crd("          spec: {type: object}\n").replace("name: v1\n", f"name: v{'a' * LENGTH}\n")
    return stream([versions, *(widget("spec: {}\n", name=f"a{i}") for i in range(n))])


@hostile(20_000)
def claim_container_long(n):
    """Each claim names another container than the template."""
    group = "extensions.agents.x-k8s.io/v1alpha1"
    def one(kind, name, spec):
        return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n"
    containers = f"{{containers: [{{name: {'a' * LENGTH}, image: 'a:1'}}]}}"
    template = one("SandboxTemplate", "t", f"{{envVarsInjectionPolicy: Allowed, podTemplate: {{spec: {containers}}}}}")
    claims = (one("SandboxClaim", f"c{i}", "{sandboxTemplateRef: {name: t}, env: [{name: A, value: b, containerName: b}]}") for i in range(n))
    return stream([template, *claims])


@hostile(40_000)
def task_container_long(n):
    mounts = ", ".join(f"{{name: v{i}, mountPath: /a{i}}}" for i in range(n))
    return stream([kelos_task("t", f", initContainers: [{{name: {'a' * (LENGTH // 2)}, image: 'a:1', volumeMounts: [{mounts}]}}]")])


@hostile(40_000)
def pool_name_long(n):
    labels = ", ".join(f"{{name: l{i}, type: pod, image: a, security: baseline, dynamicLabels: {{a: '{{request.labels}}'}}}}" for i in range(n))
    return stream([definition("NodePool", "p", f"spec: {{pools: [{{name: {'a' * LENGTH}, labels: [{labels}]}}]}}\n")])


@hostile(40_000, "import {}/input.yaml", "import --lossy {}/input.yaml")
def import_pool_name_long(n):
    """Each node of the second provider has the name of its pool."""
    def provider(name, pool, labels):
        return f"- name: {name}\n  driver: kubernetes\n  pools:\n  - name: {pool}\n    labels:\n" + "".join(f"    - {{name: l{i}, type: pod, image: a}}\n" for i in range(labels))
    return {"input.yaml": "labels: [{name: l0}]\nproviders:\n" + provider("a", "a", 1) + provider("b", "b" * LENGTH, n)}


@hostile(60_000)
def capabilities_of_long_container(n):
    """The finding about each capability has the name of the container."""
    namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: x, labels: {pod-security.kubernetes.io/enforce: baseline}}\n"
    capabilities = ", ".join(f"C{i}" for i in range(n))
    container = f"{{name: {'a' * (LENGTH // 2)}, image: 'b:1', securityContext: {{capabilities: {{add: [{capabilities}]}}}}}}"
    return stream([namespace, pod("p", f"containers: [{container}]", ", namespace: x")])
