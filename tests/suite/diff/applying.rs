//! What client-side `kubectl apply` makes of a change. The expected results are those of kubectl on a running server.

use sandboxc::{Applier, Diff, DiffSide, Options, Purpose, Workspace, check_update, compile};

use super::{compared, deployment, fields, object};
use crate::support::compared_as;

/// The fields that change, the paths that are lost, and the outcome.
fn effect(found: &Diff) -> (Vec<String>, Vec<String>, Vec<&str>) {
    let lost = found.objects.iter().flat_map(|change| &change.lost);
    let outcomes = found.objects.iter().filter_map(|change| change.outcome.as_ref());
    let lost = lost.map(|field| field.path.to_string()).collect();
    (fields(found), lost, outcomes.map(|outcome| outcome.text.as_str()).collect())
}

fn service(ports: &str) -> String {
    object("Service", &format!("spec: {{ports: [{ports}]}}"))
}

#[test]
fn a_second_item_with_one_key_is_lost() {
    let found = compared(
        &service("{name: tcp, protocol: TCP, port: 8301}"),
        &service("{name: tcp, protocol: TCP, port: 8301}, {name: udp, protocol: UDP, port: 8301}"),
    );
    let (fields, lost, outcomes) = effect(&found);
    assert_eq!(fields, <[String; 0]>::default());
    assert_eq!(lost, ["spec.ports[8301/UDP]"]);
    assert_eq!(outcomes, ["client-side `kubectl apply` loses `spec.ports[8301/UDP]`"]);
}

#[test]
fn another_program_that_applies_loses_nothing() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: p}\nspec: {apply: {with: flux}}\n---\n";
    let both = service("{name: t, port: 443}, {name: u, port: 443, protocol: UDP}");
    let found = compared(&service("{name: t, port: 443}"), &format!("{project}{both}"));
    let (fields, lost, _) = effect(&found);
    assert_eq!((fields.len(), lost.len()), (1, 0), "{fields:?}");
}

/// The deletion of an item names its key, and deletes all items with it.
#[test]
fn all_items_with_the_key_of_a_removed_one_are_removed() {
    let tcp = "{port: 443, protocol: TCP, name: t}";
    let both = format!("{tcp}, {{port: 443, protocol: UDP, name: u}}");
    let found = compared(&service(&both), &service(tcp));
    let (fields, lost, _) = effect(&found);
    assert_eq!(fields.len(), 1);
    assert!(fields[0].starts_with("spec.ports: ") && fields[0].ends_with("-> []"), "{fields:?}");
    assert_eq!(lost, ["spec.ports"]);
}

#[test]
fn a_patch_that_cannot_be_merged_is_rejected() {
    let found = compared(
        &service("{name: a, port: 80}"),
        &service("{name: a, port: 80}, {name: b, port: 443}, {name: c, port: 80, protocol: UDP}"),
    );
    let (_, _, outcomes) = effect(&found);
    assert_eq!(outcomes, ["client-side `kubectl apply` fails"]);
}

/// The API server has stored the account in the deprecated field as well.
#[test]
fn a_service_account_that_the_file_gives_up_stays() {
    let pod =
        |account: &str| deployment("", &format!("{account}containers: [{{name: c, image: x}}]"));
    let found = compared(&pod("serviceAccountName: bot, "), &pod(""));
    let (fields, _, outcomes) = effect(&found);
    assert_eq!(fields, <[String; 0]>::default());
    assert_eq!(outcomes, ["no effect: the Pods keep the service account `bot`"]);
    let changed = pod("").replace("image: x", "image: y");
    let found = compared(&pod("serviceAccountName: bot, "), &changed);
    assert_eq!(effect(&found).2, ["Pods restart: the Pod template changed"]);
    let details = &found.objects[0].outcome.as_ref().expect("an outcome").details;
    assert!(details[0].starts_with("the Pods keep the service account `bot`: "), "{details:?}");
    let found = compared(&pod("serviceAccountName: bot, "), &pod("serviceAccountName: default, "));
    assert_eq!(fields_of(&found), [r#"spec.template.spec.serviceAccountName: "bot" -> "default""#]);
}

fn fields_of(found: &Diff) -> Vec<String> {
    effect(found).0
}

/// The type of the selector says that a patch replaces it, so a label that someone else has added goes.
#[test]
fn the_selector_of_a_disruption_budget_is_replaced() {
    let budget = |metadata: &str, labels: &str| {
        format!(
            "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: a{metadata}}}\nspec: {{maxUnavailable: 1, selector: {{matchLabels: {{{labels}}}}}}}\n"
        )
    };
    let last = r#"{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"a"},"spec":{"maxUnavailable":1,"selector":{"matchLabels":{"app":"a"}}}}"#;
    let metadata = format!(
        ", uid: u, annotations: {{kubectl.kubernetes.io/last-applied-configuration: '{last}'}}"
    );
    let found = compared(&budget(&metadata, "app: a, added: b"), &budget("", "app: a"));
    assert_eq!(fields_of(&found), [r#"spec.selector.matchLabels[added]: "b" ->"#]);
}

/// The API server keeps what it has allocated.
#[test]
fn a_replaced_service_keeps_its_addresses() {
    let live = "apiVersion: v1\nkind: Service\nmetadata: {name: a, uid: u}\nspec: {type: NodePort, clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, ports: [{name: web, port: 80, nodePort: 30080}], selector: {app: a}}\n";
    let new = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {type: NodePort, ports: [{name: web, port: 81}], selector: {app: a}}\n";
    let found = applied_by(Applier::Replace, live, new);
    let of_ports = ["spec.ports[80/TCP]", "spec.ports[81/TCP]"];
    let paths = |found: &Diff| -> Vec<_> {
        found.objects[0].fields.iter().map(|it| it.path.to_string()).collect()
    };
    assert_eq!(paths(&found), of_ports);
    // The ports of nodes belong to the type.
    let new = live.replace("type: NodePort", "type: ClusterIP").replace(", nodePort: 30080", "");
    let found = applied_by(Applier::Replace, live, &new);
    assert_eq!(paths(&found), ["spec.type", "spec.ports[80/TCP].nodePort"]);
    assert!(found.objects[0].findings.is_empty(), "{found:?}");
}

/// `replicas` by an autoscaler and `restartedAt` by a rollout: kubectl's patch is `{}`.
#[test]
fn what_was_not_applied_stays() {
    let applied = |spec: &str| deployment(spec, "containers: [{name: c, image: 'x:1'}]");
    let json = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"web"},"spec":{"minReadySeconds":3,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"x:1","name":"c"}]}}}}"#;
    let live = |annotations: &str| {
        let metadata =
            format!("{{name: web, uid: 6f1d3c52-8c36-4a0e-9f0e-3a52b1f0a001{annotations}}}");
        applied("replicas: 5\n  minReadySeconds: 3").replace("{name: web}", &metadata).replace(
            "{labels: {app: web}}",
            "{labels: {app: web}, annotations: {kubectl.kubernetes.io/restartedAt: '2026-01-02T00:00:00Z'}}",
        )
    };
    let known =
        format!(", annotations: {{kubectl.kubernetes.io/last-applied-configuration: '{json}'}}");
    assert!(compared(&live(&known), &applied("minReadySeconds: 3")).is_empty());
    assert_eq!(fields_of(&compared(&live(&known), &applied(""))), ["spec.minReadySeconds: 3 ->"]);
    assert_eq!(
        fields_of(&compared(&live(&known), &applied("replicas: 2\n  minReadySeconds: 3"))),
        ["spec.replicas: 5 -> 2"]
    );
    // An object that was not applied before: nothing is removed.
    assert!(compared(&live(""), &applied("")).is_empty());
}

/// `kubectl get -A -o yaml` has the objects of all programs.
#[test]
fn what_others_have_made_is_not_removed() {
    let pod = |metadata: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: a, uid: x{metadata}}}\nspec: {{containers: [{{name: c, image: x}}]}}\n"
        )
    };
    let applied = ", annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}";
    let owned = ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: b, uid: y}]";
    let other = object("ConfigMap", "data: {}");
    for (metadata, removed) in [("", 0), (applied, 1), (&format!("{applied}{owned}"), 0)] {
        let old = format!("{}---\n{other}", pod(metadata));
        assert_eq!(compared(&old, &other).objects.len(), removed, "{metadata}");
    }
}

#[test]
fn a_hook_may_change_its_immutable_fields() {
    let job = |annotations: &str, image: &str| {
        format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a, annotations: {{{annotations}}}}}\nspec: {{template: \
             {{spec: {{restartPolicy: Never, containers: [{{name: c, image: '{image}'}}]}}}}}}\n"
        )
    };
    let helm = "helm.sh/hook: pre-upgrade";
    let kept = "helm.sh/hook: pre-upgrade, helm.sh/hook-delete-policy: hook-failed";
    for (annotations, expected) in [
        (helm, "a hook, which runs again at its next event in Helm"),
        ("argocd.argoproj.io/hook: PreSync", "a hook, which runs again at the next sync"),
        (
            kept,
            "rejected: the hook already exists at its next event; delete it, or add `before-hook-creation` to its \
             delete policy",
        ),
    ] {
        let found = compared(&job(annotations, "x:1"), &job(annotations, "x:2"));
        assert_eq!(effect(&found).2, [expected]);
    }
}

fn applied_by(applier: Applier, old: &str, new: &str) -> Diff {
    compared_as(old, new, |side| side.applied_by(applier))
}

/// The notes of the findings about an update.
fn updated_by(applier: Applier, old: &str, new: &str) -> Vec<String> {
    let mut options = Options::default();
    options.purpose = Purpose::Compare;
    let [old, new] = [old, new].map(|text| {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        workspace
    });
    let [of_old, of_new] = [&old, &new].map(|it| compile(it, &options));
    let side = DiffSide::new(&new, &of_new).applied_by(applier);
    let found = check_update(&DiffSide::new(&old, &of_old), &side).diagnostics;
    let notes = found.iter().flat_map(|finding| &finding.details().notes);
    notes.map(|note| note.as_prose().to_string()).collect()
}

/// A live object whose replicas another manager owns. The answers are those of a running server to
/// `kubectl apply --server-side` (`Apply failed with 1 conflict: conflict with "other": .spec.replicas`).
fn owned(replicas: u8) -> String {
    let fields = "fieldsV1: {'f:spec': {'f:replicas': {}}}";
    let own = "fieldsV1: {'f:spec': {'f:minReadySeconds': {}, 'f:replicas': {}, 'f:selector': {}, 'f:template': {'f:metadata': {'f:labels': {'f:app': {}}}, 'f:spec': {'f:containers': {'k:{\"name\":\"c\"}': {'.': {}, 'f:name': {}, 'f:image': {}}}}}}}";
    let managers = format!(
        "managedFields: [{{manager: kubectl, operation: Apply, apiVersion: apps/v1, {own}}}, {{manager: other, operation: Apply, apiVersion: apps/v1, {fields}}}]"
    );
    let spec = format!("replicas: {replicas}\n  minReadySeconds: 3");
    deployment(&spec, "containers: [{name: c, image: x}]")
        .replace("{name: web}", &format!("{{name: web, uid: u, {managers}}}"))
}

fn file(spec: &str) -> String {
    deployment(spec, "containers: [{name: c, image: x}]")
}

#[test]
fn another_manager_of_a_field_is_a_conflict() {
    let found = applied_by(Applier::Server, &owned(5), &file("replicas: 3"));
    let outcome = found.objects[0].outcome.as_ref().unwrap();
    assert_eq!(outcome.text, "server-side apply fails");
    let message = "Apply failed with 1 conflict: conflict with \"other\": .spec.replicas";
    assert_eq!(outcome.details, [message]);
    // Flux forces its own fields. It has not applied the others, so that they stay.
    let found = applied_by(Applier::Flux, &owned(5), &file("replicas: 3"));
    assert_eq!(fields(&found), ["spec.replicas: 5 -> 3"]);
}

/// As findings of `check --against`: a conflict, and two items that server-side apply takes for one.
#[test]
fn a_form_that_cannot_be_applied_is_reported() {
    let ports = |ports: &str| {
        deployment("", &format!("containers: [{{name: c, image: x, ports: [{ports}]}}]"))
    };
    let both = ports("{containerPort: 53, hostPort: 1}, {containerPort: 53, hostPort: 2}");
    for (old, new, expected) in [
        (owned(5), file("replicas: 3"), "conflict with \"other\": .spec.replicas"),
        (
            ports("{containerPort: 53}"),
            both,
            "duplicate entries for key [containerPort=53,protocol=\"TCP\"]",
        ),
    ] {
        let found = updated_by(Applier::Server, &old, &new);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains(expected), "{found:?}");
    }
}

#[test]
fn what_another_manager_owns_stays() {
    let found = applied_by(Applier::Server, &owned(2), &file(""));
    assert_eq!(fields(&found), ["spec.minReadySeconds: 3 ->"]);
    let found = applied_by(Applier::Replace, &owned(2), &file(""));
    assert_eq!(fields(&found), ["spec.replicas: 2 -> default 1", "spec.minReadySeconds: 3 ->"]);
}

#[test]
fn argo_cd_follows_the_options_of_an_object() {
    let with = |options: &str| {
        let annotation =
            format!("{{name: web, annotations: {{argocd.argoproj.io/sync-options: '{options}'}}}}");
        file("").replace("{name: web}", &annotation)
    };
    let changed = |options: &str| {
        let found = applied_by(Applier::ArgoCd, &owned(2), &with(options));
        let all = fields(&found).into_iter();
        all.filter(|field| field.starts_with("spec")).collect::<Vec<_>>()
    };
    // Nothing was applied by Argo CD, so that nothing is removed.
    assert_eq!(changed("Prune=false"), <[String; 0]>::default());
    assert_eq!(changed("ServerSideApply=true"), <[String; 0]>::default());
    assert_eq!(changed("Prune=false, Replace=true").len(), 2);
}

/// Of two programs, only client-side apply has the directive that drops the default.
#[test]
fn a_default_that_stays_is_rejected() {
    let recreate = file("strategy: {type: Recreate}");
    let texts = |applier| {
        let found = match applier {
            Some(applier) => applied_by(applier, &file(""), &recreate),
            None => compared(&file(""), &recreate),
        };
        let [change] = &found.objects[..] else { panic!("{found:?}") };
        let severities = change.findings.iter().map(|finding| finding.severity.as_str());
        (severities.collect::<Vec<_>>(), change.outcome.as_ref().unwrap().text.clone())
    };
    let rejected = "rejected: `spec.strategy.rollingUpdate` cannot be changed in this way";
    let (severities, outcome) = texts(None);
    assert_eq!(severities, ["warning"]);
    assert_ne!(outcome, rejected);
    assert_eq!(texts(Some(Applier::Client)).0, <[&str; 0]>::default());
    assert_eq!(texts(Some(Applier::Helm)).0, <[&str; 0]>::default());
    assert_eq!(texts(Some(Applier::Replace)).0, <[&str; 0]>::default());
    for applier in [Applier::Server, Applier::Flux] {
        assert_eq!(texts(Some(applier)), (vec!["error"], rejected.to_owned()));
    }
}

/// The first request of kubectl takes over no field that the file gives up: it is rejected like that of another manager.
#[test]
fn the_first_server_side_apply_is_that_of_a_new_manager() {
    let strategy = "'f:strategy': {'f:type': {}, 'f:rollingUpdate': {'.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {}}}";
    let live = |manager: &str| {
        let managers = format!(
            "managedFields: [{{manager: {manager}, apiVersion: apps/v1, fieldsV1: {{'f:spec': {{{strategy}}}}}}}]"
        );
        file("strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}")
            .replace("{name: web}", &format!("{{name: web, uid: u, {managers}}}"))
    };
    let rejected = |manager: &str| {
        let found =
            applied_by(Applier::Server, &live(manager), &file("strategy: {type: Recreate}"));
        let findings = &found.objects[0].findings;
        findings.iter().map(|it| it.severity.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(rejected("kubectl, operation: Apply"), <[&str; 0]>::default());
    assert_eq!(rejected("kubectl-client-side-apply, operation: Update"), ["error"]);
}

#[test]
fn flux_deletes_and_creates_what_cannot_be_changed() {
    let job = |metadata: &str, image: &str| {
        format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a{metadata}}}\nspec: {{template: {{spec: {{restartPolicy: Never, \
             containers: [{{name: c, image: '{image}'}}]}}}}}}\n"
        )
    };
    let forced = ", annotations: {kustomize.toolkit.fluxcd.io/force: enabled}";
    let ignored = ", annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}";
    let found = applied_by(Applier::Flux, &job(forced, "x:1"), &job(forced, "x:2"));
    let text = &found.objects[0].outcome.as_ref().unwrap().text;
    assert_eq!(text, "deleted and created again, because the API server rejects the update");
    assert!(found.objects[0].findings.is_empty());
    assert!(applied_by(Applier::Flux, &job(ignored, "x:1"), &job(ignored, "x:2")).is_empty());
}

#[test]
fn an_object_that_is_too_large_for_the_annotation_cannot_be_applied() {
    let map = |value: &str| format!("{}data: {{a: {value}}}\n", object("ConfigMap", ""));
    let (small, large) = (map("x"), map(&"x".repeat(270_000)));
    let outcome = |applier, old: &str, new: &str| {
        let found = applied_by(applier, old, new);
        let outcome = found.objects[0].outcome.as_ref();
        outcome.is_some_and(|outcome| outcome.text == "client-side `kubectl apply` fails")
    };
    for (old, new, expected) in
        [(&*small, &*large, true), ("", &large, true), (&large, &small, false)]
    {
        assert_eq!(outcome(Applier::Client, old, new), expected);
        assert_eq!(outcome(Applier::ArgoCd, old, new), expected);
        for applier in [Applier::Server, Applier::Replace, Applier::Helm, Applier::Flux] {
            assert!(!outcome(applier, old, new), "{applier:?}");
        }
    }
}

#[test]
fn an_object_that_is_too_large_for_the_annotation_is_found_in_an_update() {
    let map = |value: &str| format!("{}data: {{a: {value}}}\n", object("ConfigMap", ""));
    let (small, large) = (map("x"), map(&"x".repeat(270_000)));
    let found = |applier, old: &str, new: &str| updated_by(applier, old, new).len();
    assert_eq!(found(Applier::Client, &small, &large), 1);
    assert_eq!(found(Applier::Client, "", &large), 1);
    assert_eq!(found(Applier::Client, &large, &small), 0);
    assert_eq!(found(Applier::Client, &large, &large), 0);
    assert_eq!(found(Applier::Server, &small, &large), 0);
}

fn network_policy(labels: &str) -> String {
    object("NetworkPolicy", &format!("spec: {{podSelector: {{matchLabels: {{{labels}}}}}}}"))
        .replace("apiVersion: v1", "apiVersion: networking.k8s.io/v1")
}

/// A patch removes the last label, and an empty map is stored as none.
#[test]
fn an_empty_map_is_not_lost() {
    let live = network_policy("app: a").replace("metadata: {", "metadata: {uid: u, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{\"apiVersion\": \"networking.k8s.io/v1\", \"kind\": \"NetworkPolicy\", \"metadata\": {}, \"spec\": {\"podSelector\": {\"matchLabels\": {\"app\": \"a\"}}}}'}, ");
    let found = compared(&live, &network_policy(""));
    let (_, lost, outcomes) = effect(&found);
    assert_eq!(lost, <[String; 0]>::default(), "{outcomes:?}");
}

#[test]
fn null_removes_a_key_whether_or_not_the_old_side_is_live() {
    let map = |data: &str| object("ConfigMap", &format!("data: {{{data}}}"));
    let found = compared(&map("a: x, b: z"), &map("a: null, b: z"));
    assert_eq!(effect(&found).0, ["data[a]: \"x\" ->"]);
}

/// Helm 3.19 and 4.0 set them in each object of a release, whatever the chart has.
#[test]
fn the_marks_of_a_release_stay() {
    let marks = "labels: {app.kubernetes.io/managed-by: Helm}, annotations: {meta.helm.sh/release-name: r, \
                 meta.helm.sh/release-namespace: team}";
    let managers = "managedFields: [{manager: helm, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: \
                    {'f:metadata': {'f:annotations': {'f:meta.helm.sh/release-name': {}, \
                    'f:meta.helm.sh/release-namespace': {}}, 'f:labels': {'f:app.kubernetes.io/managed-by': {}}}, \
                    'f:data': {'f:a': {}}}}]";
    let data = |value: &str| object("ConfigMap", &format!("data: {{a: {value}}}"));
    let live = |metadata: &str| {
        data("x").replace("metadata: {", &format!("metadata: {{uid: u, {metadata}, "))
    };
    for metadata in [format!("{marks}, {managers}"), marks.to_owned()] {
        let found = applied_by(Applier::Helm, &live(&metadata), &data("z"));
        assert_eq!(fields(&found), ["data[a]: \"x\" -> \"z\""], "{metadata}");
    }
}

#[test]
fn helm_3_leaves_what_others_changed_in_a_custom_resource() {
    let workflow = |entrypoint: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Workflow\nmetadata: {{name: a, namespace: n}}\nspec: {{entrypoint: {entrypoint}}}\n"
        )
    };
    let live = workflow("edited").replace("metadata: {", "metadata: {uid: u, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{\"spec\": {\"entrypoint\": \"main\"}}'}, ");
    let found = applied_by(Applier::Helm, &live, &workflow("main"));
    let (fields, lost, outcomes) = effect(&found);
    assert_eq!((fields.len(), lost), (0, vec!["spec.entrypoint".to_owned()]));
    assert_eq!(outcomes, ["Helm 3 leaves `spec.entrypoint` as in the cluster"]);
}

/// The admission plugins for priorities and tolerations act on updates as well.
#[test]
fn a_replaced_pod_keeps_what_admission_sets() {
    let pod =
        |spec: &str| object("Pod", &format!("spec: {{containers: [{{name: c, image: x}}]{spec}}}"));
    let tolerated = |taint: &str| {
        format!(
            "{{key: node.kubernetes.io/{taint}, operator: Exists, effect: NoExecute, tolerationSeconds: 300}}"
        )
    };
    let (not_ready, unreachable) = (tolerated("not-ready"), tolerated("unreachable"));
    let live = pod(&format!(
        ", priority: 0, preemptionPolicy: PreemptLowerPriority, tolerations: [{not_ready}, {unreachable}]"
    ));
    let live = live.replace("metadata: {", "metadata: {uid: u, ");
    assert_eq!(applied_by(Applier::Replace, &live, &pod("")).objects.len(), 0);
    let all = ", tolerations: [{operator: Exists}]";
    let found = applied_by(Applier::Replace, &live, &pod(all));
    assert_eq!(
        effect(&found).0.len(),
        1,
        "a Pod that tolerates all taints gets no other: {found:?}"
    );
}

/// `kubectl apply` and `apply --server-side` leave the key that the server has copied into `data`; `replace` removes it.
#[test]
fn a_key_of_string_data_stays_when_the_file_gives_it_up() {
    let secret = |data: &str| object("Secret", &format!("stringData: {{{data}}}"));
    let (old, new) = (secret("a: one, b: two"), secret("a: one"));
    for applier in [Applier::Client, Applier::Server, Applier::Flux] {
        let found = applied_by(applier, &old, &new);
        let (fields, _, outcomes) = effect(&found);
        assert_eq!((fields.len(), outcomes), (0, vec!["no effect: the Secret keeps `b`"]));
    }
    assert_eq!(fields(&applied_by(Applier::Replace, &old, &new)).len(), 1);
    let moved = object("Secret", "stringData: {a: one}\ndata: {b: dHdv}");
    assert_eq!(applied_by(Applier::Client, &old, &moved).objects.len(), 0);
}

/// The first request of `kubectl apply --server-side` leaves what client-side apply has set: for a moment, both ports
/// exist. A running server answers `spec.ports: Invalid value: port number cannot be duplicated` to it.
#[test]
fn rules_of_a_definition_are_asked_about_the_merged_object() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: \
                      entries.example.com}\nspec: {group: example.com, scope: Namespaced, names: {plural: entries, kind: \
                      Entry}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, \
                      properties: {spec: {type: object, properties: {ports: {type: array, maxItems: 9, \
                      x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], x-kubernetes-validations: [{rule: \
                      'self.all(a, self.exists_one(b, a.number == b.number))', message: port number cannot be \
                      duplicated}], items: {type: object, required: [name], properties: {name: {type: string, maxLength: \
                      9}, number: {type: integer}}}}}}}}}}]}\n---\n";
    let entry = |metadata: &str, name: &str| {
        format!(
            "{definition}apiVersion: example.com/v1\nkind: Entry\nmetadata: {{name: a, namespace: team{metadata}}}\nspec: {{ports: [{{name: {name}, number: 80}}]}}\n"
        )
    };
    let live = |manager: &str| {
        entry(
            &format!(
                ", uid: u, managedFields: [{{manager: {manager}, apiVersion: example.com/v1, fieldsType: FieldsV1, \
                 fieldsV1: {{'f:spec': {{'f:ports': {{'k:{{\"name\":\"http\"}}': {{'.': {{}}, 'f:name': {{}}, \
                 'f:number': {{}}}}}}}}}}}}]"
            ),
            "http",
        )
    };
    let updated = |manager| updated_by(Applier::Server, &live(manager), &entry("", "web"));
    let notes = updated("kubectl-client-side-apply, operation: Update");
    assert!(notes.iter().any(|note| note.contains("rejects the update")), "{notes:?}");
    assert_eq!(updated("kubectl, operation: Apply"), <[String; 0]>::default());
}
