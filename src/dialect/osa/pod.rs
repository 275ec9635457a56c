//! The Pod of a hook or a source: the server's fields, and the guards that keep authors from
//! changing them.

use k8s_openapi::api::core::v1::{
    Capabilities, Container, EmptyDirVolumeSource, EnvVar, PersistentVolumeClaimVolumeSource,
    PodDNSConfig, PodSecurityContext, PodSpec, ResourceRequirements, SeccompProfile,
    SecurityContext, Volume, VolumeMount,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;

use super::identity::{Identity, Role};
use super::runner::RunnerSpec;
use crate::decode::{Field as _, Text};
use crate::lower::{Frame, Lowering};
use crate::merge::{GUARDED_FIELD, Guard, Hold, Name, Step};
use crate::tree::{Node, Value};
use crate::workload::{PodFields, PodTemplate, Recipe};

/// The user and group of all containers, which own no files.
const NOBODY: i64 = 65534;
/// Size of `/tmp` of a hook, whose root file system is read-only.
const TMP_SIZE: &str = "512Mi";
/// The name server of hooks. The API server requires one, and this one never answers.
const NO_NAME_SERVER: &str = "127.0.0.1";
const INPUT: &str = "/osa/in";
const OUTPUT: &str = "/osa/out";
const FILES: &str = "/osa/files";

/// The directories of a run on the data volume.
#[derive(Debug)]
pub(super) struct Mounts {
    /// Parent of `input` and `output`.
    pub(super) work: String,
    /// The record files.
    pub(super) files: Option<String>,
}

/// An environment variable.
#[derive(Debug)]
pub(super) struct Variable {
    /// `OSA_LIMIT`.
    pub(super) name: &'static str,
    /// Its value.
    pub(super) value: String,
}

/// The inputs of the lowest layer of the Pod.
pub(super) struct Base<'b> {
    /// The identity of the run.
    pub(super) identity: &'b Identity<'b>,
    /// Limits of the container.
    pub(super) resources: [(&'static str, String); 2],
    /// The directories of the run.
    pub(super) mounts: Mounts,
    /// Variables in addition to those of every run.
    pub(super) variables: Vec<Variable>,
}

impl Base<'_> {
    /// The partial PodSpec that the server would create, without the fields that the author or the
    /// Runner sets.
    pub(super) fn build(self, runner: Option<&RunnerSpec>, frame: &Frame) -> Node {
        let role = self.identity.role;
        let is_hook = role == Role::Hook;
        let container = self.container();
        let typed = PodSpec {
            restart_policy: Some("Never".to_owned()),
            automount_service_account_token: Some(false),
            security_context: Some(PodSecurityContext {
                run_as_non_root: Some(true),
                fs_group: Some(NOBODY),
                seccomp_profile: Some(runtime_default()),
                ..PodSecurityContext::default()
            }),
            dns_policy: is_hook.then(|| "None".to_owned()),
            dns_config: is_hook.then(|| PodDNSConfig {
                nameservers: Some(vec![NO_NAME_SERVER.to_owned()]),
                ..PodDNSConfig::default()
            }),
            containers: vec![container],
            volumes: Some(base_volumes(is_hook)),
            ..PodSpec::default()
        };
        let mut pod = frame.typed(&typed);
        let Some(runner) = runner else { return pod };
        let account = runner.service_account_name.clone();
        pod.set_some("serviceAccountName", account.map(Text::into_node));
        pod.set_some("imagePullSecrets", runner.image_pull_secrets.clone().map(|it| it.node));
        claim_data(&mut pod, runner);
        pod
    }

    fn container(self) -> Container {
        let Self { identity, resources, mounts, variables } = self;
        let role = identity.role;
        let mut env = vec![
            literal_variable("OSA_IN", INPUT.to_owned()),
            literal_variable("OSA_OUT", OUTPUT.to_owned()),
            literal_variable("OSA_FILES", FILES.to_owned()),
        ];
        env.extend(identity.hook.map(|hook| literal_variable("OSA_HOOK_NAME", hook.to_owned())));
        env.extend(variables.into_iter().map(|entry| literal_variable(entry.name, entry.value)));
        let limits = resources.map(|(name, amount)| (name.to_owned(), Quantity(amount)));
        Container {
            name: role.as_str().to_owned(),
            env: Some(env),
            resources: Some(ResourceRequirements {
                limits: Some(limits.into()),
                ..ResourceRequirements::default()
            }),
            security_context: Some(SecurityContext {
                read_only_root_filesystem: (role == Role::Hook).then_some(true),
                capabilities: Some(Capabilities {
                    drop: Some(vec!["ALL".to_owned()]),
                    ..Capabilities::default()
                }),
                allow_privilege_escalation: Some(false),
                run_as_user: Some(NOBODY),
                run_as_group: Some(NOBODY),
                seccomp_profile: Some(runtime_default()),
                ..SecurityContext::default()
            }),
            volume_mounts: Some(volume_mounts(role, mounts)),
            ..Container::default()
        }
    }
}

fn runtime_default() -> SeccompProfile {
    SeccompProfile { type_: "RuntimeDefault".to_owned(), localhost_profile: None }
}

fn literal_variable(name: &str, value: String) -> EnvVar {
    EnvVar { name: name.to_owned(), value: Some(value), value_from: None }
}

fn volume_mounts(role: Role, Mounts { work, files }: Mounts) -> Vec<VolumeMount> {
    let data = |path: &str, sub_path: String, read_only| VolumeMount {
        name: "data".to_owned(),
        mount_path: path.to_owned(),
        sub_path: Some(sub_path),
        read_only,
        ..VolumeMount::default()
    };
    let is_hook = role == Role::Hook;
    let mut mounts = vec![
        data(INPUT, format!("{work}/input"), Some(true)),
        data(OUTPUT, format!("{work}/output"), is_hook.then_some(false)),
    ];
    if is_hook {
        let (name, mount_path) = ("tmp".to_owned(), "/tmp".to_owned());
        mounts.push(VolumeMount { name, mount_path, ..VolumeMount::default() });
    }
    mounts.extend(files.map(|files| data(FILES, files, is_hook.then_some(true))));
    mounts
}

fn base_volumes(is_hook: bool) -> Vec<Volume> {
    let claim = PersistentVolumeClaimVolumeSource::default();
    let data = Volume {
        name: "data".to_owned(),
        persistent_volume_claim: Some(claim),
        ..Volume::default()
    };
    let size =
        EmptyDirVolumeSource { size_limit: Some(Quantity(TMP_SIZE.to_owned())), medium: None };
    let tmp = Volume { name: "tmp".to_owned(), empty_dir: Some(size), ..Volume::default() };
    if is_hook { vec![data, tmp] } else { vec![data] }
}

/// Sets the Runner's claim in the first volume, with the author's span, where a missing claim is
/// reported.
fn claim_data(pod: &mut Node, runner: &RunnerSpec) {
    if let Some(claim) = &runner.data_volume_claim
        && let Some(Value::List(volumes)) = pod.get_mut("volumes").map(|list| &mut list.value)
        && let Some(source) = volumes.first_mut().and_then(|it| it.get_mut("persistentVolumeClaim"))
    {
        source.set("claimName", claim.clone().into_node());
    }
}

const fn key(name: &'static str) -> Step<'static> {
    Step::Key(Name::Is(name))
}

const fn guard(
    field: &'static [Step<'static>],
    hold: Hold,
    owner: &'static str,
    help: &'static str,
) -> Guard<'static> {
    Guard { field, hold, rule: &GUARDED_FIELD, owner, place: None, noun: None, help }
}

const CONTAINERS: Step<'static> = key("containers");
const SECURITY: Step<'static> = key("securityContext");
const CONFINEMENT: &str = "the confinement of untrusted containers";
const REMOVE: &str = "remove it";
const DATA: &str = "the archive's data volume";
const OTHER_VOLUME: &str = "use another volume name";
const OTHER_PATH: &str = "use a mount path outside `/osa`";
const CONTRACT: &str = "the archive, which reserves `OSA_` variables";

/// The guards of the container with this name, and of its Pod.
macro_rules! guards {
    ($container:literal, [$($more:expr),*]) => {{
        const CONTAINER: Step<'static> = Step::Item("name", Name::Is($container));
        const MOUNTS: Step<'static> = key("volumeMounts");
        const IN: &str = "mountPath";
        &[
            guard(&[CONTAINERS, CONTAINER, key("image")], Hold::Same, "the fields `image` and `digest`", "set these fields"),
            guard(&[CONTAINERS, CONTAINER, SECURITY, key("runAsUser")], Hold::Same, CONFINEMENT, REMOVE),
            guard(&[CONTAINERS, CONTAINER, SECURITY, key("runAsGroup")], Hold::Same, CONFINEMENT, REMOVE),
            guard(&[CONTAINERS, CONTAINER, SECURITY, key("allowPrivilegeEscalation")], Hold::Same, CONFINEMENT, REMOVE),
            guard(&[CONTAINERS, CONTAINER, SECURITY, key("seccompProfile")], Hold::Same, CONFINEMENT, REMOVE),
            guard(&[CONTAINERS, CONTAINER, SECURITY, key("capabilities"), key("add")], Hold::Unset, CONFINEMENT, REMOVE),
            guard(&[CONTAINERS, CONTAINER, key("env"), Step::Item("name", Name::StartsWith("OSA_"))], Hold::Unset, CONTRACT, "use another variable name"),
            guard(&[CONTAINERS, CONTAINER, MOUNTS, Step::Item(IN, Name::Is("/osa"))], Hold::Unset, DATA, OTHER_PATH),
            guard(&[CONTAINERS, CONTAINER, MOUNTS, Step::Item(IN, Name::StartsWith("/osa/"))], Hold::Unset, DATA, OTHER_PATH),
            guard(&[SECURITY, key("runAsNonRoot")], Hold::Same, CONFINEMENT, REMOVE),
            guard(&[SECURITY, key("fsGroup")], Hold::Same, CONFINEMENT, REMOVE),
            guard(&[SECURITY, key("seccompProfile")], Hold::Same, CONFINEMENT, REMOVE),
            guard(&[key("volumes"), Step::Item("name", Name::Is("data"))], Hold::Unset, DATA, OTHER_VOLUME),
            guard(&[key("restartPolicy")], Hold::Same, "the archive, which decides about retries", REMOVE),
            guard(&[key("automountServiceAccountToken")], Hold::Same, CONFINEMENT, REMOVE),
            $($more),*
        ]
    }};
}

static HOOK_GUARDS: &[Guard<'static>] = guards!(
    "hook",
    [
        guard(
            &[
                CONTAINERS,
                Step::Item("name", Name::Is("hook")),
                SECURITY,
                key("readOnlyRootFilesystem")
            ],
            Hold::Same,
            CONFINEMENT,
            "write to `/tmp` or `/osa/out`"
        ),
        guard(
            &[
                CONTAINERS,
                Step::Item("name", Name::Is("hook")),
                key("volumeMounts"),
                Step::Item("mountPath", Name::Is("/tmp"))
            ],
            Hold::Unset,
            "the hook's temporary files",
            "use another mount path"
        ),
        guard(
            &[key("volumes"), Step::Item("name", Name::Is("tmp"))],
            Hold::Unset,
            "the hook's temporary files",
            OTHER_VOLUME
        ),
        guard(&[key("dnsPolicy")], Hold::Same, "the isolation of hooks", REMOVE),
        guard(&[key("dnsConfig")], Hold::Same, "the isolation of hooks", REMOVE)
    ]
);
static SOURCE_GUARDS: &[Guard<'static>] = guards!(
    "ingester",
    [guard(
        &[key("dnsPolicy")],
        Hold::Unset,
        "the archive: a source uses the DNS of the cluster",
        REMOVE
    )]
);
static LABEL_GUARDS: &[Guard<'static>] = &[guard(
    &[key("labels"), Step::Key(Name::StartsWith("osa.io/"))],
    Hold::Same,
    "the identity of the Job",
    "use another key",
)];

/// Builds the Pod: the managed layer, and the author's fields over it.
pub(super) fn build(
    role: Role,
    base: Node,
    metadata: Node,
    mut pod: PodFields,
    image: Node,
    frame: &Frame,
    lowering: &mut Lowering<'_, '_>,
) -> PodTemplate {
    pod.container.image = Text::read(image);
    let guards = if role == Role::Hook { HOOK_GUARDS } else { SOURCE_GUARDS };
    let recipe = Recipe {
        container: role.as_str(),
        base: Some(base),
        metadata: Some(metadata),
        guards,
        metadata_guards: LABEL_GUARDS,
        ..Recipe::PLAIN
    };
    let template = recipe.build(vec![pod.into()], frame.managed(), lowering.sink);
    template.secure(frame.managed(), lowering.targets, lowering.sink)
}
