//! Merging of the volume claim templates of a claim with those of its template.

use super::Stored;
use super::claim::{NotReady, spec_items};
use crate::diag::message;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;

const REASON: &str = "VolumeClaimTemplatesError";
const FIELD: &str = "volumeClaimTemplates";

/// The merged list for a cold-started Sandbox, or `None` if the claim has none of its own.
pub(super) fn merged(
    claim: &Stored<'_>,
    template: &Stored<'_>,
) -> Result<Option<Vec<Node>>, NotReady> {
    let (own, below) = (spec_items(&claim.root, FIELD), spec_items(&template.root, FIELD));
    if own.is_empty() {
        let prefix = "invalid volume claim templates in template";
        return check_names(below)
            .map(|()| None)
            .map_err(|fault| NotReady::new(REASON, message!("{prefix}: {fault}")));
    }
    let failed = |fault: String| {
        NotReady::new(REASON, message!("failed to merge volume claim templates: {fault}"))
    };
    check_names(below).map_err(|fault| failed(format!("template: {fault}")))?;
    check_names(own).map_err(|fault| failed(format!("claim: {fault}")))?;
    let names_below: SortedSet<_> = below.iter().map(name_of).collect();
    let is_below = |node: &&Node| names_below.contains(name_of(node));
    match template.root.str_at(&["spec", "volumeClaimTemplatesPolicy"]) {
        None | Some("" | "Disallowed") => {
            Err(failed("volume claim templates are disallowed by the template".to_owned()))
        }
        Some("Allowed") => match own.iter().find(is_below) {
            Some(clash) => Err(failed(format!(
                "overriding volume claim templates is forbidden by the template: cannot override \
                template volume {:?}",
                name_of(clash)
            ))),
            None => Ok(Some(below.iter().chain(own).cloned().collect())),
        },
        Some("Overrides") => {
            // The names of `own` are different.
            let over: SortedMap<_, _> = own.iter().map(|claim| (name_of(claim), claim)).collect();
            let replaced = below.iter().map(|claim| *over.get(name_of(claim)).unwrap_or(&claim));
            let added = own.iter().filter(|claim| !is_below(claim));
            Ok(Some(replaced.chain(added).cloned().collect()))
        }
        Some(policy) => Err(NotReady::retried(message!(
            "failed to merge volume claim templates: unknown volume claim templates policy \
            {policy:?}"
        ))),
    }
}

fn name_of(template: &Node) -> &str {
    template.text_at(&["metadata", "name"])
}

fn check_names(templates: &[Node]) -> Result<(), String> {
    let mut names = SortedSet::new();
    for (index, template) in templates.iter().enumerate() {
        let name = name_of(template);
        if name.is_empty() {
            return Err(format!("invalid volume claim templates: name at index {index} is empty"));
        }
        if !names.insert(name) {
            return Err(format!("invalid volume claim templates: duplicate name {name:?}"));
        }
    }
    Ok(())
}
