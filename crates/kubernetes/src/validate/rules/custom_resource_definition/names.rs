//! The names of a definition and its kind.

use super::{CRD_APPROVAL_MISSING, CRD_GROUP_INVALID, CRD_NAME_MISMATCH, CRD_NAMES_INVALID};
use crate::diag::{Diagnostic, message};
use crate::scalar::{Fault, Url, check_dns_subdomain, check_service_name};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, filled, items, shown, text_of};

/// The longest DNS label, in bytes.
const LABEL_LIMIT: usize = 63;

/// The suffix that the API server appends to the kind if `listKind` is absent.
const LIST_SUFFIX: &str = "List";

const APPROVAL: &str = "api-approved.kubernetes.io";

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    let group = judge.needed(spec, "group", Absence::BySchema);
    if let (Some(node), Some(group)) = (spec.get("group"), group) {
        check_group(judge, node, group);
        check_approval(judge, node, group);
    }
    let Some(names) = spec.get("names") else { return };
    let plural = judge.needed(names, "plural", Absence::BySchema);
    check_own_name(judge, plural, group);
    for field in ["plural", "singular"] {
        if let Some(node) = filled(names, field) {
            check_name(judge, node, field);
        }
    }
    for field in ["shortNames", "categories"] {
        for name in items(names, field) {
            check_name(judge, name, field.trim_end_matches('s'));
        }
    }
    check_kinds(judge, names);
}

fn check_group(judge: &mut Judge<'_>, node: &Node, group: &str) {
    let shown = shown(group);
    let (message, help) = match check_dns_subdomain(group) {
        Err(fault) => {
            (message!("group `{shown}` {fault}"), "write a lowercase domain, such as `example.com`")
        }
        Ok(()) if !group.contains('.') => (
            message!("group `{shown}` has no dot"),
            "write a domain that you own, such as `tools.example.com`",
        ),
        Ok(()) => return,
    };
    judge.refuse(&CRD_GROUP_INVALID, node, (message, help));
}

/// Checks the approval of protected groups, after `IsProtectedCommunityGroup` and
/// `GetAPIApprovalState` of apiextensions-apiserver's `apihelpers`.
fn check_approval(judge: &mut Judge<'_>, node: &Node, group: &str) {
    let is_of = |owner: &str| {
        group.strip_suffix(owner).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    if !is_of("k8s.io") && !is_of("kubernetes.io") {
        return;
    }
    let object = judge.object;
    let approval = object.root.at(&["metadata", "annotations"]).and_then(|it| it.get(APPROVAL));
    let text = approval.map_or("", text_of);
    let is_address = || {
        Url::parse_request(text).is_some_and(|url| !url.host.is_empty() && !url.scheme.is_empty())
    };
    if text.starts_with("unapproved") || is_address() {
        return;
    }
    let (at, message) = match approval {
        Some(annotation) if !text.is_empty() => {
            (annotation.span(), message!("invalid API approval `{}`", shown(text)))
        }
        _ => (node.span(), message!("group `{}` is reserved for Kubernetes", shown(group))),
    };
    let finding = Diagnostic::new(&CRD_APPROVAL_MISSING, at, message)
        .at("not approved")
        .note("APIs in this group require approval by the Kubernetes community");
    let finding = finding.help(message!(
        "use your own group, or annotate the definition with `{APPROVAL}: <URL of the approval>`, or with a reason that starts with `unapproved`"
    ));
    judge.report(finding, (judge.root(), "metadata.annotations[api-approved.kubernetes.io]"));
}

/// The name of the definition: `things.example.com`.
fn check_own_name(judge: &mut Judge<'_>, plural: Option<&str>, group: Option<&str>) {
    let (Some(plural), Some(group)) = (plural, group) else { return };
    // An invalid part is reported separately.
    if check_service_name(plural).is_err() || check_dns_subdomain(group).is_err() {
        return;
    }
    let object = judge.object;
    let Some(metadata) = object.root.get("metadata") else { return };
    let right = format!("{plural}.{group}");
    let given = |field: &str| {
        let node = metadata.get(field)?;
        Some((node, node.as_str()?)).filter(|(_, text)| !text.is_empty() && *text != right)
    };
    if let Some((node, text)) = given("name") {
        let message = message!("definition of `{right}` is named `{}`", shown(text));
        let finding = Diagnostic::new(&CRD_NAME_MISMATCH, node.span(), message)
            .at("must be `<plural>.<group>`")
            .suggest(node.span(), &right, message!("write `{right}`"));
        judge.report(finding, node);
    }
    if let Some((node, _)) = given("generateName") {
        let message = "definition uses `generateName`";
        let help = message!("write `name: {right}` and remove `generateName`");
        judge.refuse(&CRD_NAME_MISMATCH, node, (message, help));
    }
}

fn check_name(judge: &mut Judge<'_>, node: &Node, what: &str) {
    let what = match what {
        "shortName" => "short name",
        "categorie" => "category",
        other => other,
    };
    let help = |text: &str| match text.to_lowercase().replace(['_', ' ', '.'], "-") {
        near if check_service_name(&near).is_ok() => message!("write `{near}`"),
        _ => "use lowercase letters, digits and `-`, starting with a letter".into(),
    };
    judge.form(node, (&CRD_NAMES_INVALID, what), check_service_name, help);
}

fn check_kinds(judge: &mut Judge<'_>, names: &Node) {
    let Some(kind) = judge.needed(names, "kind", Absence::BySchema) else { return };
    let list_kind = filled(names, "listKind");
    let help = |_: &str| "use letters, digits and `-`, starting with a letter: `MyThing`".into();
    for (field, node) in [("kind", names.get("kind")), ("listKind", list_kind)] {
        judge.form(node, (&CRD_NAMES_INVALID, field), check_kind, help);
    }
    let Some(node) = names.get("kind") else { return };
    match list_kind {
        Some(list_kind) if list_kind.as_str() == Some(kind) => {
            let finding = Diagnostic::new(
                &CRD_NAMES_INVALID,
                list_kind.span(),
                message!("`listKind` is the same as `kind` `{}`", shown(kind)),
            )
            .at("must differ from the kind")
            .label(node.span(), "the kind")
            .help(message!("write `{kind}List`, or remove `listKind`"));
            judge.report(finding, (names, "listKind"));
        }
        None if kind.len() <= LABEL_LIMIT && kind.len() + LIST_SUFFIX.len() > LABEL_LIMIT => {
            let message = message!("default `listKind` `{}{LIST_SUFFIX}` is too long", shown(kind));
            let help = message!("shorten the kind, or set a `listKind` of at most {LABEL_LIMIT}");
            judge.refuse(&CRD_NAMES_INVALID, node, (message, help));
        }
        _ => {}
    }
}

/// A kind can have uppercase letters, and is otherwise a DNS label.
fn check_kind(text: &str) -> Result<(), Fault> {
    check_service_name(&text.to_lowercase())
}
