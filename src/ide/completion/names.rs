//! Names of other things: objects, the keys of their data, volumes, containers and ports.

use super::super::index::{Declared, Index};
use super::super::outline::{Document, Kind, Outline, Step, Style};
use super::super::reference::{field_names, find_data_mention, named_kinds};
use super::{Completion, CompletionContext, CompletionKind};
use crate::kube::{is_name_of_kind, meeting_namespace};
use crate::sorted::SortedSet;

/// The names that the value at the cursor can be.
pub(super) fn of(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let (outline, document) = (cx.outline, cx.cursor.document);
    let path = field_names(&outline.path_of(&cx.cursor));
    let local = |key: &str, detail: &str| {
        let names = around(outline, document, cx.cursor.entry, key);
        names.into_iter().map(|it| named(cx, it, detail)).collect()
    };
    match path[..] {
        [.., "volumeMounts" | "volumeDevices", "name"] => {
            let mut found: Vec<_> = local("volumes", "volume");
            found.extend(local("volumeClaims", "volume claim"));
            found.extend(local("volumeClaimTemplates", "volume claim"));
            found
        }
        [.., "containerName" | "targetContainerName"] => {
            let mut found: Vec<_> = local("containers", "container");
            found.extend(local("initContainers", "init container"));
            found
        }
        [.., "httpGet" | "tcpSocket", "port"] => local("ports", "port"),
        [.., "ports", "targetPort"] => {
            let ports = container_ports(cx.index);
            ports.into_iter().map(|it| named(cx, it, "port")).collect()
        }
        [.., "key"] => keys(cx),
        _ => objects(cx),
    }
}

fn named(cx: &CompletionContext<'_>, name: &str, detail: &str) -> Completion {
    Completion {
        text: cx.quoted(name, true),
        detail: detail.to_owned(),
        rank: 0,
        ..Completion::new(CompletionKind::Reference, name, &cx.cursor.range)
    }
}

/// The objects that the value can name; those of the same file and namespace first.
fn objects(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let (outline, document) = (cx.outline, cx.cursor.document);
    let Some(kinds) = named_kinds(outline, document, cx.cursor.entry) else { return Vec::new() };
    let namespace = meeting_namespace(outline.namespace(document));
    let own = document.head.name;
    let mut found = Vec::new();
    for it in cx.index.of_kinds(&kinds) {
        let name = it.outline.name(it.document);
        let is_self = std::ptr::eq(it.document, document) && own.is_some();
        if name.is_empty() || name.contains("{{") || is_self {
            continue;
        }
        let is_near = meeting_namespace(it.outline.namespace(it.document)) == namespace;
        let mut completion = named(cx, name, it.outline.kind(it.document));
        let is_own = std::ptr::eq(it.outline, outline);
        completion.rank = if is_near { u8::from(!is_own) } else { 2 };
        if !is_near {
            let place = meeting_namespace(it.outline.namespace(it.document));
            completion.detail = format!("{} in {place}", completion.detail);
        }
        found.push(completion);
    }
    found.extend(external(cx, &kinds).into_iter().map(|it| named(cx, it, "external")));
    found
}

/// The names of the objects that Projects declare to exist in the cluster.
fn external<'i>(cx: &CompletionContext<'i>, kinds: &[&str]) -> Vec<&'i str> {
    let mut names = Vec::new();
    for project in cx.index.declared().filter(Declared::is_project) {
        let (outline, document) = (project.outline, project.document);
        let Some(list) = document.at(outline, &["spec", "external"]) else { continue };
        for (at, item) in document.children(list) {
            let short = outline.scalar(item);
            if let Some((kind, rest)) = short.split_once('/') {
                if kinds.iter().any(|known| is_name_of_kind(kind, known)) {
                    names.extend(rest.rsplit('/').next());
                }
                continue;
            }
            let field = |name| document.field(outline, at, name).map(|it| document.entry(it));
            let kind = field("kind").map_or("", |it| outline.scalar(it));
            if kinds.contains(&kind) {
                names.extend(field("name").map(|it| outline.scalar(it)));
            }
        }
    }
    names
}

/// The keys of the object that a field next to the cursor names.
fn keys(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let (outline, document) = (cx.outline, cx.cursor.document);
    let Some(object) = find_data_mention(outline, document, cx.cursor.entry) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for it in object.find(cx.index, outline, document) {
        for field in ["data", "stringData", "binaryData"] {
            let Some(data) = it.document.at(it.outline, &[field]) else { continue };
            let entries = it.document.children(data).filter(|(_, it)| it.kind == Kind::Field);
            found.extend(entries.map(|(_, key)| named(cx, it.outline.key(key), object.name)));
        }
    }
    found
}

/// The names of the items of a list of the nearest map around an entry that has it.
fn around<'o>(outline: &'o Outline, document: &'o Document, at: usize, list: &str) -> Vec<&'o str> {
    let mut at = at;
    loop {
        at = document.entry(at).parent;
        if let Some(found) = document.field(outline, at, list) {
            let name = |(item, _)| {
                let own = document.field(outline, item, "name");
                let of_metadata = || {
                    let metadata = document.field(outline, item, "metadata")?;
                    document.field(outline, metadata, "name")
                };
                own.or_else(of_metadata).map(|it| outline.scalar(document.entry(it)))
            };
            let names: Vec<_> =
                document.children(found).filter_map(name).filter(|it| !it.is_empty()).collect();
            if !names.is_empty() {
                return names;
            }
        }
        if at == 0 {
            return Vec::new();
        }
    }
}

/// The names of the ports of containers.
fn container_ports(index: &Index) -> SortedSet<&str> {
    let mut names = SortedSet::new();
    for Declared { outline, document, .. } in index.declared() {
        for (at, entry) in document.entries() {
            let is_name = entry.style == Style::Scalar && outline.key(entry) == "name";
            if is_name
                && let [.., Step::Field("ports"), Step::Item(_), Step::Field("name")] =
                    outline.path(document, at)[..]
                && document.field(outline, entry.parent, "containerPort").is_some()
            {
                names.insert(outline.scalar(entry));
            }
        }
    }
    names
}

/// The keys of labels in a project.
pub(super) fn label_keys(index: &Index) -> Vec<String> {
    let mut keys = SortedSet::new();
    // In a schema, `labels` is a field that has fields of its own.
    let is_schema = |it: &Declared<'_>| it.is_one_of(&["CustomResourceDefinition"]);
    for Declared { outline, document, .. } in index.declared().filter(|it| !is_schema(it)) {
        for (at, entry) in document.entries() {
            if entry.kind == Kind::Field && outline.key(entry) == "labels" {
                let fields = document.children(at).filter(|(_, it)| it.kind == Kind::Field);
                keys.extend(fields.map(|(_, it)| outline.key(it).to_owned()));
            }
        }
    }
    keys.into_iter().collect()
}
