//! Hooks, which Helm and Argo CD create at an event and delete by rules of their own: nothing is applied over them.

use crate::kube::Object;
use crate::lower::{Effect, Outcome};

/// A program that runs hooks.
struct Program {
    /// The annotation that names the event.
    hook: &'static str,
    /// The annotation that says when a hook is deleted.
    policy: &'static str,
    /// The policy that deletes it before it is created again. It is the default.
    renews: &'static str,
    /// When a hook runs.
    runs: &'static str,
}

const PROGRAMS: [Program; 2] = [
    Program {
        hook: "helm.sh/hook",
        policy: "helm.sh/hook-delete-policy",
        renews: "before-hook-creation",
        runs: "runs again at its next event in Helm",
    },
    Program {
        hook: "argocd.argoproj.io/hook",
        policy: "argocd.argoproj.io/hook-delete-policy",
        renews: "BeforeHookCreation",
        runs: "runs again at the next sync",
    },
];

fn annotation<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    object.root.str_at(&["metadata", "annotations", key])
}

fn program_of(object: &Object) -> Option<&'static Program> {
    PROGRAMS.iter().find(|program| annotation(object, program.hook).is_some())
}

/// Whether Helm or Argo CD creates an object at an event.
pub(super) fn is_hook(object: &Object) -> bool {
    program_of(object).is_some()
}

/// Whether a hook is deleted before it is created again, or is gone by then.
pub(super) fn is_renewed(old: &Object, new: &Object) -> bool {
    let (Some(_), Some(program)) = (program_of(old), program_of(new)) else { return false };
    let policies = annotation(old, program.policy);
    policies.is_none_or(|policies| {
        let mut policies = policies.split(',').map(str::trim);
        policies.any(|policy| policy == program.renews || policy.ends_with("ucceeded"))
    })
}

/// What happens to a changed hook.
pub(super) fn outcome(new: &Object) -> Option<Outcome> {
    let program = program_of(new)?;
    Some(Outcome::new(Effect::Later, format!("a hook, which {}", program.runs)))
}
