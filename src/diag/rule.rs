//! A rule: one name, one severity, one page of documentation.

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input cannot work as it stands: nothing is printed, exit status 1.
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

/// One rule. Its documentation is the doc comment it is declared with.
#[derive(PartialEq, Eq, Debug)]
pub struct Rule {
    /// Kebab-case, and says the bad thing: `mount-without-volume`. Never reused for another rule.
    pub name: &'static str,
    /// How bad a finding is.
    pub severity: Severity,
    /// Markdown with the headings What it does, Why, Example, Use instead.
    pub docs: &'static str,
}

/// Declares rules: a doc comment, a static and its kebab-case name with a severity each, and at the
/// end the sorted `RULES` list of the module.
///
/// ```text
/// declare_rules! {
///     /// ## What it does
///     /// Refuses a warm pool whose template is not in the input.
///     /// ## Why
///     /// ...
///     /// ## Example
///     /// ```yaml
///     /// (trips the rule)
///     /// ```
///     /// ## Use instead
///     /// ```yaml
///     /// (does not)
///     /// ```
///     TEMPLATE_NOT_FOUND = "template-not-found", Error;
/// }
/// ```
macro_rules! declare_rules {
    ($( $(#[doc = $doc:expr])+ $name:ident = $rule:literal, $severity:ident; )+) => {
        $(
            $(#[doc = $doc])+
            pub(crate) static $name: $crate::diag::Rule = $crate::diag::Rule {
                name: $rule,
                severity: $crate::diag::Severity::$severity,
                docs: concat!($($doc, "\n"),+),
            };
        )+
        /// The rules of this module, by name.
        pub(crate) static RULES: &[&$crate::diag::Rule] = &[$(&$name),+];
    };
}
pub(crate) use declare_rules;
