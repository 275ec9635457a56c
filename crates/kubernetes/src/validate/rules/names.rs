//! Fields that name another object.

use super::judge::{Absence, Judge};
use crate::diag::declare_rules;
use crate::scalar::{
    Fault, check_dns_label, check_dns_prefix, check_dns_subdomain, check_path_segment,
    check_service_name,
};
use crate::tree::Node;

declare_rules! {
    REFERENCE_NAME_INVALID = "reference-name-invalid", Error;
}

/// The grammar of the names of a kind.
#[derive(Clone, Copy)]
pub(super) struct NameForm {
    check: fn(&str) -> Result<(), Fault>,
    help: &'static str,
}

impl NameForm {
    /// Names of most kinds: DNS subdomains.
    pub(super) const OBJECT: Self =
        Self { check: check_dns_subdomain, help: "use lowercase letters, digits, `-` and `.`" };
    /// Like `OBJECT`, with an optional trailing dash for the characters that the server adds.
    pub(super) const PREFIX: Self = Self { check: check_dns_prefix, ..Self::OBJECT };
    /// Namespaces, and Services of newer servers.
    pub(super) const LABEL: Self =
        Self { check: check_dns_label, help: "use at most 63 lowercase letters, digits and `-`" };
    /// Services of older servers.
    pub(super) const OLD_SERVICE: Self = Self {
        check: check_service_name,
        help: "use at most 63 lowercase letters, digits and `-`, starting with a letter",
    };
    /// Kinds, and names of objects of any kind.
    pub(super) const SEGMENT: Self =
        Self { check: check_path_segment, help: "write a name without `/` and `%`" };
    /// Names of roles.
    pub(super) const ROLE: Self =
        Self { check: check_path_segment, help: "write the name of a role, without `/` and `%`" };
}

/// Checks a required name.
pub(super) fn needed_name(
    judge: &mut Judge<'_>,
    owner: &Node,
    field: &'static str,
    absence: Absence,
    form: NameForm,
) {
    let needed = judge.needed_node(owner, field, absence);
    check_name(judge, needed.map(|(node, _)| node), form);
}

/// Checks a name, if it is present.
pub(super) fn check_name<'n>(
    judge: &mut Judge<'_>,
    node: impl Into<Option<&'n Node>>,
    form: NameForm,
) {
    let help = |_: &str| form.help.into();
    judge.form(node, (&REFERENCE_NAME_INVALID, "name"), form.check, help);
}
