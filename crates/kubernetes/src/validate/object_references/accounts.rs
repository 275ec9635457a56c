//! Pull secrets of service accounts, which the API server copies into Pods without their own.

use super::{Check, Reference};
use crate::tree::{Path, items};
use crate::validate::fields::text_of;
use crate::validate::made::Made;
use crate::validate::pod_references::Target;
use crate::validate::references::SECRET_NOT_FOUND;

pub(super) fn check(check: &mut Check<'_, '_>) {
    let set = check.set;
    let mut made = None;
    for account in set.of_kind("", "ServiceAccount") {
        let secrets = items(&account.root, "imagePullSecrets");
        for (index, item) in secrets.iter().enumerate() {
            let Some(node) = item.get("name") else { continue };
            let made = made.get_or_insert_with(|| Made::new(set));
            let name = text_of(node);
            if made.contains(Target::Secret, &account.namespace, name) {
                continue;
            }
            let reference = Reference {
                rule: &SECRET_NOT_FOUND,
                group: "",
                kind: "Secret",
                namespace: &account.namespace,
                node,
                consequence: "the kubelet pulls images of the account's Pods without it",
            };
            let root = Path::root();
            let path = root.field("imagePullSecrets");
            check.look_up(account, &reference, &path.index(index).field("name"));
        }
    }
}
