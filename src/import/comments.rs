//! Comments of imported files: each is kept at the field of the definitions that it is about.
//!
//! A comment is about the entry or item on its line or below it, and that is found in the result by
//! the origin of its key or value. A comment above a part that a definition does not have is about the
//! first field in it.

use std::ops::Range;
use std::ptr;

use super::{IMPORT_COMMENT_DROPPED, Imported};
use crate::diag::{Diagnostic, message};
use crate::kube::Object;
use crate::markup::{Markup, YamlComment};
use crate::sorted::{CompactSort as _, SortedMap};
use crate::source::{FileId, Span, Workspace};
use crate::tree::{Node, Origin, Value};
use crate::yaml::{self, Beside, Document, Remark};

/// The comments of the input, with what they are about.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    documents: Vec<Commented>,
}

/// A document with comments.
#[derive(Debug)]
struct Commented {
    span: Span,
    parts: Vec<Part>,
    comments: Vec<Comment>,
}

#[derive(Debug)]
struct Comment {
    span: Span,
    text: String,
    place: Place,
}

/// What a comment is about.
#[derive(Debug)]
enum Place {
    /// The document, above its content.
    Head,
    /// The document, below its content.
    Foot,
    /// The parts that begin with this one, or the first one in it that is kept.
    Above(usize),
    /// One of the parts that begin on the line.
    After(Range<usize>),
}

/// An entry of a map, or an item of a list.
#[derive(Debug)]
struct Part {
    /// The range in the file, from the key on.
    range: Range<usize>,
    key: Option<Origin>,
    /// `None` if the value is written elsewhere, at its anchor.
    value: Option<Origin>,
}

impl Comments {
    /// Reads the comments of a file, whose documents are these.
    pub(super) fn add(&mut self, file: FileId, workspace: &Workspace, documents: &[Document]) {
        let text = workspace.file(file).text();
        if !text.contains('#') {
            return;
        }
        let spans: Vec<_> = documents.iter().map(|document| document.span.within(file)).collect();
        let mut all: Vec<_> =
            documents.iter().map(|document| Commented::of(document, file)).collect();
        for comment in yaml::all_comments(file, text, &mut usize::MAX.clone()) {
            let start = comment.span.start;
            let around = spans.partition_point(|span| span.start <= start).saturating_sub(1);
            let below = spans.partition_point(|span| span.end <= start);
            let at = match comment.beside {
                Beside::Line(_) => around,
                Beside::Document(_) => below.min(spans.len().saturating_sub(1)),
            };
            let Some(document) = all.get_mut(at) else { continue };
            let place = match comment.beside {
                Beside::Line(line) => document.place(text, line.range(), comment.span.range()),
                Beside::Document(_) if below < spans.len() => Place::Head,
                Beside::Document(_) => Place::Foot,
            };
            let span = Span::new(file, start, comment.span.end);
            document.comments.push(Comment { span, text: print_written(comment.text), place });
        }
        all.retain(|part| !part.comments.is_empty());
        self.documents.append(&mut all);
    }
}

/// A comment as it is printed.
fn print_written(text: &str) -> String {
    // The author's exceptions stay exceptions.
    const OWN: &str = "sandboxc:";
    let parts: Vec<_> = text
        .trim_end()
        .split(OWN)
        .map(|comment| Markup::<YamlComment>::of(comment).into_string())
        .collect();
    format!("#{}", parts.join(OWN))
}

/// Collects the entries and items below a node.
fn add_parts(node: &Node, file: FileId, parts: &mut Vec<Part>) {
    let range = |origin: Origin| origin.span().within(file).range();
    match &node.value {
        Value::Map(map) => {
            for entry in map.entries() {
                let key = range(entry.key_origin());
                let value = range(entry.value.origin());
                let is_here = value.start >= key.end;
                let end = if is_here { value.end } else { key.end };
                parts.push(Part {
                    range: key.start..end.max(key.end),
                    key: Some(entry.key_origin()),
                    value: Some(entry.value.origin()).filter(|_| is_here && !entry.value.is_null()),
                });
                if is_here {
                    add_parts(&entry.value, file, parts);
                }
            }
        }
        Value::List(items) => {
            for item in items {
                parts.push(Part {
                    range: range(item.origin()),
                    key: None,
                    value: Some(item.origin()),
                });
                add_parts(item, file, parts);
            }
        }
        _ => {}
    }
}

impl Commented {
    fn of(document: &Document, file: FileId) -> Self {
        let mut parts = Vec::new();
        add_parts(&document.root, file, &mut parts);
        parts.compact_sort_by_key(|part| part.range.start);
        Self { span: document.span, parts, comments: Vec::new() }
    }

    /// What a comment next to a line, or on it, is about.
    fn place(&self, text: &str, line: Range<usize>, comment: Range<usize>) -> Place {
        if line.is_empty() {
            return Place::Foot;
        }
        let first = self.parts.partition_point(|part| part.range.start < line.start);
        if line.start > comment.start {
            return if first < self.parts.len() { Place::Above(first) } else { Place::Foot };
        }
        let end = self.parts.partition_point(|part| part.range.start < line.end);
        if first < end {
            return Place::After(first..end);
        }
        // The end of a value of several lines.
        let content = text.get(..comment.start).unwrap_or("").trim_end().len();
        let ends_here = |part: &Part| part.range.end >= content && part.range.start < content;
        let last = self.parts.iter().take(first).rposition(ends_here);
        last.map_or(Place::Above(first), |at| Place::After(at..at + 1))
    }

    /// Where the result has the part that a comment is about.
    fn find(&self, place: &Place, index: &Index) -> Option<Spot> {
        let parts = |range: Range<usize>| self.parts.get(range).into_iter().flatten();
        match place {
            Place::Head | Place::Foot => None,
            Place::After(range) => parts(range.clone()).find_map(|part| index.find(part)),
            Place::Above(first) => {
                let part = self.parts.get(*first)?;
                let end = self.parts.partition_point(|other| other.range.start < part.range.end);
                let first_inside = || parts(*first..end).filter_map(|part| index.find(part)).min();
                index.find(part).or_else(first_inside)
            }
        }
    }
}

/// The comments of the result.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Those of each object, by its index.
    objects: SortedMap<usize, OfObject>,
}

/// The comments on an object.
#[derive(Debug, Default)]
struct OfObject {
    head: Vec<String>,
    foot: Vec<String>,
    /// Those on its values, by their number in the order of the output.
    values: SortedMap<usize, Remark>,
}

/// A value of the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    /// The index of the object.
    object: usize,
    /// The number of the value in it, in the order of the output.
    value: usize,
}

/// The values of the objects by what they come from.
#[derive(Default)]
struct Index {
    keys: SortedMap<Origin, Spot>,
    values: SortedMap<Origin, Spot>,
}

impl Index {
    fn of(objects: &[Object]) -> Self {
        let mut index = Self::default();
        for (at, object) in objects.iter().enumerate() {
            let mut spot = Spot { object: at, value: 0 };
            visit_parts(&object.root, &mut |key, value| {
                if let Some(key) = key {
                    index.keys.entry(key).or_insert(spot);
                }
                index.values.entry(value.origin()).or_insert(spot);
                spot.value += 1;
            });
        }
        index
    }

    fn find(&self, part: &Part) -> Option<Spot> {
        // A field with another name has the origin of its value as that of its key.
        let of_value = |origin: Origin| self.values.get(&origin).or_else(|| self.keys.get(&origin));
        let of_key = part.key.and_then(|key| self.keys.get(&key));
        of_key.or_else(|| part.value.and_then(of_value)).copied()
    }
}

/// Calls a function for each entry and item, in the order of the output.
fn visit_parts<'n>(node: &'n Node, each: &mut dyn FnMut(Option<Origin>, &'n Node)) {
    match &node.value {
        Value::Map(map) => {
            for entry in map.entries() {
                each(Some(entry.key_origin()), &entry.value);
                visit_parts(&entry.value, each);
            }
        }
        Value::List(items) => {
            for item in items {
                each(None, item);
                visit_parts(item, each);
            }
        }
        _ => {}
    }
}

/// Finds the place of each comment in the objects. The finding names those that have none.
pub(crate) fn keep(comments: &Comments, objects: &[Object]) -> (Kept, Option<Diagnostic>) {
    let mut kept = Kept::default();
    let mut dropped = Vec::new();
    // What is imported as nothing has a finding of its own.
    if comments.documents.is_empty() || objects.is_empty() {
        return (kept, None);
    }
    let index = Index::of(objects);
    for document in &comments.documents {
        let is_inside = |object: &Object| document.span.contains(object.document);
        let is_main = |object: &Object| is_inside(object) && !super::projects::is_project(object);
        let main = objects.iter().position(is_main);
        let first = main.or_else(|| objects.iter().position(is_inside));
        let last = objects.iter().rposition(is_main).or(first);
        for comment in &document.comments {
            let is_kept = match comment.place {
                Place::Head => first.map(|object| kept.of(object).head.push(comment.text.clone())),
                Place::Foot => last.map(|object| kept.of(object).foot.push(comment.text.clone())),
                _ => document.find(&comment.place, &index).map(|spot| kept.add(spot, comment)),
            };
            if is_kept.is_none() {
                dropped.push(comment.span);
            }
        }
    }
    (kept, dropped_finding(&dropped))
}

/// Names the comments that have no place in the result.
fn dropped_finding(dropped: &[Span]) -> Option<Diagnostic> {
    let (first, rest) = dropped.split_first()?;
    let message = match rest {
        [] => message!("a comment is not imported"),
        _ => message!("{} comments are not imported", dropped.len()),
    };
    let mut finding = Diagnostic::new(&IMPORT_COMMENT_DROPPED, *first, message).at("not imported");
    for other in rest {
        finding = finding.label(*other, "not imported");
    }
    Some(finding.note("the definitions do not have the field that it is about"))
}

impl Kept {
    fn of(&mut self, object: usize) -> &mut OfObject {
        self.objects.entry(object).or_default()
    }

    fn add(&mut self, spot: Spot, comment: &Comment) {
        let remark = self.of(spot.object).values.entry(spot.value).or_default();
        if matches!(comment.place, Place::After(_)) && remark.after.is_none() {
            remark.after = Some(comment.text.clone());
        } else {
            remark.above.push(comment.text.clone());
        }
    }
}

/// Appends an object of an import with its comments.
pub(crate) fn print(imported: &Imported, object: &Object, out: &mut String) {
    let before = ptr::from_ref(object).addr().wrapping_sub(imported.objects.as_ptr().addr());
    let Some(own) = imported.kept.objects.get(&(before / size_of::<Object>())) else {
        return yaml::print_document(&object.root, out);
    };
    let print_lines = |lines: &[String], out: &mut String| {
        for line in lines {
            out.push_str(line);
            out.push('\n');
        }
    };
    print_lines(&own.head, out);
    let mut remarks: SortedMap<usize, &Remark> = SortedMap::new();
    let mut number = 0;
    visit_parts(&object.root, &mut |_, value| {
        if let Some(remark) = own.values.get(&number) {
            remarks.insert(ptr::from_ref(value).addr(), remark);
        }
        number += 1;
    });
    let remark = |node: &Node| remarks.get(&ptr::from_ref(node).addr()).copied().cloned();
    yaml::print_remarked(&object.root, &remark, out);
    print_lines(&own.foot, out);
}
