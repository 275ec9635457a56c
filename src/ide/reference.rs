//! The fields that name another object, and what they can name.
//!
//! They are recognized by their names: an editor asks about files that nothing has checked yet. A check
//! decides with types whether such a reference is resolved.

use crate::dialect::DIALECTS;
use crate::lower::{API_VERSION, Refers};
use crate::schema::store;

use super::index::{Declared, Index};
use super::outline::{Document, Outline, Step};

/// What a field names.
pub(super) struct Reference<'r> {
    /// The kinds that the object can have.
    pub(super) kinds: Vec<&'r str>,
    pub(super) name: &'r str,
}

/// The fields of Kubernetes' own kinds, by the end of their paths.
const BUILT_IN: &[Refers] = &[
    Refers { kind: "", path: &["secretKeyRef", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["configMapKeyRef", "name"], to: &["ConfigMap"] },
    Refers { kind: "", path: &["secretRef", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["configMapRef", "name"], to: &["ConfigMap"] },
    Refers { kind: "", path: &["secret", "secretName"], to: &["Secret"] },
    Refers { kind: "", path: &["tls", "secretName"], to: &["Secret"] },
    Refers { kind: "", path: &["imagePullSecrets", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["sources", "secret", "name"], to: &["Secret"] },
    Refers { kind: "", path: &["sources", "configMap", "name"], to: &["ConfigMap"] },
    Refers { kind: "", path: &["volumes", "configMap", "name"], to: &["ConfigMap"] },
    Refers {
        kind: "",
        path: &["persistentVolumeClaim", "claimName"],
        to: &["PersistentVolumeClaim"],
    },
    Refers { kind: "", path: &["serviceAccountName"], to: &["ServiceAccount"] },
    Refers { kind: "", path: &["runtimeClassName"], to: &["RuntimeClass"] },
    Refers { kind: "", path: &["priorityClassName"], to: &["PriorityClass"] },
    Refers { kind: "", path: &["storageClassName"], to: &["StorageClass"] },
    Refers { kind: "", path: &["ingressClassName"], to: &["IngressClass"] },
    Refers { kind: "", path: &["backend", "service", "name"], to: &["Service"] },
    Refers { kind: "", path: &["defaultBackend", "service", "name"], to: &["Service"] },
    Refers { kind: "", path: &["clientConfig", "service", "name"], to: &["Service"] },
    Refers { kind: "StatefulSet", path: &["spec", "serviceName"], to: &["Service"] },
    Refers { kind: "", path: &["metadata", "namespace"], to: &["Namespace"] },
];

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

/// Fields with a name next to one with its kind.
const WITH_KIND: &[&str] =
    &["roleRef", "subjects", "scaleTargetRef", "ownerReferences", "targetRef", "involvedObject"];

impl Refers {
    fn is_at(&self, kind: &str, path: &[&str]) -> bool {
        (self.kind.is_empty() || self.kind == kind) && path.ends_with(self.path)
    }
}

/// The names of the fields on a path.
pub(super) fn fields<'t>(path: &[Step<'t>]) -> Vec<&'t str> {
    let name = |it: &Step<'t>| match it {
        Step::Field(name) => Some(*name),
        Step::Item(_) => None,
    };
    path.iter().filter_map(name).collect()
}

/// What the value of an entry names, if it names an object.
pub(super) fn reference<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Reference<'r>> {
    let kinds = kinds_at(outline, document, at)?;
    Some(Reference { kinds, name: outline.scalar(document.entry(at)) })
}

/// The kinds of the objects that the value of an entry can name.
pub(super) fn kinds_at<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Vec<&'r str>> {
    let path = fields(&outline.path(document, at));
    let kind = outline.kind(document);
    let systems = DIALECTS.iter().flat_map(|it| it.references);
    if let Some(found) = systems.chain(BUILT_IN).find(|it| it.is_at(kind, &path)) {
        return Some(found.to.to_vec());
    }
    let is_custom = is_custom(outline, document);
    let around = document.entry(at).parent;
    if let [.., owner, "name"] = path[..]
        && (is_custom && owner != "metadata" || WITH_KIND.contains(&owner))
        && let Some(kind) = document.field(outline, around, "kind")
    {
        return Some(vec![outline.scalar(document.entry(kind))]);
    }
    if !is_custom {
        return None;
    }
    let has_key = document.field(outline, around, "key").is_some();
    by_convention(&path, has_key)
}

/// Whether a document is neither a definition nor of a kind of Kubernetes itself.
fn is_custom(outline: &Outline, document: &Document) -> bool {
    let version = outline.api_version(document);
    let group = version.split_once('/').map_or("", |it| it.0);
    let built_in = store::kinds_named(outline.kind(document));
    !version.is_empty() && version != API_VERSION && built_in.iter().all(|it| it.group != group)
}

/// The kinds that a field of a custom resource can name: no schema has a type for that, but their authors
/// name fields after the kinds.
fn by_convention<'r>(path: &[&'r str], has_key: bool) -> Option<Vec<&'r str>> {
    let (field, is_nested) = match path {
        [.., "metadata", "name"] | [] => return None,
        [.., owner, "name"] => (*owner, true),
        [.., field] => (*field, false),
    };
    let mut word = field;
    while let Some(shorter) = ENDS.iter().find_map(|it| word.strip_suffix(it)) {
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
pub(super) fn data_at<'r>(
    outline: &'r Outline,
    document: &'r Document,
    at: usize,
) -> Option<Reference<'r>> {
    let path = fields(&outline.path(document, at));
    let [.., owner, "key"] = path[..] else { return None };
    let mut around = document.entry(at).parent;
    if owner == "items" {
        // The item is in the list of a volume, which names the object.
        around = document.entry(document.entry(around).parent).parent;
    }
    let name = document.field(outline, around, "name");
    let name = name.or_else(|| document.field(outline, around, "secretName"))?;
    let mut found = reference(outline, document, name)?;
    found.kinds.retain(|it| ["ConfigMap", "Secret"].contains(it));
    (!found.kinds.is_empty()).then_some(found)
}

/// The kind of the definitions that those of a kind can extend.
pub(super) fn base_kind(kind: &str) -> Option<&'static str> {
    let mut systems = DIALECTS.iter().flat_map(|it| it.references);
    let found = systems.find(|it| it.kind == kind && it.path == ["spec", "extends"])?;
    found.to.first().copied()
}

impl Reference<'_> {
    /// The objects that it can mean: those with its name, in the namespace of its document if there are
    /// some, and in the same file if there are some. Samples often repeat names in several files.
    pub(super) fn find<'i>(
        &self,
        index: &'i Index,
        outline: &Outline,
        document: &Document,
    ) -> Vec<Declared<'i>> {
        let mut found: Vec<_> =
            index.named(self.name).filter(|it| it.is_one_of(&self.kinds)).collect();
        let namespace = outline.namespace(document);
        prefer(&mut found, |it| it.outline.namespace(it.document) == namespace);
        prefer(&mut found, |it| std::ptr::eq(it.outline, outline));
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
        let found = reference(&outline, cursor.document, cursor.entry)?;
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
