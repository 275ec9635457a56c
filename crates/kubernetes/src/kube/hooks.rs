//! Hooks, which Helm and Argo CD create at an event and delete by rules of their own: nothing is applied over them.

use super::Object;

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

/// A hook: the program that runs it, and its annotations.
#[derive(Clone, Copy)]
pub struct Hook<'o> {
    program: &'static Program,
    events: &'o str,
    policies: Option<&'o str>,
}

impl<'o> Hook<'o> {
    /// The hook that an object is, if Helm or Argo CD creates it at an event.
    #[must_use]
    pub fn of(object: &'o Object) -> Option<Self> {
        PROGRAMS.iter().find_map(|program| {
            let events = annotation(object, program.hook)?;
            Some(Self { program, events, policies: annotation(object, program.policy) })
        })
    }

    /// Whether it is deleted before it is created again, or is gone by then.
    #[must_use]
    pub fn is_renewed(self) -> bool {
        self.policies.is_none_or(|policies| {
            words(policies)
                .any(|policy| policy == self.program.renews || policy.ends_with("ucceeded"))
        })
    }

    /// The policy that deletes it before it is created again.
    #[must_use]
    pub fn renewing_policy(self) -> &'static str {
        self.program.renews
    }

    /// Whether it runs at an event of another hook.
    #[must_use]
    pub fn shares_event(self, other: Self) -> bool {
        words(self.events).any(|event| words(other.events).any(|other| other == event))
    }

    /// When it runs, after `a hook, which`.
    #[must_use]
    pub fn describe_runs(self) -> &'static str {
        self.program.runs
    }
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim)
}
