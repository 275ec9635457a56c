//! What the editor shows at the cursor: descriptions and completions.

use sandboxc::ide::{self, CompletionKind, Index};
use sandboxc::{FileId, SourceFile};
use serde::Serialize;
use serde_json::Value;

use crate::input::{Input, Run};
use crate::place::{Position, Range};
use crate::request::{Answer, Refusal, value};

#[derive(Serialize)]
struct Hover {
    #[serde(flatten)]
    range: Range,
    /// In Markdown.
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Completion {
    label: String,
    kind: &'static str,
    detail: String,
    docs: String,
    #[serde(flatten)]
    range: Range,
    text: String,
    /// The text with places to fill in, as the language server protocol writes them; or empty.
    snippet: String,
    /// Another change that belongs to it.
    beside: Option<Insertion>,
}

#[derive(Serialize)]
struct Insertion {
    at: Position,
    text: String,
}

/// A position in the index of all files.
struct Cursor {
    run: Run,
    file: FileId,
    /// The position of the file in the index.
    at: usize,
    offset: usize,
}

impl Cursor {
    fn read(input: &Input, file: &str, position: Position) -> Result<Self, Refusal> {
        let run = input.read()?;
        let file = run.file(file)?;
        let at = run.workspace.ids().position(|id| id == file).unwrap_or_default();
        let offset = position.offset(run.workspace.file(file));
        Ok(Self { run, file, at, offset })
    }

    fn source(&self) -> &SourceFile {
        self.run.workspace.file(self.file)
    }

    fn index(&self) -> Index {
        Index::of(&self.run.workspace, self.run.options.kubernetes)
    }
}

/// The description of what is at a position; null if there is none.
pub(crate) fn hover(input: &Input, file: &str, position: Position) -> Answer {
    let cursor = Cursor::read(input, file, position)?;
    let Some(hover) = ide::hover(&cursor.index(), cursor.at, cursor.offset) else {
        return Ok(Value::Null);
    };
    value(Hover { range: Range::of(cursor.source(), &hover.range), text: hover.text })
}

/// What can be written at a position, in the order in which it is shown.
pub(crate) fn complete(input: &Input, file: &str, position: Position) -> Answer {
    let cursor = Cursor::read(input, file, position)?;
    let found = ide::completion(&cursor.index(), cursor.at, cursor.offset);
    let shown = found.into_iter().map(|completion| Completion {
        kind: icon_of(completion.kind),
        range: Range::of(cursor.source(), &completion.range),
        beside: completion.beside.map(|(offset, text)| Insertion {
            at: Range::of(cursor.source(), &(offset..offset)).start,
            text,
        }),
        label: completion.label,
        detail: completion.detail,
        docs: completion.docs,
        text: completion.text,
        snippet: completion.snippet,
    });
    value(shown.collect::<Vec<_>>())
}

/// The name of the icon.
const fn icon_of(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Field => "property",
        CompletionKind::Value => "enum",
        CompletionKind::Kind => "class",
        CompletionKind::Reference => "variable",
        CompletionKind::Variable => "function",
        CompletionKind::Rule => "constant",
        CompletionKind::Snippet => "text",
    }
}
