"""Two parts of an input that are compared with each other."""

from .common import crd, hostile, keys, many, pod, stream, template, widget


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
