//! Checks a Pod against a level, and words the findings.

use super::{PodSecurityLevel, Profile, confinement, host, identity, privilege, volume_types};
use crate::diag::{Diagnostic, Message, Rule, Sink, brief, message, with_article};
use crate::schema::KubernetesVersion;
use crate::source::Span;
use crate::tree::{Node, Path};

/// The lists of containers, all of which are checked against the same rules.
pub const CONTAINER_LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// The Pod that is checked.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// The PodSpec, with all layers merged.
    pub spec: &'s Node,
    /// The metadata of the Pod or the Pod template, and its path: annotations set profiles too.
    pub metadata: Option<(&'s Node, Path<'s>)>,
    /// The path of the PodSpec in its object: `spec.template.spec`.
    pub path: Path<'s>,
    /// The source of the level.
    pub level: Level,
}

/// The source of a level. A finding can also be resolved by lowering the level there. The span is
/// where the author set it, if anywhere.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// The field `security` of a definition, whose layer is already merged.
    Definition(Option<Span>),
    /// A policy for the whole run.
    Policy(Option<Span>),
    /// A label of the namespace.
    Namespace(Span),
}

/// Reports each field of a Pod that `held_to` forbids, as the admission of the target version
/// would, and returns whether there is none.
pub fn check(
    subject: &Subject<'_>,
    held_to: PodSecurityLevel,
    target: KubernetesVersion,
    sink: &mut Sink,
) -> bool {
    let profile = held_to.profile();
    if profile == Profile::Privileged {
        return true;
    }
    let spec = subject.spec;
    let minor = held_to.minor(target);
    let mut check = Check {
        subject,
        profile,
        minor,
        pinned: held_to.pinned(),
        is_windows: is_windows(spec) && minor >= WINDOWS_MINOR,
        has_user_namespace: uses_user_namespace(spec, minor),
        is_satisfied: true,
        sink,
    };
    for control in CONTROLS {
        control(&mut check);
        if !check.is_satisfied && check.sink.is_unused() {
            break;
        }
    }
    check.is_satisfied
}

/// The minor version since which `restricted` requires no Linux fields of Windows Pods.
const WINDOWS_MINOR: u32 = 25;

/// The controls of the standards, in their documented order; findings are sorted by position later.
const CONTROLS: &[fn(&mut Check<'_>)] = &[
    host::check_host_process,
    host::check_host_namespaces,
    host::check_host_ports,
    host::check_probe_hosts,
    privilege::check_privileged,
    privilege::check_capabilities,
    privilege::check_escalation,
    privilege::check_proc_mount,
    confinement::check_apparmor,
    confinement::check_seccomp,
    confinement::check_selinux,
    confinement::check_sysctls,
    identity::check_run_as_non_root,
    identity::check_run_as_user,
    volume_types::check_volumes,
];

/// Whether the Pod says that it runs on Windows.
pub fn is_windows(spec: &Node) -> bool {
    spec.str_at(&["os", "name"]) == Some("windows")
}

/// Whether the Pod has its own user namespace, and the minor version of the standard relaxes
/// controls for it (1.35).
pub fn uses_user_namespace(spec: &Node, minor: u32) -> bool {
    minor >= 35 && spec.get("hostUsers").and_then(Node::as_bool) == Some(false)
}

pub(super) struct Check<'c> {
    pub(super) subject: &'c Subject<'c>,
    pub(super) profile: Profile,
    /// The minor version of the standard.
    pub(super) minor: u32,
    /// The pinned version of the standard, unless it is the latest.
    pub(super) pinned: Option<u32>,
    /// Whether the Pod runs on Windows and the version of the standard takes that into account.
    pub(super) is_windows: bool,
    pub(super) has_user_namespace: bool,
    is_satisfied: bool,
    sink: &'c mut Sink,
}

/// An owner of a security context: the Pod, or one of its containers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holder<'n> {
    pub(super) node: &'n Node,
    /// The list of containers and the index in it; `None` for the Pod.
    list: Option<(&'static str, usize)>,
}

impl<'n> Holder<'n> {
    /// The name of the container; `None` for the Pod.
    pub(super) fn name(&self) -> Option<&'n str> {
        self.list.and_then(|_| self.node.str_at(&["name"]))
    }

    /// `the Pod`, or `container 'server'`.
    pub(super) fn describe(&self) -> Message {
        let kind = match self.list {
            None => return "the Pod".into(),
            Some(("initContainers", _)) => "init container",
            Some(("ephemeralContainers", _)) => "ephemeral container",
            Some(_) => "container",
        };
        match self.node.str_at(&["name"]) {
            Some(name) => message!("{kind} `{}`", brief(name)),
            None => message!("{} without a name", with_article(kind)),
        }
    }

    /// A value of its security context.
    pub(super) fn security(&self, keys: &[&str]) -> Option<&'n Node> {
        self.node.get("securityContext")?.at(keys)
    }

    /// The span to report when a value is missing.
    pub(super) fn span(&self) -> Span {
        self.node.get("name").map_or_else(|| self.node.span().start_point(), Node::span)
    }
}

/// A control of Pod Security admission.
#[derive(Clone, Copy)]
pub(super) struct Control {
    pub(super) rule: &'static Rule,
    /// Its ID in Pod Security admission.
    pub(super) id: &'static str,
    /// The level that has it.
    pub(super) level: Profile,
    /// The strictest profile that allows the value.
    pub(super) allowed_by: Profile,
}

impl Control {
    /// A control of both standards.
    pub(super) const fn baseline(rule: &'static Rule, id: &'static str) -> Self {
        Self { rule, id, level: Profile::Baseline, allowed_by: Profile::Privileged }
    }

    /// A control that only `restricted` has.
    pub(super) const fn restricted(rule: &'static Rule, id: &'static str) -> Self {
        Self { rule, id, level: Profile::Restricted, allowed_by: Profile::Baseline }
    }
}

/// A violation of a control.
pub(super) struct Fault<'f> {
    pub(super) control: Control,
    pub(super) span: Span,
    /// The path of the field, relative to the holder.
    pub(super) field: &'f str,
    /// The headline up to ", which `restricted` forbids".
    pub(super) what: Message,
    /// The label at the span.
    pub(super) label: Message,
    /// The first repair.
    pub(super) fix: Message,
}

impl<'c> Check<'c> {
    /// The Pod itself.
    pub(super) const fn pod(&self) -> Holder<'c> {
        Holder { node: self.subject.spec, list: None }
    }

    /// All containers.
    pub(super) fn containers(&self) -> Vec<Holder<'c>> {
        let spec = self.subject.spec;
        let items = |list| {
            let items = spec.items_at(&[list]);
            items.iter().enumerate().map(move |(at, node)| Holder { node, list: Some((list, at)) })
        };
        CONTAINER_LISTS.into_iter().flat_map(items).collect()
    }

    /// The Pod and all containers.
    pub(super) fn holders(&self) -> Vec<Holder<'c>> {
        let mut holders = vec![self.pod()];
        holders.extend(self.containers());
        holders
    }

    /// Reports a fault of `holder`.
    pub(super) fn refuse(&mut self, holder: Holder<'_>, fault: Fault<'_>) {
        let base = self.subject.path;
        let path = match holder.list {
            None => base.field(fault.field).to_string(),
            Some((list, index)) => base.field(list).index(index).field(fault.field).to_string(),
        };
        self.report(&path, fault);
    }

    /// Reports a violation at its own path.
    pub(super) fn report(&mut self, path: &str, fault: Fault<'_>) {
        self.is_satisfied = false;
        if self.sink.is_unused() {
            return;
        }
        let Fault { control, span, field: _, what, label, fix } = fault;
        let Control { rule, id, level, allowed_by } = control;
        let profile = self.profile;
        let mut finding =
            Diagnostic::new(rule, span, message!("{what}, which `{profile}` forbids"))
                .at(label)
                .path(&path)
                .note(self.describe(id, level))
                .help(fix);
        finding.is_policy = !matches!(self.subject.level, Level::Namespace(_));
        let (other_way, chosen) = match self.subject.level {
            Level::Definition(chosen) => {
                let default = if chosen.is_none() {
                    message!("; the default is `{profile}`")
                } else {
                    Message::default()
                };
                let way =
                    message!("or set `security: {allowed_by}`, if the Pod requires it{default}");
                (way, chosen)
            }
            Level::Policy(chosen) => {
                let way = if chosen.is_some() {
                    message!("set `enforce: {allowed_by}`")
                } else {
                    message!("use `--policy {allowed_by}`")
                };
                let other = "or exempt its namespace in `podSecurity` of the Project";
                (message!("or {way}, if the Pods require it, {other}"), chosen)
            }
            Level::Namespace(label) => (
                message!(
                    "or set the label of the namespace to `{allowed_by}`, if its Pods require it"
                ),
                Some(label),
            ),
        };
        finding = finding.help(other_way);
        if let Some(chosen) = chosen {
            finding = finding.label(chosen, message!("`{profile}` is set here"));
        }
        self.sink.report(finding);
    }

    fn describe(&self, control: &str, level: Profile) -> Message {
        let version =
            self.pinned.map_or_else(Message::default, |minor| message!(", version 1.{minor}"));
        message!("control `{control}` of the Pod Security Standard `{level}`{version}")
    }
}
