//! What client-side `kubectl apply` makes of a change. The expected results are those of kubectl on a running server.

use sandboxc::Diff;

use super::{compared, deployment, fields, object};

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
    let found = compared(&pod("serviceAccountName: bot, "), &pod("serviceAccountName: default, "));
    assert_eq!(fields_of(&found), [r#"spec.template.spec.serviceAccountName: "bot" -> "default""#]);
}

fn fields_of(found: &Diff) -> Vec<String> {
    effect(found).0
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
