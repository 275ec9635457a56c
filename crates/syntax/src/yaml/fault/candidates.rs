//! Repairs of one line near the position where the parser stopped: another indentation, a dash too
//! many, a missing dash, a dash without a space.
//!
//! The parser often stops several lines after a misplaced one, because the lines after it are still
//! valid YAML. These repairs are compared with the likeliest one of the stopping line.

use std::ops::Range;

use super::colons::is_dash_without_blank;
use super::indentation::{Repair, blame};
use super::layout::{LIST_AND_MAP_MIXED, WRONG_INDENTATION, blanks};
use super::line::Line;
use super::missing_dash_space;
use crate::diag::{Diagnostic, message};
use crate::source::{FileId, Span, offset};

/// The maximum number of bytes that all repairs of a fault together may read.
const MAX_WORK: usize = 1 << 20;

/// The maximum number of lines, each with a few repairs.
const MAX_LINES: usize = 8;

/// First keys of the items of lists, which are rarely keys of a map.
const FIRST_KEYS: &[&str] = &[
    "apiGroups",
    "containerPort",
    "from",
    "host",
    "image",
    "key",
    "kind",
    "mountPath",
    "name",
    "path",
    "port",
    "to",
];

/// Keys of objects, which are not indented.
const ROOT_KEYS: &[&str] =
    &["apiVersion", "data", "kind", "metadata", "spec", "status", "stringData"];

/// Fields with plural names that are maps.
const MAPS: &[&str] = &[
    "annotations",
    "defaultResources",
    "labels",
    "limits",
    "matchLabels",
    "podOverrides",
    "requests",
    "resources",
    "values",
];

/// The repairs of the lines around `line`, where the parser stopped.
pub(super) fn near(file: FileId, body: &str, line: Line<'_>) -> Vec<Repair> {
    let most = MAX_WORK / body.len().max(1);
    let lines = lines_to_move(body, line);
    let mut repairs: Vec<_> =
        lines.into_iter().flat_map(|it| of_line(file, body, it, line)).collect();
    repairs.truncate(most);
    repairs
}

/// The stopping line, those that it could be below or next to, and the ones before each of them.
fn lines_to_move<'t>(body: &'t str, line: Line<'t>) -> Vec<Line<'t>> {
    let mut lines = vec![line];
    let open = line.open_above(body);
    for near in line.previous(body).into_iter().chain(open.iter().copied().take(MAX_LINES / 2)) {
        lines.push(near);
        lines.extend(near.previous(body));
        // The first line below a key without a value can lack a dash.
        let is_parent = near.key_value().is_some_and(|field| field.value.is_empty());
        lines.extend(near.next(body).filter(|first| is_parent && first.start < line.start));
    }
    lines.sort_by_key(|it| it.start);
    lines.dedup_by_key(|it| it.start);
    lines.reverse();
    lines.truncate(MAX_LINES);
    // A block that ends here can begin far above.
    let outer = open.into_iter().find(|above| above.indent() < line.indent());
    lines.extend(outer.filter(|outer| lines.iter().all(|line| line.start != outer.start)));
    lines
}

fn of_line(file: FileId, body: &str, it: Line<'_>, stop: Line<'_>) -> Vec<Repair> {
    let at = it.content_start();
    let content = it.content();
    // Tabs have findings of their own. Comments, markers and brackets are not lines of a block.
    let has_tab = it.text.get(..it.indent()).is_none_or(|it| it.contains('\t'));
    if has_tab || it.is_trivia() || it.text == "---" || content.starts_with(['[', '{', ']', '}']) {
        return Vec::new();
    }
    let here = Here { file, it, stop };
    let mut repairs = Vec::new();
    if is_dash_without_blank(content) {
        let dash = here.span(at..at + 1);
        let finding = missing_dash_space(dash, here.span(at + 1..at + 1));
        // No key begins with a dash.
        let with_space = repair_with(finding, at + 1..at + 1, " ");
        repairs.push(Repair { is_between: true, ..with_space });
    } else if content.starts_with("- ") {
        repairs.push(here.without_dash(body));
    }
    let neighbors = it.previous(body).into_iter().chain(it.next(body)).chain(it.open_above(body));
    let columns = neighbors.flat_map(|near| {
        let (own, item) = (near.indent(), near.column(near.item_start()));
        [own, item, own + 2, item + 2]
    });
    let key = it.key_value().map_or("", |it| it.key);
    let is_root = it.indent() == 0 && ROOT_KEYS.contains(&key);
    let mut columns: Vec<_> = columns
        .filter(|_| !is_root)
        .filter(|new| *new != it.indent() && new.abs_diff(it.indent()) <= 2)
        .collect();
    columns.sort_unstable();
    columns.dedup();
    repairs.extend(columns.into_iter().map(|new| blame(file, it, stop, new)));
    // Of two equal repairs, the first one is suggested.
    if !content.starts_with('-') {
        let is_key = it.key_value().is_some();
        if is_key || is_list_below(body, it) {
            repairs.push(here.with_dash(body, at));
        }
        // The dash of an item is two columns before its content.
        if let Some(dash) = it.indent().checked_sub(2).filter(|_| is_key || is_list_below(body, it))
        {
            repairs.push(here.with_dash(body, it.start + dash));
        }
        repairs.extend(is_key.then(|| here.with_parent(body)).flatten());
    }
    repairs
}

#[derive(Clone, Copy)]
struct Here<'t> {
    file: FileId,
    it: Line<'t>,
    stop: Line<'t>,
}

impl Here<'_> {
    fn span(self, range: Range<usize>) -> Span {
        Span::new(self.file, offset(range.start), offset(range.end))
    }

    fn whole(self, line: Line<'_>) -> Span {
        let start = line.content_start();
        self.span(start..start + line.content().len())
    }

    fn mixed(self, message: &'static str, label: &'static str) -> Diagnostic {
        let finding = Diagnostic::new(&LIST_AND_MAP_MIXED, self.whole(self.it), message);
        if self.stop.start == self.it.start {
            return finding;
        }
        finding.label(self.whole(self.stop), label)
    }

    fn without_dash(self, body: &str) -> Repair {
        let at = self.it.content_start();
        let after = self.it.rest(at + 1);
        let range = at..at + 1 + after.len() - after.trim_start_matches(' ').len();
        let finding = self.mixed("list item among the keys of a map", "key of the map").suggest(
            self.span(range.clone()),
            "",
            "remove the `- `",
        );
        let is_in_map = MAPS.contains(&parent_key(body, self.it));
        Repair { is_between: is_in_map, ..repair_with(finding, range, "") }
    }

    /// Writes a dash at `dash`, which is the start of the content or two columns before it.
    fn with_dash(self, body: &str, dash: usize) -> Repair {
        let at = self.it.content_start();
        let (message, text) = match self.it.key_value() {
            Some(_) => ("key without `- ` in a list", "write `- ` before the key"),
            None => ("missing `- ` of a list item", "write `- ` before the item"),
        };
        let is_item = self.stop.content().starts_with("- ");
        let label = if is_item { "next item of the list" } else { "next line of the item" };
        let finding = self.mixed(message, label).suggest(self.span(dash..at), "- ", text);
        let mut added = repair_with(finding, dash..at, "- ");
        added.is_between = starts_item(body, self.it) || self.it.key_value().is_none();
        added
    }

    /// Writes a key above the line, which is indented below nothing.
    fn with_parent(self, body: &str) -> Option<Repair> {
        let (before, key) = (self.it.previous(body)?, self.it.key_value()?.key);
        let column = self.it.indent().checked_sub(2)?;
        // The lines before belong to a list or map of the level where the key is missing.
        let open = self.it.open_above(body);
        let is_level = open.iter().any(|above| above.indent() == column);
        let is_below = before.key_value().is_some_and(|field| field.value.is_empty());
        // Otherwise, the line continues the item.
        let is_repeated = keys_of_item(body, before, self.it.indent()).any(|other| other == key);
        if before.indent() <= column || is_below || !is_level || !is_repeated {
            return None;
        }
        let message = "key is indented below no key";
        let finding = Diagnostic::new(&WRONG_INDENTATION, self.whole(self.it), message)
            .at("no key above to belong to")
            .help(message!(
                "write the missing key above, {}, or indent the line like the others",
                match column {
                    0 => "without indentation".into(),
                    column => message!("indented by {}", blanks(column)),
                }
            ));
        let text = format!("{}missing:\n", " ".repeat(column));
        Some(repair_with(finding, self.it.start..self.it.start, &text))
    }
}

/// The keys of the list item at `column` that ends with the line `last`.
fn keys_of_item<'t>(body: &'t str, last: Line<'t>, column: usize) -> impl Iterator<Item = &'t str> {
    let lines = std::iter::successors(Some(last), move |it| {
        let is_first = it.indent() <= column;
        it.previous(body).filter(|_| !is_first)
    });
    lines.filter_map(|it| it.key_value()).map(|it| it.key)
}

/// Whether a line without a key or a dash is in a list: the line before or after it is an item at
/// the column of its dash.
pub(super) fn is_list_below(body: &str, line: Line<'_>) -> bool {
    let is_item = |it: &Line<'_>| {
        it.content().starts_with("- ")
            && it.indent() <= line.indent()
            && it.indent() + 2 >= line.indent()
    };
    line.next(body).filter(is_item).or_else(|| line.previous(body).filter(is_item)).is_some()
}

fn repair_with(finding: Diagnostic, range: Range<usize>, text: &str) -> Repair {
    Repair { finding, edits: vec![(range, text.to_owned())], is_between: false }
}

/// Whether a key is probably the first one of a list item: its name is that of such a key, and the
/// key above is plural.
fn starts_item(body: &str, line: Line<'_>) -> bool {
    let is_first =
        line.key_value().is_some_and(|field| FIRST_KEYS.contains(&field.key.trim_matches('"')));
    let key = parent_key(body, line);
    is_first && key.ends_with('s') && !MAPS.contains(&key)
}

/// The key that the line is below.
fn parent_key<'t>(body: &'t str, line: Line<'t>) -> &'t str {
    let parent = line.open_above(body).into_iter().find(|above| {
        above.key_value().is_some_and(|field| field.value.is_empty())
            && above.column(above.item_start()) <= line.indent()
    });
    parent.and_then(|it| it.key_value()).map_or("", |it| it.key)
}
