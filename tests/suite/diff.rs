//! The difference of two sets of objects: what is reported, and what means the same.

mod applications;
mod applying;
mod defaults;
mod definitions;
mod lines;
mod outcomes;

use sandboxc::{
    Diff, Difference, Fate, FieldChange, Paint, Shown, render_diff_github, render_diff_human,
    render_diff_json, render_diff_markdown,
};

use crate::support::{compared, sampled};

fn json(of: &[Shown]) -> String {
    let values: Vec<_> = of
        .iter()
        .map(|it| {
            let default = if it.is_default { "default " } else { "" };
            format!("{default}{}", serde_json::to_string(&it.node).unwrap())
        })
        .collect();
    values.join(" ")
}

/// The fields of all objects: `path: old -> new`.
fn fields(found: &Diff) -> Vec<String> {
    let line = |it: &FieldChange| {
        let mark = match it.difference {
            Difference::Items => " items",
            Difference::Order => " order",
            _ => "",
        };
        format!("{}{mark}: {} -> {}", it.path, json(&it.old), json(&it.new)).trim_end().to_owned()
    };
    found.objects.iter().flat_map(|it| &it.fields).map(line).collect()
}

/// Kueue stores quotas as they are written, and counts amounts.
#[test]
fn another_form_of_a_quantity_is_said_to_be_the_same() {
    let queue = |quota: &str| object("Widget", &format!("spec: {{quota: {quota}, port: {quota}}}"));
    let found = compared(&queue("12000m"), &queue("12"));
    assert_eq!(found.objects[0].fields[0].difference, Difference::Quantity);
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.contains("  spec.quota  (the same quantity)\n"), "{text}");
    let markdown = render_diff_markdown(&found, false);
    assert!(markdown.contains("@@ spec.quota (the same quantity) @@\n"), "{markdown}");
    assert!(render_diff_json(&found, false).contains("\"isSameQuantity\": true"));
    for (old, new) in [("12000m", "13"), ("'12'", "12"), ("'a'", "'b'")] {
        let found = compared(&queue(old), &queue(new));
        assert_eq!(found.objects[0].fields[0].difference, Difference::Value, "{old} {new}");
    }
}

/// Other programs print the objects of a release so.
#[test]
fn a_list_at_the_root_has_objects() {
    let list = |first: &str, second: &str| format!("- {first}\n- {second}\n");
    let map = |data: &str| {
        format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a}}, data: {{{data}}}}}")
    };
    let secret = |value: &str| {
        format!(
            "{{apiVersion: v1, kind: Secret, metadata: {{name: a}}, stringData: {{a: {value}}}}}"
        )
    };
    let old = list(&map("a: b"), &secret("hunter1"));
    let found = compared(&old, &list(&secret("hunter2"), &map("a: b, c: d")));
    let kinds: Vec<_> = found.objects.iter().map(|it| it.object().unwrap().describe()).collect();
    assert_eq!(kinds, ["ConfigMap/a", "Secret/a"]);
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.contains("data[c]") && !text.contains("hunter"), "{text}");
}

/// As in a `ManifestWork` of Open Cluster Management.
#[test]
fn objects_inside_of_an_object_are_paired_by_their_identity() {
    let work = |manifests: &str| {
        format!(
            "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {{name: a}}\n\
             spec: {{workload: {{manifests: [{manifests}]}}}}\n"
        )
    };
    let secret = |value: &str| {
        format!(
            "{{apiVersion: v1, kind: Secret, metadata: {{name: a}}, type: Opaque, stringData: {{a: {value}}}}}"
        )
    };
    let map = |value: &str| {
        format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a, namespace: b}}, data: {{a: {value}}}}}"
        )
    };
    let old = work(&format!("{}, {}", secret("hunter1"), map("b")));
    let new = work(&format!("{}, {}", map("c"), secret("hunter2")));
    let found = compared(&old, &new);
    let paths: Vec<_> = found.objects[0].fields.iter().map(|it| it.path.to_string()).collect();
    let path = "spec.workload.manifests";
    let expected =
        [format!("{path}[Secret/a].stringData.a"), format!("{path}[ConfigMap/b/a].data.a")];
    assert_eq!(paths, expected);
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.contains("(the values are hidden)") && !text.contains("hunter"), "{text}");
    let moved = work(&format!("{}, {}", map("b"), secret("hunter1")));
    expect(&old, &moved, &[]);
}

#[test]
fn many_objects_with_the_same_difference_are_one_line() {
    let maps = |count: u32, value: &str| -> String {
        let map = |n| {
            format!(
                "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{n:04}}}\ndata: {{a: {value}}}\n"
            )
        };
        (0..count).map(map).collect()
    };
    let lines = |old: &str, new: &str, is_summary| {
        render_diff_human(&compared(old, new), is_summary, Paint::Plain).lines().count()
    };
    let sides = [("b", "c"), ("", "c"), ("b", "")];
    let cases = [false, true].into_iter().flat_map(|it| sides.map(|(old, new)| (it, old, new)));
    for (is_summary, old, new) in sampled(cases, 4) {
        let side = |value: &str| if value.is_empty() { String::new() } else { maps(2_000, value) };
        let count = lines(&side(old), &side(new), is_summary);
        assert!(count < 20, "{old} {new} {count}");
    }
    let found = compared(&maps(2_000, "b"), &maps(2_000, "c"));
    let text = render_diff_human(&found, true, Paint::Plain);
    assert!(text.starts_with("~ ConfigMap/a0000 and 1,999 more  1 field "), "{text}");
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.starts_with("~ ConfigMap/a0000 and 1,999 more  "), "{text}");
    let text = render_diff_markdown(&found, false);
    assert!(text.contains("| `~` | `ConfigMap/a0000 and 1,999 more` | 1 field |"), "{text}");
    // A few are named.
    let found = compared(&maps(10, "b"), &maps(10, "c"));
    assert!(render_diff_human(&found, true, Paint::Plain).contains("ConfigMap/a0009"));
    let found = compared(&maps(2_000, "b"), "");
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.contains("$ kubectl delete configmap/a0000\n"), "{text}");
    assert!(text.contains("    and 1,990 more commands\n"), "{text}");
    let found = compared(&maps(11, "b"), "");
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.contains("    and 1 more command\n"), "{text}");
    let text = render_diff_markdown(&found, false);
    assert!(text.contains("\nand 1 more command\n"), "{text}");
}

fn deployment(spec: &str, pod: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  selector: {{matchLabels: {{app: web}}}}\n  \
         {spec}\n  template:\n    metadata: {{labels: {{app: web}}}}\n    spec: {{{pod}}}\n"
    )
}

fn object(kind: &str, rest: &str) -> String {
    let version = match kind {
        "Role" => "rbac.authorization.k8s.io/v1",
        "NetworkPolicy" => "networking.k8s.io/v1",
        "Widget" => "example.com/v1",
        _ => "v1",
    };
    format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\n{rest}\n")
}

#[track_caller]
fn expect(old: &str, new: &str, expected: &[&str]) {
    assert_eq!(fields(&compared(old, new)), expected, "{old}---\n{new}");
}

/// Each pair is one object for the API server: the right side is stored as the left one.
#[test]
fn what_means_the_same_is_silent() {
    let container =
        |rest: &str| deployment("", &format!("containers: [{{name: a, image: 'b:1'{rest}}}]"));
    let widget = |spec: &str| object("Widget", &format!("spec: {{{spec}}}"));
    for (old, new) in [
        // Quantities are compared by value.
        (
            container(", resources: {requests: {cpu: 500m, memory: 1Gi}}"),
            container(", resources: {requests: {cpu: 0.5, memory: 1024Mi}}"),
        ),
        // Also where the schema is unknown.
        (widget("resources: {limits: {cpu: 1000m}}"), widget("resources: {limits: {cpu: 1}}")),
        // Defaults of Go types, some of which depend on other fields.
        (container(""), container(", imagePullPolicy: IfNotPresent")),
        (container(""), container(", terminationMessagePath: /dev/termination-log")),
        (deployment("", "containers: []"), deployment("replicas: 1", "containers: []")),
        (
            deployment("", "containers: []"),
            deployment("strategy: {type: RollingUpdate}", "containers: []"),
        ),
        (
            container(", ports: [{containerPort: 80}]"),
            container(", ports: [{containerPort: 80, protocol: TCP}]"),
        ),
        (
            object("Service", "spec: {ports: [{port: 80}]}"),
            object("Service", "spec: {type: ClusterIP, ports: [{port: 80, targetPort: 80}]}"),
        ),
        // Empty values that Go does not write.
        (container(""), container(", env: [], resources: {}")),
        (object("ConfigMap", ""), object("ConfigMap", "data: {}\nimmutable: null")),
        // The API server moves the strings of a Secret.
        (
            object("Secret", "stringData: {a: text}"),
            object("Secret", "data: {a: dGV4dA==}\ntype: Opaque"),
        ),
        // Only the server sets these.
        (
            object("ConfigMap", ""),
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: u, resourceVersion: '1', \
             generation: 2, creationTimestamp: '2026-01-01T00:00:00Z', managedFields: [], \
             annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}}\n"
                .to_owned(),
        ),
        (
            object("Service", "spec: {ports: [{port: 80}]}"),
            object("Service", "spec: {ports: [{port: 80}]}\nstatus: {loadBalancer: {}}"),
        ),
        // Order without a meaning: of keys, of sets, and of lists with keys outside of Pod templates.
        (
            object(
                "Role",
                "rules: [{apiGroups: [''], resources: [pods, services], verbs: [get, list]}]",
            ),
            object(
                "Role",
                "rules: [{verbs: [list, get], resources: [services, pods], apiGroups: ['']}]",
            ),
        ),
        (
            object("Service", "spec: {ports: [{name: a, port: 1}, {name: b, port: 2}]}"),
            object("Service", "spec: {ports: [{name: b, port: 2}, {name: a, port: 1}]}"),
        ),
    ] {
        expect(&old, &new, &[]);
    }
}

/// `kubectl` applies an object without a namespace to `default`, and prints the namespace.
#[test]
fn an_absent_namespace_is_the_default_one() {
    let old = object("ConfigMap", "data: {a: b}");
    let new = old.replace("name: a", "name: a, namespace: default");
    assert!(compared(&old, &new).objects.is_empty());
    let moved = old.replace("name: a", "name: a, namespace: other");
    assert_eq!(compared(&old, &moved).objects[0].fate, Fate::Renamed);
}

/// The size that a request can have is no limit of a comparison.
#[test]
fn objects_that_no_request_can_contain_are_compared() {
    let large =
        |end: &str| object("ConfigMap", &format!("data: {{a: {}, b: {end}}}", "x".repeat(3 << 20)));
    assert_eq!(fields(&compared(&large("one"), &large("two"))), [r#"data[b]: "one" -> "two""#]);
}

#[test]
fn items_of_lists_are_compared_by_their_keys() {
    let pod = |containers: &str| deployment("", &format!("containers: [{containers}]"));
    expect(
        &pod("{name: a, image: 'a:1', env: [{name: ONE, value: '1'}]}, {name: b, image: 'b:1'}"),
        &pod("{name: a, image: 'a:2', env: [{name: ONE, value: '1'}, {name: TWO, value: '2'}]}"),
        &[
            r#"spec.template.spec.containers[a].image: "a:1" -> "a:2""#,
            r#"spec.template.spec.containers[a].env[TWO]:  -> {"name":"TWO","value":"2"}"#,
            r#"spec.template.spec.containers[b]: {"name":"b","image":"b:1"} ->"#,
        ],
    );
    // Server-side apply identifies ports by number and protocol.
    expect(
        &object("Service", "spec: {ports: [{name: dns, port: 53, protocol: UDP}]}"),
        &object(
            "Service",
            "spec: {ports: [{name: tcp, port: 80}, {name: udp, port: 53, protocol: UDP}]}",
        ),
        &[
            r#"spec.ports[53/UDP].name: "dns" -> "udp""#,
            r#"spec.ports[80/TCP]:  -> {"name":"tcp","port":80}"#,
        ],
    );
    // Without a schema, by a field that looks like a key.
    expect(
        &object("Widget", "spec: {parts: [{name: a, size: 1}, {name: b, size: 2}]}"),
        &object("Widget", "spec: {parts: [{name: a, size: 1}, {name: b, size: 3}]}"),
        &["spec.parts[b].size: 2 -> 3"],
    );
}

#[test]
fn items_without_keys_are_compared_in_sequence() {
    let args = |args: &str| {
        deployment("", &format!("containers: [{{name: a, image: b, args: [{args}]}}]"))
    };
    expect(
        &args("run, --a, --b, --c"),
        &args("run, --a, --x, --c, --d"),
        &[r#"spec.template.spec.containers[a].args items: "--b" -> "--x" "--d""#],
    );
    let role = |verbs: &str| {
        object(
            "Role",
            &format!(
                "rules: [{{apiGroups: [''], resources: [pods], verbs: [{verbs}]}}, \
                 {{apiGroups: [apps], resources: [deployments], verbs: [get]}}]"
            ),
        )
    };
    expect(
        &role("get, list"),
        &role("list, get, watch"),
        &[r#"rules[0].verbs items:  -> "watch""#],
    );
}

/// A controller compares templates with the order of their lists: its Pods restart.
#[test]
fn the_order_of_lists_in_a_pod_template_counts() {
    let env =
        |env: &str| deployment("", &format!("containers: [{{name: a, image: b, env: [{env}]}}]"));
    expect(
        &env("{name: ONE, value: '1'}, {name: TWO, value: '2'}"),
        &env("{name: TWO, value: '2'}, {name: ONE, value: '1'}"),
        &[r#"spec.template.spec.containers[a].env order: "ONE" "TWO" -> "TWO" "ONE""#],
    );
}

/// `Always` is the default for `latest`.
#[test]
fn a_default_is_the_old_value_of_a_new_field() {
    let image = |rest: &str| deployment("", &format!("containers: [{{name: a, image: b{rest}}}]"));
    expect(
        &image(""),
        &image(", imagePullPolicy: Never"),
        &[r#"spec.template.spec.containers[a].imagePullPolicy: default "Always" -> "Never""#],
    );
    // A default that follows from another field is not a difference of its own.
    expect(
        &deployment("", "containers: [{name: a, image: b}]"),
        &deployment("", "containers: [{name: a, image: 'b:1'}]"),
        &[r#"spec.template.spec.containers[a].image: "b" -> "b:1""#],
    );
}

#[test]
fn defaults_of_custom_resource_definitions_count() {
    let kind = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
        metadata: {name: widgets.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  \
        names: {kind: Widget, plural: widgets}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    \
        schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: \
        {size: {type: integer, default: 3}}}}}}\n---\n";
    let widget = |spec: &str| format!("{kind}{}", object("Widget", &format!("spec: {spec}")));
    expect(&widget("{}"), &widget("{size: 3}"), &[]);
    expect(&widget("{}"), &widget("{size: 4}"), &["spec.size: default 3 -> 4"]);
}

#[test]
fn secrets_are_compared_and_hidden() {
    let secret = |value: &str| object("Secret", &format!("stringData: {{password: {value}}}"));
    let pod = |value: &str| {
        deployment(
            "",
            &format!(
                "containers: [{{name: a, image: b, env: [{{name: API_TOKEN, value: {value}}}]}}]"
            ),
        )
    };
    for (old, new) in [
        (secret("hunter2"), secret("hunter3")),
        (pod("hunter2"), pod("hunter3")),
        (object("Secret", "data: {a: aHVudGVyMg==}"), object("Secret", "data: {b: aHVudGVyMg==}")),
        (object("Secret", "sringData: {a: hunter2}"), object("Secret", "sringData: {a: hunter3}")),
        (object("Secet", "stringData: {a: hunter2}"), object("Secet", "stringData: {a: hunter3}")),
        (deployment("", "containers: [{name: a, image: b}]"), pod("hunter2")),
    ] {
        let found = compared(&old, &new);
        assert!(found.objects[0].fields.iter().all(|it| it.is_hidden), "{:?}", fields(&found));
        for text in [
            render_diff_human(&found, false, Paint::Plain),
            render_diff_json(&found, false),
            render_diff_markdown(&found, false),
            render_diff_github(&found, false),
            format!("{found:?}"),
        ] {
            assert!(!text.contains("hunter") && !text.contains("aHVud"), "{text}");
        }
    }
    assert!(compared(&secret("a"), &secret("a")).objects.is_empty());
}

#[test]
fn what_is_empty_is_not_hidden() {
    let map = |data: &str| object("ConfigMap", &format!("data: {data}"));
    let found = compared(&map("{a: 'password: hunter2'}"), &map("{}"));
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.contains("+ {}") && !text.contains("hunter"), "{text}");
}

fn names(found: &Diff) -> Vec<(Fate, String, String)> {
    let name = |it: &Option<sandboxc::ObjectAt>| it.as_ref().map(sandboxc::ObjectAt::describe);
    let of = |it: &sandboxc::ObjectChange| {
        (it.fate, name(&it.old).unwrap_or_default(), name(&it.new).unwrap_or_default())
    };
    found.objects.iter().map(of).collect()
}

#[test]
fn renamed_objects_are_found_by_their_content() {
    let map = |name: &str, data: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{{data}}}\n")
    };
    let both = |old: &str, new: &str| {
        (Fate::Renamed, format!("ConfigMap/{old}"), format!("ConfigMap/{new}"))
    };
    let data = "a: '1', b: '2', c: '3', d: '4'";
    // Equal content.
    assert_eq!(names(&compared(&map("old", data), &map("new", data))), [both("old", "new")]);
    // Nearly equal content, of several candidates.
    let old = format!("{}---\n{}", map("one", data), map("two", "x: '1', y: '2', z: '3', w: '4'"));
    let new = format!(
        "{}---\n{}",
        map("uno", "a: '1', b: '2', c: '3', d: '5'"),
        map("due", "x: '1', y: '2', z: '3', w: '5'")
    );
    let found = compared(&old, &new);
    assert_eq!(names(&found), [both("two", "due"), both("one", "uno")]);
    assert_eq!(fields(&found), [r#"data[w]: "4" -> "5""#, r#"data[d]: "4" -> "5""#]);
    // A hash at the end, as kustomize adds.
    let found =
        compared(&map("a-7d9f8c6b5t", "x: '1', y: '2'"), &map("a-8d9f8c6b5t", "x: '1', y: '3'"));
    assert_eq!(names(&found), [both("a-7d9f8c6b5t", "a-8d9f8c6b5t")]);
    // Other content, and objects without content.
    let found = compared(&map("old", "a: '1'"), &map("new", "b: '1'"));
    assert_eq!(
        found.objects.iter().map(|it| it.fate).collect::<Vec<_>>(),
        [Fate::Added, Fate::Removed]
    );
    let account =
        |name: &str| object("ServiceAccount", "").replace("name: a", &format!("name: {name}"));
    let found = compared(&account("old"), &account("new"));
    assert_eq!(
        found.objects.iter().map(|it| it.fate).collect::<Vec<_>>(),
        [Fate::Added, Fate::Removed]
    );
}

/// Of a custom resource, the field that distinguishes it is unknown: in nearly all Subscriptions, only `name` differs.
#[test]
fn a_small_custom_resource_is_renamed_if_all_its_values_are_equal() {
    let subscription = |name: &str, package: &str| {
        format!(
            "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {{name: {name}}}\nspec: \
             {{channel: stable, installPlanApproval: Automatic, name: {package}, source: catalog, sourceNamespace: a}}\n"
        )
    };
    let fates = |new: String| {
        let found = compared(&subscription("pipelines", "pipelines-op"), &new);
        found.objects.iter().map(|it| it.fate).collect::<Vec<_>>()
    };
    assert_eq!(fates(subscription("mesh", "mesh-op")), [Fate::Added, Fate::Removed]);
    assert_eq!(fates(subscription("mesh", "pipelines-op")), [Fate::Renamed]);
}

/// The API server compares an immutable selector as it is stored.
#[test]
fn the_order_of_a_list_counts_if_the_change_is_rejected() {
    let sorted = |kind: &str, values: &str| {
        deployment("", "containers: [{name: a, image: 'b:1'}]").replace("Deployment", kind).replace(
            "{matchLabels: {app: web}}",
            &format!("{{matchExpressions: [{{key: app, operator: In, values: [{values}]}}]}}"),
        )
    };
    expect(
        &sorted("Deployment", "web, api"),
        &sorted("Deployment", "api, web"),
        &[r#"spec.selector.matchExpressions[app].values order: "web" "api" -> "api" "web""#],
    );
    let claim = |modes: &str| {
        let resources = "resources: {requests: {storage: 1Gi}}";
        object("PersistentVolumeClaim", &format!("spec: {{accessModes: [{modes}], {resources}}}"))
    };
    expect(
        &claim("ReadWriteOnce, ReadOnlyMany"),
        &claim("ReadOnlyMany, ReadWriteOnce"),
        &[
            r#"spec.accessModes order: "ReadWriteOnce" "ReadOnlyMany" -> "ReadOnlyMany" "ReadWriteOnce""#,
        ],
    );
    let budget = |values: &str| {
        let selector =
            format!("{{matchExpressions: [{{key: app, operator: In, values: [{values}]}}]}}");
        let spec = format!("spec: {{maxUnavailable: 1, selector: {selector}}}");
        format!("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: a}}\n{spec}\n")
    };
    expect(&budget("web, api"), &budget("api, web"), &[]);
}

/// The controllers of agent-sandbox take `OnReplenish` where a pool has no strategy.
#[test]
fn the_default_of_a_controller_is_no_difference() {
    let pool = |strategy: &str| {
        format!(
            "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {{name: p}}\nspec: \
             {{replicas: 7, sandboxTemplateRef: {{name: t}}{strategy}}}\n"
        )
    };
    let default = pool(", updateStrategy: {type: OnReplenish}");
    expect(&pool(""), &default, &[]);
    expect(&default, &pool(""), &[]);
    let other = pool(", updateStrategy: {type: Recreate}");
    expect(&default, &other, &[r#"spec.updateStrategy.type: "OnReplenish" -> "Recreate""#]);
}

/// A directory can contain several variants of an object.
#[test]
fn objects_of_one_name_are_paired_by_content() {
    let map = |data: &str| object("ConfigMap", &format!("data: {{a: {data}}}"));
    let stream = |of: &[&str]| of.iter().map(|it| map(it)).collect::<Vec<_>>().join("---\n");
    expect(
        &stream(&["one", "two", "three"]),
        &stream(&["three", "one", "four"]),
        &[r#"data[a]: "two" -> "four""#],
    );
}

/// A comment on GitHub has at most 65,536 characters.
#[test]
fn markdown_fits_a_comment() {
    let maps = |value: &str| -> String {
        let map = |at: usize| {
            format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{at}}}\ndata: {{a: {value}{at}, b: '``` | <x>'}}\n---\n"
            )
        };
        (0..3_000).map(map).collect()
    };
    let text = render_diff_markdown(&compared(&maps("x"), &maps("y")), false);
    assert!((50_000..=65_536).contains(&text.len()), "{}", text.len());
    assert!(text.starts_with("### 3,000 changed\n"), "{}", &text[..200]);
    assert!(text.contains("objects are left out: a comment has at most 65,536 characters."));
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

/// A field has at most 80 lines.
#[test]
fn markdown_counts_the_lines_that_it_leaves_out() {
    let map = |line: &str, lines| {
        let text = format!("  {line}\n").repeat(lines);
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata:\n a: |\n{text}")
    };
    let left_out = |lines| {
        let text = render_diff_markdown(&compared(&map("old", 1), &map("new", lines)), false);
        text.lines().find(|it| it.contains(" more line")).map(str::to_owned)
    };
    let found: Vec<_> = (70..90).filter_map(left_out).take(2).collect();
    assert_eq!(found, [" ... 1 more line", " ... 2 more lines"]);
}

#[test]
fn terminal_escapes_in_values_are_visible() {
    let map = |value: &str| object("ConfigMap", &format!("data: {{a: \"{value}\"}}"));
    let found = compared(&map("a"), &map("\\e[31mb\\u202e"));
    for text in [
        render_diff_human(&found, false, Paint::Plain),
        render_diff_markdown(&found, false),
        render_diff_json(&found, false),
    ] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    }
}
