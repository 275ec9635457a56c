"""Admission policies, and what the API server copies into objects before they are judged."""

from .common import binding, hostile, keys, many, pod, policy, stream

VALIDATIONS = "  validations: [{expression: 'true'}]\n"
PARAMETERS = "  paramKind: {apiVersion: v1, kind: ConfigMap}\n"


def bound(rest, *objects):
    return stream([policy("p", rest), binding("b", "p"), *objects])


def by_parameter(name):
    return f"  validationActions: [Deny]\n  paramRef: {{{name}, parameterNotFoundAction: Deny}}\n"


def config_maps(n):
    return (f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m{i}}}\n" for i in range(n))


def runtime_class(rest):
    return "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: r}\nhandler: h\n" + rest + "\n"


def secret(n):
    return f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata: {{{keys(n, 'YQ==')}}}\n"


SECRETS = '[""], apiVersions: [v1], operations: [CREATE], resources: [secrets]'
MUTATION = "{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/type', value: 'a'}]\"}}"


def mutating(rest, of_binding, *objects):
    policies = [policy("p", "  reinvocationPolicy: Never\n" + rest, "MutatingAdmissionPolicy", SECRETS), binding("b", "p", of_binding)]
    return stream([policies[0], policies[1].replace("Validating", "Mutating"), *objects])


@hostile(30_000)
def policy_pull_secrets(n):
    """Each Pod gets the Secrets of its account."""
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default}\nimagePullSecrets: " + many(10 * n, lambda i: f"{{name: s{i}}}") + "\n"
    return bound(VALIDATIONS, account, *(pod(f"a{i}") for i in range(n)))


@hostile(300_000)
def policy_limit_range(n):
    limits = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, default: {" + keys(n, 1, "e.io/r") + "}}]}\n"
    return bound(VALIDATIONS, limits, pod("a"))


@hostile(150_000)
def policy_tolerations(n):
    tolerations = "scheduling: {tolerations: " + many(n, lambda i: f"{{key: k{i}, operator: Exists}}") + "}"
    return bound(VALIDATIONS, runtime_class(tolerations), pod("a", "runtimeClassName: r, containers: [{name: a, image: b:1}]"))


@hostile(40_000)
def policy_tolerations_of_pods(n):
    tolerations = "scheduling: {tolerations: " + many(n, lambda i: f"{{key: k{i}, operator: Exists}}") + "}"
    return bound(VALIDATIONS, runtime_class(tolerations), *(pod(f"a{i}", "runtimeClassName: r, containers: [{name: a, image: b:1}]") for i in range(n)))


@hostile(400_000)
def policy_overhead(n):
    overhead = "overhead: {podFixed: {" + keys(n, 1, "e.io/r") + "}}"
    return bound(VALIDATIONS, runtime_class(overhead), pod("a", "runtimeClassName: r, containers: [{name: a, image: b:1}]"))


@hostile(30_000)
def policy_named_parameters(n):
    bindings = (binding(f"b{i}", "p", by_parameter(f"name: m{i}")) for i in range(n))
    return stream([policy("p", PARAMETERS + VALIDATIONS), *bindings, *config_maps(n), pod("a")])


@hostile(30_000)
def policy_absent_parameters(n):
    bindings = (binding(f"b{i}", "p", by_parameter(f"name: x{i}")) for i in range(n))
    return stream([policy("p", PARAMETERS + VALIDATIONS), *bindings, *config_maps(n), pod("a")])


@hostile(60_000)
def policy_parameters_and_validations(n):
    """Each validation for each parameter."""
    rest = PARAMETERS + "  validations: " + many(n, lambda i: "{expression: 'true'}") + "\n"
    return stream([policy("p", rest), binding("b", "p", by_parameter("selector: {}")), *config_maps(n), pod("a")])


@hostile(40_000)
def policy_mutations(n):
    """Each mutation copies the object."""
    return mutating("  mutations: " + many(n, lambda i: MUTATION) + "\n", "", secret(n))


@hostile(80_000)
def policy_mutations_of_parameters(n):
    of_binding = "  paramRef: {selector: {}, parameterNotFoundAction: Deny}\n"
    return mutating(PARAMETERS + f"  mutations: [{MUTATION}]\n", of_binding, *config_maps(n), secret(n))


@hostile(250_000)
def policy_selector_and_labels(n):
    selector = "  validationActions: [Deny]\n  matchResources: {objectSelector: {matchLabels: {" + keys(n) + "}}}\n"
    labels = f", labels: {{{keys(n)}}}"
    return stream([policy("p", VALIDATIONS), binding("b", "p", selector), pod("a", meta=labels)])


@hostile(300_000)
def service_and_labels(n):
    """No label has the value that the Service selects."""
    service = f"apiVersion: v1\nkind: Service\nmetadata: {{name: s}}\nspec: {{ports: [{{port: 80}}], selector: {{{keys(n, 'w')}}}}}\n"
    return stream([service, pod("a", meta=f", labels: {{{keys(n)}}}")])


def container_defaults(n):
    limits = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, default: {" + keys(n, 1, "e.io/r") + "}}]}\n"
    return bound(VALIDATIONS, limits, pod("a", "containers: " + many(n, lambda i: f"{{name: c{i}, image: b:1}}")))


@hostile(700)
def policy_defaults_times_containers(n):
    """The stored form of the Pod has each default in each container."""
    return container_defaults(n)


@hostile(40_000)
def policy_defaults_times_many_containers(n):
    return container_defaults(n)


@hostile(30_000)
def policy_labels_of_namespace(n):
    namespace = f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: default, labels: {{{keys(8 * n)}}}}}\n"
    selector = "  validationActions: [Deny]\n  matchResources: {namespaceSelector: {matchLabels: {z: v}}}\n"
    return stream([policy("p", VALIDATIONS), binding("b", "p", selector), namespace, *(pod(f"a{i}") for i in range(n))])
