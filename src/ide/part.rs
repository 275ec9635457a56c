//! Names of parts of objects: volumes, the keys of Secrets and ConfigMaps, and the values of Projects.

use std::ops::Range;

use super::index::{Declared, Index};
use super::navigation::{FileRange, bare};
use super::outline::{Cursor, Document, Kind, Outline, Slot, Step};
use super::reference::{field_names, find_data_mention};
use crate::lower::API_VERSION;
use crate::sorted::CompactSort as _;
use crate::source::{Slice as _, lines};

/// The fields with the data of an object.
const DATA: [&str; 3] = ["data", "stringData", "binaryData"];

/// The lists whose items are volumes.
const VOLUMES: [&str; 3] = ["volumes", "volumeClaims", "volumeClaimTemplates"];

/// A named part of an object.
pub(super) enum Part<'i> {
    /// A volume: its document, and the place of its name.
    Volume(Declared<'i>, FileRange),
    /// A key of the data of objects.
    Key(Vec<Declared<'i>>, &'i str),
    /// The path of a value of the Project.
    Value(Vec<&'i str>),
}

impl<'i> Part<'i> {
    /// The part whose name is at a cursor: where it is declared, or where it is used.
    pub(super) fn at(
        index: &'i Index,
        file: usize,
        cursor: &Cursor<'i>,
        offset: usize,
    ) -> Option<Self> {
        let outline = index.outline(file)?;
        let document = cursor.document;
        let declared = Declared { file, outline, document };
        if let Some(path) = value_path(outline, offset) {
            return Some(Self::Value(path));
        }
        match cursor.slot {
            Slot::Key => {
                let path = names(&outline.path_of(cursor))?;
                if let Some(path) = declared.is_project().then(|| below_values(&path)).flatten() {
                    return Some(Self::Value(path));
                }
                let is_of_data = matches!(path[..], [field, _] if DATA.contains(&field));
                let has_data = is_of_data && declared.is_one_of(&["ConfigMap", "Secret"]);
                has_data
                    .then(|| Self::Key(vec![declared], outline.key(document.entry(cursor.entry))))
            }
            Slot::Value => {
                let range = volume(outline, cursor).or_else(|| own_volume(outline, cursor));
                if let Some(range) = range {
                    let range = bare(outline, &range);
                    return Some(Self::Volume(declared, FileRange { file, range }));
                }
                let objects = find_data_mention(outline, document, cursor.entry)?
                    .find(index, outline, document);
                let key = outline.scalar(document.entry(cursor.entry));
                Some(Self::Key(objects, key)).filter(|_| !key.is_empty())
            }
            Slot::NewKey { .. } | Slot::Text | Slot::Comment => None,
        }
    }

    /// Whether the part can have this name.
    pub(super) fn can_be_named(&self, name: &str) -> bool {
        let are = |is: fn(char) -> bool| !name.is_empty() && name.chars().all(is);
        match self {
            Self::Volume(..) => are(|character| {
                character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-'
            }),
            Self::Key(..) => {
                are(|character| character.is_ascii_alphanumeric() || "-._".contains(character))
            }
            Self::Value(_) => are(is_name) && !name.starts_with(char::is_numeric),
        }
    }

    /// Where its name is written, in order.
    pub(super) fn places(&self, index: &Index, has_declarations: bool) -> Vec<FileRange> {
        let mut places = match self {
            Self::Volume(declared, name) => mounts(declared, name),
            Self::Key(objects, key) => uses_of_key(index, objects, key),
            Self::Value(path) => uses_of_value(index, path),
        };
        if has_declarations {
            places.extend(match self {
                Self::Volume(_, name) => vec![name.clone()],
                Self::Key(objects, key) => keys_of(objects, key),
                Self::Value(path) => of_value(index, path),
            });
        }
        places.compact_sort_by_key(|place| (place.file, place.range.start));
        places.dedup();
        places
    }
}

/// The fields of a path without items.
fn names<'t>(path: &[Step<'t>]) -> Option<Vec<&'t str>> {
    let name = |step: &Step<'t>| match step {
        Step::Field(name) => Some(*name),
        Step::Item(_) => None,
    };
    path.iter().map(name).collect()
}

/// The path of a value from that of a field of a Project.
fn below_values<'t>(path: &[&'t str]) -> Option<Vec<&'t str>> {
    let (["spec", "values", rest @ ..] | ["spec", "environments", _, "values", rest @ ..]) = path
    else {
        return None;
    };
    (!rest.is_empty()).then(|| rest.to_vec())
}

/// The name at a cursor that is that of a volume.
fn own_volume(outline: &Outline, cursor: &Cursor<'_>) -> Option<Range<usize>> {
    let path = field_names(&outline.path_of(cursor));
    let is_volume = match path[..] {
        [.., "volumeClaimTemplates", "metadata", "name"] => true,
        [.., list, "name"] => VOLUMES.contains(&list),
        _ => false,
    };
    is_volume.then(|| cursor.range.clone())
}

/// The mounts of a volume.
fn mounts(declared: &Declared<'_>, name: &FileRange) -> Vec<FileRange> {
    let Declared { file, outline, document } = *declared;
    let of_volume = outline.slice(&name.range);
    let mount = |(entry, it): (usize, &super::outline::Entry)| {
        let range = it.value.clone().filter(|_| outline.scalar(it) == of_volume)?;
        let cursor = Cursor { document, entry, slot: Slot::Value, range: range.clone() };
        let found = bare(outline, &volume(outline, &cursor)?);
        (found == name.range).then(|| FileRange { file, range: bare(outline, &range) })
    };
    document.entries().filter_map(mount).collect()
}

/// The keys of this name in objects.
fn keys_of(objects: &[Declared<'_>], key: &str) -> Vec<FileRange> {
    let mut places = Vec::new();
    for it in objects {
        for data in DATA {
            if let Some(at) = it.document.at(it.outline, &[data, key]) {
                let range = bare(it.outline, &it.document.entry(at).key);
                places.push(FileRange { file: it.file, range });
            }
        }
    }
    places
}

/// The fields that name a key of one of these objects.
fn uses_of_key(index: &Index, objects: &[Declared<'_>], key: &str) -> Vec<FileRange> {
    let mut places = Vec::new();
    for Declared { file, outline, document } in index.declared() {
        for (at, entry) in document.entries() {
            let Some(range) = entry.value.as_ref() else { continue };
            if outline.scalar(entry) != key {
                continue;
            }
            let Some(object) = find_data_mention(outline, document, at) else { continue };
            let found = object.find(index, outline, document);
            let is_one = |declared: &Declared<'_>| {
                objects.iter().any(|known| std::ptr::eq(known.document, declared.document))
            };
            if found.iter().any(is_one) {
                places.push(FileRange { file, range: bare(outline, range) });
            }
        }
    }
    places
}

/// The names in expressions that read a value of the Project, or one in it.
fn uses_of_value(index: &Index, path: &[&str]) -> Vec<FileRange> {
    let mut places = Vec::new();
    for Declared { file, outline, document } in index.declared().filter(Declared::is_definition) {
        let text = outline.slice(&document.range);
        for expression in expressions(text) {
            let inside = text.slice(expression.clone());
            for (at, _) in inside.match_indices(VALUES) {
                let before = inside.get(..at).and_then(|text| text.chars().next_back());
                if before.is_some_and(|character| {
                    is_name(character) || character == '.' || character == '"' || character == '\''
                }) {
                    continue;
                }
                let start = at + VALUES.len();
                if let Some(range) = followed(inside, start, path) {
                    let from = document.range.start + expression.start;
                    places.push(FileRange { file, range: from + range.start..from + range.end });
                }
            }
        }
    }
    places
}

/// The last name of a path that a text has at a position, each name after a dot.
fn followed(text: &str, mut at: usize, path: &[&str]) -> Option<Range<usize>> {
    let mut last = at..at;
    for name in path {
        let rest = text.get(at..)?.strip_prefix('.')?.strip_prefix(name)?;
        if rest.starts_with(is_name) {
            return None;
        }
        last = at + 1..at + 1 + name.len();
        at = last.end;
    }
    Some(last)
}

/// The insides of the expressions of a text.
fn expressions(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("{{")).map(|it| at + it + 2) {
        let rest = text.slice(start..);
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        let inside = line.split_once("}}").map_or(line, |(inside, _)| inside);
        let end = start + inside.len();
        found.push(start..end);
        at = end;
    }
    found
}

/// The variable with the values of the Project.
const VALUES: &str = "values";

fn is_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// The volume that a mount names, in the map around it.
pub(super) fn volume(outline: &Outline, cursor: &Cursor<'_>) -> Option<Range<usize>> {
    let path = field_names(&outline.path_of(cursor));
    let [.., "volumeMounts" | "volumeDevices", "name"] = path[..] else { return None };
    let document = cursor.document;
    let name = outline.scalar(document.entry(cursor.entry));
    let mut around = cursor.entry;
    while around != 0 {
        around = document.entry(around).parent;
        for list in VOLUMES {
            let Some(list) = document.field(outline, around, list) else { continue };
            if let Some(found) = item_named(outline, document, list, name) {
                return Some(found);
            }
        }
    }
    None
}

/// The name of the item of a list that has this name.
fn item_named(
    outline: &Outline,
    document: &Document,
    list: usize,
    name: &str,
) -> Option<Range<usize>> {
    document.children(list).find_map(|(item, _)| {
        let of_metadata = || document.field(outline, item, "metadata");
        let own = document.field(outline, item, "name");
        let at = own.or_else(|| document.field(outline, of_metadata()?, "name"))?;
        let entry = document.entry(at);
        (outline.scalar(entry) == name).then(|| entry.value.clone()).flatten()
    })
}

/// The entries of the object with data that a key means.
pub(super) fn data_key(
    index: &Index,
    outline: &Outline,
    cursor: &Cursor<'_>,
) -> Option<Vec<FileRange>> {
    let document = cursor.document;
    let object = find_data_mention(outline, document, cursor.entry)?;
    let key = outline.scalar(document.entry(cursor.entry));
    Some(keys_of(&object.find(index, outline, document), key))
}

/// The path below `values` that the expression at an offset reads.
pub(super) fn value_path(outline: &Outline, offset: usize) -> Option<Vec<&str>> {
    let text = outline.text();
    let offset = text.floor_char_boundary(offset);
    let (before, after) = text.split_at_checked(offset)?;
    let line = before.get(lines::start(before, offset)..)?;
    let inside = line.get(line.rfind("{{")? + 2..)?;
    let is_definition = |it| outline.api_version(it) == API_VERSION;
    if inside.contains("}}") || !outline.document_at(offset).is_some_and(is_definition) {
        return None;
    }
    let start = inside.trim_end_matches(|character| is_name(character) || character == '.').len();
    let end = after.len() - after.trim_start_matches(is_name).len();
    let whole = text.get(offset - (inside.len() - start)..offset + end)?;
    let path: Vec<_> = whole.split('.').collect();
    let (first, rest) = path.split_first()?;
    (*first == VALUES && !rest.is_empty()).then(|| rest.to_vec())
}

/// The fields of Projects, and of their environments, with a value.
pub(super) fn of_value(index: &Index, path: &[&str]) -> Vec<FileRange> {
    let mut places = Vec::new();
    for Declared { file, outline, document } in index.declared().filter(Declared::is_project) {
        let mut maps: Vec<_> = document.at(outline, &["spec", "values"]).into_iter().collect();
        if let Some(all) = document.at(outline, &["spec", "environments"]) {
            let values = |(at, _)| document.field(outline, at, "values");
            maps.extend(document.children(all).filter_map(values));
        }
        for map in maps {
            let found = path.iter().try_fold(map, |at, name| document.field(outline, at, name));
            let entry = found.map(|at| document.entry(at)).filter(|it| it.kind == Kind::Field);
            places.extend(entry.map(|entry| FileRange { file, range: bare(outline, &entry.key) }));
        }
    }
    places
}
