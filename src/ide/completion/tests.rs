//! Completions in whole and half documents.

use super::*;
use crate::schema::Versions;
use crate::source::Workspace;

/// The completions at `|` of the first text; the others are the rest of the project.
fn offered(marked: &str, others: &[&str]) -> Vec<Completion> {
    let offset = marked.find('^').unwrap();
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", marked.replacen('^', "", 1));
    for (number, text) in others.iter().enumerate() {
        workspace.add(format!("{number}.yaml"), *text);
    }
    completion(&Index::of(&workspace, Versions::NONE), 0, offset)
}

fn labels(marked: &str, others: &[&str]) -> Vec<String> {
    offered(marked, others).into_iter().map(|it| it.label).collect()
}

/// The text after a completion is accepted.
fn accepted(marked: &str, others: &[&str], label: &str) -> String {
    let found = offered(marked, others);
    let found = found.iter().find(|it| it.label == label);
    let found = found.unwrap_or_else(|| panic!("{label}: {:?}", labels(marked, others)));
    let mut text = marked.replacen('^', "", 1);
    text.replace_range(found.range.clone(), &found.text);
    if let Some((at, beside)) = &found.beside {
        text.insert_str(*at, beside);
    }
    text
}

const TEMPLATE: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: python}\nspec: {image: a:1}\n";

#[test]
fn a_definition_has_its_fields() {
    let pool =
        "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: a}\nspec:\n  re^\n";
    let found = offered(pool, &[]);
    let labels: Vec<_> = found.iter().map(|it| it.label.as_str()).collect();
    // Those of `docs/language.md`, the required one first.
    assert_eq!(labels, ["template", "autoscaling", "replicas", "updateStrategy"]);
    assert_eq!(found[2].detail, "integer");
    assert_eq!(
        found[2].docs,
        "Number of idle sandboxes. Defaults to 1. Omit it with `autoscaling`."
    );
    let expected = pool.replace("re^", "autoscaling:\n    ");
    assert_eq!(accepted(pool, &[], "autoscaling"), expected);
    assert_eq!(accepted(pool, &[], "replicas"), pool.replace("re^", "replicas: "));
}

/// A definition whose schema has the fields of all objects, and labels.
const WIDGETS: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
    metadata: {name: widgets.example.com, labels: {team: a}}\nspec:\n  group: example.com\n  \
    scope: Namespaced\n  names: {kind: Widget, plural: widgets}\n  versions:\n  - name: v1\n    \
    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
    properties:\n          apiVersion: {type: string}\n          kind: {type: string}\n          \
    labels: {additionalProperties: {type: string}, type: object}\n";

#[test]
fn the_fields_of_all_objects_are_offered_once() {
    let widget = "^\nkind: Widget\napiVersion: example.com/v1\n";
    assert_eq!(labels(widget, &[WIDGETS]), ["metadata", "labels"]);
    let widget = "apiVer^sion: example.com/v1\nkind: Widget\n";
    assert_eq!(labels(widget, &[WIDGETS]), ["apiVersion", "metadata", "labels"]);
}

#[test]
fn a_schema_has_no_labels() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    ^\n---\nkind: Pod\nmetadata: {labels: {app: a}}\n";
    assert_eq!(labels(pod, &[WIDGETS]), ["app"]);
}

#[test]
fn existing_fields_are_not_offered_again() {
    let pool = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nspec:\n  replicas: 1\n  ^\n  template: a\n";
    assert_eq!(labels(pool, &[]), ["autoscaling", "updateStrategy"]);
    let renamed = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nspec:\n  repl^icas: 1\n";
    assert!(labels(renamed, &[]).contains(&"replicas".to_owned()));
    assert_eq!(accepted(renamed, &[], "template"), renamed.replace("repl^icas", "template"));
}

#[test]
fn kubernetes_kinds_have_the_fields_of_the_target_version() {
    let pod = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      ^\n";
    let all = labels(pod, &[]);
    assert!(all.contains(&"image".to_owned()) && all.contains(&"restartPolicyRules".to_owned()));
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {kubernetes: '1.33'}\n";
    // Container.restartPolicyRules is new in Kubernetes 1.34.
    assert!(!labels(pod, &[project]).contains(&"restartPolicyRules".to_owned()));
    let list = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    ^\n";
    assert_eq!(accepted(list, &[], "name"), list.replace('^', "- name: "));
    let flow = "apiVersion: v1\nkind: Pod\nspec: {containers: [{na^";
    assert_eq!(accepted(flow, &[], "name"), flow.replace("na^", "name: "));
}

#[test]
fn fields_that_the_server_sets_are_last() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  ^\n";
    let labels = labels(pod, &[]);
    let at = |name: &str| labels.iter().position(|it| it == name).unwrap();
    assert!(at("ownerReferences") < at("creationTimestamp"), "{labels:?}");
    assert_eq!(labels.last().unwrap(), "uid");
}

#[test]
fn custom_resources_have_the_fields_of_their_definitions() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n\
        spec:\n  group: example.com\n  scope: Namespaced\n  names: {kind: Widget, plural: widgets}\n  versions:\n  - name: v1\n    \
        served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            \
        type: object\n            properties:\n              size: {type: string, enum: [small, large], description: The size.}\n";
    let widget = "apiVersion: example.com/v1\nkind: Widget\nspec:\n  ^\n";
    let found = offered(widget, &[definition]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].label.as_str(), found[0].docs.as_str()), ("size", "The size."));
    let value = "apiVersion: example.com/v1\nkind: Widget\nspec:\n  size: ^\n";
    assert_eq!(labels(value, &[definition]), ["large", "small"]);
    assert!(labels("kind: Wid^", &[definition]).contains(&"Widget".to_owned()));
}

#[test]
fn closed_lists_of_values_are_offered() {
    let pod = "apiVersion: v1\nkind: Pod\nspec:\n  restartPolicy: ^\n";
    assert_eq!(labels(pod, &[]), ["Always", "Never", "OnFailure"]);
    let pod = "apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: t^\n";
    assert_eq!(labels(pod, &[]), ["false", "true"]);
    let modes = "apiVersion: v1\nkind: PersistentVolumeClaim\nspec:\n  accessModes: [^]\n";
    assert_eq!(accepted(modes, &[], "ReadWriteOnce"), modes.replace('^', "ReadWriteOnce"));
}

#[test]
fn the_first_key_of_an_item_is_offered_before_it_has_a_colon() {
    let pod = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - imagePull^\n";
    assert_eq!(accepted(pod, &[], "imagePullPolicy"), pod.replace("Pull^", "PullPolicy: "));
    // Items that are not maps have values.
    let mode =
        "apiVersion: v1\nkind: PersistentVolumeClaim\nspec:\n  accessModes:\n  - ReadWriteO^\n";
    assert!(labels(mode, &[]).contains(&"ReadWriteOnce".to_owned()));
}

#[test]
fn names_come_from_the_project() {
    let pool = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: a}\nspec: {template: ^}\n";
    assert_eq!(labels(pool, &[TEMPLATE]), ["python"]);
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {user: a, password: b}\n";
    let external = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  external: [secret/creds, {kind: Secret, name: other}]\n";
    let pod = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    env:\n    - name: A\n      valueFrom:\n        secretKeyRef:\n          name: ";
    assert_eq!(labels(&format!("{pod}^"), &[secret, external]), ["creds", "other", "token"]);
    let key = format!("{pod}token\n          key: ^\n");
    assert_eq!(labels(&key, &[secret]), ["password", "user"]);
    let mount = "apiVersion: v1\nkind: Pod\nspec:\n  volumes: [{name: data}]\n  containers:\n  - name: a\n    volumeMounts:\n    - name: ^\n";
    assert_eq!(labels(mount, &[]), ["data"]);
}

#[test]
fn a_kind_brings_its_version() {
    let text = "kind: Deploy^\n";
    assert_eq!(accepted(text, &[], "Deployment"), "apiVersion: apps/v1\nkind: Deployment\n");
    let text = "apiVersion: ^\nkind: CronJob\n";
    assert_eq!(labels(text, &[]), ["batch/v1"]);
    // Each version once, although many kinds have it.
    let versions = labels("apiVersion: ^\n", &[]);
    for version in ["v1", "apps/v1", "batch/v1"] {
        assert_eq!(versions.iter().filter(|it| *it == version).count(), 1, "{versions:?}");
    }
    let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: ^\n";
    assert!(labels(text, &[]).contains(&"WarmPool".to_owned()));
    assert!(!labels(text, &[]).contains(&"Pod".to_owned()));
}

#[test]
fn an_empty_document_offers_the_start_of_each_kind() {
    let expected = "a: 1\n---\napiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata:\n  name: \nspec:\n  template: \n";
    assert_eq!(accepted("a: 1\n---\nWarm^", &[], "WarmPool"), expected);
    let found = offered("^", &[]);
    let pool = found.iter().find(|it| it.label == "WarmPool").unwrap();
    assert!(pool.snippet.ends_with("name: $1\nspec:\n  template: $2\n"), "{}", pool.snippet);
    let pod = found.iter().find(|it| it.label == "Pod").unwrap();
    assert!(pod.snippet.ends_with("spec:\n  containers:\n    - name: $2\n"), "{}", pod.snippet);
}

#[test]
fn an_exception_names_a_rule() {
    let text = "# sandboxc: allow secret-not^\n";
    assert_eq!(accepted(text, &[], "secret-not-found"), "# sandboxc: allow secret-not-found\n");
    assert!(labels("# sandboxc: allow a because ^\n", &[]).is_empty());
}

#[test]
fn expressions_read_the_values_of_the_project() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  values: {image: {tag: a}}\n  environments:\n    prod:\n      values: {replicas: 3}\n";
    let head = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nexpand: {items: [{team: a}, {size: 1}]}\nmetadata: {name: a}\nspec:\n  image: ";
    assert_eq!(labels(&format!("{head}\"{{{{ values.^"), &[project]), ["image", "replicas"]);
    assert_eq!(labels(&format!("{head}\"{{{{ values.image.^"), &[project]), ["tag"]);
    assert_eq!(labels(&format!("{head}\"{{{{ item.^"), &[project]), ["size", "team"]);
    let all = labels(&format!("{head}\"{{{{ ^"), &[project]);
    assert_eq!(all, ["environment", "index", "item", "values"]);
    assert!(labels(&format!("{head}\"{{{{ values.x | lo^"), &[]).contains(&"lower".to_owned()));
    // A character of several bytes before the name.
    assert_eq!(labels(&format!("{head}\"{{{{ \u{a0}values.image.^"), &[project]), ["tag"]);
}

#[test]
fn custom_resources_can_name_objects_and_their_keys() {
    let secret =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: creds}\nstringData: {ID: a, KEY: b}\n";
    let cluster = |spec: &str| {
        format!(
            "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {{name: main}}\nspec:\n  {spec}\n"
        )
    };
    assert_eq!(labels(&cluster("superuserSecret:\n    name: ^"), &[secret]), ["creds"]);
    let key = cluster("accessKeyId:\n    name: creds\n    key: ^");
    assert_eq!(labels(&key, &[secret]), ["ID", "KEY"]);
    let own = format!("{}---\n{}", cluster("secretName: ^"), secret.replace("creds", "own"));
    assert_eq!(labels(&own, &[secret]), ["own", "creds"]);
    assert_eq!(labels(&cluster("activeService: ^"), &[secret]), Vec::<String>::new());
}
