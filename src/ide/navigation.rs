//! From a name to what it means, and back: definitions, references, and a new name for both.

use std::ops::Range;

use super::index::{Declared, Index};
use super::outline::{Cursor, Outline, Slot};
use super::part::{Part, data_key, of_value, value_path, volume};
use super::reference::find_mention;
use crate::sorted::{CompactSort as _, SortedSet};
use crate::source::Slice as _;
use crate::yaml;

/// A part of a file of an [`Index`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileRange {
    /// The number of the file.
    pub file: usize,
    /// The part.
    pub range: Range<usize>,
}

/// The objects that the name at a cursor means.
struct Target<'i> {
    name: &'i str,
    objects: Vec<Declared<'i>>,
}

/// Returns where the name at an offset of a file is declared: an object, the volume of a mount, the key of
/// a Secret, or the value of a Project that an expression reads.
#[must_use]
pub fn definition(index: &Index, file: usize, offset: usize) -> Vec<FileRange> {
    let Some((outline, cursor)) = cursor_at(index, file, offset) else { return Vec::new() };
    if let Some(path) = value_path(outline, offset) {
        return of_value(index, &path);
    }
    if !matches!(cursor.slot, Slot::Value) {
        return Vec::new();
    }
    if let Some(range) = volume(outline, &cursor) {
        return vec![FileRange { file, range }];
    }
    data_key(index, outline, &cursor).unwrap_or_else(|| {
        let targets = target(index, file, &cursor).into_iter().flat_map(|target| target.objects);
        targets.filter_map(|object| declaration(&object)).collect()
    })
}

/// The cursor at an offset of a file, and the outline that has it.
fn cursor_at(index: &Index, file: usize, offset: usize) -> Option<(&Outline, Cursor<'_>)> {
    let outline = index.outline(file)?;
    Some((outline, outline.cursor(offset)?))
}

/// Returns where the name at an offset of a file is written: its references, and its declarations if
/// `has_declarations` is set, in order.
#[must_use]
pub fn references(
    index: &Index,
    file: usize,
    offset: usize,
    has_declarations: bool,
) -> Vec<FileRange> {
    let Some((_, cursor)) = cursor_at(index, file, offset) else { return Vec::new() };
    if let Some(part) = Part::at(index, file, &cursor, offset) {
        return part.places(index, has_declarations);
    }
    target(index, file, &cursor)
        .map_or_else(Vec::new, |target| target.references(index, has_declarations))
}

/// Returns the name at an offset of a file if it can be renamed. One with an expression cannot: its
/// objects have several names.
#[must_use]
pub fn renamable(index: &Index, file: usize, offset: usize) -> Option<Range<usize>> {
    let (outline, cursor) = cursor_at(index, file, offset)?;
    if let Some(part) = Part::at(index, file, &cursor, offset) {
        let is_here = |place: &FileRange| {
            place.file == file && (place.range.start..=place.range.end).contains(&offset)
        };
        let found = part.places(index, true).into_iter().find(is_here);
        return found.map(|it| it.range).filter(|range| !outline.slice(range).contains("{{"));
    }
    let target = target(index, file, &cursor)?;
    (!target.name.contains("{{") && !target.objects.is_empty())
        .then(|| bare(outline, &cursor.range))
}

/// Returns the places of the name at an offset of a file that a new name replaces, without their quotes.
#[must_use]
pub fn rename(index: &Index, file: usize, offset: usize) -> Vec<FileRange> {
    if renamable(index, file, offset).is_none() {
        return Vec::new();
    }
    references(index, file, offset, true)
}

/// Returns what replaces the name at an offset of a file at each place: the new name, in quotes where it
/// would not be a string without them. `None` if no such thing can have this name.
#[must_use]
pub fn rename_to(
    index: &Index,
    file: usize,
    offset: usize,
    new: &str,
) -> Option<Vec<(FileRange, String)>> {
    let part = Part::at(index, file, &index.outline(file)?.cursor(offset)?, offset);
    if !part.map_or_else(|| is_plain_name(new), |part| part.can_be_named(new)) {
        return None;
    }
    let edit = |place: FileRange| {
        let text = index
            .outline(place.file)
            .map_or_else(String::new, |outline| name_to_write(outline, &place, new));
        (place, text)
    };
    Some(rename(index, file, offset).into_iter().map(edit).collect())
}

/// Whether a name can be written in each style of YAML without an escape.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|it: char| it.is_control() || "\\\"'{}[]:#, ".contains(it))
}

/// A new name at a place.
fn name_to_write(outline: &Outline, place: &FileRange, new: &str) -> String {
    let before = outline.text().slice(..place.range.start);
    let is_quoted = before.ends_with(['"', '\'']);
    let is_in_expression = before.ends_with('.');
    if is_quoted || is_in_expression || yaml::key(new) == new {
        return new.to_owned();
    }
    let quote = outline.preferred_quote();
    format!("{quote}{new}{quote}")
}

/// A range without quotes.
pub(super) fn bare(outline: &Outline, range: &Range<usize>) -> Range<usize> {
    let text = outline.slice(range);
    let is_quoted = text.len() > 1 && text.starts_with(['"', '\'']);
    if is_quoted { range.start + 1..range.end - 1 } else { range.clone() }
}

/// The name of an object.
fn declaration(declared: &Declared<'_>) -> Option<FileRange> {
    let Declared { file, outline, document } = *declared;
    let name = document.entry(document.head.name?).value.as_ref()?;
    Some(FileRange { file, range: bare(outline, name) })
}

/// The objects that the name at a cursor means: that of its document, or a reference.
fn target<'i>(index: &'i Index, file: usize, cursor: &Cursor<'i>) -> Option<Target<'i>> {
    let outline = index.outline(file)?;
    let document = cursor.document;
    if !matches!(cursor.slot, Slot::Value) {
        return None;
    }
    if document.head.name == Some(cursor.entry) && document.head.kind.is_some() {
        let objects = vec![Declared { file, outline, document }];
        return Some(Target { name: outline.name(document), objects });
    }
    let reference = find_mention(outline, document, cursor.entry)?;
    let objects = reference.find(index, outline, document);
    Some(Target { name: reference.name, objects })
}

impl Target<'_> {
    fn references(&self, index: &Index, has_declarations: bool) -> Vec<FileRange> {
        let mut places = Vec::new();
        if has_declarations {
            places.extend(self.objects.iter().filter_map(declaration));
        }
        for Declared { file, outline, document } in index.declared() {
            for (at, entry) in document.entries() {
                let Some(range) = entry.value.as_ref() else { continue };
                if outline.scalar(entry) != self.name {
                    continue;
                }
                let Some(reference) = find_mention(outline, document, at) else { continue };
                let objects = reference.find(index, outline, document);
                if objects.iter().any(|it| self.contains(it)) {
                    places.push(FileRange { file, range: bare(outline, range) });
                }
            }
        }
        places.compact_sort_by_key(|place| (place.file, place.range.start));
        places.dedup();
        places
    }

    fn contains(&self, declared: &Declared<'_>) -> bool {
        self.objects.iter().any(|object| std::ptr::eq(object.document, declared.document))
    }
}

/// The documents that refer to each of these objects, once for each reference.
pub(super) fn uses<'i>(index: &'i Index, objects: &[Declared<'i>]) -> Vec<Vec<Declared<'i>>> {
    let names: SortedSet<_> =
        objects.iter().map(|object| object.outline.name(object.document)).collect();
    let mut uses = vec![Vec::new(); objects.len()];
    for user in index.declared() {
        let Declared { outline, document, .. } = user;
        for (at, entry) in document.entries() {
            let name = outline.scalar(entry);
            if name.is_empty() || !names.contains(name) {
                continue;
            }
            let Some(reference) = find_mention(outline, document, at) else { continue };
            for found in reference.find(index, outline, document) {
                let is_found =
                    |object: &Declared<'_>| std::ptr::eq(object.document, found.document);
                let pair = objects.iter().zip(&mut uses).find(|(object, _)| is_found(object));
                if let Some((_, uses)) = pair {
                    uses.push(user);
                }
            }
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Versions;
    use crate::source::Workspace;

    const POOLS: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: a}\nspec: {template: python}\n\
        ---\napiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: b}\nspec: {template: 'python'}\n";
    const TEMPLATES: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: python}\nspec: {image: a}\n\
        ---\napiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: child}\nspec: {extends: python}\n";

    fn index(texts: &[&str]) -> Index {
        let mut workspace = Workspace::new();
        for (number, text) in texts.iter().enumerate() {
            workspace.add(format!("{number}.yaml"), text.replacen('^', "", 1));
        }
        Index::of(&workspace, Versions::NONE)
    }

    /// Each place as the number of its file and its line.
    fn lines(index: &Index, places: &[FileRange]) -> Vec<(usize, usize)> {
        let line = |it: &FileRange| {
            let text = index.outline(it.file).unwrap().text();
            (it.file, text[..it.range.start].matches('\n').count() + 1)
        };
        places.iter().map(line).collect()
    }

    #[test]
    fn a_name_leads_to_its_object() {
        let index = index(&[POOLS, TEMPLATES]);
        let at = POOLS.find("python").unwrap();
        assert_eq!(lines(&index, &definition(&index, 0, at + 2)), [(1, 3)]);
        assert_eq!(definition(&index, 0, POOLS.find("WarmPool").unwrap()), []);
    }

    #[test]
    fn references_of_a_name_are_found_from_both_sides() {
        let index = index(&[POOLS, TEMPLATES]);
        let expected = [(0, 4), (0, 9), (1, 3), (1, 9)];
        let from_pool = references(&index, 0, POOLS.find("python").unwrap(), true);
        assert_eq!(lines(&index, &from_pool), expected);
        let at = TEMPLATES.find("python").unwrap();
        let from_template = references(&index, 1, at, false);
        assert_eq!(lines(&index, &from_template), [(0, 4), (0, 9), (1, 9)]);
        let renamed = rename(&index, 1, at);
        assert_eq!(renamed.len(), 4);
        for place in renamed {
            assert_eq!(index.outline(place.file).unwrap().slice(&place.range), "python");
        }
    }

    #[test]
    fn objects_of_other_namespaces_are_others() {
        let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: one}\nspec: {serviceAccountName: r^obot}\n";
        let accounts = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot, namespace: two}\n---\n\
            apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot, namespace: one}\n";
        let index = index(&[pod, accounts]);
        let at = pod.find('^').unwrap();
        assert_eq!(lines(&index, &definition(&index, 0, at)), [(1, 7)]);
        let other = accounts.find("robot").unwrap();
        assert_eq!(references(&index, 1, other, false), []);
    }

    #[test]
    fn an_object_of_the_same_file_comes_first() {
        let sample = |replicas: u8| {
            format!(
                "apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: robot}}\n---\napiVersion: apps/v1\n\
                 kind: Deployment\nmetadata: {{name: web}}\nspec:\n  replicas: {replicas}\n  template: {{spec: \
                 {{serviceAccountName: robot}}}}\n"
            )
        };
        let pod =
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {serviceAccountName: robot}\n";
        let index = index(&[&sample(1), &sample(2), pod]);
        let at = sample(1).rfind("robot").unwrap();
        assert_eq!(lines(&index, &definition(&index, 0, at)), [(0, 3)]);
        assert_eq!(lines(&index, &rename(&index, 0, at)), [(0, 3), (0, 10), (2, 4)]);
        let at = pod.rfind("robot").unwrap();
        assert_eq!(lines(&index, &definition(&index, 2, at)), [(0, 3), (1, 3)]);
    }

    #[test]
    fn values_volumes_and_keys_have_their_declarations() {
        let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  values:\n    image: {tag: a}\n  \
            environments:\n    prod:\n      values: {image: {tag: b}}\n";
        let template = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nspec: {image: 'a:{{ values.image.ta^g }}'}\n";
        let index_of = |text: &str| (index(&[text, project]), text.find('^').unwrap());
        let (index, at) = index_of(template);
        assert_eq!(lines(&index, &definition(&index, 0, at)), [(1, 5), (1, 8)]);
        let spaced = template.replace("{{ values", "{{\u{a0}values");
        let (spaced, at) = index_of(&spaced);
        assert_eq!(lines(&spaced, &definition(&spaced, 0, at)), [(1, 5), (1, 8)]);
        let pod = "apiVersion: v1\nkind: Pod\nspec:\n  volumes:\n  - name: data\n  containers:\n  - name: a\n    \
            volumeMounts: [{name: da^ta}]\n";
        let (index, at) = index_of(pod);
        assert_eq!(lines(&index, &definition(&index, 0, at)), [(0, 5)]);
    }

    #[test]
    fn custom_resources_refer_to_objects_by_the_names_of_their_fields() {
        // As in the samples of CloudNativePG.
        let cluster = "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: main}\nspec:\n  \
                       superuserSecret:\n    name: creds\n  backup:\n    s3Credentials:\n      accessKeyId:\n        \
                       name: creds\n        key: ID\n";
        let pooler = "apiVersion: postgresql.cnpg.io/v1\nkind: Pooler\nmetadata: {name: main}\n\
                      spec: {cluster: {name: main}}\n";
        let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: creds}\nstringData: {ID: a}\n";
        let index = index(&[cluster, pooler, secret]);
        let renamed = rename(&index, 2, secret.find("creds").unwrap());
        assert_eq!(lines(&index, &renamed), [(0, 6), (0, 10), (2, 3)]);
        let key = definition(&index, 0, cluster.find("ID\n").unwrap());
        assert_eq!(lines(&index, &key), [(2, 4)]);
        let renamed = rename(&index, 0, cluster.find("main").unwrap());
        assert_eq!(lines(&index, &renamed), [(0, 3), (1, 4)]);
    }

    #[test]
    fn a_name_with_an_expression_is_not_renamed() {
        let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nexpand: {count: 2}\nmetadata: {name: 'a-^{{ index }}'}\n";
        let index = index(&[text]);
        assert_eq!(renamable(&index, 0, text.find('^').unwrap()), None);
    }
}
