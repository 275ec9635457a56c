//! The Job of a hook or a source: one implementation, with the role as a parameter.

use k8s_openapi::api::batch::v1::JobSpec;
use k8s_openapi::api::core::v1::PodTemplateSpec;

use super::identity::{Convention, Identity, Role};
use super::pod::{self, Mounts, Variable};
use super::rules::{image, limits, paths, runs, settings};
use super::runner::{DEFAULT_JOB_TTL, RunnerSpec};
use super::srn::Srn;
use crate::decode::{Anything, Integer, Mapped, Quantity, Raw, Text, definition};
use crate::diag::{Reported, Sink};
use crate::lower::{Definition, Faults, Frame, Lowering};
use crate::source::Span;
use crate::tree::Node;
use crate::workload::PodFields;

definition! {
    /// Limits of a container, in the units of the archive, which are those of Docker.
    pub(crate) struct Limits in "Hook.spec.limits" {
        /// Seconds that the container may run. The Job has 120 seconds more, to be scheduled. Defaults to 300
        /// for hooks and to 3600 for sources.
        "timeoutSeconds" optional timeout_seconds: Integer,
        /// Memory: `512m` and `2g` mean `512Mi` and `2Gi`. Defaults to `1g`.
        "memory" optional memory: Text,
        /// CPU: `0.5`, `2`. Defaults to `0.5` for hooks and to `0.25` for sources.
        "cpu" optional cpu: Quantity,
    }
}

definition! {
    /// The fields that hooks and sources share.
    pub(crate) struct JobFields in "job fields" {
        /// Name of the Runner, in the same namespace.
        "runner" required runner: Text,
        /// Digest of the image, `sha256:` and 64 hex digits. The Job runs `<image>@<digest>`.
        "digest" required digest: Text,
        /// Configuration of the container. The server writes it to `/osa/in/config.json`; the Job does not
        /// contain it.
        "config" optional config: Raw<Mapped<Anything>>,
        /// Limits of the container. Memory and CPU can be set in `resources.limits` instead.
        "limits" optional limits: Limits,
    }
}

definition! {
    /// The fields that the runs of hooks and sources share.
    pub(crate) struct RunFields in "run fields" {
        /// Id of the ingest run.
        "runId" optional run_id: Text,
        /// Index of the batch in its run.
        "batch" optional batch: Integer,
        /// Directory of the run on the data volume, as the server sees it. The container sees its `input` as
        /// `/osa/in`, and its `output` as `/osa/out`.
        "workDir" required work_dir: Text,
    }
}

/// The default limits of a container.
struct Defaults {
    timeout: i64,
    cpu: &'static str,
}

/// An image in the place of a missing one.
const STAND_IN_IMAGE: &str = "unnamed";
/// A path in the place of an invalid one.
const STAND_IN_PATH: &str = "unnamed";
/// The default memory limit of a container.
const DEFAULT_MEMORY: &str = "1Gi";

impl Role {
    const fn defaults(self) -> Defaults {
        match self {
            Self::Hook => Defaults { timeout: 300, cpu: "500m" },
            Self::Source => Defaults { timeout: 3600, cpu: "250m" },
        }
    }
}

/// The seconds that the server allows for scheduling a Pod.
const SCHEDULING_SECONDS: i64 = 120;

/// A hook or a source, without the parts that only one kind has.
#[derive(Debug)]
pub(super) struct Work {
    /// Hook or source.
    pub(super) role: Role,
    /// Name of the hook.
    pub(super) hook: Option<String>,
    /// The fields of the Pod.
    pub(super) pod: PodFields,
    /// The fields that hooks and sources share.
    pub(super) fields: JobFields,
    /// The run, without which no Job is compiled.
    pub(super) run: Option<Run>,
    /// The faults so far.
    pub(super) faults: Faults,
}

/// One run.
#[derive(Debug)]
pub(super) struct Run {
    /// The fields that all runs have.
    pub(super) fields: RunFields,
    /// Directory of the record files.
    pub(super) files_dir: Option<Text>,
    /// The deposition that a hook validates.
    pub(super) deposition: Option<Srn>,
    /// The convention of a source.
    pub(super) convention: Option<Convention>,
    /// Variables in addition to those of every run.
    pub(super) variables: Vec<Variable>,
}

/// Compiles the Job, if there is a run and its Runner uses Kubernetes. All checks run, even after
/// faults.
pub(super) fn lower(
    work: Work,
    frame: &Frame,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let Work { role, hook, mut pod, fields, run, mut faults } = work;
    let sink = &mut *lowering.sink;
    let name = &fields.runner;
    let found = lowering.instances.find::<RunnerSpec>(frame.namespace(), name, sink);
    let definition = faults.or_none(Some(found));
    let is_partial = lowering.instances.is_partial::<RunnerSpec>(frame.namespace(), name.as_str());
    let environment = definition.map(|runner| Environment::of(runner, is_partial, &mut faults));
    let own_image = pod.container.image.as_ref();
    let pinned = image::check(frame, role, own_image, &fields.digest, sink);
    let image = faults.or(pinned, || {
        own_image.cloned().map_or_else(|| frame.string(STAND_IN_IMAGE), Text::into_node)
    });
    if let Err(reported) = limits::check_profile(pod.security.as_ref(), sink) {
        faults.add(reported);
        pod.security = None;
    }
    let limits = check_limits(role, &pod, fields.limits.as_ref(), &mut faults, sink);
    let Some(run) = run else {
        faults.outcome()?;
        runs::report_missing(frame, role, sink);
        return Ok(());
    };
    let batch = faults.or(runs::check_fields(&run.fields, sink), || None);
    let mount = environment.as_ref().and_then(Environment::mount);
    let mounts = check_mounts(&run, mount, &mut faults, sink);
    let runner = environment.map(|it| it.runner);
    if runner.as_ref().is_some_and(|it| !it.is_kubernetes()) {
        return faults.outcome();
    }
    let identity = Identity {
        role,
        hook: hook.as_deref(),
        deposition: run.deposition.as_ref(),
        convention: run.convention.as_ref(),
        run: run.fields.run_id.as_ref().map(Text::as_str),
        batch,
        digest: fields.digest.as_str(),
    };
    let variables = run.variables;
    let job = Job { identity, runner: runner.as_ref(), image, limits, mounts, variables };
    job.emit(pod, frame, lowering);
    faults.outcome()
}

/// A Runner without its invalid settings.
struct Environment {
    runner: RunnerSpec,
    /// Whether the mount path of the data volume is that of the Runner or, without one, the default.
    is_mount_known: bool,
}

impl Environment {
    /// The environment of a Runner, which may already lack faulty fields. Faults are reported with the
    /// Runner.
    fn of(runner: Definition<RunnerSpec>, is_partial: bool, faults: &mut Faults) -> Self {
        let (frame, mut runner) = runner.open();
        let had_path = runner.data_mount_path.is_some() || is_partial;
        if runner.is_kubernetes() {
            faults.or(settings::check(&frame, &runner, &mut Sink::unused()), || ());
            settings::remove_invalid(&mut runner);
        }
        let is_mount_known = runner.data_mount_path.is_some() || !had_path;
        Self { runner, is_mount_known }
    }

    /// The mount path of the data volume, and where it is set.
    fn mount(&self) -> Option<(&str, Option<Span>)> {
        let place = self.runner.data_mount_path.as_ref().map(Text::span);
        self.is_mount_known.then(|| (self.runner.mount_path(), place))
    }
}

/// Deadline of a Job, memory and CPU of its container.
#[derive(Debug)]
struct CheckedLimits {
    deadline: i64,
    memory: String,
    cpu: String,
}

fn check_limits(
    role: Role,
    pod: &PodFields,
    own: Option<&Limits>,
    faults: &mut Faults,
    sink: &mut Sink,
) -> CheckedLimits {
    let defaults = role.defaults();
    let resources = pod.container.resources.as_ref().map(|it| &it.node);
    faults.or(limits::check_separate(own, resources, sink), || ());
    let timeout = own.and_then(|limits| limits.timeout_seconds.as_ref());
    let timeout = timeout.map(|seconds| limits::check_timeout(seconds, sink));
    let memory = own.and_then(|limits| limits.memory.as_ref());
    let memory = memory.map(|amount| limits::check_memory(amount, sink));
    let cpu = own.and_then(|limits| limits.cpu.as_ref());
    let cpu = cpu.map(|amount| limits::check_cpu(amount, sink));
    CheckedLimits {
        deadline: faults.or_none(timeout).unwrap_or(defaults.timeout) + SCHEDULING_SECONDS,
        memory: faults.or_none(memory).unwrap_or_else(|| DEFAULT_MEMORY.to_owned()),
        cpu: faults.or_none(cpu).unwrap_or_else(|| defaults.cpu.to_owned()),
    }
}

/// The directories of a run. If the mount path of the volume is not known, they can be anywhere.
fn check_mounts(
    run: &Run,
    mount: Option<(&str, Option<Span>)>,
    faults: &mut Faults,
    sink: &mut Sink,
) -> Mounts {
    let work = paths::check(&run.fields.work_dir, "workDir", mount, sink);
    let files_dir = run.files_dir.as_ref();
    let files = files_dir.map(|path| paths::check(path, "filesDir", mount, sink));
    Mounts { work: faults.or(work, || STAND_IN_PATH.to_owned()), files: faults.or_none(files) }
}

/// All inputs of a Job except the author's fields of the Pod.
struct Job<'j> {
    identity: Identity<'j>,
    /// `None` for one that cannot be read.
    runner: Option<&'j RunnerSpec>,
    image: Node,
    limits: CheckedLimits,
    mounts: Mounts,
    variables: Vec<Variable>,
}

impl Job<'_> {
    fn emit(self, pod: PodFields, frame: &Frame, lowering: &mut Lowering<'_, '_>) {
        let Self { identity, runner, image, limits, mounts, variables } = self;
        let resources = [("memory", limits.memory), ("cpu", limits.cpu)];
        let base = pod::Base { identity: &identity, resources, mounts, variables };
        let base = base.build(runner, frame);
        let mut labels = frame.map();
        labels.set_all(
            identity.labels().into_iter().map(|label| (label.key, frame.text(label.value))),
        );
        let mut annotations = frame.map();
        let values = identity.annotations().into_iter();
        annotations.set_all(values.map(|(key, value)| (key, frame.text(value))));

        let metadata = frame.map_of("labels", labels.clone());
        let pod = pod::build(identity.role, base, metadata, pod, image, frame, lowering);
        let mut spec = frame.typed(&JobSpec {
            backoff_limit: Some(0),
            active_deadline_seconds: Some(limits.deadline),
            template: PodTemplateSpec::default(),
            ..JobSpec::default()
        });
        let ttl = runner.and_then(|runner| runner.job_ttl_seconds.clone());
        let ttl = ttl.map_or_else(|| frame.int(DEFAULT_JOB_TTL), Integer::into_node);
        spec.set("ttlSecondsAfterFinished", ttl);
        let template = [("metadata", pod.metadata), ("spec", Some(pod.spec))];
        spec.set("template", frame.map_with(template));
        lowering
            .object(frame, "batch/v1", "Job")
            .name(frame.text(identity.job_name()))
            .owned_labels(labels, "the identity of the Job")
            .annotations(annotations)
            .set("spec", spec)
            .emit();
    }
}
