//! The requests that are answered from the outlines of a project.

use std::path::Path;

use lsp_server::ErrorCode;
use sandboxc::Options;
use sandboxc::ide::HintKind;
use serde_json::Value;

use super::client::{Abilities, Answer, failure};
use super::indexed::Indexed;
use super::insights as answers;

/// A request about a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    Completion,
    Hover,
    Definition,
    References,
    Highlights,
    PrepareRename,
    Rename,
    Symbols,
    Folds,
    Selections,
    Links,
    Hints,
}

impl Question {
    pub(super) fn of(method: &str) -> Option<Self> {
        Some(match method.strip_prefix("textDocument/")? {
            "completion" => Self::Completion,
            "hover" => Self::Hover,
            "definition" => Self::Definition,
            "references" => Self::References,
            "documentHighlight" => Self::Highlights,
            "prepareRename" => Self::PrepareRename,
            "rename" => Self::Rename,
            "documentSymbol" => Self::Symbols,
            "foldingRange" => Self::Folds,
            "selectionRange" => Self::Selections,
            "documentLink" => Self::Links,
            "inlayHint" => Self::Hints,
            _ => return None,
        })
    }

    /// Answers it for a file, which is given by its number and its path.
    pub(super) fn answer(
        self,
        indexed: &Indexed,
        (file, path): (usize, &Path),
        params: &Value,
        options: &Options,
        (abilities, off): (Abilities, &[HintKind]),
    ) -> Answer {
        let position = || {
            let message = "missing parameter `position`";
            answers::parameter(params, "/position")
                .ok_or_else(|| failure(ErrorCode::InvalidParams, message))
        };
        Ok(match self {
            Self::Completion => answers::completion(indexed, file, position()?, abilities),
            Self::Hover => answers::hover(indexed, file, path, position()?, options),
            Self::Definition => answers::definition(indexed, file, position()?),
            Self::References => answers::references(indexed, file, position()?, params),
            Self::Highlights => answers::highlights(indexed, file, position()?),
            Self::PrepareRename => answers::prepare_rename(indexed, file, position()?),
            Self::Rename => {
                return answers::rename(indexed, file, (position()?, params), abilities);
            }
            Self::Symbols => answers::document_symbols(indexed, file),
            Self::Folds => answers::folds(indexed, file),
            Self::Selections => answers::selections(indexed, file, params),
            Self::Links => answers::links(indexed, file, path),
            Self::Hints => answers::hints(indexed, file, params, off),
        })
    }
}
