//! A rule: one name, one severity, one page of documentation.

use super::Cause;

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input is invalid: nothing is printed, and the exit status is 1.
    Error,
    /// The input is valid, but its behavior is probably not intended.
    Warning,
    /// Additional information.
    Note,
}

impl Severity {
    /// The name in messages and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One rule, which the page `docs/rules/<name>.md` describes.
#[derive(PartialEq, Eq, Debug)]
pub struct Rule {
    /// The name in kebab-case, which describes the fault: `mount-without-volume`. Never reused for
    /// another rule.
    pub name: &'static str,
    /// The severity of a finding.
    pub severity: Severity,
    /// The possible causes of its findings.
    pub follows: &'static [Cause],
}

impl Rule {
    /// A rule whose findings follow from no others.
    #[must_use]
    pub const fn new(name: &'static str, severity: Severity) -> Self {
        Self { name, severity, follows: &[] }
    }
}

/// Declares rules: a static, a kebab-case name and a severity each, followed by the sorted `RULES`
/// list of the module. The page of a rule is the file `docs/rules/<name>.md`. `follows` lists the
/// possible causes of its findings.
///
/// ```text
/// declare_rules! {
///     CONTAINERS_EMPTY = "containers-empty", Error, follows = [Misplaced];
///     TEMPLATE_NOT_FOUND = "template-not-found", Error;
/// }
/// ```
#[macro_export]
macro_rules! declare_rules {
    ($( $name:ident = $rule:literal, $severity:ident $(, follows = [$($cause:ident),+])?; )+) => {
        $(
            #[doc = concat!("The rule of `docs/rules/", $rule, ".md`.")]
            #[allow(unreachable_pub, reason = "some are used by their module alone")]
            pub static $name: $crate::diag::Rule = $crate::diag::Rule {
                name: $rule,
                severity: $crate::diag::Severity::$severity,
                follows: &[$($($crate::diag::Cause::$cause),+)?],
            };
        )+
        /// The rules of this module.
        #[allow(unreachable_pub, reason = "some are used by their module alone")]
        pub static RULES: &[&$crate::diag::Rule] = &[$(&$name),+];
    };
}
pub use crate::declare_rules;
