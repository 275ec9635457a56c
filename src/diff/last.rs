//! The last applied forms of objects of a cluster that do not hold them: Helm stores them in a Secret.

use super::pairs::key;
use crate::compile::Compilation;
use crate::kube::LAST_APPLIED;
use crate::sorted::SortedMap;
use crate::tree::Node;

impl Compilation {
    /// Adds to each object its form in `last`, as client-side `kubectl apply` does: [`diff`](crate::diff()) then merges
    /// it with the new form.
    pub fn add_last_applied(&mut self, last: &Self) {
        let known: SortedMap<_, _> = last.objects.iter().map(|form| (key(form), form)).collect();
        for object in &mut self.objects {
            let Some(text) = known.get(&key(object)).map(|form| form.root.json_text()) else {
                continue;
            };
            let origin = object.root.origin();
            let Some(metadata) = object.root.get_mut("metadata") else { continue };
            if metadata.get("annotations").is_none() {
                metadata.set("annotations", Node::map(origin));
            }
            if let Some(annotations) = metadata.get_mut("annotations") {
                annotations.set(LAST_APPLIED, Node::string(&*text, origin));
            }
        }
    }
}
