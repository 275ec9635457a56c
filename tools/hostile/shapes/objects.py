"""Objects of Kubernetes."""

from .common import crd, hostile, pod, stream, widget


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


@hostile(1900)
def secret_with_findings_within(n):
    """Each finding is about a part of one secret of megabytes."""
    numbers = "          spec: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: array, items: {type: integer}}}}}\n"
    value = "- {name: b}\n- name: a-token\n  value: [" + "abcd, " * n + "1, " * (500 * n) + "]\n"
    return stream([crd(numbers), widget("spec:\n" + value)])


@hostile(1500)
def secrets_that_start_alike(n):
    """Each finding quotes what hundreds of secrets near it start with."""
    labels = "l: &l 'abcdef g', " + ", ".join(f"l{i}: *l" for i in range(59))
    data = ", ".join(f"a{i}: abcdef{i}" for i in range(250))
    return stream(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: p{i}, labels: {{{labels}}}}}\nstringData: {{{data}}}\n" for i in range(n))


@hostile(1500)
def secrets_near_truncated_text(n):
    """Each finding truncates what it quotes, and hundreds of secrets are near it."""
    labels = "l: &l '" + "x y" * 104 + "', " + ", ".join(f"l{i}: *l" for i in range(59))
    data = ", ".join(f"a{i}: b{i}" for i in range(350))
    return stream(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: p{i}, labels: {{{labels}}}}}\nstringData: {{{data}}}\n" for i in range(n))
