//! Converts the objects of all documents.

use super::Document;
use super::settings::Settings;
use crate::convert::{self, Edits, Refused};
use crate::diag::{Diagnostic, message};
use crate::dialect::DIALECTS;
use crate::kube::{GroupVersionKind, Object, SharedKinds, items_of_list};
use crate::lower::{MIGRATION_DEFAULT, MigrationCx, NOT_MIGRATED};
use crate::rewrite::new_origin;
use crate::scalar::KubernetesVersion;
use crate::schema::store;
use crate::sorted::SortedSet;
use crate::source::{Span, Workspace};
use crate::tree::{Node, Origin, Value};

/// A document with changed objects.
#[derive(Debug)]
pub(super) struct Changed {
    /// The position of the document.
    pub(super) document: usize,
    pub(super) root: Node,
    /// Objects to add after the document.
    pub(super) added: Vec<Node>,
    /// The spans of the `apiVersion` of the converted objects.
    pub(super) objects: Vec<Span>,
}

/// The conversion of one object.
pub(super) struct Converted {
    pub(super) added: Vec<Node>,
    /// The namespace and name of each added object.
    names: Vec<(String, String)>,
    findings: Vec<Diagnostic>,
}

/// The conversion of a run.
#[derive(Debug)]
pub(super) struct Run<'w> {
    pub(super) workspace: &'w Workspace,
    settings: Settings,
    /// All objects of the input.
    pub(super) all: Vec<Object>,
    /// The names of added objects, by namespace.
    known: SortedSet<(String, String)>,
    pub(super) findings: Vec<Diagnostic>,
}

impl<'w> Run<'w> {
    pub(super) fn new(
        workspace: &'w Workspace,
        documents: &[Document],
        settings: Settings,
    ) -> Self {
        let kinds = SharedKinds::default();
        let objects = |it: &Document| items_of_list(it.root.clone(), it.root.span());
        let whole =
            documents.iter().filter(|document| !document.is_patch && !document.is_kustomization);
        let all = whole.flat_map(objects).map(|(root, span)| object(root, span, &kinds));
        let (all, known) = (all.collect(), SortedSet::new());
        Self { workspace, settings, all, known, findings: Vec::new() }
    }

    /// Converts what can be converted.
    pub(super) fn convert(&mut self, documents: &[Document]) -> Vec<Changed> {
        let mut all = Vec::new();
        for (document, it) in documents.iter().enumerate().filter(|it| it.1.is_input) {
            let mut changed =
                Changed { document, root: it.root.clone(), added: Vec::new(), objects: Vec::new() };
            if it.is_kustomization {
                self.kustomization(&mut changed);
            } else if it.is_patch {
                self.patch(&it.root, &mut changed);
            } else {
                let can_add = !is_json(self.workspace, it);
                self.visit(&it.root, &mut changed, can_add);
                self.embedded(&it.root, &it.root);
            }
            if !changed.objects.is_empty() {
                all.push(changed);
            }
        }
        all
    }

    /// Converts a patch, if that is certain without the object over which it is merged.
    fn patch(&mut self, old: &Node, changed: &mut Changed) {
        let Some(place) = old.get("apiVersion").map(Node::span) else { return };
        let kinds = SharedKinds::default();
        let object = object(old.clone(), place, &kinds);
        let mut new = old.clone();
        let refused = match self.converted(&object, &mut new, true) {
            Ok(None) => return,
            Ok(Some(it)) if it.added.is_empty() && is_certain(&object, &new) => {
                changed.root = new;
                changed.objects.push(place);
                return;
            }
            Ok(Some(_)) => Refused::new(
                place,
                "it is a patch, and its conversion depends on the whole object",
                "migrate the object, and write the patch for its new form",
            ),
            Err(refused) => refused,
        };
        self.findings.push(not_migrated(&object, refused));
    }

    /// Converts an object, or each object of a list.
    fn visit(&mut self, old: &Node, changed: &mut Changed, can_add: bool) {
        let is_list = old.str_at(&["kind"]).is_some_and(|it| it.ends_with("List"));
        let Some(Value::List(_)) = old.get("items").map(|it| &it.value).filter(|_| is_list) else {
            let mut root = changed.root.clone();
            let added = self.object(old, &mut root, can_add, changed);
            (changed.root, changed.added) = (root, added.into_iter().flatten().collect());
            return;
        };
        let Some(Value::List(mut items)) =
            changed.root.get_mut("items").map(|it| std::mem::replace(&mut it.value, Value::Null))
        else {
            return;
        };
        let mut added = Vec::new();
        for item in &mut items {
            let old = item.clone();
            added.extend(self.object(&old, item, true, changed).into_iter().flatten());
        }
        items.extend(added);
        if let Some(map) = changed.root.as_map_mut().and_then(|it| it.get_mut("items")) {
            map.value = Value::List(items);
        }
    }

    /// Converts one object in its new tree. Returns the objects to add; `None` if nothing changes.
    fn object(
        &mut self,
        old: &Node,
        new: &mut Node,
        can_add: bool,
        changed: &mut Changed,
    ) -> Option<Vec<Node>> {
        let place = old.get("apiVersion")?.span();
        let kinds = SharedKinds::default();
        let object = object(old.clone(), place, &kinds);
        let result = self.converted(&object, new, false).and_then(|it| match it {
            Some(it) if !it.added.is_empty() && !can_add => {
                let (_, name) = it.names.first().cloned().unwrap_or_default();
                let message =
                    message!("`{name}` is required as well, and a JSON file has one object");
                Err(Refused::new(place, message, "write the objects as the items of a `List`"))
            }
            other => Ok(other),
        });
        match result {
            Ok(Some(it)) => {
                self.known.extend(it.names);
                self.findings.extend(it.findings);
                changed.objects.push(place);
                Some(it.added)
            }
            Ok(None) => None,
            Err(refused) => {
                *new = old.clone();
                self.findings.push(not_migrated(&object, refused));
                None
            }
        }
    }

    /// Reports old objects inside another one, such as the templates of a `ResourceGraphDefinition`: their
    /// fields can be expressions, so they are not converted.
    fn embedded(&mut self, outer: &Node, node: &Node) {
        let is_list = outer.str_at(&["kind"]).is_some_and(|it| it.ends_with("List"));
        for (key, child) in node.entries().iter().map(|entry| (entry.key.as_str(), &entry.value)) {
            let is_items = is_list && key == "items" && std::ptr::eq(outer, node);
            for child in std::iter::once(child).chain(child.items()) {
                let owner = if is_items { child } else { outer };
                if !is_items && is_object(child) {
                    self.report_embedded(outer, child);
                }
                self.embedded(owner, child);
            }
        }
    }

    fn report_embedded(&mut self, outer: &Node, inner: &Node) {
        let Some(place) = inner.get("apiVersion").map(Node::span) else { return };
        let inner = object(inner.clone(), place, &SharedKinds::default());
        if matches!(self.converted(&inner, &mut inner.root.clone(), false), Ok(None)) {
            return;
        }
        let outer = object(outer.clone(), place, &SharedKinds::default());
        let version = inner.gvk.api_version();
        let message =
            message!("it is inside `{}`, and has the old version `{version}`", outer.describe());
        let help = "migrate it as an object of its own, and write the result here";
        self.findings.push(not_migrated(&inner, Refused::new(place, message, help)));
    }

    pub(super) fn converted(
        &self,
        object: &Object,
        new: &mut Node,
        is_patch: bool,
    ) -> Result<Option<Converted>, Refused> {
        let (span, gvk) = (object.document, object.gvk.clone());
        let mut edits = Edits { is_patch, ..Edits::of(new, new_origin(span)) };
        let mut is_changed = self.built_in(&gvk, span, &mut edits)?;
        is_changed |= self.references(&gvk, &mut edits);
        let mut cx = MigrationCx {
            objects: &self.all,
            external: &self.settings.external,
            known: &self.known,
            added: Vec::new(),
            doubts: Vec::new(),
        };
        for migration in DIALECTS.iter().filter_map(|it| it.migration.as_ref()) {
            is_changed |= (migration.convert)(object, &mut edits, &mut cx)?;
        }
        let kept = std::mem::take(&mut edits.kept);
        let MigrationCx { added, doubts: mut findings, .. } = cx;
        findings.extend(defaults_kept(&gvk, new, span, &kept));
        let names = added.iter().map(name_of).collect();
        Ok(is_changed.then_some(Converted { added, names, findings }))
    }

    /// Converts a built-in kind whose version a target version has removed or deprecated.
    fn built_in(
        &self,
        gvk: &GroupVersionKind,
        span: Span,
        edits: &mut Edits<'_>,
    ) -> Result<bool, Refused> {
        let key = (gvk.group.as_str(), gvk.version.as_str(), gvk.kind.as_str());
        let targets = &self.settings.kubernetes;
        let found = targets.iter().find_map(|it| convert::conversion(key, *it));
        if let Some(found) = found.filter(|it| targets.iter().all(|target| it.is_in(*target))) {
            found.convert(edits)?;
            return Ok(true);
        }
        let is_served = |version| {
            store::kind(key.0, key.1, key.2).is_some_and(|kind| kind.versions.contains(version))
        };
        let is_gone = |version: &&KubernetesVersion| {
            convert::is_gone(key, **version) || found.is_some() && !is_served(**version)
        };
        let Some(target) = targets.iter().find(is_gone) else { return Ok(false) };
        let version = gvk.api_version();
        Err(match convert::current(&gvk.kind, *target) {
            Some(current) => Refused::new(
                span,
                message!("no conversion from `{version}` to `{current}`"),
                message!(
                    "write `apiVersion: {current}`, and correct the fields that `check` reports"
                ),
            ),
            None => Refused::new(
                span,
                message!("Kubernetes {target} has no version of `{}` that replaces it", gvk.kind),
                "`check` names what to use instead",
            ),
        })
    }

    /// Changes the versions of the objects that an autoscaler reads, and of owners.
    fn references(&self, gvk: &GroupVersionKind, edits: &mut Edits<'_>) -> bool {
        let mut is_changed = false;
        let mut change = |node: &mut Node| is_changed |= self.reference(node, edits.origin);
        if gvk.is("autoscaling", "HorizontalPodAutoscaler")
            && let Some(spec) = edits.root.get_mut("spec")
        {
            spec.get_mut("scaleTargetRef").map(&mut change);
            for metric in items_of(spec, "metrics") {
                if let Some(object) = metric.get_mut("object") {
                    // The conversion has renamed it, unless its version is the current one.
                    object.get_mut("describedObject").map(&mut change);
                }
            }
        }
        if let Some(metadata) = edits.root.get_mut("metadata") {
            items_of(metadata, "ownerReferences").iter_mut().for_each(change);
        }
        is_changed
    }

    /// Changes the version of a reference.
    pub(super) fn reference(&self, node: &mut Node, origin: Origin) -> bool {
        let Some((version, kind)) = node.str_at(&["apiVersion"]).zip(node.str_at(&["kind"])) else {
            return false;
        };
        let targets = self.settings.kubernetes.iter();
        let new = targets.copied().find_map(|it| convert::replacement(version, kind, it));
        let changed = new.zip(node.get_mut("apiVersion"));
        changed.map(|(new, node)| *node = Node::string(new, origin)).is_some()
    }
}

/// The items of the list under a key.
pub(super) fn items_of<'n>(node: &'n mut Node, key: &str) -> &'n mut [Node] {
    match node.get_mut(key).map(|it| &mut it.value) {
        Some(Value::List(items)) => items,
        _ => &mut [],
    }
}

/// Kinds whose conversion only changes fields in place, and whose lists a patch replaces as a whole.
const IN_PLACE: [&str; 2] = ["HorizontalPodAutoscaler", "Ingress"];

/// Whether a converted patch means for the new object what it meant for the old one: only its version
/// changes, or the conversion of its kind never depends on other fields.
pub(super) fn is_certain(old: &Object, new: &Node) -> bool {
    let mut other = new.clone();
    if let Some(version) = old.root.get("apiVersion") {
        other.set("apiVersion", version.clone());
    }
    IN_PLACE.contains(&old.gvk.kind()) || other.same_value(&old.root)
}

/// Whether a node inside an object is an object: more than a reference to one.
fn is_object(node: &Node) -> bool {
    let is_text = |key| node.str_at(&[key]).is_some();
    is_text("apiVersion")
        && is_text("kind")
        && ["metadata", "spec"]
            .iter()
            .any(|key| node.get(key).is_some_and(|value| value.as_map().is_some()))
}

fn is_json(workspace: &Workspace, document: &Document) -> bool {
    let text = workspace.slice(document.root.span());
    text.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

pub(super) fn object(root: Node, document: Span, kinds: &SharedKinds) -> Object {
    let text = |keys: &[&str]| root.text_at(keys);
    let gvk = kinds.get(text(&["apiVersion"]), text(&["kind"]));
    let name = text(&["metadata", "name"]).into();
    let namespace = text(&["metadata", "namespace"]).into();
    Object { gvk, name, namespace, root, document }
}

fn name_of(object: &Node) -> (String, String) {
    let text = |key| object.text_at(&["metadata", key]).to_owned();
    (text("namespace"), text("name"))
}

/// The note about the defaults of the old version that are written out.
fn defaults_kept(
    gvk: &GroupVersionKind,
    new: &Node,
    span: Span,
    kept: &[(String, String)],
) -> Option<Diagnostic> {
    let new = new.text_at(&["apiVersion"]);
    if kept.is_empty() {
        return None;
    }
    let message = message!(
        "`{new}` has other defaults than `{}`, so the old ones are written out",
        gvk.api_version()
    );
    let finding = Diagnostic::new(&MIGRATION_DEFAULT, span, message).at("has defaults of its own");
    let lines = kept.iter().map(|(path, value)| message!("`{path}`: `{value}`"));
    Some(lines.fold(finding, Diagnostic::note).help("remove a field to use the new default"))
}

pub(super) fn not_migrated(object: &Object, refused: Refused) -> Diagnostic {
    let message = message!("`{}` is not migrated: {}", object.describe(), refused.message);
    Diagnostic::new(&NOT_MIGRATED, refused.span, message).at("not converted").help(refused.help)
}
