//! Kustomizations, whose patches name the versions of the objects that they change: a patch of another
//! version is dropped without an error.

use super::objects::{Changed, Run, is_certain, items_of, not_migrated, object};
use crate::convert::{self, Refused};
use crate::diag::Sink;
use crate::dialect::DIALECTS;
use crate::kube::{Object, SharedKinds};
use crate::lower::OldKind;
use crate::rewrite::new_origin;
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::Node;
use crate::yaml;

/// Kinds with fields that have other paths in the new version, which a JSON patch names.
const MOVED_FIELDS: [&str; 3] = ["CustomResourceDefinition", "HorizontalPodAutoscaler", "Ingress"];

/// The group, version, kind and name that a target has, and the span of its version.
struct Target {
    group: Option<String>,
    version: String,
    kind: Option<String>,
    name: Option<String>,
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
            !is_object && names_moved_field(target, patch) && self.new_versions(target).len() == 1
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
    fn target(&mut self, node: &mut Node, changed: &mut Changed) {
        let Some(old) = target(node) else { return };
        let mut found = self.new_versions(&old).into_iter();
        let Some((group, version)) = found.next() else { return };
        if found.next().is_some() {
            let message = "it selects objects whose new versions differ";
            let help = "write a target with `kind` for each of them";
            self.refuse(&old, Refused::new(old.span, message, help));
            return;
        }
        let is_new_group = group != old.group;
        if version == old.version && !is_new_group {
            return;
        }
        let origin = new_origin(old.span);
        node.set("version", Node::string(version, origin));
        if let Some(group) = group.filter(|_| is_new_group) {
            node.set("group", Node::string(group, origin));
        }
        changed.objects.push(old.span);
    }

    /// The groups and versions that replace those of a target: of a target without `kind`, those of the
    /// objects that it selects. Without a group there, there is none here.
    fn new_versions(&self, target: &Target) -> SortedSet<(Option<String>, String)> {
        let pair = |api_version: String| {
            let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
            (target.group.as_ref().map(|_| group.to_owned()), version.to_owned())
        };
        let Some(kind) = &target.kind else {
            let is_selected = |it: &&Object| {
                it.gvk().version() == target.version
                    && target.group.as_ref().is_none_or(|group| group == it.gvk().group())
                    && target.name.as_ref().is_none_or(|name| name == it.name())
            };
            let after = |it: &Object| {
                let gvk = it.gvk();
                let new = self.renewed(gvk.group(), gvk.version(), gvk.kind());
                pair(new.unwrap_or_else(|| gvk.api_version()))
            };
            return self.all.iter().filter(is_selected).map(after).collect();
        };
        let groups = if let Some(group) = &target.group {
            vec![group.as_str()]
        } else {
            let of_systems = old_kinds(&target.version, kind).map(|it| it.group);
            convert::groups(&target.version, kind).into_iter().chain(of_systems).collect()
        };
        let mut found = groups.iter().filter_map(|it| self.renewed(it, &target.version, kind));
        found.next().into_iter().map(pair).collect()
    }

    /// The `apiVersion` that replaces another one of a kind.
    fn renewed(&self, group: &str, version: &str, kind: &str) -> Option<String> {
        let origin = new_origin(self.workspace.start());
        let old = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        let mut probe = Node::map(origin);
        probe.set("apiVersion", Node::string(old.as_str(), origin));
        probe.set("kind", Node::string(kind, origin));
        if self.reference(&mut probe, origin) {
            return probe.str_at(&["apiVersion"]).map(str::to_owned);
        }
        let of_system = old_kinds(version, kind).find(|it| it.group == group)?;
        Some(format!("{group}/{}", of_system.new_version))
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
                // At its own place, so that a block stays one.
                let reread = text.map(|text| Node::string(text.as_str(), node.origin()));
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
        let kind = target.kind.as_deref().unwrap_or("patches");
        root.set("kind", Node::string(kind, root.origin()));
        let object = object(root, target.span, &SharedKinds::default());
        self.findings.push(not_migrated(&object, refused));
    }
}

fn target(node: &Node) -> Option<Target> {
    let text = |key| node.str_at(&[key]).filter(|it| !it.is_empty()).map(str::to_owned);
    let span = node.get("version")?.span();
    let (version, kind, name) = (text("version")?, text("kind"), text("name"));
    Some(Target { group: text("group"), version, kind, name, span })
}

/// The kinds of the systems with this old version.
fn old_kinds(version: &str, kind: &str) -> impl Iterator<Item = &'static OldKind> {
    let migrations = DIALECTS.iter().filter_map(|it| it.migration.as_ref());
    migrations
        .flat_map(|it| it.old_kinds)
        .filter(move |it| it.version == version && it.kind == kind)
}

/// Whether a patch of this target can name fields that have other paths in the new version. The fields of
/// a patch in another file are unknown.
fn names_moved_field(target: &Target, patch: &Node) -> bool {
    let Some(kind) = target.kind.as_deref() else { return false };
    let is_of_group = |it: &&OldKind| target.group.as_ref().is_none_or(|group| *group == it.group);
    let mut of_systems = old_kinds(&target.version, kind).filter(is_of_group);
    match of_systems.next() {
        Some(old) => match patch.get("patch").and_then(Node::as_str) {
            Some(text) => old.moved.iter().any(|field| text.contains(field)),
            None => !old.moved.is_empty(),
        },
        None => MOVED_FIELDS.contains(&kind),
    }
}
