//! What an editor asks about half a document.

use std::ops::Range;
use std::sync::Arc;

use crate::compile::{Options, Purpose, compile};
use crate::findings::grouping::Grouping;
use crate::ide;
use crate::schema::Versions;
use crate::source::Workspace;

use super::choices::Choices;

/// The number of offsets that are asked about.
const OFFSETS: usize = 12;

/// The number of bytes at the end of an input that are edits of the text before them.
const EDITS: usize = 60;

/// What is typed or pasted.
const WORDS: &[&str] = &[
    "",
    "x",
    "\n",
    "  ",
    "\n  ",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "&a ",
    "*a",
    "{{ ",
    "é😀",
    "\t",
    "#",
    "|\n",
    "\r\n",
    "---\n",
    "\n---\n",
    "...\n",
    "kind: Pod\n",
    "extends: base",
];

/// A project around the text, with names that it can refer to.
const PROJECT: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  values: {image: a}\n  \
    external: [secret/creds]\n---\napiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: python}\n\
    spec: {image: a}\n";

/// Each answer is about parts of the text, and what it offers can be written there.
pub(super) fn answers(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut workspace = Workspace::new();
    let file = workspace.add("input.yaml", text.as_bytes());
    workspace.add("sandboxc.yaml", PROJECT);
    let index = ide::Index::of(&workspace, Versions::NONE);
    let text = workspace.file(file).text();
    let is_part =
        |it: &Range<usize>| assert!(text.get(it.clone()).is_some(), "{it:?} is not at characters");
    for number in 0..=OFFSETS {
        let offset = text.floor_char_boundary(text.len() * number / OFFSETS);
        for completion in ide::completion(&index, 0, offset) {
            is_part(&completion.range);
            assert!(completion.range.start <= offset && offset <= completion.range.end);
            assert!(completion.beside.is_none_or(|(at, _)| text.is_char_boundary(at)));
        }
        if let Some(hover) = ide::hover(&index, 0, offset) {
            is_part(&hover.range);
        }
        let renamed = ide::rename(&index, 0, offset);
        let own = renamed.iter().filter(|it| it.file == 0).map(|it| &it.range);
        let own: Vec<_> = own.inspect(|it| is_part(it)).map(|it| &text[it.clone()]).collect();
        assert!(own.iter().all(|it| Some(it) == own.first()), "one name: {own:?}");
        for place in ide::definition(&index, 0, offset) {
            let text = index.outline(place.file).map_or("", ide::Outline::text);
            assert!(text.get(place.range).is_some());
        }
        let selections = ide::selections(&index, 0, offset);
        selections.iter().for_each(is_part);
        let pairs = selections.iter().zip(selections.iter().skip(1));
        for (inner, outer) in pairs {
            assert!(outer.start <= inner.start && inner.end <= outer.end);
        }
    }
    ide::folds(&index, 0).iter().for_each(is_part);
    for link in ide::links(&index, 0) {
        is_part(&link.range);
    }
    for hint in ide::hints(&index, 0) {
        assert!(text.is_char_boundary(hint.offset));
    }
    for symbol in ide::document_symbols(&index, 0) {
        is_part(&symbol.range);
        assert!(symbol.range.start <= symbol.name_range.start);
        assert!(symbol.name_range.end <= symbol.range.end);
    }
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    options.grouping = Grouping::None;
    let mut findings = compile(&workspace, &options).diagnostics;
    findings.truncate(50);
    for finding in ide::findings(&workspace, &findings).remove(&file).into_iter().flatten() {
        is_part(&finding.range);
        let _ = ide::hover_of_findings(&workspace, &findings, file, finding.range.start);
    }
    for action in ide::actions(&workspace, &findings, file, 0..text.len()) {
        action.edits.iter().filter(|it| it.file == file).for_each(|it| is_part(&it.range));
    }
}

/// After any edits, of which only the documents that differ are scanned, the outline is that of the text.
pub(super) fn edits(bytes: &[u8]) {
    let (text, edits) = bytes.split_at(bytes.len().saturating_sub(EDITS));
    let mut text = String::from_utf8_lossy(text).into_owned();
    let mut outline = ide::Outline::new(text.as_str().into());
    let mut choices = Choices::new(edits, EDITS);
    while choices.has_room() {
        let place = choices.below(256) * text.len() / 255;
        let at = text.floor_char_boundary(place);
        let end = text.ceil_char_boundary((at + choices.below(40)).min(text.len()));
        text.replace_range(at..end, choices.pick(WORDS));
        outline = outline.edited(Arc::from(text.as_str()));
    }
    let fresh = ide::Outline::new(text.as_str().into());
    // All that can be seen of them, and more.
    assert_eq!(format!("{outline:?}"), format!("{fresh:?}"));
}
