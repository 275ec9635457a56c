//! Kustomizations, whose patches name the versions of the objects that they change: a patch of another
//! version is dropped without an error.

use super::objects::{Changed, Run, is_certain, items_of, not_migrated, object};
use crate::convert::{self, Refused};
use crate::diag::Sink;
use crate::kube::SharedKinds;
use crate::rewrite::new_origin;
use crate::source::Span;
use crate::tree::Node;
use crate::yaml;

/// Kinds with fields that have other paths in the new version, which a JSON patch names.
const MOVED_FIELDS: [&str; 3] = ["CustomResourceDefinition", "HorizontalPodAutoscaler", "Ingress"];

/// The group, version and kind that a target names, and the span of its version.
struct Target {
    group: Option<String>,
    version: String,
    kind: String,
    span: Span,
}

impl Run<'_> {
    /// Converts the targets and inline patches of a kustomization.
    pub(super) fn kustomization(&mut self, changed: &mut Changed) {
        let mut root = changed.root.clone();
        for key in ["patches", "patchesJson6902"] {
            for patch in items_of(&mut root, key) {
                self.kustomize_patch(patch, changed);
            }
        }
        for patch in items_of(&mut root, "patchesStrategicMerge") {
            self.inline_patch(patch, changed);
        }
        for replacement in items_of(&mut root, "replacements") {
            if let Some(source) = replacement.get_mut("source") {
                self.target(source, changed);
            }
            for target in items_of(replacement, "targets") {
                if let Some(select) = target.get_mut("select") {
                    self.target(select, changed);
                }
                for reject in items_of(target, "reject") {
                    self.target(reject, changed);
                }
            }
        }
        for variable in items_of(&mut root, "vars") {
            if let Some(reference) = variable.get_mut("objref") {
                let span = reference.span();
                if self.reference(reference, new_origin(span)) {
                    changed.objects.push(span);
                }
            }
        }
        changed.root = root;
    }

    fn kustomize_patch(&mut self, patch: &mut Node, changed: &mut Changed) {
        let is_object = patch.get("patch").and_then(|it| self.inline(it)).is_some();
        let moved = patch.get("target").and_then(target).filter(|target| {
            let is_moved = MOVED_FIELDS.contains(&target.kind.as_str());
            !is_object && is_moved && self.new_version(target).is_some()
        });
        if let Some(target) = moved {
            let help =
                "write the patch for the fields of the new version, and change `target.version`";
            let message = "its fields have other paths in the new version";
            self.refuse(&target, Refused::new(target.span, message, help));
            return;
        }
        if let Some(target) = patch.get_mut("target") {
            self.target(target, changed);
        }
        if let Some(inline) = patch.get_mut("patch") {
            self.inline_patch(inline, changed);
        }
    }

    /// Converts the group and the version of a target.
    fn target(&self, node: &mut Node, changed: &mut Changed) {
        let Some(old) = target(node) else { return };
        let Some(new) = self.new_version(&old) else { return };
        let (group, version) = new.split_once('/').unwrap_or(("", &new));
        let origin = new_origin(old.span);
        node.set("version", Node::string(version, origin));
        if old.group.is_some_and(|it| it != group) {
            node.set("group", Node::string(group, origin));
        }
        changed.objects.push(old.span);
    }

    /// The `apiVersion` that replaces the one of a target.
    fn new_version(&self, target: &Target) -> Option<String> {
        let groups = match &target.group {
            Some(group) => vec![group.as_str()],
            None => convert::groups(&target.version, &target.kind),
        };
        let mut found = groups.iter().filter_map(|group| {
            let version = if group.is_empty() {
                target.version.clone()
            } else {
                format!("{group}/{}", target.version)
            };
            let mut probe = Node::map(new_origin(target.span));
            probe.set("apiVersion", Node::string(version.as_str(), probe.origin()));
            probe.set("kind", Node::string(target.kind.as_str(), probe.origin()));
            self.reference(&mut probe, new_origin(target.span));
            let new = probe.str_at(&["apiVersion"]).filter(|it| *it != version)?;
            Some(new.to_owned())
        });
        found.next()
    }

    /// The object in an inline patch; `None` for a JSON patch, a path, or what cannot be read.
    fn inline(&self, node: &Node) -> Option<Node> {
        let text = node.as_str().filter(|it| it.contains("apiVersion"))?;
        let mut sink = Sink::new();
        let read = yaml::documents(self.workspace.file_at(node.span()).id(), text, &mut sink).read;
        let [document] = &read[..] else { return None };
        let root = document.root.clone();
        (sink.reported().is_none() && root.str_at(&["kind"]).is_some()).then_some(root)
    }

    /// Converts an inline patch of which only the version changes.
    fn inline_patch(&mut self, node: &mut Node, changed: &mut Changed) {
        let Some(old) = self.inline(node) else { return };
        let span = node.span();
        let before = object(old.clone(), span, &SharedKinds::default());
        let mut new = old.clone();
        let refused = match self.converted(&before, &mut new, true) {
            Ok(None) => return,
            Ok(Some(it)) if it.added.is_empty() && is_certain(&before, &new) => {
                let versions = old.str_at(&["apiVersion"]).zip(new.str_at(&["apiVersion"]));
                let text = node.as_str().zip(versions);
                let text = text.map(|(text, (old, new))| text.replacen(old, new, 1));
                let reread = text.map(|text| Node::string(text.as_str(), new_origin(span)));
                match reread.filter(|it| self.inline(it).is_some_and(|it| it.same_value(&new))) {
                    Some(it) => {
                        *node = it;
                        changed.objects.push(span);
                        return;
                    }
                    None => Refused::new(
                        span,
                        "it is an inline patch, and more than its version changes",
                        "write the patch for the new version",
                    ),
                }
            }
            Ok(Some(_)) => Refused::new(
                span,
                "it is a patch, and its conversion depends on the whole object",
                "migrate the object, and write the patch for its new form",
            ),
            Err(refused) => Refused { span, ..refused },
        };
        self.findings.push(not_migrated(&before, refused));
    }

    fn refuse(&mut self, target: &Target, refused: Refused) {
        let mut root = Node::map(new_origin(target.span));
        root.set("kind", Node::string(target.kind.as_str(), root.origin()));
        let object = object(root, target.span, &SharedKinds::default());
        self.findings.push(not_migrated(&object, refused));
    }
}

fn target(node: &Node) -> Option<Target> {
    let text = |key| node.str_at(&[key]).filter(|it| !it.is_empty()).map(str::to_owned);
    let span = node.get("version")?.span();
    Some(Target { group: text("group"), version: text("version")?, kind: text("kind")?, span })
}
