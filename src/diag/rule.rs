//! A rule: one name, one severity, one page of documentation.

use super::Cause;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input cannot work as it is: nothing is printed, exit status 1.
    Error,
    /// It is accepted, but does something most authors do not expect.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// As shown to people and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One rule.
#[derive(PartialEq, Eq, Debug)]
pub struct Rule {
    /// Kebab-case, and says the bad thing: `mount-without-volume`. Never reused for another rule.
    pub name: &'static str,
    /// How bad a finding is.
    pub severity: Severity,
    /// Its page in `docs/rules/`: a title, the severity, and what it checks, why, with examples.
    pub page: &'static str,
    /// What its findings can follow from.
    pub(crate) follows: &'static [Cause],
}

impl Rule {
    /// A rule whose findings follow from no others.
    #[must_use]
    pub const fn new(name: &'static str, severity: Severity, page: &'static str) -> Self {
        Self { name, severity, page, follows: &[] }
    }
}

/// Declares rules: a static, a kebab-case name and a severity each, and at the end the sorted
/// `RULES` list of the module. The page of a rule is the file `docs/rules/<name>.md`. What its findings
/// can follow from is `follows`.
///
/// ```text
/// declare_rules! {
///     CONTAINERS_EMPTY = "containers-empty", Error, follows = [Misplaced];
///     TEMPLATE_NOT_FOUND = "template-not-found", Error;
/// }
/// ```
macro_rules! declare_rules {
    ($( $name:ident = $rule:literal, $severity:ident $(, follows = [$($cause:ident),+])?; )+) => {
        $(
            #[doc = concat!("The rule of `docs/rules/", $rule, ".md`.")]
            pub(crate) static $name: $crate::diag::Rule = $crate::diag::Rule {
                name: $rule,
                severity: $crate::diag::Severity::$severity,
                page: include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"), "/docs/rules/", $rule, ".md"
                )),
                follows: &[$($($crate::diag::Cause::$cause),+)?],
            };
        )+
        /// The rules of this module.
        pub(crate) static RULES: &[&$crate::diag::Rule] = &[$(&$name),+];
    };
}
pub(crate) use declare_rules;
