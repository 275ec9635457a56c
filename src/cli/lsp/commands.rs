//! The commands of the server, and the settings that an editor sends.

use gen_lsp_types as lsp;
use sandboxc::ide::{self, HintKind};
use sandboxc::{FileId, Options};
use serde_json::Value;

use super::convert::lines;
use super::insights::parameter;
use super::position::Encoding;
use super::state::Checked;

/// The names of the commands.
pub(super) const NAMES: [&str; 2] = ["sandboxc.built", "sandboxc.effective"];

/// A command that returns the objects of a document as YAML.
pub(super) struct Show {
    pub(super) uri: String,
    /// A position in the definition; without one, all of the document are shown.
    position: Option<lsp::Position>,
    is_effective: bool,
}

impl Show {
    /// Reads a command with its arguments: the address of the document, and optionally a position in it.
    pub(super) fn of(params: &Value) -> Option<Self> {
        let name = params.get("command")?.as_str()?;
        let at = NAMES.iter().position(|it| *it == name)?;
        Some(Self {
            uri: params.pointer("/arguments/0")?.as_str()?.to_owned(),
            position: parameter(params, "/arguments/1"),
            is_effective: at == 1,
        })
    }

    pub(super) fn text(
        &self,
        checked: &Checked,
        file: FileId,
        options: &Options,
        encoding: Encoding,
    ) -> Value {
        let workspace = &checked.texts.workspace;
        let offset =
            self.position.map(|position| lines(workspace, file, encoding).offset(position));
        Value::String(ide::built(workspace, options, file, offset, self.is_effective))
    }
}

/// The hints that are turned off in settings: `{"hints": {"uses": false}}`.
pub(super) fn hints_off(settings: &Value) -> Vec<HintKind> {
    let kinds = [
        ("uses", HintKind::Uses),
        ("expansions", HintKind::Expansion),
        ("inherited", HintKind::Inherited),
    ];
    let is_off = |name: &str| {
        settings.pointer(&format!("/hints/{name}")).and_then(Value::as_bool) == Some(false)
    };
    kinds.into_iter().filter(|it| is_off(it.0)).map(|it| it.1).collect()
}
