//! The structure of files: symbols, folds, growing selections and links.

use std::ops::Range;

use crate::findings::exception;
use crate::project::is_external_file;
use crate::rules;
use crate::sorted::CompactSort as _;
use crate::source::Slice as _;

use super::index::{Declared, Index};
use super::outline::{Document, Kind, Outline, Style};

/// The depth of fields among the symbols of a document.
const DEPTH: usize = 3;

/// The maximum number of fields and items of a file whose symbols have fields.
const ENTRIES: usize = 50_000;

/// The maximum number of objects, and of folds, of a file: their JSON takes up to a hundred times the memory of the text,
/// and no editor shows as many.
const MOST: usize = 10_000;

/// The maximum number of selections that contain each other.
const SELECTIONS: usize = 100;

/// An object, or a field of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name of an object, or that of a field.
    pub name: String,
    /// The kind of an object, or the scalar of a field.
    pub detail: String,
    /// Whether it is an object.
    pub is_object: bool,
    /// All of it.
    pub range: Range<usize>,
    /// Its name.
    pub name_range: Range<usize>,
    /// The fields in it.
    pub children: Vec<Self>,
}

/// A link in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The text of the link.
    pub range: Range<usize>,
    /// Its target.
    pub target: LinkTarget,
}

/// The target of a [`Link`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// A path relative to the file.
    Path(String),
    /// An address.
    Address(String),
}

/// Returns the objects of a file, each with its fields. A very large file has objects alone: an editor
/// holds all symbols of a file, and a million of them are not read. More than 10,000 objects are left out.
#[must_use]
pub fn document_symbols(index: &Index, file: usize) -> Vec<Symbol> {
    let Some(outline) = index.outline(file) else { return Vec::new() };
    let is_shown = |document: &&Document| document.entries().len() > 1 && !document.is_list();
    let documents = outline.documents().iter().filter(is_shown);
    let entries: usize = outline.documents().iter().map(|it| it.entries().len()).sum();
    let depth = if entries > ENTRIES { 0 } else { DEPTH };
    documents.take(MOST).map(|document| object(outline, document, depth)).collect()
}

/// Returns the objects of all files whose kind and name contain the letters of a query in this order, up
/// to a number of them. Those whose name is the query are first, then those that start with it, that
/// contain it, whose kind contains it, and the others.
#[must_use]
pub fn workspace_symbols(index: &Index, query: &str, most: usize) -> Vec<(usize, Symbol)> {
    let query = query.trim().to_lowercase();
    let wanted: Vec<_> = query.chars().filter(|it| !it.is_whitespace()).collect();
    let distance = |Declared { outline, document, .. }: &Declared<'_>| {
        let name = outline.name(document).to_lowercase();
        let text = format!("{} {name}", outline.kind(document).to_lowercase());
        match name.find(&query) {
            _ if query.is_empty() => return Some(0),
            Some(0) if name.len() == query.len() => return Some(0),
            Some(0) => return Some(1),
            Some(_) => return Some(2),
            None if text.contains(&query) => return Some(3),
            None => {}
        }
        let mut letters = text.chars();
        wanted.iter().all(|wanted| letters.any(|letter| letter == *wanted)).then_some(4)
    };
    let mut found: Vec<_> =
        index.declared().filter_map(|declared| Some((distance(&declared)?, declared))).collect();
    found.compact_sort_by_key(|(rank, declared)| {
        (*rank, declared.file, declared.document.range.start)
    });
    let nearest = found.into_iter().take(most);
    nearest
        .map(|(_, Declared { file, outline, document })| (file, object(outline, document, 0)))
        .collect()
}

fn object(outline: &Outline, document: &Document, depth: usize) -> Symbol {
    let (kind, name) = (outline.kind(document), outline.name(document));
    let root = document.entry(0);
    let first = document.entry(1);
    let range = first.key.start..root.end.max(first.key.end);
    let named = document.head.name.or(document.head.kind).map(|at| document.entry(at));
    let name_range =
        named.and_then(|entry| entry.value.clone()).unwrap_or_else(|| first.key.clone());
    let is_inside = range.start <= name_range.start && name_range.end <= range.end;
    Symbol {
        name: match (name, kind) {
            // The protocol forbids an empty name.
            ("", "") if outline.key(first).is_empty() => "document".to_owned(),
            ("", "") => outline.shown_key(first).to_owned(),
            ("", kind) => kind.to_owned(),
            (name, _) => name.to_owned(),
        },
        detail: kind.to_owned(),
        is_object: true,
        name_range: if is_inside { name_range } else { first.key.clone() },
        range,
        children: below(outline, document, 0, depth),
    }
}

fn below(outline: &Outline, document: &Document, of: usize, depth: usize) -> Vec<Symbol> {
    if depth == 0 {
        return Vec::new();
    }
    let symbol = |(at, entry): (usize, &super::outline::Entry)| {
        let item_name = || document.field(outline, at, "name").map(|name| document.entry(name));
        let name = match entry.kind {
            Kind::Field => outline.shown_key(entry).to_owned(),
            Kind::Item(index) => item_name()
                .map_or_else(|| index.to_string(), |entry| outline.shown_scalar(entry).to_owned()),
            Kind::Root | Kind::Loose => return None,
        };
        (!name.is_empty()).then(|| Symbol {
            name,
            detail: outline.shown_scalar(entry).to_owned(),
            is_object: false,
            range: entry.range(),
            name_range: entry.key.clone(),
            children: below(outline, document, at, depth - 1),
        })
    };
    document.children(of).filter_map(symbol).collect()
}

/// Returns the parts of a file that can be folded: documents, and values of several lines.
#[must_use]
pub fn folds(index: &Index, file: usize) -> Vec<Range<usize>> {
    let Some(outline) = index.outline(file) else { return Vec::new() };
    let mut folds = Vec::new();
    for document in outline.documents() {
        let entries = document.entries().filter(|(at, _)| *at > 0);
        let ranges = entries.map(|(_, it)| it.range());
        if document.entries().len() == 1 {
            continue;
        }
        let whole = document.entry(1).key.start..document.entry(0).end;
        let is_long = |it: &Range<usize>| !outline.is_in_one_line(it);
        folds.extend(std::iter::once(whole).chain(ranges).filter(is_long));
    }
    folds.compact_sort_by_key(|fold| (fold.start, fold.end));
    folds.dedup();
    folds.truncate(MOST);
    folds
}

/// Returns the ranges that contain an offset, each in the next one: the scalar, its field, the fields
/// around it, the document.
#[must_use]
pub fn selections(index: &Index, file: usize, offset: usize) -> Vec<Range<usize>> {
    let found = || {
        let outline = index.outline(file)?;
        let document = outline.document_at(offset)?;
        let touches = |it: &Range<usize>| it.start <= offset && offset <= it.end;
        let (mut at, entry) =
            document.entries().rev().find(|(at, it)| *at > 0 && touches(&it.range()))?;
        let mut ranges: Vec<_> =
            [Some(entry.key.clone()), entry.value.clone()].into_iter().flatten().collect();
        ranges.retain(touches);
        // An editor nests them, and so does its JSON.
        while at != 0 && ranges.len() < SELECTIONS {
            ranges.push(document.entry(at).range());
            at = document.entry(at).parent;
        }
        ranges.push(document.entry(1).key.start..document.entry(0).end);
        ranges.push(0..outline.text().len());
        Some(ranges)
    };
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for range in found().into_iter().flatten() {
        let contains = |inner: &Range<usize>| range.start <= inner.start && inner.end <= range.end;
        let is_larger = ranges.last().is_none_or(|inner| contains(inner) && *inner != range);
        if is_larger && !range.is_empty() {
            ranges.push(range);
        }
    }
    ranges
}

/// Returns the links of a file: files that a Project names, and rules that exceptions name if their pages
/// have addresses.
#[must_use]
pub fn links(index: &Index, file: usize) -> Vec<Link> {
    let Some(outline) = index.outline(file) else { return Vec::new() };
    let mut links = Vec::new();
    for document in outline.documents() {
        if !(Declared { file, outline, document }).is_project() {
            continue;
        }
        for list in ["crds", "external"] {
            let Some(list) = document.at(outline, &["spec", list]) else { continue };
            for (_, item) in document.children(list).filter(|(_, it)| it.style == Style::Scalar) {
                let path = outline.scalar(item);
                let is_file = is_external_file(path);
                if let Some(range) = item.value.clone().filter(|_| is_file) {
                    links.push(Link { range, target: LinkTarget::Path(path.to_owned()) });
                }
            }
        }
    }
    for comment in outline.comments() {
        let text = outline.slice(comment);
        let Some(names) = text.find(exception::WORD) else { continue };
        let names = text.slice(names + exception::WORD.len()..);
        for word in names.split([' ', ',']).filter(|it| !it.is_empty()) {
            let Some(address) = rules::find(word).and_then(rules::page_address) else { continue };
            let start = comment.start + (word.as_ptr() as usize - text.as_ptr() as usize);
            let range = start..start + word.len();
            links.push(Link { range, target: LinkTarget::Address(address) });
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Versions;
    use crate::source::Workspace;

    fn index(text: &str) -> Index {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        Index::of(&workspace, Versions::NONE)
    }

    const TWO: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: main\n      \
        image: a\n---\napiVersion: v1\nkind: Service\nmetadata: {name: api}\n";

    #[test]
    fn symbols_are_objects_with_their_fields() {
        let index = index(TWO);
        let symbols = document_symbols(&index, 0);
        let names: Vec<_> = symbols.iter().map(|it| (&*it.name, &*it.detail)).collect();
        assert_eq!(names, [("web", "Pod"), ("api", "Service")]);
        assert_eq!(&TWO[symbols[0].name_range.clone()], "web");
        let spec = &symbols[0].children[3];
        assert_eq!((&*spec.name, &*spec.children[0].children[0].name), ("spec", "main"));
        let found = workspace_symbols(&index, "serv", 10);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1.name, "api");
        assert_eq!(workspace_symbols(&index, "", 1).len(), 1);
    }

    #[test]
    fn the_symbols_that_are_nearest_to_a_query_are_first() {
        let object = |kind: &str, name: &str| format!("kind: {kind}\nmetadata: {{name: {name}}}\n");
        let objects = [
            object("Deployment", "controller-manager"),
            object("Pooler", "main"),
            object("Role", "edit-poolers"),
            object("Service", "pooler-rw"),
            object("Secret", "pooler"),
        ];
        let index = index(&objects.join("---\n"));
        let names = |query: &str, most: usize| -> Vec<String> {
            workspace_symbols(&index, query, most).into_iter().map(|it| it.1.name).collect()
        };
        let all = ["pooler", "pooler-rw", "edit-poolers", "main", "controller-manager"];
        assert_eq!(names("Pooler", 9), all);
        assert_eq!(names("pooler", 2), all[..2]);
        assert_eq!(names("service pool", 1), ["pooler-rw"]);
        assert_eq!(names("", 1), ["controller-manager"]);
    }

    #[test]
    fn each_symbol_has_a_name() {
        let symbols = document_symbols(&index("\"\": {\"\": 1, a: 2}\n---\n'': x\n"), 0);
        let names: Vec<_> = symbols.iter().map(|it| &*it.name).collect();
        assert_eq!(names, ["document", "document"]);
    }

    #[test]
    fn the_symbols_of_a_very_large_file_are_its_objects() {
        let symbols = |fields: usize| {
            let data = "\n  k: v".repeat(fields);
            document_symbols(&index(&format!("kind: ConfigMap\ndata:{data}\n---\nkind: Pod\n")), 0)
        };
        assert_eq!(symbols(10)[0].children.len(), 2);
        let large = symbols(ENTRIES);
        let objects: Vec<_> = large.iter().map(|it| (&*it.name, it.children.len())).collect();
        assert_eq!(objects, [("ConfigMap", 0), ("Pod", 0)]);
    }

    #[test]
    fn an_editor_gets_no_more_parts_than_it_can_show() {
        let text = "a: b\nc: d\n---\n".repeat(MOST + 1);
        let index = index(&text);
        assert_eq!(document_symbols(&index, 0).len(), MOST);
        assert_eq!(folds(&index, 0).len(), MOST);
    }

    #[test]
    fn values_of_several_lines_are_folded() {
        let folds = folds(&index(TWO), 0);
        let first: Vec<_> =
            folds.iter().map(|it| TWO[it.clone()].lines().next().unwrap()).collect();
        let expected = [
            "apiVersion: v1",
            "metadata:",
            "spec:",
            "  containers:".trim(),
            "- name: main",
            "apiVersion: v1",
        ];
        assert_eq!(first, expected);
        assert!(TWO[folds[0].clone()].ends_with("image: a"));
    }

    #[test]
    fn selections_grow_to_the_file() {
        let at = TWO.find("main").unwrap() + 1;
        let ranges = selections(&index(TWO), 0, at);
        let parts: Vec<_> = ranges.iter().map(|it| &TWO[it.clone()]).collect();
        assert_eq!(&parts[..3], ["main", "name: main", "- name: main\n      image: a"]);
        assert_eq!(*parts.last().unwrap(), TWO);
        assert!(ranges.windows(2).all(|it| it[1].start <= it[0].start && it[0].end <= it[1].end));
    }

    #[test]
    fn files_of_a_project_are_links() {
        let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  crds: [crds/widgets.yaml]\n  external: [secret/a]\n";
        let links = links(&index(text), 0);
        assert_eq!(links.len(), 1);
        assert_eq!(links[0].target, LinkTarget::Path("crds/widgets.yaml".to_owned()));
    }
}
