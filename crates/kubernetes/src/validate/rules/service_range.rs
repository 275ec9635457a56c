//! `ServiceCIDR` and `IPAddress`, after Kubernetes' `pkg/apis/networking/validation`.

use super::addresses::{Written, check_block};
use super::judge::{Absence, Judge, filled, items, start, text_of};
use super::names::{NameForm, check_name, needed_name};
use crate::diag::declare_rules;
use crate::scalar::Cidr;
use crate::tree::Node;

declare_rules! {
    SERVICE_CIDR_INVALID = "service-cidr-invalid", Error;
}

/// Checks the address ranges of Services: one, or one of each IP family.
pub(super) fn check(judge: &mut Judge<'_>) {
    let empty = Node::map(judge.object.root.origin());
    let spec = judge.spec_or(&empty);
    let blocks = items(spec, "cidrs");
    let at = spec.get("cidrs").map_or_else(|| start(&judge.object.root), Node::span);
    let text = match blocks {
        [] => ("a ServiceCIDR has no `cidrs`", "write one range, or one of each IP family"),
        [_, _, _, ..] => ("a ServiceCIDR has more than two `cidrs`", "keep one of each IP family"),
        _ => {
            let block = |node: &Node| Cidr::parse(node.as_str()?);
            for node in blocks {
                // This kind is newer than the addresses that older servers read leniently.
                let text = text_of(node);
                let written = Written { node, text, minor: u8::MAX };
                check_block(judge, written);
            }
            match blocks {
                [one, two]
                    if block(one)
                        .zip(block(two))
                        .is_some_and(|(a, b)| a.is_ipv4() == b.is_ipv4()) =>
                {
                    ("both `cidrs` have the same IP family", "keep one of each IP family")
                }
                _ => return,
            }
        }
    };
    judge.fault(
        &SERVICE_CIDR_INVALID,
        (at, (&judge.object.root, "spec.cidrs")),
        (text.0, "not allowed", text.1),
    );
}

/// Checks the owner of an address.
pub(super) fn check_address_object(judge: &mut Judge<'_>) {
    let empty = Node::map(judge.object.root.origin());
    let spec = judge.spec_or(&empty);
    let Some(parent) = judge.needed_map(spec, "parentRef") else { return };
    for field in ["resource", "name"] {
        needed_name(judge, parent, field, Absence::Here, NameForm::SEGMENT);
    }
    for (field, form) in [("group", NameForm::OBJECT), ("namespace", NameForm::SEGMENT)] {
        check_name(judge, filled(parent, field), form);
    }
}
