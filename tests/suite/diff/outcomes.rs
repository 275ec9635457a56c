//! What happens once a difference is applied.

use sandboxc::{Effect, Fate, Paint, render_diff_human};

use super::{compared, deployment, expect, object};

/// The outcome of each object, and its commands. The expected effects are those of Kubernetes'
/// controllers and of upstream's reference of agent-sandbox.
#[track_caller]
fn outcome(old: &str, new: &str, effect: Effect, text: &str, commands: &[&str]) {
    let found = compared(old, new);
    let outcome = found.objects[0].outcome.as_ref().expect("an outcome");
    assert_eq!((outcome.effect, outcome.text.as_str()), (effect, text), "{new}");
    assert_eq!(outcome.commands, commands, "{new}");
}

#[test]
fn pods_restart_if_their_template_changes() {
    let image = |spec: &str, tag: u8| {
        deployment(spec, &format!("containers: [{{name: a, image: 'b:{tag}'}}]"))
    };
    outcome(
        &image("", 1),
        &image("", 2),
        Effect::Restarts,
        "Pods restart: the Pod template changed",
        &[],
    );
    let recreate = "strategy: {type: Recreate}";
    let all_stop = "Pods restart: all stop before new ones start (strategy `Recreate`)";
    outcome(&image(recreate, 1), &image(recreate, 2), Effect::Restarts, all_stop, &[]);
    outcome(
        &image("paused: true", 1),
        &image("paused: true", 2),
        Effect::Waits,
        "the Deployment is paused: its Pods restart once it is resumed",
        &["kubectl rollout resume deployment/web"],
    );
    outcome(
        &image("", 1),
        &image("replicas: 4", 1),
        Effect::AtOnce,
        "scales from 1 to 4 replicas; no other Pod restarts",
        &[],
    );
    let daemons = |tag| {
        image("updateStrategy: {type: OnDelete}", tag)
            .replace("kind: Deployment", "kind: DaemonSet")
    };
    outcome(
        &daemons(1),
        &daemons(2),
        Effect::Waits,
        "Pods keep the old template until they are deleted (strategy `OnDelete`)",
        &["kubectl delete pods -l app=web"],
    );
}

#[test]
fn immutable_fields_name_the_command_that_replaces_the_object() {
    let old = deployment("", "containers: [{name: a, image: b}]")
        .replace("name: web", "name: web, namespace: prod");
    outcome(
        &old,
        &old.replace("app: web", "app: other"),
        Effect::Replaced,
        "rejected: `spec.selector` is immutable; delete it without its Pods, then apply; Pods that the \
         new selector does not match stay until they are deleted",
        &["kubectl delete deployment/web -n prod --cascade=orphan"],
    );
    let job = |image: &str| {
        format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec: {{template: {{spec: {{restartPolicy: Never, \
             containers: [{{name: a, image: '{image}'}}]}}}}}}\n"
        )
    };
    outcome(
        &job("b:1"),
        &job("b:2"),
        Effect::Replaced,
        "rejected: `spec.template` is immutable; delete it, then apply",
        &["kubectl delete job/a"],
    );
    outcome(
        &object("ConfigMap", "immutable: true\ndata: {a: x}"),
        &object("ConfigMap", "immutable: true\ndata: {a: y}"),
        Effect::Replaced,
        "rejected: the old object is immutable; delete it and apply, or use a new name",
        &["kubectl delete configmap/a"],
    );
    let binding = |role: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{name: a}}\n\
             roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: {role}}}\nsubjects: []\n"
        )
    };
    outcome(
        &binding("x"),
        &binding("z"),
        Effect::Replaced,
        "rejected: `roleRef` is immutable; delete it, then apply; access is lost in between",
        &["kubectl delete rolebinding/a"],
    );
}

#[test]
fn environment_variables_never_follow_a_config_map() {
    let map = |value: &str| object("ConfigMap", &format!("data: {{k: {value}}}"));
    let env = "containers: [{name: a, image: 'b:1', envFrom: [{configMapRef: {name: a}}]}]";
    let volume =
        "containers: [{name: a, image: 'b:1'}], volumes: [{name: v, configMap: {name: a}}]";
    let both = |value: &str, pod: &str| format!("{}---\n{}", map(value), deployment("", pod));
    outcome(
        &both("x", env),
        &both("z", env),
        Effect::Waits,
        "Deployment/web keeps the old environment variables until the Pods restart",
        &["kubectl rollout restart deployment/web"],
    );
    outcome(
        &both("x", volume),
        &both("z", volume),
        Effect::AtOnce,
        "volumes of Deployment/web follow within minutes, except with `subPath`",
        &[],
    );
    outcome(
        &both("x", env),
        &both("z", &env.replace("b:1", "b:2")),
        Effect::AtOnce,
        "Deployment/web restarts anyway and reads it",
        &[],
    );
    outcome(
        &map("x"),
        &map("z"),
        Effect::Later,
        "volumes follow within minutes, environment variables only in new Pods; no Pod restarts",
        &[],
    );
}

#[test]
fn pools_and_claims_keep_what_runs() {
    let resource = |group: &str, kind: &str, name: &str, spec: &str| {
        format!(
            "apiVersion: {group}/v1beta1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"
        )
    };
    let of_extensions = |kind: &str, name: &str, spec: &str| {
        resource("extensions.agents.x-k8s.io", kind, name, spec)
    };
    let template = |image: &str| {
        let pod = format!("podTemplate: {{spec: {{containers: [{{name: a, image: '{image}'}}]}}}}");
        of_extensions("SandboxTemplate", "t", &pod)
    };
    let pool = |rest: &str| {
        of_extensions("SandboxWarmPool", "p", &format!("sandboxTemplateRef: {{name: t}}{rest}"))
    };
    let both = |image: &str, strategy: &str| format!("{}---\n{}", template(image), pool(strategy));
    let recreate = ", updateStrategy: {type: Recreate}";
    outcome(
        &both("b:1", ""),
        &both("b:2", ""),
        Effect::Later,
        "idle members of SandboxWarmPool/p become stale, and claims can still adopt them \
         (`OnReplenish`); claimed sandboxes keep their Pods",
        &[],
    );
    outcome(
        &both("b:1", recreate),
        &both("b:2", recreate),
        Effect::Restarts,
        "idle members of SandboxWarmPool/p are deleted and created again at once; claimed sandboxes \
         keep their Pods",
        &[],
    );
    outcome(
        &pool(""),
        &pool(", replicas: 5"),
        Effect::AtOnce,
        "scales from 1 to 5 idle members; claimed sandboxes stay",
        &[],
    );
    let claim =
        |pool: &str| of_extensions("SandboxClaim", "c", &format!("warmPoolRef: {{name: {pool}}}"));
    outcome(
        &claim("p"),
        &claim("q"),
        Effect::Later,
        "a bound claim keeps its old sandbox; its Pod gets the metadata and the NetworkPolicy of the \
         new template",
        &[],
    );
    let sandbox = |image: &str| {
        let pod = format!("podTemplate: {{spec: {{containers: [{{name: a, image: '{image}'}}]}}}}");
        resource("agents.x-k8s.io", "Sandbox", "s", &pod)
    };
    outcome(
        &sandbox("b:1"),
        &sandbox("b:2"),
        Effect::Waits,
        "the running Pod keeps its old spec until it is deleted and created again",
        &["kubectl delete pod/s"],
    );
}

#[test]
fn a_name_that_a_shell_would_read_is_not_part_of_a_command() {
    let map =
        |name: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: '{name}'}}\n");
    let found = compared(&map("a; rm -rf ~"), &map("b"));
    let removed = found.objects.iter().find(|it| it.fate == Fate::Removed).unwrap();
    assert!(removed.outcome.as_ref().unwrap().commands.is_empty());
}

#[test]
fn what_the_server_refuses_of_an_update_is_a_finding() {
    let class = |value: &str| {
        format!(
            "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: a}}\n{value}\n"
        )
    };
    let attached = |name: &str| {
        format!(
            "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {{name: a}}\nspec:\n  \
             attacher: a.example.com\n  nodeName: n\n  source: {{persistentVolumeName: {name}}}\n"
        )
    };
    for (old, new, rules) in [
        (class("value: 1"), class("value: 2"), &["field-immutable"][..]),
        (class("value: 1"), class("value: 1\ndescription: b"), &[]),
        (attached("a"), attached("b"), &["field-immutable"]),
        (object("Secret", "type: a\n"), object("Secret", "type: b\n"), &["field-immutable"]),
    ] {
        let found = compared(&old, &new);
        let [change] = &*found.objects else { panic!("{found:?}") };
        let names: Vec<_> = change.findings.iter().map(|it| it.rule.name).collect();
        assert_eq!(names, rules, "{old}\n{new}");
        let shown = render_diff_human(&found, false, Paint::Plain);
        assert!(rules.iter().all(|it| shown.contains(it)), "{shown}");
        let effect = change.outcome.as_ref().map(|it| it.effect);
        assert_eq!(effect == Some(Effect::Replaced), !rules.is_empty(), "{shown}");
    }
}

/// What the API server, and the controllers of volumes and `StatefulSets`, delete together with an object.
#[test]
fn removed_objects_say_what_their_deletion_takes_along() {
    let text = |old: &str| {
        let found = compared(old, "");
        assert_eq!(found.objects[0].fate, Fate::Removed);
        found.objects[0].outcome.as_ref().unwrap().text.clone()
    };
    let stays = "stays in the cluster until it is deleted";
    assert_eq!(text(&object("ConfigMap", "")), stays);
    let expected = format!("{stays}; its deletion deletes all objects in it");
    assert_eq!(text(&object("Namespace", "")), expected);
    let claim = text(&object("PersistentVolumeClaim", "spec: {}"));
    assert!(
        claim.ends_with("deletes the data, unless the reclaim policy of its volume is `Retain`")
    );
    let set = |rest: &str| {
        deployment(rest, "containers: []").replace("kind: Deployment", "kind: StatefulSet")
    };
    let claims = "volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]";
    assert_eq!(text(&set(claims)), format!("{stays}; the claims of its Pods stay even then"));
    let deleted =
        format!("{claims}\n  persistentVolumeClaimRetentionPolicy: {{whenDeleted: Delete}}");
    assert_eq!(text(&set(&deleted)), stays);
}

/// What the owners that the controllers of agent-sandbox write delete (agent-sandbox sheet, 3.3).
#[test]
fn removed_sandboxes_say_what_their_deletion_takes_along() {
    let text = |version: &str, kind: &str, spec: &str| {
        let old = format!(
            "apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a, namespace: b}}\nspec: {spec}\n"
        );
        let found = compared(&old, "");
        let text = &found.objects[0].outcome.as_ref().unwrap().text;
        text.strip_prefix("stays in the cluster until it is deleted").unwrap().to_owned()
    };
    let (sandboxes, extensions) = ("agents.x-k8s.io/v1beta1", "extensions.agents.x-k8s.io/v1beta1");
    let pod = "podTemplate: {spec: {containers: [{name: a, image: 'a:1'}]}}";
    let claims = "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]";
    let sandbox = text(sandboxes, "Sandbox", &format!("{{{pod}}}"));
    assert_eq!(sandbox, "; its deletion deletes its Pod");
    let with_data = text(sandboxes, "Sandbox", &format!("{{{pod}, {claims}}}"));
    assert_eq!(with_data, "; its deletion deletes its Pod, and its volume claims with their data");
    let claim = text(extensions, "SandboxClaim", "{warmPoolRef: {name: a}}");
    assert_eq!(claim, "; its deletion deletes its Sandbox, with the Pod and the volume claims");
    let pool = text(extensions, "SandboxWarmPool", "{replicas: 1, sandboxTemplateRef: {name: a}}");
    assert_eq!(pool, "; its deletion deletes idle members; those that claims have adopted run on");
    let template = text(extensions, "SandboxTemplate", &format!("{{{pod}}}"));
    let expected = "; its deletion deletes its NetworkPolicy; Pods of claims run on without it";
    assert_eq!(template, expected);
    let unmanaged = format!("{{{pod}, networkPolicyManagement: Unmanaged}}");
    assert_eq!(text(extensions, "SandboxTemplate", &unmanaged), "");
}

/// Sets of files can have several forms of an object, of which a cluster has one.
#[test]
fn a_form_of_an_object_that_another_file_has_is_not_deleted() {
    let of = |value: &str| object("ConfigMap", &format!("data: {{a: {value}}}"));
    let both = format!("{}---\n{}", of("one"), of("two"));
    outcome(&both, &of("one"), Effect::Nothing, "another file still has the object", &[]);
    let last = "another file has the object too: the last one that is applied wins";
    outcome(&of("one"), &both, Effect::AtOnce, last, &[]);
}

/// Transition rules of custom resources only say what is wrong; what an object owns is deleted with it.
#[test]
fn an_object_whose_rule_rejects_the_change_is_deleted_by_hand() {
    let task = |prompt: &str| {
        format!(
            "apiVersion: kelos.dev/v1alpha2\nkind: Task\nmetadata: {{name: a}}\nspec: {{type: claude-code, \
             prompt: {prompt}, credentials: {{type: none}}}}\n"
        )
    };
    outcome(
        &task("a"),
        &task("b"),
        Effect::Replaced,
        "rejected: `spec` cannot be changed in this way; restore it, or delete the object with all that it \
         owns, then apply",
        &["kubectl delete task.kelos.dev/a"],
    );
}

/// Helm gives a test Pod another name in each rendering, and deletes it by its own rules.
#[test]
fn a_hook_is_not_deleted_by_hand() {
    let pod = |name: &str, annotation: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, annotations: {{{annotation}: test}}}}\nspec: \
             {{restartPolicy: Never, containers: [{{name: c, image: 'x:1'}}]}}\n"
        )
    };
    let renamed = "a hook, created under the new name when it runs";
    let (old, new) = ("web-test-abcde", "web-test-fghij");
    for hook in ["helm.sh/hook", "argocd.argoproj.io/hook"] {
        outcome(&pod(old, hook), &pod(new, hook), Effect::Created, renamed, &[]);
    }
    let text = "created under the new name; the old object stays until it is deleted";
    let command = format!("kubectl delete pod/{old}");
    outcome(&pod(old, "a/b"), &pod(new, "a/b"), Effect::Stays, text, &[&command]);
}

/// The admission plugin `PersistentVolumeClaimResize` asks the class.
#[test]
fn a_claim_grows_if_its_class_in_the_input_allows_it() {
    let claim = |class: &str, size: u8| {
        let class = format!(
            "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: fixed}}\nprovisioner: a.example.com\n{class}---\n"
        );
        let spec = format!(
            "spec: {{storageClassName: fixed, accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {size}Gi}}}}}}"
        );
        format!("{class}{}", object("PersistentVolumeClaim", &spec))
    };
    let rejected = "rejected: `spec.resources.requests[storage]` cannot be changed in this way";
    outcome(&claim("", 1), &claim("", 2), Effect::Replaced, rejected, &[]);
    let allowed = "allowVolumeExpansion: true\n";
    outcome(&claim(allowed, 1), &claim(allowed, 2), Effect::AtOnce, "the volume grows", &[]);
}

#[test]
fn what_a_program_keeps_is_said() {
    let map = |annotation: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, annotations: {{{annotation}}}}}\n"
        )
    };
    let removed = |annotation: &str| {
        let found = compared(&map(annotation), "");
        let outcome = found.objects[0].outcome.clone().unwrap();
        outcome.text.strip_prefix("stays in the cluster until it is deleted").unwrap().to_owned()
    };
    assert_eq!(removed("helm.sh/resource-policy: keep"), ": Helm keeps it");
    let options = "argocd.argoproj.io/sync-options: 'Validate=false, Prune=false'";
    assert_eq!(removed(options), ": Argo CD does not prune it");
    assert_eq!(removed("kustomize.toolkit.fluxcd.io/prune: disabled"), ": Flux does not prune it");
    assert_eq!(removed("kustomize.toolkit.fluxcd.io/prune: enabled"), "");
}

/// Helm deletes a hook after its run or before the next one, by its policies.
#[test]
fn a_hook_that_stays_already_exists_at_its_next_event() {
    let hook = |policy: &str, value: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, annotations: {{helm.sh/hook: pre-upgrade, \
             helm.sh/hook-delete-policy: {policy}}}}}\ndata: {{a: {value}}}\n"
        )
    };
    let text = "rejected: the hook already exists at its next event; delete it, or add `before-hook-creation` to its \
                delete policy";
    let command = ["kubectl delete configmap/a"];
    outcome(&hook("hook-failed", "b"), &hook("hook-failed", "c"), Effect::Replaced, text, &command);
    let text = "a hook, which runs again at its next event in Helm";
    for policy in ["before-hook-creation", "hook-succeeded"] {
        outcome(&hook(policy, "b"), &hook(policy, "c"), Effect::Later, text, &[]);
    }
}

#[test]
fn definitions_of_a_chart_are_installed_once() {
    let definition = |source: &str, kind: &str| {
        format!(
            "---\n# Source: a/{source}/a.yaml\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
             metadata: {{name: as.b.c}}\nspec: {{group: b.c, scope: Namespaced, names: {{plural: as, kind: A, shortNames: \
             [{kind}]}}, versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]}}\n"
        )
    };
    let details = |source: &str| {
        let found = compared(&definition(source, "x"), &definition(source, "y"));
        found.objects[0].outcome.clone().unwrap().details
    };
    let text = "Helm installs `crds/` once and never updates it: apply the file with kubectl";
    assert!(details("crds").contains(&text.to_owned()));
    assert!(!details("templates").contains(&text.to_owned()));
}

/// In 0.5, `v1alpha1` has the default `TCP`; both forms are one stored object.
#[test]
fn a_move_to_a_newer_release_only_shows_the_version() {
    let template = |version: &str, port: &str| {
        format!(
            "apiVersion: extensions.agents.x-k8s.io/{version}\nkind: SandboxTemplate\nmetadata: {{name: a}}\n\
             spec: {{podTemplate: {{spec: {{containers: [{{name: c, image: 'x:1', ports: [{{containerPort: 80{port}}}]}}]}}}}}}\n"
        )
    };
    let (old, new) = (template("v1alpha1", ""), template("v1beta1", ", protocol: TCP"));
    let text = "no effect: only the version in which it is written changes";
    outcome(&old, &new, Effect::Nothing, text, &[]);
    let group = "extensions.agents.x-k8s.io";
    let version = format!(r#"apiVersion: "{group}/v1alpha1" -> "{group}/v1beta1""#);
    expect(&old, &new, &[&version]);
}

#[test]
fn rules_of_an_aggregated_role_are_those_of_its_controller() {
    let role = |rules: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: a}}\naggregationRule: \
             {{clusterRoleSelectors: [{{matchLabels: {{b: c}}}}]}}\nrules: [{rules}]\n"
        )
    };
    let pods = role("{apiGroups: [''], resources: [pods], verbs: [get]}");
    let text = "no effect: the aggregation controller writes `rules` again";
    outcome(&pods, &role(""), Effect::Nothing, text, &[]);
}
