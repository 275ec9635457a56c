//! A small system that uses every feature of a kind: an example of a dialect's files, and a test of
//! the interfaces for dialects.

use k8s_openapi::api::core::v1::{Container, PodSpec};

use super::{PodFields, Recipe, Refused};
use crate::decode::{Choice, Listed, Record as _, Text, choice, definition};
use crate::diag::{Reported, Sink};
use crate::kube::{Hidden, Object, SharedKinds};
use crate::limits::Fuel;
use crate::lower::{
    self, Definition, Dialect, Instance, Instances, Kind, Lowering, ObjectKey, Override,
    SettingsBlock, Setup, read_and, same_name,
};
use crate::merge::{GUARDED_FIELD, Guard, Hold, Name, Row, Step, Strategy};
use crate::parallel::Blocks;
use crate::schema::KubernetesVersion;
use crate::source::Workspace;
use crate::tree::{Node, Origin};
use crate::yaml;

choice! {
    /// Forms of output.
    pub(crate) enum Target {
        /// Jobs.
        Jobs = "jobs",
        /// Custom resources.
        Resources = "resources",
    }
}

definition! {
    /// Settings of the sample system.
    pub(crate) struct SampleSettings in "Project.spec.sample" {
        /// Output of Tasks: `jobs` (the default) or `resources`.
        "target" optional target: Choice<Target>,
        /// Image of all Tasks.
        "image" optional image: Text,
    }
}

definition! {
    /// A directory that tasks share.
    pub(crate) struct PlaceSpec in "Place.spec" {
        /// Mount path.
        "path" required path: Text,
    }
}

definition! {
    /// One run of an agent.
    pub(crate) struct ChoreSpec in "Chore.spec" {
        flatten pod: PodFields,
        /// Name of the Place, in the same namespace.
        "place" required place: Text,
        /// Names of the Chores that run first.
        "after" optional after: Listed<Text>,
    }
}

static SAMPLE: Dialect = Dialect {
    name: "sample",
    kinds: &[
        Kind {
            name: "Place",
            document: Definition::<PlaceSpec>::DOCUMENT,
            docs: PlaceSpec::DOCS,
            is_referenced: true,
            can_fail: true,
            compiles_to: &[],
            declares: same_name,
            moved: &[],
            lower: |_, _| Ok(()),
        },
        Kind {
            name: "Chore",
            document: Definition::<ChoreSpec>::DOCUMENT,
            docs: ChoreSpec::DOCS,
            is_referenced: true,
            can_fail: true,
            compiles_to: &[("batch", "Job")],
            declares: objects_of_chore,
            moved: &[],
            lower: |instance, lowering| read_and(instance, lowering, lower_chore),
        },
        // No kind may have another type than its documents.
        Kind {
            name: "Mistake",
            document: Definition::<PlaceSpec>::DOCUMENT,
            docs: PlaceSpec::DOCS,
            is_referenced: false,
            can_fail: true,
            compiles_to: &[],
            declares: same_name,
            moved: &[],
            lower: |instance, lowering| read_and(instance, lowering, lower_chore),
        },
    ],
    settings: Some(SettingsBlock::of::<SampleSettings>("sample", "Settings of the sample.")),
    check_definitions: check_order,
    ..Dialect::EMPTY
};

const CONTAINER: &str = "agent";
/// The author's arguments follow those of the system.
static ROWS: &[Row<'static>] = &[Row {
    object: "io.k8s.api.core.v1.Container",
    field: "args",
    strategy: Strategy::Append,
    reason: "the system adds its own arguments",
}];
static GUARDS: &[Guard<'static>] = &[Guard {
    field: &[Step::Key(Name::Is("volumes")), Step::Item("name", Name::StartsWith("sample-"))],
    hold: Hold::Unset,
    rule: &GUARDED_FIELD,
    owner: "the sample system",
    place: None,
    noun: None,
    help: "use another name",
}];
static REFUSED: &[Refused] =
    &[Refused { field: "command", owner: "the entry point of the agent", help: "remove it" }];

/// The objects that a faulty Chore would have produced.
fn objects_of_chore(instance: &Instance, setup: &Setup) -> Vec<ObjectKey> {
    let name = instance.name();
    match setup.target() {
        Some(Target::Resources) => vec![ObjectKey::of(instance, "sample.dev", "Chore", name)],
        _ => vec![
            ObjectKey::of(instance, "batch", "Job", name),
            ObjectKey::of(instance, "", "ConfigMap", format!("{name}-prompt")),
        ],
    }
}

fn lower_chore(
    definition: Definition<ChoreSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, ChoreSpec { pod, place, after: _ }) = definition.open();
    let place = lowering.instances.find::<PlaceSpec>(frame.namespace(), &place, lowering.sink)?;
    let PlaceSpec { path } = place.spec;
    let image =
        lowering.setup.settings::<SampleSettings>().and_then(|settings| settings.image.clone());

    let base = PodSpec {
        containers: vec![Container { name: CONTAINER.into(), ..Container::default() }],
        restart_policy: Some("Never".into()),
        ..PodSpec::default()
    };
    let recipe = Recipe {
        container: CONTAINER,
        base: Some(frame.typed(&base)),
        rows: ROWS,
        guards: GUARDS,
        refused: REFUSED,
        ..Recipe::PLAIN
    };
    let pod = recipe.build(vec![pod.into()], frame.managed(), lowering.sink);
    let pod = pod.secure(frame.managed(), lowering.targets, lowering.sink);

    let mut template = frame.map();
    template.set_some("metadata", pod.metadata);
    template.set("spec", pod.spec);
    let labels = frame
        .map_of("sample.dev/image", image.map_or_else(|| frame.string("none"), Text::into_node));
    let spec = frame.map_of("template", template);
    lowering
        .object(&frame, "batch/v1", "Job")
        .owned_labels(labels, "the sample")
        .set("spec", spec)
        .emit();
    lowering
        .object(&frame, "v1", "ConfigMap")
        .name(frame.name_with(|name| format!("{name}-prompt")))
        .set("data", frame.map_of("path", path.into_node()))
        .emit();
    let rules = frame.list([]);
    lowering
        .object(&frame, "rbac.authorization.k8s.io/v1", "ClusterRole")
        .cluster_scoped()
        .set("rules", rules)
        .emit();
    Ok(())
}

/// Requires each Chore in `after` to exist.
fn check_order(instances: &Instances<'_>, _: &Setup, sink: &mut Sink) {
    for Definition { metadata, spec, .. } in instances.of_kind::<ChoreSpec>() {
        let namespace = metadata.namespace.as_ref().map_or("", Text::as_str);
        for name in spec.after.iter().flat_map(|it| &it.items) {
            // A missing Place is reported by the search.
            let _ = instances.find::<ChoreSpec>(namespace, name, sink);
        }
    }
}

static SYSTEMS: &[&Dialect] = &[&SAMPLE];

/// Compiles and returns the objects and findings, one per line.
fn run(text: &str, project: &str) -> (Vec<String>, Vec<String>, Vec<ObjectKey>) {
    let mut workspace = Workspace::new();
    let file = workspace.add("sample.yaml", text);
    let mut sink = Sink::new();
    let documents = yaml::documents(file, workspace.file(file).text(), &mut sink).read;
    let mut definitions = Blocks::default();
    for document in documents {
        definitions.push((document.root, document.span));
    }
    let nowhere = Origin::source(workspace.start());
    let block: serde_json::Value = serde_json::from_str(project).unwrap();
    let block = Some(Node::from_json(block, nowhere));
    let setups = [Setup::new(&SAMPLE, block, &[], nowhere)];
    let shared = SharedKinds::default();
    let fuel = Fuel::of_run(0);
    let cx = lower::LoweringContext {
        dialects: SYSTEMS,
        setups: &setups,
        targets: KubernetesVersion::NEWEST.into(),
        texts: &workspace,
        shared: &shared,
        namespace: None,
        external: &[],
        is_summarized: false,
        fuel: &fuel,
    };
    let (mut objects, mut hidden) = (Vec::new(), Hidden::default());
    let lowered = lower::run(cx, definitions, Vec::new(), &mut objects, &mut hidden, &mut sink);
    let show =
        |object: &Object| format!("{} {} {}", object.gvk, object.name, object.root.to_json());
    let findings = sink.into_sorted().into_iter();
    let findings = findings
        .map(|finding| format!("{}: {}", finding.rule.name, finding.details().message.as_prose()))
        .collect();
    let absent = lowered.broken.into_iter().flat_map(|it| it.objects).collect();
    (objects.iter().map(show).collect(), findings, absent)
}

const PLACE: &str = "
apiVersion: sandboxc.dev/v1alpha1
kind: Place
metadata: {name: work}
spec: {path: /work}
---
";

fn chore(metadata: &str, spec: &str) -> String {
    let head = "apiVersion: sandboxc.dev/v1alpha1\nkind: Chore\n";
    format!("{PLACE}{head}metadata: {{name: a{metadata}}}\nspec: {{image: i, {spec}}}\n")
}

#[test]
fn a_definition_becomes_any_number_of_objects() {
    let text = chore(", namespace: team, labels: {team: red}", "place: work");
    let text = text.replace("{name: work}", "{name: work, namespace: team}");
    let (objects, findings, absent) = run(&text, r#"{"image": "x"}"#);
    assert!(findings.is_empty() && absent.is_empty(), "{findings:?}");
    let [job, map, role] = objects.as_slice() else { panic!("{objects:?}") };
    let metadata = r#""metadata":{"name":"a","namespace":"team","labels":{"sample.dev/image":"x","team":"red"}}"#;
    assert!(job.starts_with("batch/v1, Kind=Job a ") && job.contains(metadata), "{job}");
    assert!(job.contains(r#""containers":[{"name":"agent","image":"i""#), "{job}");
    assert!(job.contains(r#""restartPolicy":"Never""#), "{job}");
    assert_eq!(
        map,
        r#"v1, Kind=ConfigMap a-prompt {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a-prompt","namespace":"team","labels":{"team":"red"}},"data":{"path":"/work"}}"#
    );
    assert!(
        role.ends_with(r#""metadata":{"name":"a","labels":{"team":"red"}},"rules":[]}"#),
        "{role}"
    );
}

#[test]
fn fields_of_the_system_are_guarded() {
    let (_, findings, _) = run(
        &chore(
            ", labels: {sample.dev/image: other}",
            "place: work, command: [a], volumes: [{name: sample-x, emptyDir: {}}], \
             podOverrides: {containers: [{name: agent, command: [b]}]}",
        ),
        "{}",
    );
    assert_eq!(
        findings,
        [
            "guarded-field: `metadata.labels.sample.dev/image` cannot be changed here: it is reserved for the sample",
            "guarded-field: `spec.command` cannot be set here: it belongs to the entry point of the agent",
            "guarded-field: `spec.volumes[0]` cannot be set here: it is reserved for the sample system",
            "guarded-field: `spec.podOverrides.containers[0].command` cannot be set here: it belongs to the entry point of the agent",
        ]
    );
}

#[test]
fn a_name_that_is_missing_is_reported_once() {
    let (objects, findings, absent) = run(&chore("", "place: wrok, after: [b]"), "{}");
    assert!(objects.is_empty());
    assert_eq!(
        findings,
        [
            "definition-not-found: Place `wrok` not found in the input",
            "definition-not-found: Chore `b` not found in the input",
        ]
    );
    let names: Vec<_> =
        absent.iter().map(|reference| (reference.kind, reference.name.as_str())).collect();
    assert_eq!(names, [("Job", "a"), ("ConfigMap", "a-prompt")]);
}

#[test]
fn a_broken_definition_is_not_missing_and_has_the_objects_of_its_target() {
    let text = chore("", "place: work").replace("path: /work", "paht: /work");
    let (_, findings, absent) = run(&text, r#"{"target": "resources"}"#);
    assert!(findings.iter().all(|it| !it.contains("not-found")), "{findings:?}");
    let kinds: Vec<_> = absent.iter().map(|reference| (reference.group, reference.kind)).collect();
    assert_eq!(kinds, [("sample.dev", "Chore")]);
}

#[test]
fn a_definition_that_its_own_schema_misdescribes_is_not_lost() {
    let (objects, findings, _) = run(&PLACE.replace("Place", "Mistake"), "{}");
    assert!(objects.is_empty());
    assert_eq!(findings, ["internal: the Mistake is not compiled: its fields cannot be read"]);
}

#[test]
fn the_command_line_selects_an_existing_value() {
    let find = |system, field, value| Override::find(SYSTEMS, system, field, value);
    assert_eq!(find("sample", "target", "resources").map(|it| it.value), Ok("resources"));
    for (wrong, message) in [
        (
            ("simple", "target", "jobs"),
            "`simple` has no setting `target`; the systems that have it: `sample`",
        ),
        (
            ("sample", "target", "pods"),
            "unknown target `pods` of `sample`; write one of `jobs`, `resources`",
        ),
        (("sample", "shade", "red"), "no system has a setting `shade`"),
    ] {
        assert_eq!(find(wrong.0, wrong.1, wrong.2).map(|it| it.value), Err(message.to_owned()));
    }
}
