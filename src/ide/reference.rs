//! The fields that name another object, and what they can name.
//!
//! An editor asks about files that nothing has checked yet, so fields are found by their paths, and those of a
//! PodSpec by the ends of their paths. A check decides whether such a reference is resolved.

use crate::dialect::DIALECTS;
use crate::kube::{OF_ALL, OF_KINDS, OF_PODS, Reference, References, To, Use};
use crate::lower::{API_VERSION, EXTENDS};
use crate::schema::store;

use super::index::{Declared, Index};
use super::outline::{Document, Outline, Step};

/// What a field names.
pub(super) struct Mention<'r> {
    /// The kinds that the object can have.
    pub(super) kinds: Vec<&'r str>,
    pub(super) name: &'r str,
}

/// The kinds that a field of a custom resource names by its own name: `superuserSecret`, `activeService`,
/// `configMapName`.
const BY_FIELD: &[&str] = &[
    "ConfigMap",
    "Deployment",
    "Ingress",
    "PersistentVolumeClaim",
    "Secret",
    "Service",
    "ServiceAccount",
    "StorageClass",
];

/// The ends of the names of fields that name an object, which say nothing about its kind.
const ENDS: &[&str] = &["Ref", "Reference", "Selector", "Key", "Name"];

/// The names of the fields on a path.
pub(super) fn field_names<'t>(path: &[Step<'t>]) -> Vec<&'t str> {
    let name = |step: &Step<'t>| match step {
        Step::Field(name) => Some(*name),
        Step::Item(_) => None,
    };
    path.iter().filter_map(name).collect()
}

/// What the value of an entry names, if it names an object.
pub(super) fn find_mention<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Mention<'r>> {
    let kinds = named_kinds(outline, document, at)?;
    Some(Mention { kinds, name: outline.scalar(document.entry(at)) })
}

/// The kinds of the objects that the value of an entry can name.
pub(super) fn named_kinds<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Vec<&'r str>> {
    let path = field_names(&outline.path(document, at));
    let around = document.entry(at).parent;
    let written = || {
        let kind = document.field(outline, around, "kind")?;
        Some(outline.scalar(document.entry(kind)))
    };
    if let Some(reference) = reference_at(outline, document, &path) {
        return match reference.to {
            To::Kind(target) => Some(vec![target.kind]),
            To::OneOf(_) | To::Any => written().map(|kind| vec![kind]),
        };
    }
    if !is_custom(outline, document) {
        return None;
    }
    if let [.., owner, "name"] = path[..]
        && owner != "metadata"
        && let Some(kind) = written()
    {
        return Some(vec![kind]);
    }
    let has_key = document.field(outline, around, "key").is_some();
    kinds_by_convention(&path, has_key)
}

/// The reference with this path in a document.
fn reference_at(outline: &Outline, document: &Document, path: &[&str]) -> Option<Reference> {
    let (kind, version) = (outline.kind(document), outline.api_version(document));
    let group = version.rsplit_once('/').map_or("", |(group, _)| group);
    // A document that is being written can have no version yet.
    let is_new = version.is_empty();
    let is_kind = |of: (&str, &str)| of.1 == kind && (is_new || of.0 == group);
    let of_definitions = DIALECTS.iter().filter(|dialect| {
        (is_new || version == API_VERSION) && dialect.kinds.iter().any(|known| known.name == kind)
    });
    let of_definitions =
        of_definitions.flat_map(|dialect| dialect.references).filter(|reference| {
            (reference.kind.is_empty() || reference.kind == kind)
                && reference.field.is_end_of(&[], path)
        });
    let of_systems = DIALECTS.iter().flat_map(|dialect| dialect.kind_facts);
    let of_systems = of_systems
        .filter(|facts| is_kind((facts.group, facts.kind)))
        .flat_map(|facts| facts.references);
    let of_kubernetes =
        OF_KINDS.iter().filter(|of| is_kind((of.0, of.1))).flat_map(|of_kind| of_kind.2);
    let of_kinds = of_systems.chain(of_kubernetes).flat_map(|References { owners, fields }| {
        fields.iter().filter(|field| owners.iter().any(|owner| field.is_at(owner, path)))
    });
    // A Pod has its name in DNS at a field of which others mean something else.
    let of_pods = OF_PODS.iter().flat_map(|(owner, fields)| {
        let fields = fields.iter().filter(|field| field.usage != Use::Names);
        fields.filter(|field| field.is_end_of(owner, path))
    });
    let of_all = OF_ALL.iter().filter(|field| field.is_end_of(&[], path));
    let mut found = of_definitions.map(|of| &of.field).chain(of_kinds).chain(of_pods).chain(of_all);
    found.next().copied()
}

/// Whether a document is neither a definition nor of a kind of Kubernetes itself.
fn is_custom(outline: &Outline, document: &Document) -> bool {
    let version = outline.api_version(document);
    let group = version.split_once('/').map_or("", |(group, _)| group);
    let built_in = store::kinds_named(outline.kind(document));
    !version.is_empty()
        && version != API_VERSION
        && built_in.iter().all(|known| known.group != group)
}

/// The kinds that a field of a custom resource can name: no schema has a type for that, but their authors
/// name fields after the kinds.
fn kinds_by_convention<'r>(path: &[&'r str], has_key: bool) -> Option<Vec<&'r str>> {
    let (field, is_nested) = match path {
        [.., "metadata", "name"] | [] => return None,
        [.., owner, "name"] => (*owner, true),
        [.., field] => (*field, false),
    };
    let mut word = field;
    while let Some(shorter) = ENDS.iter().find_map(|end| word.strip_suffix(end)) {
        word = shorter;
    }
    let is_end = |kind: &&&str| {
        word.strip_suffix('s')
            .into_iter()
            .chain([word])
            .any(|word| word.ends_with(**kind) || word.eq_ignore_ascii_case(kind))
    };
    if let Some(kind) = BY_FIELD.iter().find(is_end) {
        return Some(vec![kind]);
    }
    match (is_nested, has_key) {
        (true, true) => Some(vec!["ConfigMap", "Secret"]),
        // `cluster: {name: main}` names a Cluster.
        (true, false) => Some(vec![word]),
        (false, _) => None,
    }
}

/// The kinds of the object whose key the value of an entry names: `key` next to the name of a Secret or a
/// ConfigMap. Returns its name as well.
pub(super) fn find_data_mention<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Mention<'r>> {
    let path = field_names(&outline.path(document, at));
    let [.., owner, "key"] = path[..] else { return None };
    let mut around = document.entry(at).parent;
    if owner == "items" {
        // The item is in the list of a volume, which names the object.
        around = document.entry(document.entry(around).parent).parent;
    }
    let name = document.field(outline, around, "name");
    let name = name.or_else(|| document.field(outline, around, "secretName"))?;
    let mut found = find_mention(outline, document, name)?;
    found.kinds.retain(|kind| ["ConfigMap", "Secret"].contains(kind));
    (!found.kinds.is_empty()).then_some(found)
}

/// The kind of the definitions that those of a kind can extend.
pub(super) fn base_kind(kind: &str) -> Option<&'static str> {
    let mut references = DIALECTS.iter().flat_map(|dialect| dialect.references);
    let found = references.find(|of| of.kind == kind && of.field.path == EXTENDS)?;
    match found.field.to {
        To::Kind(target) => Some(target.kind),
        To::OneOf(_) | To::Any => None,
    }
}

impl Mention<'_> {
    /// The objects that it can mean: those with its name, in the namespace of its document if there are
    /// some, and in the same file if there are some. Samples often repeat names in several files.
    pub(super) fn find<'i>(
        &self,
        index: &'i Index,
        outline: &Outline,
        document: &Document,
    ) -> Vec<Declared<'i>> {
        let mut found: Vec<_> =
            index.named(self.name).filter(|declared| declared.is_one_of(&self.kinds)).collect();
        let namespace = outline.namespace(document);
        prefer(&mut found, |other| other.outline.namespace(other.document) == namespace);
        prefer(&mut found, |other| std::ptr::eq(other.outline, outline));
        found
    }
}

/// Removes what does not match, unless nothing does.
fn prefer<'i>(found: &mut Vec<Declared<'i>>, is_near: impl Fn(&Declared<'i>) -> bool) {
    if found.iter().any(&is_near) {
        found.retain(is_near);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the value at `^` of a text names: the kinds and the name.
    fn named(text: &str) -> Option<(Vec<String>, String)> {
        let at = text.find('^')?;
        let outline = Outline::new(text.replacen('^', "", 1).into());
        let cursor = outline.cursor(at)?;
        let found = find_mention(&outline, cursor.document, cursor.entry)?;
        Some((found.kinds.into_iter().map(str::to_owned).collect(), found.name.to_owned()))
    }

    fn kinds(spec: &str) -> Vec<String> {
        let head = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n";
        named(&format!("{head}spec:\n  {spec}\n")).map_or_else(Vec::new, |it| it.0)
    }

    #[test]
    fn fields_of_custom_resources_are_named_after_kinds() {
        // CloudNativePG, Argo Rollouts, cert-manager, External Secrets, Traefik.
        for (spec, kind) in [
            ("superuserSecret: {name: ^x}", "Secret"),
            ("initdb: {secret: {name: ^x}}", "Secret"),
            ("strategy: {blueGreen: {activeService: ^x}}", "Service"),
            ("canary: {trafficRouting: {nginx: {stableIngress: ^x}}}", "Ingress"),
            ("secretName: ^x", "Secret"),
            ("auth: {secretRef: {name: ^x}}", "Secret"),
            ("apiTokenSecretRef: {name: ^x, key: t}", "Secret"),
            ("customQueriesConfigMap: [{name: ^x, key: q}]", "ConfigMap"),
            ("routes: [{services: [{name: ^x, port: 80}]}]", "Service"),
            ("workloadRef: {apiVersion: apps/v1, kind: Deployment, name: ^x}", "Deployment"),
            ("cluster: {name: ^x}", "cluster"),
        ] {
            assert_eq!(kinds(spec), [kind], "{spec}");
        }
        assert_eq!(kinds("accessKeyId: {name: ^x, key: ID}"), ["ConfigMap", "Secret"]);
        for spec in ["size: ^x", "volumes: [{name: ^x}]", "key: ^x"] {
            assert!(!kinds(spec).contains(&"Secret".to_owned()), "{spec}");
        }
    }

    #[test]
    fn other_objects_have_only_the_fields_of_their_schema() {
        let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {secret: {name: ^x}}\n";
        assert_eq!(named(pod), None);
        let sandbox =
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nspec: {secret: {name: ^x}}\n";
        assert_eq!(named(sandbox), None);
        let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ^a, kind: Pod}\n";
        assert_eq!(named(widget), None);
    }
}
